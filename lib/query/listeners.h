/* SPDX-License-Identifier: MIT */
/*
 * listeners.h - which columns of a query the events of a type feed
 */
#ifndef JFREC_QUERY_LISTENERS_H
#define JFREC_QUERY_LISTENERS_H

#include "query/resolve.h"

/* Make the listeners of a query whose entries and columns are there.  False: no memory. */
bool make_listeners(struct arena *a, const struct schema *s, struct resolved *to);

#endif
