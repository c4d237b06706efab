/* SPDX-License-Identifier: MIT */
/*
 * report.h - what was filtered, with the list of its event types
 */
#ifndef JFREC_EDIT_REPORT_H
#define JFREC_EDIT_REPORT_H

#include "edit/tally.h"

struct filtered {
	struct jfrec_filtered shown; /* first: what the caller has a pointer to */
	size_t row_count;
	struct jfrec_edit_row *rows;
};

/* Take the rows of the tally over. */
void filtered_take_rows(struct filtered *f, struct tally *t);

/* Free the rows. */
void filtered_fini(struct filtered *f);

#endif
