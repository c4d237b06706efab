/* SPDX-License-Identifier: MIT */
/*
 * fields.c - select fields by --fields
 */
#include "print/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/near.h"

/* One name of the list. */
struct field {
	const char *name;
	const char **columns; /* NULL: no type has it so far */
	unsigned count;
	struct near near;
};

struct fields {
	struct arena arena;
	struct field *items;
	unsigned count;
	unsigned missing; /* have no columns */
	bool is_made;	  /* r->layout.columns */
	bool out_of_memory;
};

/* Near misses ---------------------------------------------------------------------------------- */

/* All columns, and what stands for several of them. */
static void offer_type(struct near *near, const struct jfrec_type *t)
{
	struct columns c;

	for (unsigned i = 0; i < t->field_count; i++)
		near_offer(near, t->fields[i].name);
	columns_init(&c, t, true);
	for (unsigned i = 0; i < c.count; i++)
		near_offer(near, c.items[i].name);
	columns_fini(&c);
}

/* "thred; did you mean thread?" */
static void describe(const struct field *f, char *to, size_t size)
{
	char list[NEAR_LIST_MAX];

	snprintf(to, size, "%.64s%s", f->name, near_list(&f->near, list));
}

/* Looking -------------------------------------------------------------------------------------- */

static bool is(const char *name, size_t len, const char *other)
{
	return len == strlen(other) && memcmp(name, other, len) == 0;
}

static void add_field(struct render *r, struct fields *f, const char *name, size_t len)
{
	/* Every line of JSON has the `type` of the event; a field of that name has another key. */
	bool has_type = r->format == &ndjson_format;
	struct field *field;

	for (; len && *name == ' '; len--)
		name++;
	while (len && name[len - 1] == ' ')
		len--;
	if (!len)
		render_fail(r, "the list of fields has an empty name");
	if (has_type && is(name, len, "type"))
		return;
	field = &f->items[f->count++];
	field->name = is(name, len, "values.type") ? "type" : arena_strndup(&f->arena, name, len);
	field->near.name = field->name;
	f->out_of_memory |= !field->name;
}

static struct fields *fields_new(struct render *r, const char *list)
{
	struct fields *f = calloc(1, sizeof(*f));
	size_t room = 1;

	if (!f)
		return NULL;
	for (const char *s = list; *s; s++)
		room += *s == ',';
	f->items = arena_zalloc(&f->arena, room, sizeof(*f->items));
	f->out_of_memory = !f->items;
	for (; f->items && room; room--) {
		size_t len = strcspn(list, ",");

		add_field(r, f, list, len);
		list += len + 1;
	}
	f->missing = f->count;
	return f;
}

void fields_free(struct fields *f)
{
	if (!f)
		return;
	arena_fini(&f->arena);
	free(f);
}

static void take_columns(struct fields *f, struct field *field, const struct columns *c)
{
	field->columns = arena_zalloc(&f->arena, (size_t)c->count + 1, sizeof(*field->columns));
	if (!field->columns) {
		f->out_of_memory = true;
		return;
	}
	for (unsigned i = 0; i < c->count; i++) {
		const char *name = c->items[i].name;

		field->columns[i] = arena_strndup(&f->arena, name, strlen(name));
		f->out_of_memory |= !field->columns[i];
	}
	field->count = c->count;
	f->missing--;
}

/* Has the type some of what is missing? */
static void look_at_type(struct fields *f, const struct jfrec_type *t, bool stacks)
{
	for (unsigned i = 0; i < f->count && !f->out_of_memory; i++) {
		struct field *field = &f->items[i];
		struct columns c;

		if (field->columns)
			continue;
		if (columns_named(&c, t, field->name, stacks))
			take_columns(f, field, &c);
		else
			offer_type(&field->near, t);
		columns_fini(&c);
	}
}

/* The types that are printed; a table has those of one name. False if there are none. */
static bool look_at_types(struct render *r, const struct metadata *m, const bool *selected)
{
	const char *name = r->layout.table_of;
	struct fields *f = r->layout.chosen;
	bool any = false;

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		if (!selected[i] || (name && strcmp(name, t->name) != 0))
			continue;
		any = true;
		if (f->missing)
			look_at_type(f, t, layout_has_stacks(&r->layout));
	}
	return any;
}

static void look_at_metadata(struct render *r, const struct metadata *m)
{
	bool *selected = source_selected(r->source, m);

	if (selected)
		look_at_types(r, m, selected);
	else
		r->layout.chosen->out_of_memory = true;
	free(selected);
}

/* The types of all chunks, also of those that have to be repaired. False: it is a stream. */
static bool look_ahead(struct render *r)
{
	const struct metadata *last = NULL;
	struct recording again;
	struct extent x = { 0 };

	if (source_again(r->source, &again, NULL) < 0)
		return false;
	while (r->layout.chosen->missing && !*r->stop &&
	       recording_next(&again, &x, NULL) > 0) {
		struct metadata *m = recording_metadata(&again, &x);
		struct chunk *chunk;

		if (!m && chunk_load(&again, &x, &chunk, NULL) > 0) {
			m = metadata_ref(chunk->metadata);
			chunk_unref(chunk);
		}
		if (m && m != last)
			look_at_metadata(r, m);
		last = m;
		metadata_unref(again.metadata);
		again.metadata = m; /* the next one's, if it is the same */
	}
	recording_close(&again);
	return true;
}

/* The columns in the order of the list; a name may be there for what comes. */
static void make_columns(struct render *r)
{
	struct fields *f = r->layout.chosen;

	f->is_made = true;
	for (unsigned i = 0; i < f->count; i++) {
		const struct field *field = &f->items[i];
		unsigned count = field->columns ? field->count : 1;
		const char *const *names = field->columns ? field->columns : &field->name;

		for (unsigned k = 0; k < count && !f->out_of_memory; k++)
			f->out_of_memory |= names_add(&r->layout.columns, names[k]) < 0;
	}
}

/* Call tell() for each field that no type had. */
static void tell_missing(struct render *r, void (*tell)(struct render *r, const char *what))
{
	const struct fields *f = r->layout.chosen;
	char what[65 + NEAR_LIST_MAX];

	for (unsigned i = 0; i < f->count && !r->failure.code; i++) {
		if (f->items[i].columns)
			continue;
		describe(&f->items[i], what, sizeof(what));
		tell(r, what);
	}
}

static void fail_missing(struct render *r, const char *what)
{
	render_fail(r, "no event type that is printed has a field %s", what);
}

static void tell_later(struct render *r, const char *what)
{
	const struct chunk *c = r->current->chunk;

	problem_notice(c->problems, c->extent.offset, 0,
		       "no event type that is printed has a field %s; it stays empty until a chunk "
		       "comes that has it",
		       what);
}

void fields_look(struct render *r)
{
	struct layout *l = &r->layout;

	if (l->fields && !l->chosen && !(l->chosen = fields_new(r, l->fields)))
		jfrec_fail_memory(&r->failure);
	if (!l->chosen || r->failure.code || (l->chosen->is_made && !l->chosen->missing) ||
	    !look_at_types(r, r->current->chunk->metadata, r->current->selected))
		return;
	if (!l->chosen->is_made) {
		if (l->chosen->missing)
			tell_missing(r, look_ahead(r) ? fail_missing : tell_later);
		make_columns(r);
	}
	if (l->chosen->out_of_memory)
		jfrec_fail_memory(&r->failure);
}

void fields_end(struct render *r)
{
	const struct fields *f = r->layout.chosen;
	bool is_all = r->left && !r->out.error && !r->failure.code && !*r->stop;

	if (f && f->is_made && is_all)
		tell_missing(r, fail_missing);
}
