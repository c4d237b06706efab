/* SPDX-License-Identifier: MIT */
/*
 * tally.c - count the events kept and dropped, by type
 */
#include "base/array.h"
#include "edit/tally.h"

#include <stdlib.h>
#include <string.h>

static bool add_row(struct tally *t, const char *name)
{
	if (!array_reserve(t->rows, t->count, t->room))
		return false;
	t->rows[t->count] = (struct jfrec_edit_row){ .name = strdup(name) };
	return t->rows[t->count++].name;
}

/* The number of the row of that name, from 1; 0: memory is gone. */
static uint64_t row_of(struct tally *t, const char *name)
{
	struct digest d = DIGEST_INIT;
	uint64_t *at;

	digest_bytes(&d, name, strlen(name));
	at = digest_map_put(&t->by_name, d);
	if (!at || (!*at && !add_row(t, name)))
		return 0;
	if (!*at)
		*at = t->count;
	return *at;
}

uint32_t *tally_rows(struct tally *t, const struct metadata *m)
{
	uint32_t *rows = malloc(((size_t)m->type_count + 1) * sizeof(*rows));

	for (uint32_t i = 0; rows && i < m->type_count; i++) {
		uint64_t row = row_of(t, m->types[i].name);

		if (!row) {
			free(rows);
			return NULL;
		}
		rows[i] = (uint32_t)(row - 1);
	}
	return rows;
}

static bool has_events(const struct jfrec_edit_row *row)
{
	return row->kept || row->dropped || row->unreadable;
}

int tally_add(struct tally *t, const struct tally *other)
{
	for (size_t i = 0; i < other->count; i++) {
		const struct jfrec_edit_row *from = &other->rows[i];
		uint64_t number = has_events(from) ? row_of(t, from->name) : 0;
		struct jfrec_edit_row *to;

		if (!has_events(from))
			continue;
		if (!number)
			return -1;
		to = &t->rows[number - 1];
		to->kept += from->kept;
		to->kept_bytes += from->kept_bytes;
		to->dropped += from->dropped;
		to->dropped_bytes += from->dropped_bytes;
		to->unreadable += from->unreadable;
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct jfrec_edit_row *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void tally_finish(struct tally *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (has_events(&t->rows[i]))
			t->rows[n++] = t->rows[i];
		else
			free((char *)t->rows[i].name);
	}
	t->count = n;
	digest_map_clear(&t->by_name);
	if (n)
		qsort(t->rows, n, sizeof(*t->rows), by_name);
}

void tally_fini(struct tally *t)
{
	for (size_t i = 0; i < t->count; i++)
		free((char *)t->rows[i].name);
	free(t->rows);
	digest_map_fini(&t->by_name);
	*t = (struct tally){ 0 };
}
