/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - what the JDK says about names of types and fields that are not there
 */
#ifndef JFREC_QUERY_SUGGEST_H
#define JFREC_QUERY_SUGGEST_H

#include "query/resolve.h"

/* The sentence, in the arena; NULL: no memory.  count: of types that there may be. */
const char *suggest_type(struct arena *a, const struct schema *s, unsigned count, const char *name);
const char *suggest_field(struct arena *a, const struct schema *s, const struct resolved *r,
			  const char *name);

/* The same in our words, with names that JDK's rules do not come upon; without a new line. */
const char *suggest_type_nearby(struct arena *a, const struct schema *s, unsigned count,
				const char *name);
const char *suggest_field_nearby(struct arena *a, const struct schema *s, const struct resolved *r,
				 const char *name);

#endif
