/* SPDX-License-Identifier: MIT */
/*
 * types.c - the public view of types, fields and annotations
 */
#include "read/types.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "read/reader.h"

uint64_t jfrec_type_id(const struct jfrec_type *t)
{
	return t->id;
}

const char *jfrec_type_name(const struct jfrec_type *t)
{
	return t->name;
}

const char *jfrec_type_super(const struct jfrec_type *t)
{
	return t->super;
}

const char *jfrec_type_label(const struct jfrec_type *t)
{
	return t->label;
}

const char *jfrec_type_description(const struct jfrec_type *t)
{
	return t->description;
}

bool jfrec_type_is_simple(const struct jfrec_type *t)
{
	return t->simple;
}

size_t jfrec_type_field_count(const struct jfrec_type *t)
{
	return t->field_count;
}

const struct jfrec_field *jfrec_type_field_get(const struct jfrec_type *t, size_t i)
{
	return i < t->field_count ? &t->fields[i] : NULL;
}

const struct jfrec_field *jfrec_type_field(const struct jfrec_type *t, const char *name)
{
	return type_field(t, name);
}

size_t jfrec_type_setting_count(const struct jfrec_type *t)
{
	return t->setting_count;
}

const struct jfrec_field *jfrec_type_setting_get(const struct jfrec_type *t, size_t i)
{
	return i < t->setting_count ? &t->settings[i] : NULL;
}

const struct jfrec_field *jfrec_type_setting(const struct jfrec_type *t, const char *name)
{
	for (unsigned i = 0; i < t->setting_count; i++) {
		if (strcmp(t->settings[i].name, name) == 0)
			return &t->settings[i];
	}
	return NULL;
}

size_t jfrec_type_annotation_count(const struct jfrec_type *t)
{
	return t->annotation_count;
}

const struct jfrec_annotation *jfrec_type_annotation_get(const struct jfrec_type *t, size_t i)
{
	return i < t->annotation_count ? &t->annotations[i] : NULL;
}

const char *jfrec_field_name(const struct jfrec_field *f)
{
	return f->name;
}

const char *jfrec_field_label(const struct jfrec_field *f)
{
	return f->label;
}

const char *jfrec_field_description(const struct jfrec_field *f)
{
	return f->description;
}

const struct jfrec_type *jfrec_field_type(const struct jfrec_field *f)
{
	return f->type;
}

bool jfrec_field_is_array(const struct jfrec_field *f)
{
	return f->array;
}

bool jfrec_field_is_constant(const struct jfrec_field *f)
{
	return f->constant;
}

const char *jfrec_field_default(const struct jfrec_field *f)
{
	return f->default_value;
}

size_t jfrec_field_annotation_count(const struct jfrec_field *f)
{
	return f->annotation_count;
}

const struct jfrec_annotation *jfrec_field_annotation_get(const struct jfrec_field *f, size_t i)
{
	return i < f->annotation_count ? &f->annotations[i] : NULL;
}

const char *jfrec_annotation_name(const struct jfrec_annotation *a)
{
	return a->type ? a->type->name : "";
}

size_t jfrec_annotation_member_count(const struct jfrec_annotation *a)
{
	return a->member_count;
}

const char *jfrec_annotation_member_name(const struct jfrec_annotation *a, size_t i)
{
	return i < a->member_count ? a->members[i].name : NULL;
}

const char *jfrec_annotation_member_value(const struct jfrec_annotation *a, size_t i)
{
	return i < a->member_count ? a->members[i].value : NULL;
}

/* All types of a recording --------------------------------------------------------------------- */

struct listed {
	const struct jfrec_type *type;
	size_t place; /* equal ones keep their order */
};

struct listing {
	struct listed *types;
	size_t count, room;
	struct idmap seen;
};

/* The JDK sorts types into groups: structs, others, annotations, settings, events. */
static int group_of(const struct jfrec_type *t)
{
	if (!t->super)
		return 1;
	if (strcmp(t->super, "java.lang.annotation.Annotation") == 0)
		return 3;
	if (strcmp(t->super, "jdk.jfr.SettingControl") == 0)
		return 4;
	return t->is_event ? 5 : 2;
}

static size_t package_len(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? (size_t)(dot + 1 - name) : 0;
}

static int compare_packages(const char *a, const char *b)
{
	size_t a_len = package_len(a), b_len = package_len(b);
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

static int compare_types(const struct jfrec_type *a, const struct jfrec_type *b)
{
	int order = group_of(a) - group_of(b);

	if (order == 0)
		order = compare_packages(a->name, b->name);
	return order ? order : strcmp(a->name, b->name);
}

static int compare_pointers(const void *x, const void *y)
{
	return compare_types(*(const struct jfrec_type *const *)x,
			     *(const struct jfrec_type *const *)y);
}

void sort_types(const struct jfrec_type **types, size_t count)
{
	if (count)
		qsort(types, count, sizeof(*types), compare_pointers);
}

static int compare_listed(const void *x, const void *y)
{
	const struct listed *a = x, *b = y;
	int order = compare_types(a->type, b->type);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int list_type(struct jfrec_reader *r, struct listing *l, const struct jfrec_type *t)
{
	uint32_t *at = idmap_put(&l->seen, t->id, 0);

	if (!at)
		return -1;
	if (*at ||
	    (!selection_is_all(&r->source.selection) && !selection_has(&r->source.selection, t)))
		return 0;
	*at = 1;
	if (!array_reserve(l->types, l->count, l->room))
		return -1;
	l->types[l->count] = (struct listed){ t, l->count };
	l->count++;
	return 0;
}

static int list_metadata(struct jfrec_reader *r, struct listing *l, struct metadata *m)
{
	struct metadata **all;

	if (r->metadata_count && r->all_metadata[r->metadata_count - 1] == m)
		return 0;
	all = reallocarray(r->all_metadata, r->metadata_count + 1, sizeof(*all));
	if (!all)
		return -1;
	r->all_metadata = all;
	all[r->metadata_count++] = metadata_ref(m);
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (list_type(r, l, &m->types[i]) < 0)
			return -1;
	}
	return 0;
}

/* The types in order, as the reader keeps them. -1 when memory is gone. */
static int put_sorted(struct jfrec_types *list, struct listing *l)
{
	free(list->items);
	list->count = 0;
	list->items = calloc(l->count + 1, sizeof(*list->items));
	if (!list->items)
		return -1;
	if (l->count)
		qsort(l->types, l->count, sizeof(*l->types), compare_listed);
	for (size_t i = 0; i < l->count; i++)
		list->items[list->count++] = l->types[i].type;
	return 0;
}

size_t jfrec_types_count(const struct jfrec_types *list)
{
	return list->count;
}

const struct jfrec_type *jfrec_types_get(const struct jfrec_types *list, size_t i)
{
	return i < list->count ? list->items[i] : NULL;
}

const struct jfrec_types *jfrec_reader_types(struct jfrec_reader *r, struct jfrec_error *err)
{
	struct listing l = { 0 };
	struct chunk *chunk;
	int got;

	while ((got = source_next(&r->source, &chunk, err)) > 0) {
		int listed = list_metadata(r, &l, chunk->metadata);

		chunk_unref(chunk);
		if (listed < 0) {
			got = jfrec_fail_memory(err);
			break;
		}
	}
	if (got == 0 && put_sorted(&r->types, &l) < 0)
		got = jfrec_fail_memory(err);
	idmap_fini(&l.seen);
	free(l.types);
	return got < 0 ? NULL : &r->types;
}
