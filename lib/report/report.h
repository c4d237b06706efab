/* SPDX-License-Identifier: MIT */
/*
 * report.h - a report, between reading and writing
 *
 *	                        +--> lib/query     tables: tables.c says which
 *	chunks, in one pass ----+--> lib/stacks    profiles, with their times
 *	                        +--> lib/analyze   findings, and facts of each JVM
 *	                                 +--> strips.c  values over time, in the same walk
 *	                                 +--> heat.c    and what threads did
 *
 * Of several JVMs each has its findings, values, profiles and tables. Whose a chunk is, the
 * analysis knows; tables and profiles learn it when the parts of a chunk are merged.
 *
 * All of that is kept in struct jfrec_report. Writers only look at it, and none at another:
 *
 *	page.c       HTML: the order of the sections
 *	  head.c  figures_page.c  findings.c  strip_page.c  heat_page.c  pauses.c  grid.c
 *	                             a part each
 *	document.c   JSON
 *	markdown.c   Markdown, the short form
 *	  shown_texts.c  recorded.c    what the page and Markdown have in common
 *
 * Texts of the recording reach a writer through shown_secrets.c, which takes away what is secret.
 */
#ifndef JFREC_REPORT_REPORT_H
#define JFREC_REPORT_REPORT_H

#include "analyze/engine.h"
#include "base/human.h"
#include "base/out.h"
#include "jfrec/report.h"
#include "page/damage.h"
#include "query/ride.h"
#include "report/strips.h"
#include "scrub/shown_secrets.h"
#include "stacks/stacks.h"

/* JVMs of one recording that are shown with their values over time. */
#define REPORT_JVMS 8

/* Spans of time by which its graphs can be restricted. */
#define REPORT_SPANS 1500

enum section {
	SECTION_GC,
	SECTION_MEMORY,
	SECTION_LOCKS,
	SECTION_EXCEPTIONS,
	SECTION_IO,
	SECTION_THREADS,
	SECTION_RUNTIME,
	SECTION_SETTINGS,
	SECTION_ENVIRONMENT,
	SECTION_EVENTS,
	SECTION_COUNT,
};

struct section_info {
	const char *id, *title;
};
extern const struct section_info section_infos[SECTION_COUNT];

/* A table of a section: a view, or a query of its own. */
struct table_info {
	enum section section;
	const char *view;  /* its name, and that of the table in JSON */
	const char *title; /* NULL: the view's */
	const char *query; /* NULL: the view's */
	const char *event; /* without which it is empty */
	unsigned rows;	   /* at most; 0: as many as the view has */
	const char *sort;  /* by this column, the greatest first; NULL: as the view does */
	bool is_long;	   /* it is folded, since few look at it */
	bool is_environment; /* it is shown if it is asked for */
};
extern const struct table_info table_infos[];
extern const size_t table_count;

#define MAX_TABLES 64

/* A number that is shown first. */
struct figure {
	const char *id, *label;
	enum jfrec_unit unit;
	double value, peak; /* NAN: there is none */
	const char *value_is, *peak_is; /* "on average"; NULL: it says itself */
	struct history *history; /* how it went; NULL: nothing tells */
	enum history_kind kind;
};
#define MAX_FIGURES 12

struct jfrec_report {
	struct jfrec_report_options options;
	char *title;
	char **recordings;
	size_t recording_count, recording_room;
	struct jfrec_views *views;
	struct jfrec_analysis *analysis;
	struct jfrec_stacks *stacks;
	struct jfrec_query *query;
	int queries[MAX_TABLES]; /* by table: its query; -1: none */
	unsigned part_count;	 /* of JVMs, in the order in which they were met */
	struct secrets *secrets; /* of the analysis */
	uint64_t damage;	 /* places */
	struct damage problems; /* that the caller was told */
	int64_t start_ns, end_ns; /* of all JVMs */
	struct arena words; /* report_words() */
	bool is_read;
};

/* What a JVM is called: its main class, or its pid. Until the next call. */
const char *report_jvm_name(struct jfrec_report *r, size_t jvm);
/* The same after the letter by which it is known in the report: "B: shop.Main". Until the next call. */
const char *report_jvm_label(struct jfrec_report *r, size_t jvm);
/* A text of ours: where all are native programs, said of these.  As long as the report is there. */
const char *report_words(struct jfrec_report *r, const char *text);
/* How many JVMs are shown. */
size_t report_jvms(const struct jfrec_report *r);
struct jvm *report_jvm(const struct jfrec_report *r, size_t jvm);
/* The place of its tables and profiles; REPORT_JVMS or more: it has none. */
unsigned report_part(const struct jfrec_report *r, size_t jvm);

/* The threads that did most, and how many they are; what they did is in the heat of the JVM. */
#define REPORT_THREADS 20
size_t report_threads(struct jfrec_report *r, size_t jvm,
		      const struct heat_thread *to[REPORT_THREADS]);
const char *report_thread_name(const struct jfrec_report *r, const struct heat_thread *t);

/* Has it samples of that profile? */
bool report_has_profile(const struct jfrec_report *r, size_t jvm, size_t kind);

/* A time in which a JVM recorded nothing, between two of its chunks. All zero: before the first. */
struct recorded_gap {
	int64_t from_ns, to_ns;
	size_t chunk; /* where the search goes on */
	int64_t end_ns; /* of the chunks before it */
};

/* The next one; false: there is no more. */
bool report_next_gap(const struct facts *f, struct recorded_gap *gap);
/* A text of the analysis's by its number; NULL where it is 0. */
const char *report_text(const struct jfrec_report *r, uint32_t text);

/* The table of a JVM, or NULL with *why set to the reason why it is not there. */
struct jfrec_answer *report_table(struct jfrec_report *r, size_t jvm, size_t table,
				  const char **why);

/* The figures of a JVM; returns how many. */
size_t report_figures(struct jfrec_report *r, size_t jvm, struct figure figures[MAX_FIGURES]);

/* A text of the recording without what is secret. Until the next call. */
const char *report_redact(struct jfrec_report *r, const char *text);

/* "12.3 %", "412 ms", "480 MiB/s", "1,234" */
const char *number_text(char to[static HUMAN_MAX], enum jfrec_unit unit, double value);
/* "2026-11-22 15:53:40", with milliseconds if `exact`. */
const char *report_time_text(const struct jfrec_report *r, char to[static HUMAN_MAX], int64_t ns,
			     bool exact);
/* "UTC+01:00" at that time */
const char *report_zone_text(const struct jfrec_report *r, char to[static HUMAN_MAX],
			     int64_t ns);

/* Writers. 0, or -1 when memory is gone; what `out` meets is looked at later. */
int page_write(struct jfrec_report *r, struct out *out);
int document_write(struct jfrec_report *r, struct out *out);
int markdown_write(struct jfrec_report *r, struct out *out);

#endif
