/* SPDX-License-Identifier: MIT */
/*
 * label_spans.c - what a field of the events said in which a thread was, at any time
 */
#include "read/label_spans.h"

#include <stdlib.h>

#include "base/array.h"

void label_spans_fini(struct label_spans *l)
{
	free(l->items);
	free(l->texts);
	digest_map_fini(&l->by_text);
	arena_fini(&l->arena);
	*l = (struct label_spans){ 0 };
}

uint32_t label_spans_text(struct label_spans *l, const char *text, size_t len)
{
	struct digest d = DIGEST_INIT;
	uint64_t *place;
	char *copy;

	while (len > LABEL_MOST || (len == LABEL_MOST && ((unsigned char)text[len] & 0xc0) == 0x80))
		len--;
	digest_bytes(&d, text, len);
	if (l->text_count >= LABELS_MAX && !digest_map_get(&l->by_text, d))
		return label_spans_text(l, "other", 5);
	place = digest_map_put(&l->by_text, d);
	if (!place)
		return NO_LABEL;
	if (*place)
		return (uint32_t)*place - 1;
	copy = arena_strndup(&l->arena, text, len);
	if (!copy || !array_push(l->texts, l->text_count, l->text_room, copy)) {
		*place = (uint64_t)NO_LABEL + 1;
		return NO_LABEL;
	}
	*place = l->text_count;
	return (uint32_t)l->text_count - 1;
}

int label_spans_add(struct label_spans *l, struct labelled one)
{
	return array_push(l->items, l->count, l->room, one) ? 0 : -1;
}

static int by_thread_and_time(const void *x, const void *y)
{
	const struct labelled *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	if (a->end_ns != b->end_ns)
		return a->end_ns > b->end_ns ? -1 : 1;
	return (a->label > b->label) - (a->label < b->label);
}

/* Those that are open, the innermost last, and the parts that are done. */
struct flattening {
	struct labelled *open, *parts;
	size_t open_count, part_count;
	int64_t at_ns; /* up to here parts are done */
};

static void put_part(struct flattening *f, int64_t end_ns)
{
	const struct labelled *top = &f->open[f->open_count - 1];

	if (end_ns > f->at_ns)
		f->parts[f->part_count++] =
			(struct labelled){ f->at_ns, end_ns, top->thread, top->label };
	f->at_ns = end_ns > f->at_ns ? end_ns : f->at_ns;
}

/* Close those that have ended by then; all: whatever the time. */
static void close_ended(struct flattening *f, int64_t by_ns, bool all)
{
	while (f->open_count && (all || f->open[f->open_count - 1].end_ns <= by_ns)) {
		put_part(f, f->open[f->open_count - 1].end_ns);
		f->open_count--;
	}
}

/* Each event begins and ends once, and makes two parts at most. */
static void flatten(struct flattening *f, const struct labelled *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct labelled *next = &items[i];

		close_ended(f, next->begin_ns, i && items[i - 1].thread != next->thread);
		if (f->open_count)
			put_part(f, next->begin_ns);
		f->at_ns = next->begin_ns;
		f->open[f->open_count++] = *next;
	}
	close_ended(f, 0, true);
}

int label_spans_sort(struct label_spans *l)
{
	struct flattening f = { .open = calloc(l->count + 1, sizeof(*f.open)),
				.parts = calloc(2 * l->count + 1, sizeof(*f.parts)) };

	if (!f.open || !f.parts) {
		free(f.open);
		free(f.parts);
		return -1;
	}
	if (l->count)
		qsort(l->items, l->count, sizeof(*l->items), by_thread_and_time);
	flatten(&f, l->items, l->count);
	free(f.open);
	free(l->items);
	l->items = f.parts;
	l->count = f.part_count;
	l->room = f.part_count;
	return 0;
}

uint32_t label_spans_at(const struct label_spans *l, uint32_t thread, int64_t at_ns)
{
	size_t low = 0, high = l->count;

	/* The first that ends later. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct labelled *one = &l->items[middle];

		if (one->thread < thread || (one->thread == thread && one->end_ns <= at_ns))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == l->count || l->items[low].thread != thread || l->items[low].begin_ns > at_ns)
		return NO_LABEL;
	return l->items[low].label;
}
