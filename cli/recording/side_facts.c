/* SPDX-License-Identifier: MIT */
/*
 * side_facts.c - events, pauses, settings and flags of a recording, for comparing two
 */
#include "recording/side_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "jfrec-tool.h"

/* Reading -------------------------------------------------------------------------------------- */

static const char gc_query[] =
	"SELECT COUNT(*), SUM(sumOfPauses), MAX(longestPause) FROM GarbageCollection";

static const char *const flag_queries[] = {
	"SELECT name, LAST(value) FROM BooleanFlag GROUP BY name",
	"SELECT name, LAST(value) FROM IntFlag GROUP BY name",
	"SELECT name, LAST(value) FROM UnsignedIntFlag GROUP BY name",
	"SELECT name, LAST(value) FROM LongFlag GROUP BY name",
	"SELECT name, LAST(value) FROM UnsignedLongFlag GROUP BY name",
	"SELECT name, LAST(value) FROM DoubleFlag GROUP BY name",
	"SELECT name, LAST(value) FROM StringFlag GROUP BY name",
};
#define FLAG_QUERIES (sizeof(flag_queries) / sizeof(*flag_queries))

/* A name that comes again is added up when all are sorted. */
static void add_count(struct side_facts *f, const char *name, uint64_t count)
{
	char *copy = strdup(name);

	if (!copy || !array_push(f->events, f->event_count, f->event_room,
				 (struct fact_count){ copy, count }))
		free(copy);
}

static void cell_text(char *to, size_t size, struct jfrec_cell c)
{
	if (c.kind == JFREC_KIND_BOOL)
		snprintf(to, size, "%s", c.i ? "true" : "false");
	else if (c.kind == JFREC_KIND_INT)
		snprintf(to, size, "%lld", (long long)c.i);
	else if (c.kind == JFREC_KIND_FLOAT)
		snprintf(to, size, "%g", c.d);
	else
		snprintf(to, size, "%s", c.kind == JFREC_KIND_STRING ? c.text : "");
}

static void add_flag(struct side_facts *f, struct jfrec_answer *t, size_t row)
{
	char name[256], value[512];
	struct fact_value v;

	cell_text(name, sizeof(name), jfrec_answer_cell(t, row, 0));
	cell_text(value, sizeof(value), jfrec_answer_cell(t, row, 1));
	v = (struct fact_value){ strdup(name), strdup(value) };
	if (v.name && v.value && array_push(f->flags, f->flag_count, f->flag_room, v))
		return;
	free(v.name);
	free(v.value);
}

static void take_answers(struct side_facts *f, struct jfrec_query *q, int gc, const int *flags)
{
	struct jfrec_answer *t = jfrec_query_answer(q, gc);

	if (t && jfrec_answer_row_count(t)) {
		f->collections = jfrec_answer_cell(t, 0, 0).i;
		f->pause_ns = jfrec_answer_cell(t, 0, 1).i;
		f->longest_ns = jfrec_answer_cell(t, 0, 2).i;
	}
	for (size_t i = 0; i < FLAG_QUERIES; i++) {
		t = jfrec_query_answer(q, flags[i]);
		if (!t)
			continue;
		jfrec_answer_limit(t, UINT64_MAX);
		for (size_t row = 0; row < jfrec_answer_row_count(t); row++)
			add_flag(f, t, row);
	}
	for (size_t i = 0; i < jfrec_query_type_count(q); i++) {
		if (jfrec_query_type_events(q, i))
			add_count(f, jfrec_query_type_name(q, i), jfrec_query_type_events(q, i));
	}
}

static int ask(struct side_facts *f, struct jfrec_reader *r, const int64_t *from_ns,
	       const int64_t *to_ns, struct jfrec_error *err)
{
	struct jfrec_query *q = jfrec_query_new(r, err);
	int flags[FLAG_QUERIES], gc, ret = -1;

	if (!q)
		return -1;
	jfrec_query_set_span(q, from_ns, to_ns);
	gc = jfrec_query_add(q, gc_query, err);
	for (size_t i = 0; i < FLAG_QUERIES; i++)
		flags[i] = gc < 0 ? -1 : jfrec_query_add(q, flag_queries[i], err);
	if (gc >= 0 && flags[FLAG_QUERIES - 1] >= 0 && jfrec_query_count_types(q, err) == 0 &&
	    jfrec_query_run(q, err) == 0) {
		take_answers(f, q, gc, flags);
		ret = 0;
	}
	jfrec_query_free(q);
	return ret;
}

/* The value that was in force at the end of the time. */
static void take_settings(struct side_facts *f, const struct jfrec_active *a, int64_t to_ns)
{
	for (size_t i = 0; i < jfrec_active_setting_count(a); i++) {
		const struct jfrec_active_setting *s = jfrec_active_setting_get(a, i);
		struct fact_value v = { NULL, strdup(s->value) };

		if ((s->since_ns > to_ns || (s->until_ns && s->until_ns <= to_ns)) ||
		    asprintf(&v.name, "%s#%s", s->event, s->name) < 0) {
			free(v.value);
			continue;
		}
		if (v.value && array_push(f->settings, f->setting_count, f->setting_room, v))
			continue;
		free(v.name);
		free(v.value);
	}
}

static int by_event(const void *x, const void *y)
{
	return strcmp(((const struct fact_count *)x)->name, ((const struct fact_count *)y)->name);
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct fact_value *)x)->name, ((const struct fact_value *)y)->name);
}

/* Add up neighbours of the same name. */
static void join_events(struct side_facts *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->event_count; i++) {
		struct fact_count *last = kept ? &f->events[kept - 1] : NULL;

		if (last && strcmp(last->name, f->events[i].name) == 0) {
			last->count += f->events[i].count;
			free(f->events[i].name);
		} else {
			f->events[kept++] = f->events[i];
		}
	}
	f->event_count = kept;
}

static void sort(struct side_facts *f)
{
	if (f->event_count)
		qsort(f->events, f->event_count, sizeof(*f->events), by_event);
	join_events(f);
	if (f->setting_count)
		qsort(f->settings, f->setting_count, sizeof(*f->settings), by_name);
	if (f->flag_count)
		qsort(f->flags, f->flag_count, sizeof(*f->flags), by_name);
}

/* How much of the recording lies in the time. */
static double seconds_of(int64_t start, int64_t end, int64_t from_ns, int64_t to_ns)
{
	start = from_ns > start ? from_ns : start;
	end = to_ns < end ? to_ns : end;
	return end > start ? (double)(end - start) / 1e9 : 0;
}

int side_facts_read(struct side_facts *f, const struct command *self,
		    const struct event_opts *select, const struct jfrec_reader *of,
		    const int64_t time[2])
{
	struct event_opts chosen = *select;
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = jfrec_reader_again(of, &err);
	struct jfrec_active *active = NULL;
	int64_t start = 0, end = 0;
	int status = EXIT_DONE;

	*f = (struct side_facts){ 0 };
	if (!r)
		return report_failure(of, &err);
	if (jfrec_reader_span(r, &start, &end, &err) < 0 ||
	    event_opts_select(&chosen, r, &err) < 0 || ask(f, r, &time[0], &time[1], &err) < 0)
		status = event_opts_failure(&chosen, self, r, &err);
	f->seconds = seconds_of(start, end, time[0], time[1]);
	jfrec_reader_close(r);
	r = status == EXIT_DONE ? jfrec_reader_again(of, &err) : NULL;
	active = r ? jfrec_active_read(r, &err) : NULL;
	if (active)
		take_settings(f, active, time[1]);
	jfrec_active_free(active);
	jfrec_reader_close(r);
	sort(f);
	return status;
}

static void values_fini(struct fact_value *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].value);
	}
	free(list);
}

void side_facts_fini(struct side_facts *f)
{
	for (size_t i = 0; i < f->event_count; i++)
		free(f->events[i].name);
	free(f->events);
	values_fini(f->settings, f->setting_count);
	values_fini(f->flags, f->flag_count);
	*f = (struct side_facts){ 0 };
}

/* Events --------------------------------------------------------------------------------------- */

/* A type of events in both. */
struct rate {
	const char *name;
	uint64_t before, after;
	double before_rate, after_rate; /* per second */
	double strength;		/* of the change, in what chance makes of steady rates */
};

static double per_second(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count / seconds : 0;
}

static struct rate rate_of(const struct side_facts *before, const struct side_facts *after,
			   const struct fact_count *x, const struct fact_count *y)
{
	struct rate r = { .name = x ? x->name : y->name, .before = x ? x->count : 0,
			  .after = y ? y->count : 0 };
	double error;

	r.before_rate = per_second(r.before, before->seconds);
	r.after_rate = per_second(r.after, after->seconds);
	error = sqrt((before->seconds > 0 ? r.before_rate / before->seconds : 0) +
		     (after->seconds > 0 ? r.after_rate / after->seconds : 0));
	r.strength = error > 0 ? fabs(r.after_rate - r.before_rate) / error : 0;
	return r;
}

static int by_strength(const void *x, const void *y)
{
	const struct rate *a = x, *b = y;

	if (a->strength != b->strength)
		return a->strength > b->strength ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* All types of both, the strongest change first; to be freed. NULL when memory is gone. */
static struct rate *rates_of(const struct side_facts *before, const struct side_facts *after,
			     size_t *count)
{
	struct rate *list = calloc(before->event_count + after->event_count + 1, sizeof(*list));
	size_t i = 0, j = 0;

	*count = 0;
	while (list && (i < before->event_count || j < after->event_count)) {
		const struct fact_count *x = i < before->event_count ? &before->events[i] : NULL;
		const struct fact_count *y = j < after->event_count ? &after->events[j] : NULL;
		int order = !x ? 1 : !y ? -1 : strcmp(x->name, y->name);

		i += order <= 0;
		j += order >= 0;
		list[(*count)++] = rate_of(before, after, order <= 0 ? x : NULL,
					   order >= 0 ? y : NULL);
	}
	if (list)
		qsort(list, *count, sizeof(*list), by_strength);
	return list;
}

static void print_events(const struct side_facts *before, const struct side_facts *after,
			 unsigned top)
{
	size_t count, shown = 0;
	struct rate *list = rates_of(before, after, &count);
	char lengths[2][HUMAN_MAX];

	printf("Events per second, in %s before and %s after\n\n"
	       "     Before      After  Type\n",
	       human_span(lengths[0], before->seconds * 1e9),
	       human_span(lengths[1], after->seconds * 1e9));
	for (size_t i = 0; list && i < count && shown < top; i++, shown++) {
		const char *note = !list[i].before ? "  new" : !list[i].after ? "  gone" : "";

		printf("%11.2f%11.2f  ", list[i].before_rate, list[i].after_rate);
		print_name(list[i].name);
		printf("%s\n", note);
	}
	if (count > shown)
		printf("  ... and %zu more types\n", count - shown);
	free(list);
}

static void print_pauses(const char *when, const struct side_facts *f)
{
	char all[HUMAN_MAX], share[HUMAN_MAX], longest[HUMAN_MAX];

	printf("  %s: %lld collections, %s of pauses in all (%s of the time), %s the longest\n",
	       when, (long long)f->collections, human_span(all, (double)f->pause_ns),
	       human_share(share, f->seconds > 0 ? (double)f->pause_ns / 1e9 / f->seconds : 0),
	       human_span(longest, (double)f->longest_ns));
}

/* Settings and flags --------------------------------------------------------------------------- */

typedef void differs_fn(void *ctx, const char *name, const char *before, const char *after);

/* What differs in two lists that are sorted by name; NULL: one side does not have it. */
static void each_difference(const struct fact_value *x, size_t x_count, const struct fact_value *y,
			    size_t y_count, differs_fn *fn, void *ctx)
{
	size_t i = 0, j = 0;

	while (i < x_count || j < y_count) {
		int order = i == x_count ? 1 : j == y_count ? -1 : strcmp(x[i].name, y[j].name);

		if (order < 0)
			fn(ctx, x[i].name, x[i].value, NULL);
		else if (order > 0)
			fn(ctx, y[j].name, NULL, y[j].value);
		else if (strcmp(x[i].value, y[j].value) != 0)
			fn(ctx, x[i].name, x[i].value, y[j].value);
		i += order <= 0;
		j += order >= 0;
	}
}

struct printing {
	const char *title; /* NULL: printed already */
	unsigned left;
	size_t more;
};

static void print_side(const char *value)
{
	if (value && *value)
		print_name(value);
	else
		putchar('-');
}

static void print_difference(void *ctx, const char *name, const char *before, const char *after)
{
	struct printing *p = ctx;

	if (p->title)
		printf("\n%s\n\n", p->title);
	p->title = NULL;
	if (!p->left) {
		p->more++;
		return;
	}
	p->left--;
	printf("  ");
	print_name(name);
	printf(": ");
	print_side(before);
	printf(" -> ");
	print_side(after);
	putchar('\n');
}

static void print_values(const char *title, const struct fact_value *x, size_t x_count,
			 const struct fact_value *y, size_t y_count, unsigned top)
{
	struct printing p = { title, top, 0 };

	/* A recording without any says nothing of them. */
	if (x_count && y_count)
		each_difference(x, x_count, y, y_count, print_difference, &p);
	if (p.more)
		printf("  ... and %zu more\n", p.more);
}

void side_facts_print(const struct side_facts *before, const struct side_facts *after, unsigned top)
{
	print_events(before, after, top);
	if (before->collections || after->collections) {
		printf("\nGarbage collection\n\n");
		print_pauses("before", before);
		print_pauses("after", after);
	}
	print_values("Event settings that differ", before->settings, before->setting_count,
		     after->settings, after->setting_count, top);
	print_values("JVM flags that differ", before->flags, before->flag_count, after->flags,
		     after->flag_count, top);
}

/* JSON ----------------------------------------------------------------------------------------- */

static json_t *pauses_json(const struct side_facts *f)
{
	return json_pack("{s:I, s:I, s:I}", "collections", (json_int_t)f->collections, "pauseNanos",
			 (json_int_t)f->pause_ns, "longestNanos", (json_int_t)f->longest_ns);
}

static void add_difference(void *ctx, const char *name, const char *before, const char *after)
{
	json_array_append_new(ctx, json_pack("{s:o, s:o, s:o}", "name", text_json(name), "before",
					     before ? text_json(before) : json_null(), "after",
					     after ? text_json(after) : json_null()));
}

static json_t *differences_json(const struct fact_value *x, size_t x_count,
				const struct fact_value *y, size_t y_count)
{
	json_t *list = json_array();

	if (x_count && y_count)
		each_difference(x, x_count, y, y_count, add_difference, list);
	return list;
}

void side_facts_json(json_t *to, const struct side_facts *before, const struct side_facts *after)
{
	size_t count;
	struct rate *list = rates_of(before, after, &count);
	json_t *events = json_array();

	for (size_t i = 0; list && i < count; i++)
		json_array_append_new(
			events, json_pack("{s:o, s:I, s:I, s:f, s:f}", "type",
					  text_json(list[i].name), "before",
					  (json_int_t)list[i].before, "after",
					  (json_int_t)list[i].after, "beforePerSecond",
					  list[i].before_rate, "afterPerSecond",
					  list[i].after_rate));
	free(list);
	json_object_set_new(to, "beforeSeconds", json_real(before->seconds));
	json_object_set_new(to, "afterSeconds", json_real(after->seconds));
	json_object_set_new(to, "events", events);
	json_object_set_new(to, "gc", json_pack("{s:o, s:o}", "before", pauses_json(before),
						 "after", pauses_json(after)));
	json_object_set_new(to, "settings",
			    differences_json(before->settings, before->setting_count,
					     after->settings, after->setting_count));
	json_object_set_new(to, "flags", differences_json(before->flags, before->flag_count,
							   after->flags, after->flag_count));
}
