/* SPDX-License-Identifier: MIT */
/*
 * query.c - queries that are asked of one recording: jfrec/query.h
 */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/of_program.h"
#include "query/lex.h"
#include "query/list.h"

/* Making --------------------------------------------------------------------------------------- */

/* The first chunk's types come first, then those that later chunks declare. */
static int look_at_types(struct jfrec_query *q, struct jfrec_error *err)
{
	int got = source_take(q->source, &q->first, err);

	if (got < 0)
		return -1;
	if (got > 0 && schema_add(&q->schema, q->first->chunk->metadata) < 0)
		return jfrec_fail_memory(err);
	return schema_add_all(&q->schema, q->source, err);
}

struct jfrec_query *jfrec_query_new(struct jfrec_reader *r, struct jfrec_error *err)
{
	struct jfrec_query *q = calloc(1, sizeof(*q));

	if (!q) {
		jfrec_fail_memory(err);
		return NULL;
	}
	q->source = reader_source(r);
	q->largest = -1;
	q->bounds = bounds_of(NULL, NULL);
	if (look_at_types(q, err) == 0)
		return q;
	jfrec_query_free(q);
	return NULL;
}

void jfrec_query_free(struct jfrec_query *q)
{
	if (!q)
		return;
	for (unsigned i = 0; i < q->query_count; i++) {
		for (unsigned k = 0; k < MAX_QUERY_PARTS; k++) {
			if (q->queries[i]->answers[k].table)
				cell_writer_fini(&q->queries[i]->answers[k].table->writer);
		}
		where_free(q->queries[i]->where);
	}
	if (q->first)
		source_give_back(q->source, q->first, NULL);
	objects_fini(&q->objects);
	schema_fini(&q->schema);
	arena_fini(&q->arena);
	free(q->counts);
	free(q);
}

void jfrec_query_set_span(struct jfrec_query *q, const int64_t *from_ns, const int64_t *to_ns)
{
	q->bounds = bounds_of(from_ns, to_ns);
}

void jfrec_query_keep_limits(struct jfrec_query *q)
{
	q->keeps_limits = true;
}

/* Adding --------------------------------------------------------------------------------------- */

/*
 * A query that needs types of later chunks gets them; a JDK's view says what the first one lacks.
 */
static int resolve(struct jfrec_query *q, struct query *one, bool late)
{
	struct resolved *to = &one->resolved;

	if (resolve_query(&q->arena, &q->schema, false, &one->parsed, to) < 0)
		return -1;
	if (!to->failure || !late || q->schema.early_count == q->schema.type_count)
		return 0;
	return resolve_query(&q->arena, &q->schema, true, &one->parsed, to);
}

/* The types of FROM, as a selection has them. */
static const char *names_of(struct jfrec_query *q, const struct resolved *r)
{
	size_t len = 1;
	char *names, *to;

	for (unsigned i = 0; i < r->entry_count; i++)
		len += strlen(q->schema.types[r->entries[i].type]->name) + 1;
	names = to = arena_alloc(&q->arena, len);
	for (unsigned i = 0; names && i < r->entry_count; i++) {
		if (i)
			*to++ = ',';
		to = stpcpy(to, q->schema.types[r->entries[i].type]->name);
	}
	return names;
}

/* What its expression means is asked now, so that nothing is read if it means nothing. */
static int add_where(struct jfrec_query *q, struct query *one, struct jfrec_error *err)
{
	struct selection from = { 0 };

	if (!one->parsed.where)
		return 0;
	if (where_add(&one->where, one->parsed.where, err) < 0)
		return -1;
	if (where_is_relative(one->where) && source_spool(q->source, err) < 0)
		return -1;
	if (one->resolved.failure)
		return 0;
	one->from = names_of(q, &one->resolved);
	if (!one->from)
		return jfrec_fail_memory(err);
	from.events = (char *)(uintptr_t)one->from;
	if (!q->first)
		return 0;
	return where_enter(one->where, q->first->chunk, source_recording(q->source), &from, err);
}

static struct query *add(struct jfrec_query *q, const char *text, bool late,
			 struct jfrec_error *err)
{
	struct query *one = arena_zalloc(&q->arena, 1, sizeof(*one));
	const char *own = arena_strndup(&q->arena, text, strlen(text));
	void *list = list_more(&q->arena, q->queries, q->query_count, sizeof(*q->queries));

	if (!one || !own || !list) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (parse_query(&q->arena, own, &one->parsed, err) < 0)
		return NULL;
	if (resolve(q, one, late) < 0) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (add_where(q, one, err) < 0) {
		where_free(one->where);
		return NULL;
	}
	q->queries = list;
	q->queries[q->query_count++] = one;
	return one;
}

static int number_of_last(const struct jfrec_query *q)
{
	return (int)q->query_count - 1;
}

int jfrec_query_add(struct jfrec_query *q, const char *text, struct jfrec_error *err)
{
	return add(q, text, true, err) ? number_of_last(q) : -1;
}

static const char *copy(struct jfrec_query *q, const char *s)
{
	return s ? arena_strndup(&q->arena, s, strlen(s)) : NULL;
}

/* Views are for JVMs, first of all. */
static const char *title_of_view(struct jfrec_query *q, const char *label)
{
	const struct schema *s = &q->schema;
	bool is_native = s->metadata_count > 0;

	for (unsigned i = 0; i < s->metadata_count; i++)
		is_native = is_native && s->metadata[i]->is_native;
	return is_native && label ? of_program(&q->arena, label) : label;
}

/* Identical to the JDK's are its own views alone. */
static bool is_of_jdk(const struct jfrec_view *v)
{
	const char *category = v->category ? v->category : "";

	return strcmp(category, "jfrec") != 0 && strcmp(category, "own") != 0;
}

int jfrec_query_add_view(struct jfrec_query *q, const struct jfrec_view *view,
			 struct jfrec_error *err)
{
	struct query *one = add(q, view->query, !is_of_jdk(view), err);

	if (!one)
		return -1;
	one->name = copy(q, view->name);
	one->title = copy(q, title_of_view(q, view->label));
	one->is_form = view->is_form;
	return number_of_last(q);
}

/* The label of the first type; "null" where the JDK shows that. */
static const char *title_of(struct jfrec_query *q, const struct query *one, bool marked)
{
	static const char suffix[] = " (Experimental)";
	const struct resolved *r = &one->resolved;
	const struct jfrec_type *t = r->entry_count ? q->schema.types[r->entries[0].type] : NULL;
	const char *label = t ? t->label : NULL;
	char *title;

	if (!t || !marked || !has_annotation(t, "jdk.jfr.Experimental"))
		return copy(q, label);
	if (!label)
		label = "null";
	title = arena_alloc(&q->arena, strlen(label) + sizeof(suffix));
	return title ? strcat(strcpy(title, label), suffix) : NULL;
}

int jfrec_query_add_type(struct jfrec_query *q, const char *text, bool marked,
			 struct jfrec_error *err)
{
	static const char before[] = "SELECT * FROM ";
	char *whole = arena_alloc(&q->arena, sizeof(before) + strlen(text));
	struct query *one;

	if (!whole)
		return jfrec_fail_memory(err);
	one = add(q, strcat(strcpy(whole, before), text), true, err);
	if (!one)
		return -1;
	one->title = title_of(q, one, marked);
	return number_of_last(q);
}

static const struct query *query_at(const struct jfrec_query *q, int n)
{
	return n >= 0 && (unsigned)n < q->query_count ? q->queries[n] : NULL;
}

const char *jfrec_query_missing(const struct jfrec_query *q, int n)
{
	const struct query *one = query_at(q, n);

	return one ? one->resolved.failure : NULL;
}

int jfrec_query_fault(const struct jfrec_query *q, int n, struct jfrec_error *err)
{
	const struct query *one = query_at(q, n);
	const struct resolved *r = one ? &one->resolved : NULL;

	if (!r || !r->failure)
		return 0;
	return jfrec_fail(err, r->fault ? JFREC_EEXPRESSION : JFREC_EINVAL, r->failed_at, "%.*s",
			  (int)strcspn(r->fault ? r->fault : r->failure, "\n"),
			  r->fault ? r->fault : r->failure);
}

int jfrec_query_largest(const struct jfrec_query *q, uint64_t *rows, bool *is_grouped)
{
	const struct query *one = query_at(q, q->largest);

	*rows = one ? q->largest_rows : 0;
	*is_grouped = one && partial_has_groups(&one->resolved);
	return one ? q->largest : -1;
}

struct jfrec_answer *query_table_of(const struct jfrec_query *q, int n, unsigned part)
{
	const struct query *one = query_at(q, n);

	return one && part < MAX_QUERY_PARTS ? one->answers[part].table : NULL;
}

struct jfrec_answer *jfrec_query_answer(const struct jfrec_query *q, int n)
{
	return query_table_of(q, n, 0);
}

/* Types ---------------------------------------------------------------------------------------- */

size_t jfrec_query_type_count(const struct jfrec_query *q)
{
	return q->schema.listed_count;
}

const char *jfrec_query_type_name(const struct jfrec_query *q, size_t i)
{
	return i < q->schema.type_count ? q->schema.types[i]->name : NULL;
}

bool jfrec_query_type_is_experimental(const struct jfrec_query *q, size_t i)
{
	return i < q->schema.type_count &&
	       has_annotation(q->schema.types[i], "jdk.jfr.Experimental");
}

bool jfrec_query_type_is_late(const struct jfrec_query *q, size_t i)
{
	return i >= q->schema.early_count ||
	       !schema_is_first(&q->schema, (unsigned)i);
}

bool jfrec_query_type_is_plain(const struct jfrec_query *q, size_t i)
{
	return i < q->schema.type_count && !lex_splits(q->schema.types[i]->name);
}

bool jfrec_query_uses(const struct jfrec_query *q, int n, size_t i)
{
	const struct query *one = query_at(q, n);

	for (unsigned k = 0; one && k < one->resolved.entry_count; k++) {
		if (one->resolved.entries[k].type == i)
			return true;
	}
	return false;
}

int jfrec_query_count_types(struct jfrec_query *q, struct jfrec_error *err)
{
	if (!q->counts)
		q->counts = calloc(q->schema.type_count + 1, sizeof(*q->counts));
	return q->counts ? 0 : jfrec_fail_memory(err);
}

uint64_t jfrec_query_type_events(const struct jfrec_query *q, size_t i)
{
	return q->counts && i < q->schema.type_count ? q->counts[i] : 0;
}
