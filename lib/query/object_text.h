/* SPDX-License-Identifier: MIT */
/*
 * object_text.h - how objects look in a cell, and Java's hash codes of them
 */
#ifndef JFREC_QUERY_OBJECT_TEXT_H
#define JFREC_QUERY_OBJECT_TEXT_H

#include "query/objects.h"

/* Set .text and .brief.  False: no memory. */
bool object_make_text(struct arena *a, struct object *o);

int32_t object_java_hash(const struct object *o);

#endif
