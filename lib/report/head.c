/* SPDX-License-Identifier: MIT */
/*
 * head.c - what was recorded, where, when, and what is missing of it
 */
#include <inttypes.h>
#include <string.h>

#include "report/html.h"

static void begin_row(struct html *h, const char *label)
{
	html_putf(h, "<div><dt>%s</dt><dd>", label);
}

static void end_row(struct html *h)
{
	html_put(h, "</dd></div>\n");
}

static void put_row(struct html *h, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	begin_row(h, label);
	html_put_text(h, text);
	end_row(h);
}

static void put_time(struct html *h, const struct jfrec_analyzed_jvm *v)
{
	char from[TIME_TEXT_MAX], to[TIME_TEXT_MAX], zone[TIME_TEXT_MAX], length[NUMBER_TEXT_MAX];

	report_time_text(h->report, from, v->start_ns, false);
	report_time_text(h->report, to, v->end_ns, false);
	begin_row(h, "Recorded");
	/* Of the end its day only if it is another one. */
	html_putf(h, "%s to %s %s, %s", from, strncmp(from, to, 10) == 0 ? to + 11 : to,
		  report_zone_text(h->report, zone, v->start_ns),
		  number_text(length, JFREC_MEASURE_NS, (double)(v->end_ns - v->start_ns)));
	end_row(h);
}

static void put_jvm(struct html *h, const struct jfrec_analyzed_jvm *v)
{
	if (!v->vm && !v->version && v->pid < 0)
		return;
	begin_row(h, "JVM");
	/* HotSpot's version begins with its name. */
	if (v->vm && !(v->version && strncmp(v->version, v->vm, strlen(v->vm)) == 0)) {
		html_put_text(h, v->vm);
		html_put(h, v->version ? ", " : "");
	}
	if (v->version)
		html_put_text(h, v->version);
	if (v->pid >= 0)
		html_putf(h, "%sprocess %" PRId64, v->vm || v->version ? ", " : "", v->pid);
	end_row(h);
}

static void put_machine(struct html *h, const struct jfrec_analyzed_jvm *v, const struct lines *l)
{
	char text[NUMBER_TEXT_MAX];
	const char *between = "";

	if (v->hw_threads <= 0 && l->memory <= 0)
		return;
	begin_row(h, "Machine");
	if (v->hw_threads > 0) {
		html_putf(h, "%d processor%s", v->hw_threads, v->hw_threads == 1 ? "" : "s");
		if (v->cpus > 0 && v->cpus < v->hw_threads)
			html_putf(h, ", of which the JVM may use %.3g", v->cpus);
		between = ", ";
	}
	if (l->memory > 0)
		html_putf(h, "%s%s of memory", between,
			  number_text(text, JFREC_MEASURE_BYTES, (double)l->memory));
	if (l->memory_limit > 0)
		html_putf(h, ", container limited to %s",
			  number_text(text, JFREC_MEASURE_BYTES, (double)l->memory_limit));
	end_row(h);
}

static void put_heap(struct html *h, const struct jfrec_analyzed_jvm *v)
{
	char text[NUMBER_TEXT_MAX];

	if (!v->collector && v->heap_max <= 0)
		return;
	begin_row(h, "Collector");
	if (v->collector)
		html_put_text(h, v->collector);
	if (v->heap_max > 0)
		html_putf(h, "%sheap of at most %s", v->collector ? ", " : "",
			  number_text(text, JFREC_MEASURE_BYTES, (double)v->heap_max));
	end_row(h);
}

static void put_size(struct html *h, const struct jfrec_analyzed_jvm *v)
{
	char events[NUMBER_TEXT_MAX];

	begin_row(h, "Size");
	html_putf(h, "%s events in %" PRIu64 " chunk%s",
		  number_text(events, JFREC_MEASURE_NUMBER, (double)v->events), v->chunks,
		  v->chunks == 1 ? "" : "s");
	end_row(h);
}

/* What is missing ------------------------------------------------------------------------------ */

/* Chunks that follow each other have no gap of this length. */
#define GAP_NS INT64_C(1000000000)

static unsigned gaps_of(const struct facts *f, int64_t *sum_ns)
{
	int64_t end_ns = INT64_MAX;
	unsigned n = 0;

	*sum_ns = 0;
	for (size_t i = 0; i < f->chunk_count; i++) {
		const struct chunk_fact *c = &f->chunks[i];

		if (end_ns != INT64_MAX && c->start_ns - end_ns > GAP_NS) {
			n++;
			*sum_ns += c->start_ns - end_ns;
		}
		/* Until when a chunk lasts that is not finished is not known. */
		if (c->is_unfinished)
			end_ns = INT64_MAX;
		else if (end_ns == INT64_MAX || c->end_ns > end_ns)
			end_ns = c->end_ns;
	}
	return n;
}

static void put_losses(struct html *h, size_t jvm)
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm(h->report->analysis, jvm);
	char text[NUMBER_TEXT_MAX];
	int64_t sum_ns;
	unsigned gaps = gaps_of(&report_jvm(h->report, jvm)->facts, &sum_ns);

	if (v->lost_bytes)
		html_putf(h, "<p class=\"warn\">The JVM lost %s of events, since its buffers were "
			     "full.</p>\n",
			  number_text(text, JFREC_MEASURE_BYTES, (double)v->lost_bytes));
	if (gaps)
		html_putf(h, "<p class=\"warn\">Nothing was recorded for %s, in %u gap%s between "
			     "chunks.</p>\n",
			  number_text(text, JFREC_MEASURE_NS, (double)sum_ns), gaps,
			  gaps == 1 ? "" : "s");
	if (((struct lines *)report_jvm(h->report, jvm)->watched)->out_of_range)
		html_put(h, "<p class=\"warn\">Some events have times that are far from their "
			    "chunk: they are not in the timeline.</p>\n");
}

static void put_one(struct html *h, size_t jvm)
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm(h->report->analysis, jvm);

	if (jfrec_analysis_jvm_count(h->report->analysis) > 1) {
		html_put(h, "<p class=\"jvm\">");
		html_put_text(h, report_jvm_name(h->report, jvm));
		html_put(h, "</p>\n");
	}
	html_put(h, "<dl class=\"facts\">\n");
	put_row(h, "Program", report_jvm_name(h->report, jvm));
	put_time(h, v);
	put_jvm(h, v);
	put_machine(h, v, report_jvm(h->report, jvm)->watched);
	put_heap(h, v);
	put_size(h, v);
	html_put(h, "</dl>\n");
	put_losses(h, jvm);
}

void html_put_head(struct html *h)
{
	struct jfrec_report *r = h->report;

	if (r->damage)
		html_putf(h, "<p class=\"warn\">The recording is damaged in %" PRIu64 " place%s: this "
			     "shows what could be read. <code>jfrec check</code> says where.</p>\n",
			  r->damage, r->damage == 1 ? "" : "s");
	for (size_t i = 0; i < jfrec_analysis_jvm_count(r->analysis) && i < REPORT_JVMS; i++)
		put_one(h, i);
	if (jfrec_analysis_jvm_count(r->analysis) > REPORT_JVMS)
		html_putf(h, "<p class=\"warn\">The recording has %zu JVMs, of which the first %d are "
			     "shown.</p>\n",
			  jfrec_analysis_jvm_count(r->analysis), REPORT_JVMS);
	if (!jfrec_analysis_jvm_count(r->analysis))
		html_put(h, "<p class=\"warn\">The recording has no data that could be read.</p>\n");
}

void html_put_figures(struct html *h, size_t jvm)
{
	struct figure figures[MAX_FIGURES];
	size_t n = report_figures(h->report, jvm, figures);
	char text[NUMBER_TEXT_MAX];

	if (!n)
		return;
	html_put(h, "<dl class=\"figures\">\n");
	for (size_t i = 0; i < n; i++) {
		const struct figure *f = &figures[i];

		html_putf(h, "<div><dt>%s</dt><dd><b>%s</b>", f->label,
			  number_text(text, f->unit, f->value));
		if (f->value_is)
			html_putf(h, " %s", f->value_is);
		if (f->peak_is)
			html_putf(h, ", %s %s", number_text(text, f->unit, f->peak), f->peak_is);
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl>\n");
}
