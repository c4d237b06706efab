/* SPDX-License-Identifier: MIT */
/*
 * listeners.c - which columns of a query the events of a type feed
 */
#include "query/listeners.h"

#include <string.h>

#include "base/idmap.h"
#include "query/list.h"

/* The numbers of the last listeners, by type. */
struct maker {
	struct arena *arena;
	struct resolved *to;
	struct idmap last;
};

static void *add(struct maker *m, void *list, unsigned *count, size_t size)
{
	void **items = list, *more = list_more(m->arena, *items, *count, size);

	if (!more)
		return NULL;
	*items = more;
	memset((char *)more + *count * size, 0, size);
	return (char *)more + (*count)++ * size;
}

#define ADD(m, of, list, count) add((m), &(of)->list, &(of)->count, sizeof(*(of)->list))

static bool same_filters(const struct entry *e, const struct listener *l)
{
	if (e->filter_count != l->filter_count)
		return false;
	for (unsigned i = 0; i < e->filter_count; i++) {
		if (strcmp(e->filters[i].field.path, l->filters[i].field.path) != 0 ||
		    strcmp(e->filters[i].text.s, l->filters[i].text.s) != 0)
			return false;
	}
	return true;
}

static bool add_listener(struct maker *m, struct entry *e)
{
	struct resolved *to = m->to;
	uint32_t *last = idmap_put(&m->last, e->type, 0);
	struct listener *l;

	for (unsigned at = last ? *last : 0; at; at = to->listeners[at - 1].before) {
		e->listener = at - 1;
		if (same_filters(e, &to->listeners[at - 1]))
			return true;
	}
	e->listener = to->listener_count;
	l = last ? ADD(m, to, listeners, listener_count) : NULL;
	if (!l)
		return false;
	l->before = *last;
	*last = to->listener_count;
	l->type = e->type;
	l->filters = e->filters;
	l->filter_count = e->filter_count;
	return true;
}

/* Note that the listeners of its sources feed a column, each once. */
static bool feed(struct maker *m, unsigned column)
{
	const struct column *c = &m->to->columns[column];

	for (unsigned i = 0; i < c->entry_count; i++) {
		struct listener *l = &m->to->listeners[m->to->entries[c->entries[i]].listener];
		unsigned *to, *key;

		if (l->column_count && l->columns[l->column_count - 1] == column)
			continue;
		to = ADD(m, l, columns, column_count);
		if (!to)
			return false;
		*to = column;
		if (!c->is_key)
			continue;
		key = ADD(m, l, keys, key_count);
		if (!key)
			return false;
		*key = column;
	}
	return true;
}

static void find_experimental(const struct schema *s, struct resolved *to)
{
	for (unsigned i = 0; i < to->visible_count; i++) {
		const struct column *c = &to->columns[i];

		for (unsigned k = 0; k < c->entry_count && !to->is_experimental; k++)
			to->is_experimental =
				has_annotation(s->types[to->entries[c->entries[k]].type],
					       "jdk.jfr.Experimental");
	}
}

/* Does it keep all numbers to the end?  A median also keeps what is not finite. */
static bool keeps_words(const struct column *c)
{
	return c->aggregator == AGGREGATE_P90 || c->aggregator == AGGREGATE_P95 ||
	       c->aggregator == AGGREGATE_P99 || c->aggregator == AGGREGATE_P999 ||
	       c->aggregator == AGGREGATE_PERCENTILE || c->aggregator == AGGREGATE_STDEV;
}

static bool keep_the_same(const struct column *a, const struct column *b)
{
	return keeps_words(a) && keeps_words(b) && !a->argument && !b->argument &&
	       strcmp(a->field.path, b->field.path) == 0 && a->every_ns == b->every_ns &&
	       a->entry_count == b->entry_count &&
	       memcmp(a->entries, b->entries, a->entry_count * sizeof(*a->entries)) == 0;
}

/* P50(duration), P99(duration): the values are kept once. */
static void share_words(struct resolved *to)
{
	for (unsigned i = 0; i < to->column_count; i++) {
		unsigned k = 0;

		while (k < i && !keep_the_same(&to->columns[k], &to->columns[i]))
			k++;
		to->columns[i].words_of = k < i ? k + 1 : 0;
	}
}

bool make_listeners(struct arena *a, const struct schema *s, struct resolved *to)
{
	struct maker m = { .arena = a, .to = to };
	bool done = true;

	for (unsigned i = 0; i < to->entry_count && done; i++)
		done = add_listener(&m, &to->entries[i]);
	for (unsigned i = 0; i < to->column_count && done; i++)
		done = feed(&m, i);
	if (done) {
		find_experimental(s, to);
		share_words(to);
	}
	idmap_fini(&m.last);
	return done;
}
