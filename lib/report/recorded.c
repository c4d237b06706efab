/* SPDX-License-Identifier: MIT */
/*
 * recorded.c - what was recorded, where, when, and what is missing of it, in words
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/clock.h"
#include "report/shown_texts.h"

/* Facts ---------------------------------------------------------------------------------------- */

struct facts_list {
	struct jfrec_report *report;
	struct report_fact *facts;
	size_t count;
};

static void begin(struct facts_list *l, const char *label)
{
	l->facts[l->count++] = (struct report_fact){ .label = label };
}

/* More of the fact at hand. */
static __attribute__((format(printf, 2, 3))) void add(struct facts_list *l, const char *format, ...)
{
	char *text = l->facts[l->count - 1].text;
	size_t len = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + len, REPORT_FACT_MAX - len, format, args);
	va_end(args);
}

static void add_time(struct facts_list *l, const struct jfrec_analyzed_jvm *v)
{
	char from[HUMAN_MAX], to[HUMAN_MAX], zone[HUMAN_MAX], length[2 * HUMAN_MAX];

	report_time_text(l->report, from, v->start_ns, false);
	report_time_text(l->report, to, v->end_ns, false);
	begin(l, "Recorded");
	/* Of the end its day only if it is another one. */
	add(l, "%s to %s %s, %s", from, strncmp(from, to, 10) == 0 ? to + 11 : to,
	    report_zone_text(l->report, zone, v->start_ns),
	    human_length(length, v->recorded_ns, long_subtract(v->end_ns, v->start_ns)));
}

static void add_jvm(struct facts_list *l, const struct jfrec_analyzed_jvm *v, bool is_native)
{
	if (!v->vm && !v->version && v->pid < 0)
		return;
	if (is_native) {
		begin(l, "Recorder");
		add(l, "libjfrec-recorder%s", v->pid >= 0 ? ", " : "");
		if (v->pid >= 0)
			add(l, "process %" PRId64, v->pid);
		return;
	}
	begin(l, "JVM");
	/* HotSpot's version begins with its name. */
	if (v->vm && !(v->version && strncmp(v->version, v->vm, strlen(v->vm)) == 0))
		add(l, "%s%s", v->vm, v->version ? ", " : "");
	if (v->version)
		add(l, "%s", v->version);
	if (v->pid >= 0)
		add(l, "%sprocess %" PRId64, v->vm || v->version ? ", " : "", v->pid);
}

static void add_machine(struct facts_list *l, const struct jfrec_analyzed_jvm *v,
			const struct lines *seen)
{
	char text[HUMAN_MAX];
	const char *between = "";

	if (v->hw_threads <= 0 && seen->memory <= 0)
		return;
	begin(l, "Machine");
	if (v->hw_threads > 0) {
		add(l, "%d processor%s", v->hw_threads, v->hw_threads == 1 ? "" : "s");
		if (v->cpus > 0 && v->cpus < v->hw_threads)
			add(l, ", of which %s may use %.3g", report_words(l->report, "the JVM"), v->cpus);
		between = ", ";
	}
	if (seen->memory > 0)
		add(l, "%s%s of memory", between,
		    number_text(text, JFREC_UNIT_BYTES, (double)seen->memory));
	if (seen->memory_limit > 0)
		add(l, ", container limited to %s",
		    number_text(text, JFREC_UNIT_BYTES, (double)seen->memory_limit));
}

static void add_heap(struct facts_list *l, const struct jfrec_analyzed_jvm *v)
{
	char text[HUMAN_MAX];

	if (!v->collector && v->heap_max <= 0)
		return;
	begin(l, "Collector");
	if (v->collector)
		add(l, "%s", v->collector);
	if (v->heap_max > 0)
		add(l, "%sheap of at most %s", v->collector ? ", " : "",
		    number_text(text, JFREC_UNIT_BYTES, (double)v->heap_max));
}

size_t report_facts(struct jfrec_report *r, size_t jvm, struct report_fact facts[REPORT_FACTS])
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(r->analysis, jvm);
	struct facts_list l = { r, facts, 0 };
	char events[HUMAN_MAX];

	begin(&l, "Program");
	add(&l, "%s", report_jvm_name(r, jvm));
	add_time(&l, v);
	add_jvm(&l, v, report_jvm(r, jvm)->facts.is_native);
	add_machine(&l, v, report_jvm(r, jvm)->watched);
	add_heap(&l, v);
	begin(&l, "Size");
	add(&l, "%s event%s in %" PRIu64 " chunk%s",
	    number_text(events, JFREC_UNIT_NONE, (double)v->events), v->events == 1 ? "" : "s",
	    v->chunks, v->chunks == 1 ? "" : "s");
	return l.count;
}

/* What is missing ------------------------------------------------------------------------------ */

static unsigned gaps_of(const struct facts *f, int64_t *sum_ns)
{
	struct recorded_gap gap = { 0 };
	unsigned n = 0;

	*sum_ns = 0;
	for (; report_next_gap(f, &gap); n++)
		*sum_ns = long_add(*sum_ns, long_subtract(gap.to_ns, gap.from_ns));
	return n;
}

static __attribute__((format(printf, 2, 3))) void say(char to[static REPORT_FACT_MAX],
						      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(to, REPORT_FACT_MAX, format, args);
	va_end(args);
}

size_t report_losses(struct jfrec_report *r, size_t jvm, char to[REPORT_LOSSES][REPORT_FACT_MAX])
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(r->analysis, jvm);
	char text[HUMAN_MAX];
	int64_t sum_ns;
	unsigned gaps = gaps_of(&report_jvm(r, jvm)->facts, &sum_ns);
	size_t n = 0;

	if (v->lost_bytes)
		say(to[n++],
		    report_jvm(r, jvm)->facts.is_native
			    ? "The program lost %s of events, since its buffers were full."
			    : "The JVM lost %s of events, since its buffers were full.",
		    number_text(text, JFREC_UNIT_BYTES, (double)v->lost_bytes));
	if (gaps)
		say(to[n++], "Nothing was recorded for %s, in %u gap%s between chunks.",
		    number_text(text, JFREC_UNIT_NS, (double)sum_ns), gaps,
		    gaps == 1 ? "" : "s");
	if (((struct lines *)report_jvm(r, jvm)->watched)->out_of_range)
		say(to[n++], "Some events have times that are far from their chunk: they are not in "
			     "the timeline.");
	return n;
}
