/* SPDX-License-Identifier: MIT */
/*
 * top.c - print the events with the largest or smallest values of a field
 *
 * Only so many are kept, whatever the recording holds: in a heap whose root is the one that has to
 * go first. Of each chunk those that are in it at the end are rendered, while the chunk is there.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "print/print.h"
#include "print/selected.h"
#include "read/event.h"

struct key {
	bool is_text, is_whole, is_huge; /* huge: .i is a uint64_t beyond INT64_MAX */
	int64_t i;
	double d;
	char *text;
};

struct item {
	struct key key;
	uint64_t number; /* of the event, as it comes: equal ones stay in this order */
	const uint8_t *start; /* in the chunk at hand; NULL: the text is there */
	struct aside text;
};

struct top {
	struct render *r;
	const char *path;
	bool is_ascending;
	struct item *items;
	size_t count, room, most;
	uint64_t seen;
	bool has_field; /* some type */
	struct event_room *space;
};

/* Keys ----------------------------------------------------------------------------------------- */

static int compare_numbers(const struct key *a, const struct key *b)
{
	if (a->is_whole && b->is_whole) {
		if (a->is_huge != b->is_huge)
			return a->is_huge ? 1 : -1;
		return (a->i > b->i) - (a->i < b->i);
	}
	return (a->d > b->d) - (a->d < b->d);
}

/* Numbers are less than texts, which only another type's field of the same name can be. */
static int compare_keys(const struct key *a, const struct key *b)
{
	if (a->is_text != b->is_text)
		return a->is_text ? 1 : -1;
	return a->is_text ? strcmp(a->text, b->text) : compare_numbers(a, b);
}

/* Negative: a is printed before b. */
static int compare(const struct top *t, const struct item *a, const struct item *b)
{
	int order = compare_keys(&a->key, &b->key);

	if (!order)
		return a->number < b->number ? -1 : a->number > b->number;
	return t->is_ascending ? order : -order;
}

/* False: the event has no such value. Its text is still the event's. */
static bool key_of(struct top *t, const struct jfrec_event *ev, struct key *key)
{
	struct jfrec_value v = jfrec_event_path(ev, t->path);
	const char *text;

	*key = (struct key){ 0 };
	switch (v.kind) {
	case JFREC_KIND_SPAN:
		/* INT64_MIN stands for none. */
		if (v.i == INT64_MIN)
			return false;
		__attribute__((fallthrough));
	case JFREC_KIND_BOOL:
	case JFREC_KIND_INT:
	case JFREC_KIND_TIME:
	case JFREC_KIND_UINT:
	case JFREC_KIND_CHAR:
		key->is_whole = true;
		key->i = jfrec_value_int(&v);
		key->is_huge = v.kind == JFREC_KIND_UINT && key->i < 0;
		key->d = jfrec_value_double(&v);
		return true;
	case JFREC_KIND_FLOAT:
		key->d = v.d;
		return !isnan(v.d);
	case JFREC_KIND_STRING:
	case JFREC_KIND_STRUCT:
		text = jfrec_value_text(&v, NULL);
		key->is_text = true;
		key->text = (char *)text;
		return text != NULL;
	default:
		return false;
	}
}

/* The heap ------------------------------------------------------------------------------------- */

static void swap(struct top *t, size_t a, size_t b)
{
	struct item item = t->items[a];

	t->items[a] = t->items[b];
	t->items[b] = item;
}

/* Is a to go before b? */
static bool goes(const struct top *t, size_t a, size_t b)
{
	return compare(t, &t->items[a], &t->items[b]) > 0;
}

static void rise(struct top *t, size_t i)
{
	for (; i && goes(t, i, (i - 1) / 2); i = (i - 1) / 2)
		swap(t, i, (i - 1) / 2);
}

static void sink(struct top *t, size_t i, size_t count)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= count)
			return;
		if (child + 1 < count && goes(t, child + 1, child))
			child++;
		if (!goes(t, child, i))
			return;
		swap(t, i, child);
		i = child;
	}
}

static void item_fini(struct item *item)
{
	if (item->key.is_text)
		free(item->key.text);
	free(item->text.text);
}

/* Take it, in the place of the one that has to go. -1: no memory. */
static int offer(struct top *t, struct item item)
{
	bool is_full = t->count == t->most;

	if (is_full && compare(t, &item, &t->items[0]) > 0)
		return 0;
	if (item.key.is_text && !(item.key.text = strdup(item.key.text)))
		return -1;
	if (is_full) {
		item_fini(&t->items[0]);
		t->items[0] = item;
		sink(t, 0, t->count);
	} else if (array_push(t->items, t->count, t->room, item)) {
		rise(t, t->count - 1);
	} else {
		item_fini(&item);
		return -1;
	}
	return 0;
}

/* Chunks --------------------------------------------------------------------------------------- */

/* Has the type a field where the path begins? */
static bool has_field(const struct top *t, const struct jfrec_type *type)
{
	char name[256];
	size_t len = strcspn(t->path, ".");

	if (len >= sizeof(name))
		return false;
	memcpy(name, t->path, len);
	name[len] = '\0';
	return jfrec_type_field(type, name) != NULL;
}

static int take_event(struct top *t, struct jfrec_event *ev)
{
	struct item item = { .number = t->seen++, .start = ev->raw.start };

	/* One that cannot be decoded is reported when the chunk ends. */
	if (!chunk_decode(ev->chunk, ev->type, &ev->raw, ev->slots) || !key_of(t, ev, &item.key))
		return 0;
	return offer(t, item);
}

/* Which types have it, is asked once for each chunk. */
static bool *types_with(struct top *t, struct chunk_render *v)
{
	struct metadata *m = v->chunk->metadata;
	bool *has = calloc(m->type_count + 1, sizeof(*has));

	for (size_t i = 0; has && i < m->type_count; i++) {
		has[i] = v->selected[i] && has_field(t, &m->types[i]);
		t->has_field |= has[i];
	}
	return has;
}

static int take_chunk(struct top *t)
{
	struct render *r = t->r;
	struct chunk_render *v = r->current;
	struct chunk_walk w = chunk_walk(v->chunk);
	struct jfrec_event ev = event_in(t->space, v->chunk);
	bool *has = types_with(t, v);
	int ret = has ? 0 : -1;
	struct jfrec_type *type;
	struct ticks ticks;

	while (ret == 0 && !is_finished(r) && chunk_walk_next(&w, &ev.raw, &type)) {
		ev.type = type;
		if (has[type->index] && is_selected(r, v, type, &ev.raw, &ticks))
			ret = take_event(t, &ev);
		event_room_clear(t->space);
	}
	free(has);
	return ret;
}

/* The texts of those in the chunk, before it goes. */
static int render_chunk(struct top *t)
{
	struct render *r = t->r;
	struct chunk *c = r->current->chunk;

	for (size_t i = 0; i < t->count; i++) {
		struct item *item = &t->items[i];
		struct cursor at = { .pos = item->start, .end = c->end };
		const struct jfrec_type *type;
		struct raw_event e;

		if (!item->start)
			continue;
		walk_next(&at, &e);
		type = metadata_type(c->metadata, e.type_id);
		r->slot_count = plan_of(type)->step_count;
		if (chunk_decode(c, type, &e, r->slots))
			item->text = render_slots_aside(r, type, r->slots);
		if (!item->text.text)
			return -1;
		item->start = NULL;
	}
	return 0;
}

/* Printing ------------------------------------------------------------------------------------- */

static void print_all(struct top *t)
{
	struct render *r = t->r;

	for (size_t left = t->count; left > 1; left--) {
		swap(t, 0, left - 1);
		sink(t, 0, left - 1);
	}
	for (size_t i = 0; i < t->count; i++) {
		if (r->printed++)
			out_put(&r->out, r->format->separator, r->separator_len);
		out_put(&r->out, t->items[i].text.text, t->items[i].text.len);
	}
}

int print_by_field(struct render *r, const struct jfrec_print_options *options,
		   struct jfrec_error *err)
{
	struct top t = { .r = r, .path = options->by_field,
			 .is_ascending = options->by_field_ascending, .most = options->limit };
	int got = 0;

	t.space = calloc(1, sizeof(*t.space));
	if (!t.space)
		return jfrec_fail_memory(err);
	while (!is_finished(r) && (got = print_next_chunk(r, err)) > 0) {
		if (take_chunk(&t) < 0 || render_chunk(&t) < 0)
			got = jfrec_fail_memory(err);
		chunk_render_unref(r, r->current);
		if (got < 0)
			break;
	}
	if (got == 0 && !t.has_field && !r->failure.code && !*r->stop)
		render_fail(r, "no event type that is printed has a field %.200s", t.path);
	if (got == 0)
		print_all(&t);
	for (size_t i = 0; i < t.count; i++)
		item_fini(&t.items[i]);
	free(t.items);
	event_room_clear(t.space);
	free(t.space);
	return got;
}
