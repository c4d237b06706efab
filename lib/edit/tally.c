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

uint32_t *tally_rows(struct tally *t, const struct metadata *m)
{
	uint32_t *rows = malloc(((size_t)m->type_count + 1) * sizeof(*rows));

	for (uint32_t i = 0; rows && i < m->type_count; i++) {
		struct digest d = DIGEST_INIT;
		uint64_t *at;

		digest_bytes(&d, m->types[i].name, strlen(m->types[i].name));
		at = digest_map_put(&t->by_name, d);
		if (!at || (!*at && !add_row(t, m->types[i].name))) {
			free(rows);
			return NULL;
		}
		if (!*at)
			*at = t->count;
		rows[i] = (uint32_t)(*at - 1);
	}
	return rows;
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
		if (t->rows[i].kept || t->rows[i].dropped || t->rows[i].unreadable)
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
