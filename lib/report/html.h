/* SPDX-License-Identifier: MIT */
/*
 * html.h - the parts of the page
 */
#ifndef JFREC_REPORT_HTML_H
#define JFREC_REPORT_HTML_H

#include "base/embedded.h"
#include "page/markup.h"
#include "report/report.h"

/* The style and the script of the page: "report-style", "report-script". */
extern const struct embedded_file embedded_report[];

/* A page that is being written. */
struct html {
	struct jfrec_report *report;
	struct out *out;
	struct buffer data; /* what the script knows of the timeline, then of threads: JSON */
	struct buffer cell;
	unsigned findings;  /* that were written: their numbers in the page */
	bool has_graphs;
};

/* Markup with numbers in it; never a text of the recording. */
void html_putf(struct html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of JSON for the script: added to h->data. */
void html_data(struct html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A text of the recording: redacted, cut where it is very long, escaped. */
void html_put_text(struct html *h, const char *text);
void html_put_text_at(struct html *h, const struct text_spot *spot, const char *text, size_t len);

/* A sentence of the report, whose commands are in backquotes. */
void html_put_sentence(struct html *h, const char *text);

/* The same of a text that may have parts of the recording, without what is secret. */
void html_put_said(struct html *h, const char *text);

static inline void html_put(struct html *h, const char *markup)
{
	markup_put(h->out, markup);
}

/* "<h2 id=...>" and the section's beginning; html_end_section() ends it. */
void html_begin_section(struct html *h, const char *id, const char *title);
void html_end_section(struct html *h);

/* A heading of a part: what it is, and of several JVMs whose. */
void html_put_heading(struct html *h, const char *title, size_t jvm);

/* Why things are missing, as a list; all zero but `h` at first. */
struct reasons {
	struct html *h;
	struct reason {
		const char *title, *why;
		size_t jvm; /* REPORT_JVMS or more: it is so of all */
	} list[MAX_TABLES * REPORT_JVMS];
	size_t count;
};

/* why: by JVM; NULL: it is there. */
void html_put_reasons(struct reasons *list, const char *title, const char *const *why);
void html_end_reasons(const struct reasons *list);

/*
 * head.c, figures_page.c, findings.c, strip_page.c, pauses.c, grid.c. Those that can fail return
 * -1: no memory.
 */
void html_put_head(struct html *h);
void html_put_figures(struct html *h, size_t jvm);
/* What is to be said first: a sentence. */
void html_put_verdict(struct html *h, size_t jvm);
/* Where nothing is wrong, the first thing that may be. */
void html_put_first_info(struct html *h, size_t jvm);
void html_put_findings(struct html *h, size_t jvm);
int html_put_timeline(struct html *h);
void html_put_pauses(struct html *h);
int html_put_threads(struct html *h);
/* The tables of a section, and why those that are empty are not there. */
void html_put_tables(struct html *h, enum section section);

#endif
