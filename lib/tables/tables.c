/* SPDX-License-Identifier: MIT */
/*
 * tables.c - the tables of a recording: the union of the types of all its chunks
 */
#include "tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/deadline.h"
#include "base/error.h"

static struct digest type_digest(const char *name)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, name, strlen(name));
	return d;
}

long tables_of_type(const struct jfrec_tables *t, const char *type)
{
	return (long)digest_map_get(&t->by_type, type_digest(type)) - 1;
}

void tables_tell(void *tables, const struct jfrec_problem *problem)
{
	struct jfrec_tables *t = tables;
	struct digest d = DIGEST_INIT;
	uint64_t *place;

	if (problem->input)
		digest_bytes(&d, problem->input, strlen(problem->input));
	digest_word(&d, problem->offset);
	digest_bytes(&d, problem->text, strlen(problem->text));
	place = digest_map_put(&t->told, d);
	if (place && *place)
		return;
	if (place)
		*place = 1;
	problem_tell(source_problems(t->source), problem);
}

/* Types ---------------------------------------------------------------------------------------- */

static char *copy(struct arena *a, const char *s)
{
	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

static const char *simple_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* Of several types that end in the same name, none is found by it. */
#define SEVERAL UINT64_MAX

static bool add_simple_name(struct jfrec_tables *t, const char *type, uint64_t place)
{
	uint64_t *known = digest_map_put(&t->by_simple_name, name_digest(simple_name(type)));

	if (known)
		*known = *known ? SEVERAL : place;
	return known;
}

/* "Java Virtual Machine / GC" of @Category; NULL: none, or no memory. */
static char *category_of(struct arena *a, const struct jfrec_type *t)
{
	const struct jfrec_annotation *c = type_category(t);
	size_t size = 1, len = 0;
	char *text;

	if (!c || !c->member_count)
		return NULL;
	for (unsigned i = 0; i < c->member_count; i++)
		size += strlen(c->members[i].value ? c->members[i].value : "") + 3;
	text = arena_alloc(a, size);
	for (unsigned i = 0; text && i < c->member_count; i++) {
		const char *part = c->members[i].value ? c->members[i].value : "";

		if (i) {
			memcpy(text + len, " / ", 3);
			len += 3;
		}
		memcpy(text + len, part, strlen(part));
		len += strlen(part);
	}
	if (text)
		text[len] = '\0';
	return text;
}

static struct table *table_for(struct jfrec_tables *t, const struct jfrec_type *type)
{
	uint64_t *place = digest_map_put(&t->by_type, type_digest(type->name));
	struct table new = { 0 };

	if (!place)
		return NULL;
	if (*place)
		return &t->tables[*place - 1];
	new.info.type = copy(&t->arena, type->name);
	new.info.name = unique_name(&t->arena, &t->by_name, type->name);
	new.info.label = copy(&t->arena, type->label);
	new.info.description = copy(&t->arena, type->description);
	new.info.category = category_of(&t->arena, type);
	if (!new.info.type || !new.info.name ||
	    !add_simple_name(t, new.info.type, t->count + 1) ||
	    !array_push(t->tables, t->count, t->room, new))
		return NULL;
	*place = t->count;
	/* unique_name() has put it there. */
	*digest_map_put(&t->by_name, name_digest(new.info.name)) = t->count;
	return &t->tables[t->count - 1];
}

static int add_types(void *tables, const struct metadata *m)
{
	struct jfrec_tables *t = tables;

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *type = &m->types[i];
		struct table *table;

		if (!type->is_event || !source_names(t->source, type))
			continue;
		table = table_for(t, type);
		if (!table || table_add(table, &t->arena, type) < 0)
			return -1;
	}
	return 0;
}

/* What the columns are called, and which of them have changed. */
static int finish(struct jfrec_tables *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct table *table = &t->tables[i];

		if (table_name_columns(&t->tables[i], &t->arena) < 0)
			return -1;
		for (size_t k = 0; k < table->info.column_count; k++) {
			const struct jfrec_table_column *c = &table->columns[k].info;

			if (c->other_type)
				problem_notice(source_problems(t->source), 0, 0,
					       "%.100s.%.100s is %.60s in some chunks and %.60s in "
					       "others; the column has both",
					       table->info.type, c->field, c->type, c->other_type);
		}
	}
	return 0;
}

struct jfrec_tables *jfrec_tables_new(struct jfrec_reader *r, struct jfrec_error *err)
{
	struct jfrec_tables *t = calloc(1, sizeof(*t));

	if (!t) {
		jfrec_fail_memory(err);
		return NULL;
	}
	t->source = reader_source(r);
	t->span = (struct bounds){ INT64_MIN, INT64_MAX };
	if (source_spool(t->source, err) == 0 &&
	    source_each_metadata(t->source, add_types, t, err) == 0) {
		if (finish(t) == 0)
			return t;
		jfrec_fail_memory(err);
	}
	jfrec_tables_free(t);
	return NULL;
}

void jfrec_tables_free(struct jfrec_tables *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++)
		free(t->tables[i].columns);
	free(t->tables);
	digest_map_fini(&t->by_type);
	digest_map_fini(&t->by_name);
	digest_map_fini(&t->by_simple_name);
	digest_map_fini(&t->told);
	arena_fini(&t->arena);
	free(t);
}

/* Limits --------------------------------------------------------------------------------------- */

void jfrec_tables_set_span(struct jfrec_tables *t, const int64_t *from_ns, const int64_t *to_ns)
{
	t->span.from_ns = from_ns ? *from_ns : INT64_MIN;
	t->span.to_ns = to_ns ? *to_ns : INT64_MAX;
}

void jfrec_tables_limit(struct jfrec_tables *t, uint64_t most)
{
	t->most = most;
}

int tables_check_limit(const struct jfrec_tables *t, uint64_t written, struct jfrec_error *err)
{
	if (!t->most || written < t->most)
		return 0;
	jfrec_fail(err, JFREC_EOUTPUT, JFREC_NO_OFFSET,
		   "the output would have more tables or files than its limit, %" PRIu64, t->most);
	if (err)
		err->sys = ERANGE;
	return -1;
}

bool tables_are_late(const struct jfrec_tables *t)
{
	return t->deadline_ns && deadline_now() > t->deadline_ns;
}

/* Finding -------------------------------------------------------------------------------------- */

size_t jfrec_tables_count(const struct jfrec_tables *t)
{
	return t->count;
}

const struct jfrec_table_info *jfrec_tables_get(const struct jfrec_tables *t, size_t i)
{
	return i < t->count ? &t->tables[i].info : NULL;
}

const struct jfrec_table_column *jfrec_tables_column_get(const struct jfrec_tables *t, size_t table,
							 size_t i)
{
	if (table >= t->count || i >= t->tables[table].info.column_count)
		return NULL;
	return &t->tables[table].columns[i].info;
}

int jfrec_tables_find(const struct jfrec_tables *t, const char *name)
{
	struct digest d = name_digest(name);
	uint64_t place = digest_map_get(&t->by_name, d);

	if (!place)
		place = digest_map_get(&t->by_simple_name, d);
	return place && place != SEVERAL ? (int)(place - 1) : -1;
}

int jfrec_tables_find_column(const struct jfrec_tables *t, size_t table, const char *name)
{
	const struct jfrec_table_column *c;

	for (size_t i = 0; (c = jfrec_tables_column_get(t, table, i)); i++) {
		if (strcasecmp(c->name, name) == 0)
			return (int)i;
	}
	return -1;
}
