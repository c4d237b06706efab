/* SPDX-License-Identifier: MIT */
/*
 * jfrec/report.h - a recording on one page: what is wrong, when, and where to look
 *
 *	struct jfrec_report *r = jfrec_report_new(NULL, &err);
 *
 *	jfrec_report_read(r, reader, &err);
 *	jfrec_report_write(r, "html", write, ctx, &err);
 *	jfrec_report_free(r);
 *
 * Findings, values over time, profiles and tables are made in one pass over the recording. Memory
 * grows with the number of distinct stacks, classes, threads and so on, not with that of events.
 */
#ifndef JFREC_REPORT_H
#define JFREC_REPORT_H

#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

struct jfrec_report;

struct jfrec_report_options {
	size_t struct_size; /* sizeof(struct jfrec_report_options) */
	const int64_t *from_ns, *to_ns; /* events that touch this span; NULL: no bound */
	jfrec_zone_fn *zone;		/* in which times are shown; NULL: UTC */
	void *zone_ctx;
	const char *title;	/* of the page; NULL: a general one */
	bool shows_secrets;	/* do not redact what the "default" scrub rules match */
	bool with_environment;	/* show environment variables */
	bool is_live;		/* the JVM still runs, so its recording has no end yet */
	const struct jfrec_host_facts *host; /* of the JVM; they live as long; or NULL */
};

/* options: NULL is all zero. Copies the title. NULL with *err set: JFREC_EINVAL, JFREC_ENOMEM. */
struct jfrec_report *jfrec_report_new(const struct jfrec_report_options *options,
				      struct jfrec_error *err);

/* Free it. */
void jfrec_report_free(struct jfrec_report *r);

/* Name a recording that is read. 0, or -1 with *err set (JFREC_ENOMEM). */
int jfrec_report_add_recording(struct jfrec_report *r, const char *name, struct jfrec_error *err);

/*
 * Have the document that the format json writes tell of a problem; for a function that
 * jfrec_reader_on_problem() calls. Copies it. 0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_report_add_problem(struct jfrec_report *r, const struct jfrec_problem *problem,
			     struct jfrec_error *err);

/*
 * Read the recordings that the reader has open, once. The reader must stay open until the report is
 * freed. 0, or -1 with *err set: as jfrec_query_run().
 */
int jfrec_report_read(struct jfrec_report *r, struct jfrec_reader *reader, struct jfrec_error *err);

/*
 * Write what was read:
 *
 *	html	  a page for any browser, which needs no network
 *	json	  all numbers, as jfrec-report(5) describes
 *	markdown  findings, key figures and the first rows of tables, for chats and tickets
 *
 * The same recording gives the same bytes. May be called several times. Returns 0, or -1 with *err
 * set: JFREC_EINVAL if the format is unknown, JFREC_EOUTPUT if write() fails, or JFREC_ENOMEM.
 */
int jfrec_report_write(struct jfrec_report *r, const char *format, jfrec_write_fn *write, void *ctx,
		       struct jfrec_error *err);

/* How many formats there are. */
size_t jfrec_report_formats_count(void);

/* The name of format number i; NULL beyond the last. Static. */
const char *jfrec_report_formats_get(size_t i);

JFREC_END_DECLS

#endif
