/* SPDX-License-Identifier: MIT */
/*
 * lists.h - lists of views and of event types
 */
#ifndef JFREC_CLI_VIEW_LISTS_H
#define JFREC_CLI_VIEW_LISTS_H

#include "view/show.h"

/*
 * Each prints a document, an object per line, or CSV, and returns an exit code; views also as text.
 */

/* All views: name, title and category. */
int list_views(enum view_format format, const struct jfrec_views *views);

/* Of the first `count` views, which are the query's tables, those with rows: how many. */
int list_overview(enum view_format format, const struct jfrec_query *query,
		  const struct jfrec_views *views, size_t count);

/* The event types that the query met, but those that are experimental, and their events. */
int list_types(enum view_format format, const struct jfrec_query *query);

#endif
