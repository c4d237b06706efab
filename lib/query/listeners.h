/* SPDX-License-Identifier: MIT */
/*
 * listeners.h - which columns of a query the events of a type feed
 *
 * A recording may have 100,000 types, and FROM * a listener for each: none is looked for among all.
 */
#ifndef JFREC_QUERY_LISTENERS_H
#define JFREC_QUERY_LISTENERS_H

#include "query/resolve.h"

/* Make the listeners of a query whose entries and columns are there.  False: no memory. */
bool make_listeners(struct arena *a, const struct schema *s, struct resolved *to);

/*
 * The place in to->by_type where the listeners of a type begin, if it has any; otherwise another
 * type's are there, or it is the end.
 */
unsigned listeners_of(const struct resolved *r, unsigned type);

#endif
