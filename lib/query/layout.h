/* SPDX-License-Identifier: MIT */
/*
 * layout.h - tables and forms as lines of text, in the JDK's manner
 */
#ifndef JFREC_QUERY_LAYOUT_H
#define JFREC_QUERY_LAYOUT_H

#include "base/out.h"
#include "query/table.h"

struct layout_options {
	bool verbose;
	int width;	  /* 0: what the table needs, between 40 and 120 */
	int cell_height;  /* 0: what the query says */
	uint8_t truncate; /* enum truncate */
};

/* False: no memory. */
bool layout_table(const struct jfrec_answer *t, const struct layout_options *o,
		  struct cell_writer *w, struct out *out);
bool layout_form(const struct jfrec_answer *t, const struct layout_options *o,
		 struct cell_writer *w, struct out *out);

/* The query as text, a blank line before it, broken at the width. False: no memory. */
bool layout_query(const struct jfrec_answer *t, int width, struct out *out);

#endif
