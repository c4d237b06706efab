/* SPDX-License-Identifier: MIT */
/*
 * figures.c - the numbers that are shown first
 */
#include <math.h>
#include <string.h>

#include "report/report.h"

static struct figure *add(struct figure *figures, size_t *n, const char *id, const char *label,
			  enum jfrec_unit unit)
{
	struct figure *f = &figures[(*n)++];

	*f = (struct figure){ .id = id, .label = label, .unit = unit, .value = NAN, .peak = NAN };
	return f;
}

/* The mean of all values, and the greatest. */
static void add_gauge(struct figure *figures, size_t *n, struct history *s, const char *id,
		      const char *label, enum jfrec_unit unit)
{
	struct figure *f;

	if (!s->events)
		return;
	f = add(figures, n, id, label, unit);
	f->value = s->sum / (double)s->events;
	f->value_is = "on average";
	f->peak = s->high;
	f->peak_is = "at most";
	f->history = s;
	f->kind = HISTORY_GAUGE;
}

/* An amount by the time that was recorded; NULL if that was none. */
static struct figure *add_rate(struct figure *figures, size_t *n, double amount, double seconds,
			       const char *id, const char *label, enum jfrec_unit unit)
{
	struct figure *f;

	if (seconds <= 0)
		return NULL;
	f = add(figures, n, id, label, unit);
	f->value = amount / seconds;
	f->value_is = "on average";
	return f;
}

/* How the figure went is drawn as the strip of that id is. */
static void draw_as_strip(struct figure *f, struct lines *l, const char *id)
{
	for (size_t i = 0; f && i < strip_count; i++) {
		enum line_id from;

		if (strcmp(strips[i].id, id) != 0)
			continue;
		f->history = strip_history(l, &strips[i].lines[0], &from);
		if (f->history)
			f->kind = strip_kind(&strips[i], from);
	}
}

/* As the rules have it: of the pauses themselves, or else of what collections say of theirs. */
static void add_pauses(struct figure *figures, size_t *n, const struct judging *j, struct lines *l)
{
	const struct facts *facts = j->facts;
	const struct span_of *one = spans_longest(&facts->pauses);
	double total = (double)spans_union(&facts->pauses, facts->start_ns, facts->end_ns);
	double longest = one ? (double)(one->end_ns - one->start_ns) : 0;
	struct figure *f;

	if (!one && !facts->collection_count)
		return;
	for (size_t i = 0; !one && i < facts->collection_count; i++) {
		total += (double)facts->collections[i].pauses_ns;
		longest = fmax(longest, (double)facts->collections[i].longest_ns);
	}
	f = add(figures, n, "gc-longest-pause", "Longest GC pause", JFREC_UNIT_NS);
	f->value = longest;
	draw_as_strip(f, l, "pauses");
	f = add(figures, n, "gc-share", "Time in GC pauses", JFREC_UNIT_PERCENT);
	f->value = total / (double)recorded_ns(j);
	f->value_is = "of the time";
}

static void add_heap(struct figure *figures, size_t *n, const struct facts *facts, struct lines *l)
{
	double most = NAN;
	struct figure *f;

	for (size_t i = 0; i < facts->heap_count; i++) {
		if (facts->heap[i].is_after && !(facts->heap[i].used < most))
			most = (double)facts->heap[i].used;
	}
	if (isnan(most))
		return;
	f = add(figures, n, "heap-after-gc", "Heap after GC", JFREC_UNIT_BYTES);
	f->value = most;
	f->value_is = "at most";
	draw_as_strip(f, l, "heap");
	if (facts->heap_max > 0) {
		f->peak = (double)facts->heap_max;
		f->peak_is = "allowed";
	}
}

size_t report_figures(struct jfrec_report *r, size_t jvm, struct figure figures[MAX_FIGURES])
{
	const struct facts *facts = &report_jvm(r, jvm)->facts;
	struct judging j = { .facts = facts, .analysis = r->analysis, .jvm = report_jvm(r, jvm) };
	struct lines *l = report_jvm(r, jvm)->watched;
	double seconds = (double)recorded_ns(&j) / 1e9, rate = allocation_rate(&j);
	struct history *s;
	size_t n = 0;

	add_gauge(figures, &n, &l->of[LINE_CPU_JVM], "cpu-jvm", "CPU of the JVM",
		  JFREC_UNIT_PERCENT);
	add_gauge(figures, &n, &l->of[LINE_CPU_MACHINE], "cpu-machine", "CPU of the machine",
		  JFREC_UNIT_PERCENT);
	add_pauses(figures, &n, &j, l);
	add_heap(figures, &n, facts, l);
	if (rate > 0)
		draw_as_strip(add_rate(figures, &n, rate * seconds, seconds, "allocation",
				       "Allocation", JFREC_UNIT_BYTES_PER_S),
			      l, "allocation");
	add_gauge(figures, &n, &l->of[LINE_THREADS], "threads", "Threads", JFREC_UNIT_NONE);
	s = &l->of[LINE_EXCEPTIONS];
	if (s->events > 1)
		draw_as_strip(add_rate(figures, &n, s->high - s->low, seconds, "exceptions",
				       "Exceptions", JFREC_UNIT_HERTZ),
			      l, "exceptions");
	s = &l->of[LINE_LOCK_WAIT];
	if (s->events)
		draw_as_strip(add_rate(figures, &n, s->sum, seconds, "lock-wait",
				       "Threads blocked on monitors", JFREC_UNIT_NONE),
			      l, "locks");
	return n;
}
