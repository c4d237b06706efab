/* SPDX-License-Identifier: MIT */
/*
 * types.h - the public view of types, fields and annotations
 */
#ifndef JFREC_READ_TYPES_H
#define JFREC_READ_TYPES_H

#include "format/metadata.h"

/* The public list: jfrec/event.h. */
struct jfrec_types {
	const struct jfrec_type **items;
	size_t count;
};

/* Of one metadata, so that no two have the same name. */
void sort_types(const struct jfrec_type **types, size_t count);

#endif
