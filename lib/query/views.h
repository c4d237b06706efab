/* SPDX-License-Identifier: MIT */
/*
 * views.h - queries with names, from files such as settings/views/jdk.views
 */
#ifndef JFREC_QUERY_VIEWS_H
#define JFREC_QUERY_VIEWS_H

#include "base/arena.h"
#include "jfrec/query.h"

struct jfrec_views {
	struct arena arena;
	struct jfrec_view *items;
	unsigned count;
};

#endif
