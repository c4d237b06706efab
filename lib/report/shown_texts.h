/* SPDX-License-Identifier: MIT */
/*
 * shown_texts.h - what all that people read of a report has in common: facts, and texts to be shown
 */
#ifndef JFREC_REPORT_SHOWN_TEXTS_H
#define JFREC_REPORT_SHOWN_TEXTS_H

#include "report/report.h"

/* What is at the head of a report: "Recorded", "12:00:00 to ...". With texts of the recording. */
#define REPORT_FACT_MAX 512
struct report_fact {
	const char *label;
	char text[REPORT_FACT_MAX];
};
#define REPORT_FACTS 8

/* The facts of a JVM; returns how many. */
size_t report_facts(struct jfrec_report *r, size_t jvm, struct report_fact facts[REPORT_FACTS]);

/* Sentences on what is missing of a JVM's events, without texts of the recording; how many. */
#define REPORT_LOSSES 4
size_t report_losses(struct jfrec_report *r, size_t jvm, char to[REPORT_LOSSES][REPORT_FACT_MAX]);

/*
 * A text of the recording as it is shown: redacted, and its first `most` bytes, *is_cut if it has
 * more. `room` is for what is made; the text lives until the next call. NULL when memory is gone.
 */
const char *report_shown(struct jfrec_report *r, const struct text_spot *spot, const char *text,
			 size_t len, size_t most, struct buffer *room, bool *is_cut);

/* Where a cell of a table comes from. */
struct cell_spot {
	struct text_spot spot;
	char name[256];
};
void cell_spot_init(struct cell_spot *c, struct jfrec_answer *t, const struct table_info *info,
		    size_t row, unsigned column);

/* Is the evidence a name of the recording, such as a class or a method, and not a sentence? */
bool report_is_name(const struct jfrec_evidence *e);

/* What a table is called. */
const char *report_table_title(struct jfrec_report *r, const struct table_info *info);

#endif
