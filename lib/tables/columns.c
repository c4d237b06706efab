/* SPDX-License-Identifier: MIT */
/*
 * columns.c - the columns of an event type, in one chunk and over all of them
 */
#include "tables/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/content.h"
#include "print/render.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* Kinds ---------------------------------------------------------------------------------------- */

static enum jfrec_kind number_kind(enum wire wire, bool is_unsigned)
{
	switch (wire) {
	case WIRE_BOOLEAN:
		return JFREC_KIND_BOOL;
	case WIRE_BYTE:
		return is_unsigned ? JFREC_KIND_UINT8 : JFREC_KIND_INT8;
	case WIRE_SHORT:
		return is_unsigned ? JFREC_KIND_UINT16 : JFREC_KIND_INT16;
	case WIRE_INT:
		return is_unsigned ? JFREC_KIND_UINT32 : JFREC_KIND_INT32;
	case WIRE_LONG:
		return is_unsigned ? JFREC_KIND_UINT64 : JFREC_KIND_INT64;
	case WIRE_FLOAT:
		return JFREC_KIND_FLOAT32;
	case WIRE_DOUBLE:
		return JFREC_KIND_FLOAT64;
	case WIRE_NONE:
	case WIRE_CHAR:
	case WIRE_STRING:
	case WIRE_KEY:
	case WIRE_ARRAY:
		break;
	}
	return JFREC_KIND_STRING;
}

static enum jfrec_kind known_kind(enum known_type known)
{
	switch (known) {
	case KNOWN_CLASS:
		return JFREC_KIND_CLASS;
	case KNOWN_CLASS_LOADER:
		return JFREC_KIND_LOADER;
	case KNOWN_METHOD:
		return JFREC_KIND_METHOD;
	case KNOWN_FRAME:
		return JFREC_KIND_FRAME;
	case KNOWN_STACK_TRACE:
		return JFREC_KIND_STACK;
	case KNOWN_NONE:
	case KNOWN_THREAD:
	case KNOWN_OLD_OBJECT:
		break;
	}
	return JFREC_KIND_JSON;
}

static enum jfrec_kind kind_of(const struct jfrec_type *t, const struct jfrec_field *unit)
{
	if (t->wire == WIRE_NONE)
		return is_wrapper(t) ? JFREC_KIND_JSON : known_kind((enum known_type)t->known);
	if (unit && unit->timespan)
		return JFREC_KIND_SPAN;
	if (unit && unit->timestamp)
		return JFREC_KIND_TIME;
	return number_kind((enum wire)t->wire, unit && unit->is_unsigned);
}

struct leaf leaf_of(struct way *way)
{
	struct leaf l = { .field = way->fields[way->count - 1] };

	while (!l.field->array && l.field->type && is_wrapper(l.field->type) &&
	       l.field->type->fields[0].type && way->count < MAX_PATH) {
		l.field = &l.field->type->fields[0];
		way->fields[way->count++] = l.field;
	}
	/* A number in a pool of its own has lost what its field says of it. */
	l.unit = l.field->constant ? NULL : l.field;
	l.kind = l.field->array || !l.field->type ? JFREC_KIND_JSON
						  : kind_of(l.field->type, l.unit);
	return l;
}

static const char *unit_of(const struct leaf *l)
{
	if (l->kind == JFREC_KIND_SPAN)
		return "ns";
	if (!l->unit || l->kind >= JFREC_KIND_TIME || l->kind == JFREC_KIND_BOOL)
		return NULL;
	return content_of((enum jfrec_unit)l->unit->unit)->name;
}

/* Both ----------------------------------------------------------------------------------------- */

/* Bits of a whole number; 0 of what is none. */
static unsigned bits_of(enum jfrec_kind k)
{
	static const unsigned bits[] = {
		[JFREC_KIND_BOOL] = 1, [JFREC_KIND_INT8] = 8,    [JFREC_KIND_INT16] = 16,
		[JFREC_KIND_INT32] = 32,  [JFREC_KIND_INT64] = 64,  [JFREC_KIND_UINT8] = 8,
		[JFREC_KIND_UINT16] = 16, [JFREC_KIND_UINT32] = 32, [JFREC_KIND_UINT64] = 64,
	};

	return k <= JFREC_KIND_UINT64 ? bits[k] : 0;
}

static bool is_unsigned(enum jfrec_kind k)
{
	return (k >= JFREC_KIND_UINT8 && k <= JFREC_KIND_UINT64) || k == JFREC_KIND_BOOL;
}

static bool is_float(enum jfrec_kind k)
{
	return k == JFREC_KIND_FLOAT32 || k == JFREC_KIND_FLOAT64;
}

static enum jfrec_kind whole_kind(unsigned bits, bool has_no_sign)
{
	enum wire wire = bits <= 8    ? WIRE_BYTE
			 : bits <= 16 ? WIRE_SHORT
			 : bits <= 32 ? WIRE_INT
				      : WIRE_LONG;

	return number_kind(wire, has_no_sign);
}

enum jfrec_kind kind_of_both(enum jfrec_kind a, enum jfrec_kind b)
{
	unsigned x = bits_of(a), y = bits_of(b);

	if (a == b)
		return a;
	if (x && y) {
		if (is_unsigned(a) == is_unsigned(b))
			return whole_kind(x > y ? x : y, is_unsigned(a));
		/*
		 * A number without a sign needs one bit more in one that has it.  Of 64 bits there
		 * is not one more: sizes that one JDK declares so and another one not are far
		 * below, and remain numbers.
		 */
		if (is_unsigned(a))
			x++;
		else
			y++;
		return whole_kind(x > y ? x : y, false);
	}
	if (is_float(a) && is_float(b))
		return JFREC_KIND_FLOAT64;
	/* A double has every whole number of 32 bits. */
	if ((is_float(a) && y && y <= 32) || (is_float(b) && x && x <= 32))
		return JFREC_KIND_FLOAT64;
	return JFREC_KIND_STRING;
}

/* Tables --------------------------------------------------------------------------------------- */

/* Which of the columns of that name the column is. */
static unsigned nth_of(const struct columns *c, unsigned i)
{
	unsigned n = 0;

	for (unsigned k = 0; k < i; k++)
		n += strcmp(c->items[k].name, c->items[i].name) == 0;
	return n;
}

static bool is_column(const struct table_column *c, const char *name, unsigned nth)
{
	return c->nth == nth && strcmp(c->info.field, name) == 0;
}

/* The number of the table's column, which most often is the type's; or -1. */
static long find_column(const struct table *t, const char *name, unsigned nth, size_t likely)
{
	if (likely < t->info.column_count && is_column(&t->columns[likely], name, nth))
		return (long)likely;
	for (size_t i = 0; i < t->info.column_count; i++) {
		if (is_column(&t->columns[i], name, nth))
			return (long)i;
	}
	return -1;
}

static struct leaf leaf_of_column(const struct column *c)
{
	struct way way = { .count = c->path.count };

	memcpy(way.fields, c->path.fields, c->path.count * sizeof(*way.fields));
	return leaf_of(&way);
}

/* Numbers that are in the event itself are always there; times and texts may be missing. */
static bool is_nullable(const struct column *c, const struct leaf *l)
{
	for (unsigned i = 0; i < c->path.count; i++) {
		if (c->path.fields[i]->constant)
			return true;
	}
	return l->kind >= JFREC_KIND_TIME;
}

static const char *type_name(const struct leaf *l)
{
	return l->field->type ? l->field->type->name : "";
}

static char *copy(struct arena *a, const char *s)
{
	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

static int add_column(struct table *t, struct arena *a, const struct column *c, unsigned nth)
{
	struct leaf l = leaf_of_column(c);
	struct table_column new = {
		.info = {
			.field = copy(a, c->name),
			.label = copy(a, l.field->label),
			.type = copy(a, type_name(&l)),
			.kind = l.kind,
			.unit = unit_of(&l),
			/* Those before it have none. */
			.is_nullable = t->is_seen || is_nullable(c, &l),
		},
		.nth = nth,
	};

	if (!new.info.field || !new.info.type ||
	    !array_push(t->columns, t->info.column_count, t->room, new))
		return -1;
	return 0;
}

static int merge_column(struct table_column *to, struct arena *a, const struct column *c)
{
	struct leaf l = leaf_of_column(c);
	const char *unit = unit_of(&l);

	to->info.is_nullable |= is_nullable(c, &l);
	if (to->info.unit != unit && (!unit || !to->info.unit || strcmp(unit, to->info.unit) != 0))
		to->info.unit = NULL;
	if (to->info.kind == l.kind)
		return 0;
	to->info.kind = kind_of_both(to->info.kind, l.kind);
	if (!to->info.other_type && strcmp(to->info.type, type_name(&l)) != 0)
		to->info.other_type = copy(a, type_name(&l));
	else if (!to->info.other_type)
		to->info.other_type = copy(a, "the same with another unit");
	return to->info.other_type ? 0 : -1;
}

int table_add(struct table *t, struct arena *a, const struct jfrec_type *type)
{
	struct columns *c = malloc(sizeof(*c));
	bool *is_here = calloc(t->info.column_count + 1, sizeof(*is_here));
	size_t before = t->info.column_count;
	int ret = c && is_here ? 0 : -1;

	if (ret == 0)
		columns_init(c, type, true);
	for (unsigned i = 0; ret == 0 && i < c->count; i++) {
		unsigned nth = nth_of(c, i);
		long place = find_column(t, c->items[i].name, nth, i);

		if (place < 0) {
			ret = add_column(t, a, &c->items[i], nth);
		} else {
			ret = merge_column(&t->columns[place], a, &c->items[i]);
			if ((size_t)place < before)
				is_here[place] = true;
		}
	}
	for (size_t i = 0; ret == 0 && i < before; i++)
		t->columns[i].info.is_nullable |= !is_here[i];
	t->is_seen = true;
	if (c && is_here)
		columns_fini(c);
	free(c);
	free(is_here);
	return ret;
}

int table_paths(struct table_paths *p, const struct table *t, const struct jfrec_type *type)
{
	p->of = calloc(t->info.column_count + 1, sizeof(*p->of));
	columns_init(&p->columns, type, true);
	if (!p->of)
		return -1;
	for (unsigned i = 0; i < p->columns.count; i++) {
		const struct column *c = &p->columns.items[i];
		long place = find_column(t, c->name, nth_of(&p->columns, i), i);

		if (place >= 0)
			p->of[place] = c;
	}
	return 0;
}

void table_paths_fini(struct table_paths *p)
{
	columns_fini(&p->columns);
	free(p->of);
}

/* Names ---------------------------------------------------------------------------------------- */

struct digest name_digest(const char *name)
{
	struct digest d = DIGEST_INIT;

	for (; *name; name++)
		digest_word(&d, (uint64_t)(*name >= 'A' && *name <= 'Z' ? *name + 32 : *name));
	return d;
}

/* 1: it is the caller's now; 0: it is taken; -1: no memory. */
static int take_name(struct digest_map *taken, const char *name)
{
	uint64_t *place = digest_map_put(taken, name_digest(name));

	if (!place)
		return -1;
	if (*place)
		return 0;
	*place = 1;
	return 1;
}

/*
 * Where it is kept which number a name gets next: with 100,000 names that are the same, each would
 * try all of those before it.  No name has that digest.
 */
static uint64_t *next_number(struct digest_map *taken, const char *name)
{
	struct digest d = name_digest(name);

	digest_word(&d, UINT64_C(1) << 32);
	return digest_map_put(taken, d);
}

const char *unique_name(struct arena *a, struct digest_map *taken, const char *name)
{
	const char *base = *name ? name : "_";
	size_t size = strlen(base) + 12;
	char *text = arena_strndup(a, base, strlen(base));
	int got = text ? take_name(taken, text) : -1;
	uint64_t *next, n;

	if (got != 0)
		return got > 0 ? text : NULL;
	text = arena_alloc(a, size);
	next = text ? next_number(taken, base) : NULL;
	if (!next)
		return NULL;
	for (n = *next ? *next : 2; got == 0; n++) {
		snprintf(text, size, "%s_%u", base, (unsigned)n);
		got = take_name(taken, text);
	}
	if (got > 0)
		*next_number(taken, base) = n;
	return got > 0 ? text : NULL;
}

int table_name_columns(struct table *t, struct arena *a)
{
	struct digest_map taken = { 0 };
	int ret = 0;

	for (size_t i = 0; i < t->info.column_count && ret == 0; i++) {
		t->columns[i].info.name = unique_name(a, &taken, t->columns[i].info.field);
		ret = t->columns[i].info.name ? 0 : -1;
	}
	digest_map_fini(&taken);
	return ret;
}
