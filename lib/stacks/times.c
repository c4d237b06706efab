/* SPDX-License-Identifier: MIT */
/*
 * times.c - when stacks were seen, in little memory
 *
 * Of a piece each entry is varints (seven bits each, the lowest first):
 *
 *    number - number before << 2 | has a weight << 1 | begins a span
 *    if it begins a span: spans since the one before; the number before counts as 0
 *    if it has a weight: that, else it is that of the entry before
 *
 * Most samples weigh the same, so they take a byte or two.
 */
#include "stacks/times.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/protobuf.h"
#include "base/sort.h"
#include "format/clock.h"

/* Times beyond this, in ns, are of a damaged recording. */
#define FARTHEST (INT64_MAX / 2)

#define MS INT64_C(1000000)
#define MINUTE (60000 * MS)

int64_t times_width_ns(unsigned width)
{
	static const int64_t widths[] = {
		10 * MS,     20 * MS,	  100 * MS,	200 * MS,      1000 * MS,
		2000 * MS,   10000 * MS,  30000 * MS,	MINUTE,	       5 * MINUTE,
		10 * MINUTE, 60 * MINUTE, 360 * MINUTE, 1440 * MINUTE,
	};

	return width < sizeof(widths) / sizeof(*widths) ? widths[width] : 0;
}

void times_fini(struct times *t)
{
	free(t->recent);
	free(t->latest);
	free(t->pieces);
	buffer_fini(&t->packed);
	*t = (struct times){ 0 };
}

/* Packing -------------------------------------------------------------------------------------- */

static int by_time(const void *x, const void *y)
{
	const struct time_entry *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static bool is_sorted(const struct times *t)
{
	for (uint32_t i = 1; i < t->recent_count; i++) {
		if (by_time(&t->recent[i - 1], &t->recent[i]) > 0)
			return false;
	}
	return true;
}

/* What a time and a number are one key with: (at - least) * numbers + number. */
struct time_keys {
	int64_t least;
	uint64_t numbers;
};

/* False: keys would be too large. */
static bool find_keys(const struct times *t, struct time_keys *k)
{
	int64_t most = t->recent[0].at, keys;
	uint32_t number = 0;

	k->least = most;
	for (uint32_t i = 0; i < t->recent_count; i++) {
		const struct time_entry *e = &t->recent[i];

		k->least = e->at < k->least ? e->at : k->least;
		most = e->at > most ? e->at : most;
		number = e->id > number ? e->id : number;
	}
	k->numbers = (uint64_t)number + 1;
	return !__builtin_mul_overflow(most - k->least + 1, k->numbers, &keys);
}

/* By their keys; false when there is no memory for these. */
static bool sort_by_key(struct times *t, struct time_keys k)
{
	struct sort_list list = { 0 };
	bool ret = true;

	for (uint32_t i = 0; i < t->recent_count && ret; i++) {
		const struct time_entry *e = &t->recent[i];
		uint64_t key = (uint64_t)(e->at - k.least) * k.numbers + e->id;

		ret = sort_add(&list, (int64_t)key, (uint64_t)e->weight) == 0;
	}
	ret = ret && sort_items(&list) == 0;
	for (uint32_t i = 0; i < t->recent_count && ret; i++) {
		uint64_t key = (uint64_t)list.items[i].key, spans = key / k.numbers;

		t->recent[i] = (struct time_entry){ k.least + (int64_t)spans,
						    (int64_t)list.items[i].value,
						    (uint32_t)(key - spans * k.numbers) };
	}
	sort_fini(&list);
	return ret;
}

static void sort_recent(struct times *t)
{
	struct time_keys keys;

	if (!is_sorted(t) && !(find_keys(t, &keys) && sort_by_key(t, keys)))
		qsort(t->recent, t->recent_count, sizeof(*t->recent), by_time);
}

/* Add up what has its span and number in common. */
static void merge_recent(struct times *t)
{
	uint32_t kept = 0;

	for (uint32_t i = 1; i < t->recent_count; i++) {
		struct time_entry *to = &t->recent[kept];

		if (by_time(to, &t->recent[i]) == 0)
			to->weight = long_add(to->weight, t->recent[i].weight);
		else
			t->recent[++kept] = t->recent[i];
	}
	t->recent_count = kept + 1;
}

static void pack_recent(struct times *t)
{
	struct time_entry before = { .at = t->recent[0].at - 1 };

	for (uint32_t i = 0; i < t->recent_count; i++) {
		const struct time_entry *e = &t->recent[i];
		bool is_new = e->at != before.at, has_weight = e->weight != before.weight;
		uint64_t gap = e->id - (is_new ? 0 : before.id);

		buffer_leb128(&t->packed, gap << 2 | (uint64_t)has_weight << 1 | is_new);
		if (is_new)
			buffer_leb128(&t->packed, (uint64_t)e->at - (uint64_t)before.at);
		if (has_weight)
			buffer_leb128(&t->packed, (uint64_t)e->weight);
		before = *e;
	}
}

/* Make a piece of what is not packed yet. */
static int pack(struct times *t)
{
	struct time_piece piece = { .first = t->packed.len };

	if (!t->recent_count)
		return 0;
	sort_recent(t);
	merge_recent(t);
	piece.begin = t->recent[0].at;
	piece.last = t->recent[t->recent_count - 1].at;
	if (!t->piece_count || piece.begin < t->begin)
		t->begin = piece.begin;
	if (!t->piece_count || piece.last > t->last)
		t->last = piece.last;
	pack_recent(t);
	piece.len = t->packed.len - piece.first;
	t->recent_count = t->added = 0;
	return !t->packed.failed && array_push(t->pieces, t->piece_count, t->piece_room, piece)
		       ? 0
		       : -1;
}

/* Reading -------------------------------------------------------------------------------------- */

static uint64_t next_number(const uint8_t **at)
{
	uint64_t value = 0;
	unsigned shift = 0;

	do
		value |= (uint64_t)(**at & 0x7f) << shift;
	while (shift += 7, *(*at)++ & 0x80);
	return value;
}

static int read_piece(const struct times *t, const struct time_piece *piece, times_fn *fn,
		      void *ctx)
{
	const uint8_t *at = t->packed.data + piece->first, *end = at + piece->len;
	struct time_entry e = { .at = piece->begin - 1 };
	int64_t width_ns = times_width_ns(t->width);
	int ret = 0;

	while (at < end && ret == 0) {
		uint64_t token = next_number(&at);

		if (token & 1) {
			e.at += (int64_t)next_number(&at);
			e.id = 0;
		}
		if (token & 2)
			e.weight = (int64_t)next_number(&at);
		e.id += (uint32_t)(token >> 2);
		ret = fn(ctx, e.at * width_ns, e.id, e.weight);
	}
	return ret;
}

int times_between(struct times *t, int64_t begin_ns, int64_t end_ns, times_fn *fn, void *ctx)
{
	int64_t width_ns = times_width_ns(t->width);
	int ret = pack(t);

	for (uint32_t i = 0; i < t->piece_count && ret == 0; i++) {
		const struct time_piece *p = &t->pieces[i];

		if (p->begin * width_ns < end_ns && p->last * width_ns >= begin_ns)
			ret = read_piece(t, p, fn, ctx);
	}
	return ret;
}

int times_each(struct times *t, times_fn *fn, void *ctx)
{
	return times_between(t, INT64_MIN, INT64_MAX, fn, ctx);
}

/* Adding --------------------------------------------------------------------------------------- */

static int add_again(void *ctx, int64_t at_ns, uint32_t id, int64_t weight)
{
	return times_add(ctx, at_ns, id, weight);
}

static bool has_too_many_spans(const struct times *t)
{
	return t->most_spans && t->piece_count && t->last - t->begin >= t->most_spans;
}

/* Take longer spans, until there is room for more, or spans cannot grow. */
static int coarsen(struct times *t)
{
	while ((t->packed.len > TIMES_MAX / 4 * 3 || has_too_many_spans(t)) &&
	       times_width_ns(t->width + 1)) {
		struct times coarse = { .width = t->width + 1 };
		int ret = times_each(t, add_again, &coarse);

		if (ret == 0)
			ret = pack(&coarse);
		coarse.most_spans = t->most_spans;
		times_fini(t);
		*t = coarse;
		if (ret < 0)
			return -1;
	}
	return 0;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t find_span(struct times *t, int64_t at_ns)
{
	t->length_ns = (uint64_t)times_width_ns(t->width);
	t->at = floor_divide(at_ns, (int64_t)t->length_ns);
	t->at_ns = t->at * (int64_t)t->length_ns;
	return t->at;
}

/* Add to the latest entry of the number, if that is of the same span; else make one. */
static int add_recent(struct times *t, const struct time_entry *e)
{
	uint32_t *latest = &t->latest[e->id % TIMES_LATEST];

	if (*latest < t->recent_count && by_time(&t->recent[*latest], e) == 0) {
		t->recent[*latest].weight = long_add(t->recent[*latest].weight, e->weight);
		return 0;
	}
	if (!array_push(t->recent, t->recent_count, t->recent_room, *e))
		return -1;
	*latest = t->recent_count - 1;
	return 0;
}

int times_add_new(struct times *t, int64_t at_ns, uint32_t id, int64_t weight)
{
	struct time_entry e = { .weight = weight, .id = id };

	if (weight <= 0 || at_ns > FARTHEST || at_ns < -FARTHEST)
		return 0;
	/* Mostly that of the one before. */
	e.at = (uint64_t)at_ns - (uint64_t)t->at_ns < t->length_ns ? t->at : find_span(t, at_ns);
	if (!t->latest && !(t->latest = calloc(TIMES_LATEST, sizeof(*t->latest))))
		return -1;
	if (add_recent(t, &e) < 0)
		return -1;
	if (++t->added < TIMES_RECENT)
		return 0;
	if (pack(t) < 0)
		return -1;
	return t->packed.len > TIMES_MAX || has_too_many_spans(t) ? coarsen(t) : 0;
}
