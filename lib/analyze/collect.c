/* SPDX-License-Identifier: MIT */
/*
 * collect.c - what rules keep of events: spans, values over time, sums by what they share
 */
#include "analyze/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rule.h"
#include "base/array.h"

/* Spans ---------------------------------------------------------------------------------------- */

void spans_add(struct spans *s, const struct event *e, struct span_of span)
{
	if (s->count >= MAX_SPANS)
		s->beyond++;
	else if (!array_push(s->list, s->count, s->room, span))
		event_no_memory(e);
}

static int compare_spans(const void *a, const void *b)
{
	const struct span_of *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void spans_sort(struct spans *s)
{
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), compare_spans);
}

void spans_fini(struct spans *s)
{
	free(s->list);
}

const struct span_of *spans_longest(const struct spans *s)
{
	const struct span_of *most = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct span_of *o = &s->list[i];

		if (!most || o->end_ns - o->start_ns > most->end_ns - most->start_ns)
			most = o;
	}
	return most;
}

/* What the spans from number `first` on cover of a window. */
static int64_t covered(const struct spans *s, size_t first, int64_t from_ns, int64_t to_ns)
{
	int64_t sum = 0, at = from_ns;

	for (size_t i = first; i < s->count && s->list[i].start_ns < to_ns; i++) {
		int64_t start = s->list[i].start_ns > at ? s->list[i].start_ns : at;
		int64_t end = s->list[i].end_ns < to_ns ? s->list[i].end_ns : to_ns;

		if (end > start) {
			sum += end - start;
			at = end;
		}
	}
	return sum;
}

int64_t spans_union(const struct spans *s, int64_t from_ns, int64_t to_ns)
{
	return covered(s, 0, from_ns, to_ns);
}

/* A span that is long keeps `first` back only until it ends; most are short. */
static size_t skip_ended(const struct spans *s, size_t first, int64_t from_ns)
{
	while (first < s->count && s->list[first].end_ns <= from_ns)
		first++;
	return first;
}

/* Of sorted spans: those that touch made one, so that none ends after the next one's end. */
static struct spans unite(const struct spans *s)
{
	struct spans to = { .list = malloc((s->count + 1) * sizeof(*to.list)) };

	for (size_t i = 0; to.list && i < s->count; i++) {
		struct span_of *last = to.count ? &to.list[to.count - 1] : NULL;

		if (!last || s->list[i].start_ns > last->end_ns)
			to.list[to.count++] = s->list[i];
		else if (s->list[i].end_ns > last->end_ns)
			last->end_ns = s->list[i].end_ns;
	}
	return to;
}

/* In each window the spans that begin in it are looked at, and the one before: most are short. */
static struct worst worst_of(const struct spans *s, int64_t width_ns, int64_t from_ns,
			     int64_t to_ns)
{
	struct worst w = { 0, from_ns, from_ns + width_ns };
	int64_t step = width_ns / 2 > 0 ? width_ns / 2 : 1;
	size_t first = 0;

	/* More than all of a window cannot be covered. */
	for (int64_t at = from_ns; at < to_ns && first < s->count && w.covered_ns < width_ns;) {
		int64_t here;

		first = skip_ended(s, first, at);
		if (first == s->count)
			break;
		/* Over a long time without any, at once. */
		if (s->list[first].start_ns >= at + width_ns)
			at += (s->list[first].start_ns - at - width_ns) / step * step + step;
		here = covered(s, first, at, at + width_ns);
		if (here > w.covered_ns)
			w = (struct worst){ here, at, at + width_ns };
		at += step;
	}
	return w;
}

struct worst spans_worst(const struct spans *s, int64_t width_ns, int64_t from_ns, int64_t to_ns)
{
	struct spans united = unite(s);
	struct worst w = worst_of(united.list ? &united : s, width_ns, from_ns, to_ns);

	spans_fini(&united);
	return w;
}

/* Values over time ----------------------------------------------------------------------------- */

#define MAX_POINTS 1000000

void series_add(struct series *s, const struct event *e, int64_t at_ns, double value)
{
	if (isnan(value))
		return;
	if (s->count >= MAX_POINTS)
		s->beyond++;
	else if (!array_push(s->list, s->count, s->room, (struct point){ at_ns, value }))
		event_no_memory(e);
}

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

void series_sort(struct series *s)
{
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), compare_points);
}

void series_fini(struct series *s)
{
	free(s->list);
}

double series_max(const struct series *s, int64_t *at_ns)
{
	double most = NAN;

	for (size_t i = 0; i < s->count; i++) {
		if (isnan(most) || s->list[i].value > most) {
			most = s->list[i].value;
			if (at_ns)
				*at_ns = s->list[i].at_ns;
		}
	}
	return most;
}

double series_mean(const struct series *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += s->list[i].value;
	return s->count ? sum / (double)s->count : NAN;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#define SLOPE_POINTS 400

double series_slope(const struct series *s, int64_t from_ns)
{
	size_t first = 0, count, step, n = 0;
	double *slopes, slope = NAN;

	while (first < s->count && s->list[first].at_ns < from_ns)
		first++;
	count = s->count - first;
	step = (count + SLOPE_POINTS - 1) / SLOPE_POINTS;
	if (count < 2)
		return NAN;
	slopes = malloc(sizeof(*slopes) * SLOPE_POINTS * SLOPE_POINTS / 2);
	for (size_t i = first; slopes && i < s->count; i += step) {
		for (size_t k = i + step; k < s->count; k += step) {
			double dt = (double)(s->list[k].at_ns - s->list[i].at_ns) / 1e9;

			if (dt > 0)
				slopes[n++] = (s->list[k].value - s->list[i].value) / dt;
		}
	}
	if (n) {
		qsort(slopes, n, sizeof(*slopes), compare_doubles);
		slope = n % 2 ? slopes[n / 2] : (slopes[n / 2 - 1] + slopes[n / 2]) / 2;
	}
	free(slopes);
	return slope;
}

/* Clusters ------------------------------------------------------------------------------------- */

static double density(const struct cluster *c)
{
	double length = c->end - c->start;

	return length > 0 ? c->mass * c->mass / length : 0;
}

/* Join it with the one after it, if there is one, and both become denser by it. */
static bool join_next(struct cluster *a)
{
	struct cluster *b = a->after, both;

	if (!b)
		return false;
	both = (struct cluster){ a->start, b->end > a->end ? b->end : a->end, a->mass + b->mass,
				 a->parts + b->parts, a->before, b->after, NULL };
	if (!(density(&both) > density(a) && density(&both) > density(b)))
		return false;
	if (b->after)
		b->after->before = a;
	b->parts = 0;
	*a = both;
	return true;
}

/*
 * One pass over those that changed in the one before, in their order: two neighbours that are as
 * they were have been compared. Returns those that changed in this one.
 */
static struct cluster *join_changed(struct cluster *changed)
{
	struct cluster *first = NULL, **end = &first, *next;

	for (; changed; changed = next) {
		struct cluster *to = changed->before;

		next = changed->changed;
		if (!changed->parts || !to || !join_next(to))
			continue;
		while (join_next(to))
			;
		*end = to;
		end = &to->changed;
	}
	*end = NULL;
	return first;
}

struct cluster cluster_densest(struct cluster *list, size_t count)
{
	struct cluster best = { 0 }, *changed = count ? list : NULL;

	for (size_t i = 0; i < count; i++) {
		list[i].before = i ? &list[i - 1] : NULL;
		list[i].after = list[i].changed = i + 1 < count ? &list[i + 1] : NULL;
	}
	while (changed)
		changed = join_changed(changed);
	for (const struct cluster *c = count ? list : NULL; c; c = c->after) {
		if (density(c) > density(&best))
			best = *c;
	}
	return best;
}

struct cluster spans_densest(const struct spans *s, const uint32_t *what)
{
	struct cluster *list = calloc(s->count + 1, sizeof(*list)), best;
	size_t count = 0;

	for (size_t i = 0; list && i < s->count; i++) {
		const struct span_of *p = &s->list[i];
		double end = (double)p->end_ns;

		if (what && p->what != *what)
			continue;
		if (count && (double)p->start_ns < list[count - 1].end) {
			struct cluster *last = &list[count - 1];

			last->mass += fmax(0, end - last->end);
			last->end = fmax(end, last->end);
		} else {
			/* Of integers: a double has not all digits of a time since 1970. */
			list[count++] = (struct cluster){ .start = (double)p->start_ns,
							  .end = end,
							  .mass = (double)(p->end_ns - p->start_ns),
							  .parts = 1 };
		}
	}
	best = cluster_densest(list, count);
	free(list);
	return best;
}

bool collect_push(void **items, size_t *count, size_t *room, const void *item, size_t size)
{
	void *more = *items;

	if (*count == *room) {
		more = array_grow(*items, room, SIZE_MAX, size);
		if (!more)
			return false;
		*items = more;
	}
	memcpy((char *)more + (*count)++ * size, item, size);
	return true;
}

void collect_free(void *items)
{
	free(items);
}

/* Sums by key ---------------------------------------------------------------------------------- */

static uint32_t hash_of(const uint32_t key[4])
{
	uint64_t h = 0x9e3779b97f4a7c15u;

	for (unsigned i = 0; i < 4; i++)
		h = (h ^ key[i]) * 0xff51afd7ed558ccdu;
	return (uint32_t)(h >> 29);
}

/* One by one: what was stored as four numbers a moment ago would have to be waited for as one. */
static bool is_key(const uint32_t a[4], const uint32_t b[4])
{
	for (unsigned i = 0; i < 4; i++) {
		if (a[i] != b[i])
			return false;
	}
	return true;
}

static uint32_t *place_of(const struct groups *g, const uint32_t key[4])
{
	uint32_t i = hash_of(key) & g->mask;

	while (g->table[i] && !is_key(g->list[g->table[i] - 1].key, key))
		i = (i + 1) & g->mask;
	return &g->table[i];
}

static bool grow_table(struct groups *g)
{
	uint32_t size = g->table ? (g->mask + 1) * 2 : 64;
	uint32_t *table = calloc(size, sizeof(*table));

	if (!table)
		return false;
	free(g->table);
	g->table = table;
	g->mask = size - 1;
	for (uint32_t i = 0; i < g->count; i++)
		*place_of(g, g->list[i].key) = i + 1;
	return true;
}

static struct group *group_of(struct groups *g, const struct event *e, const uint32_t key[4])
{
	struct group new = { .first_ns = INT64_MAX, .last_ns = INT64_MIN };
	uint32_t *place;

	if ((!g->table || g->count * 2 > g->mask) && !grow_table(g)) {
		event_no_memory(e);
		return NULL;
	}
	place = place_of(g, key);
	if (*place)
		return &g->list[*place - 1];
	memcpy(new.key, key, sizeof(new.key));
	if (g->count >= (g->limit ? g->limit : MAX_GROUPS))
		return NULL;
	if (!array_push(g->list, g->count, g->room, new)) {
		event_no_memory(e);
		return NULL;
	}
	*place = g->count;
	return &g->list[g->count - 1];
}

struct group *groups_add(struct groups *g, const struct event *e, const uint32_t key[4],
			 double value, bool *is_most)
{
	struct group *to = group_of(g, e, key);
	bool most;

	if (is_most)
		*is_most = false;
	if (isnan(value))
		value = 0;
	if (!to) {
		g->others++;
		g->others_sum += value;
		return NULL;
	}
	most = !to->count || value > to->most ||
	       (value == to->most && e->start_ns < to->most_from_ns);
	to->count++;
	to->sum += value;
	if (e->start_ns < to->first_ns) {
		to->first_ns = e->start_ns;
		to->first = value;
	}
	if (e->end_ns > to->last_ns)
		to->last_ns = e->end_ns;
	if (most) {
		to->most = value;
		to->most_from_ns = e->start_ns;
		to->most_to_ns = e->end_ns;
	}
	if (is_most)
		*is_most = most;
	return to;
}

const struct group *groups_find(const struct groups *g, const uint32_t key[4])
{
	uint32_t *place = g->table ? place_of(g, key) : NULL;

	return place && *place ? &g->list[*place - 1] : NULL;
}

void groups_raise(struct groups *g, const uint32_t key[4], double by)
{
	uint32_t *place = g->table ? place_of(g, key) : NULL;

	if (place && *place)
		g->list[*place - 1].sum += by;
}

void groups_fini(struct groups *g)
{
	free(g->list);
	free(g->table);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return memcmp(x->key, y->key, sizeof(x->key));
}

void groups_sort(struct groups *g)
{
	if (!g->count)
		return;
	qsort(g->list, g->count, sizeof(*g->list), compare_groups);
	memset(g->table, 0, (g->mask + (size_t)1) * sizeof(*g->table));
	for (uint32_t i = 0; i < g->count; i++)
		*place_of(g, g->list[i].key) = i + 1;
}

double groups_sum(const struct groups *g)
{
	double sum = g->others_sum;

	for (uint32_t i = 0; i < g->count; i++)
		sum += g->list[i].sum;
	return sum;
}

uint64_t groups_count(const struct groups *g)
{
	uint64_t n = g->others;

	for (uint32_t i = 0; i < g->count; i++)
		n += g->list[i].count;
	return n;
}
