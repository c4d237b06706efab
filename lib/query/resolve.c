/* SPDX-License-Identifier: MIT */
/*
 * resolve.c - what a query means for the event types of a recording
 */
#include "query/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "query/list.h"
#include "query/listeners.h"
#include "query/parser.h"
#include "query/star.h"
#include "query/suggest.h"

/* More columns than anybody asks for: each costs memory in each group. */
#define MAX_COLUMNS 1000000

enum outcome { FINE = 0, FAILED = -1, NO_MEMORY = -2 };

struct resolver {
	struct arena *arena;
	const struct schema *schema;
	unsigned type_count; /* of the schema's */
	const struct parsed *parsed;
	struct resolved *to;
	/* What the last name that was looked up may be. */
	struct candidate *found;
	unsigned found_count;
	/*
	 * By the entry: 1 + the last of these that is a field of it; stale where it is another's.
	 */
	unsigned *last_found;
	unsigned last_room;
	unsigned at; /* where in the text is what is being resolved */
};

/* A field of one entry. */
struct candidate {
	unsigned entry;
	unsigned before; /* 1 + the one of the same entry before it; 0: none */
	struct field field;
};

static int fail(struct resolver *r, const char *sentence)
{
	if (!sentence)
		return NO_MEMORY;
	r->to->failure = sentence;
	r->to->failed_at = r->at;
	return FAILED;
}

/* A field that there is not. */
static int fail_field(struct resolver *r, const char *name)
{
	r->to->fault = suggest_field_nearby(r->arena, r->schema, r->to, name);
	if (!r->to->fault)
		return NO_MEMORY;
	return fail(r, suggest_field(r->arena, r->schema, r->to, name));
}

static void *add(struct resolver *r, void *list, unsigned *count, size_t size)
{
	void **items = list, *more = list_more(r->arena, *items, *count, size);

	if (!more)
		return NULL;
	*items = more;
	memset((char *)more + *count * size, 0, size);
	return (char *)more + (*count)++ * size;
}

#define ADD(r, of, list, count) add((r), &(of)->list, &(of)->count, sizeof(*(of)->list))

static const struct jfrec_type *type_of(const struct resolver *r, unsigned entry)
{
	return r->schema->types[r->to->entries[entry].type];
}

/* FROM ----------------------------------------------------------------------------------------- */

static int add_entry(struct resolver *r, unsigned type, const char *alias)
{
	struct entry *e = ADD(r, r->to, entries, entry_count);

	if (!e)
		return NO_MEMORY;
	e->type = type;
	e->alias = alias;
	return FINE;
}

/* Does the type's name end in a dot and this? */
static bool is_simple_name(const struct jfrec_type *t, const char *name)
{
	size_t len = strlen(t->name), n = strlen(name);

	return len > n && t->name[len - n - 1] == '.' && strcmp(t->name + len - n, name) == 0;
}

static int resolve_from(struct resolver *r, const struct from_item *item)
{
	const struct schema *s = r->schema;
	unsigned before = r->to->entry_count;
	int simple = -1, ret = FINE;

	r->at = item->at;
	for (unsigned i = 0; i < r->type_count && ret == FINE; i++) {
		if (!schema_is_first(s, i))
			continue;
		if (glob_match(item->name, strlen(item->name), s->types[i]->name))
			ret = add_entry(r, i, item->alias);
		else if (simple < 0 && is_simple_name(s->types[i], item->name))
			simple = (int)i;
	}
	if (ret == FINE && simple >= 0)
		ret = add_entry(r, (unsigned)simple, item->alias);
	if (ret != FINE)
		return ret;
	if (r->to->entry_count == before) {
		r->to->fault = suggest_type_nearby(r->arena, s, r->type_count, item->name);
		if (!r->to->fault)
			return NO_MEMORY;
		return fail(r, suggest_type(r->arena, s, r->type_count, item->name));
	}
	if (item->alias && r->to->entry_count > before + 1)
		return fail(r, "Alias can only refer to a single event type");
	return FINE;
}

/* Names of fields ------------------------------------------------------------------------------ */

/* 1 + the last that was found of that entry, or 0. */
static unsigned last_of(const struct resolver *r, unsigned entry)
{
	unsigned last = entry < r->last_room ? r->last_found[entry] : 0;

	return last && last <= r->found_count && r->found[last - 1].entry == entry ? last : 0;
}

/* The first that was found of that entry, or NULL. */
static struct candidate *first_of(const struct resolver *r, unsigned entry)
{
	unsigned at = last_of(r, entry);

	while (at && r->found[at - 1].before)
		at = r->found[at - 1].before;
	return at ? &r->found[at - 1] : NULL;
}

static bool make_room_for_last(struct resolver *r)
{
	if (r->last_room >= r->to->entry_count)
		return true;
	r->last_found = arena_zalloc(r->arena, r->to->entry_count, sizeof(*r->last_found));
	r->last_room = r->last_found ? r->to->entry_count : 0;
	return r->last_found;
}

static int add_candidate(struct resolver *r, unsigned entry, const char *path)
{
	unsigned last = last_of(r, entry);
	struct candidate *c;
	struct field f;

	if (!field_find(type_of(r, entry), path, &f))
		return FINE;
	for (unsigned at = last; at; at = r->found[at - 1].before) {
		if (strcmp(r->found[at - 1].field.path, path) == 0)
			return FINE;
	}
	c = ADD(r, r, found, found_count);
	if (!c || !make_room_for_last(r))
		return NO_MEMORY;
	*c = (struct candidate){ entry, last, f };
	r->last_found[entry] = r->found_count;
	return FINE;
}

/* What follows the prefix and a dot, or NULL. */
static const char *behind(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(name, prefix, len) == 0 && name[len] == '.' ? name + len + 1 : NULL;
}

static int look_up_one(struct resolver *r, const char *name)
{
	const char *rest;
	int ret = FINE;

	for (unsigned i = 0; i < r->to->entry_count && ret == FINE; i++) {
		const char *full = type_of(r, i)->name;

		if ((rest = behind(name, full)))
			ret = add_candidate(r, i, rest);
		if (ret == FINE && (rest = behind(name, simple_name(full))))
			ret = add_candidate(r, i, rest);
	}
	for (unsigned i = 0; i < r->to->entry_count && ret == FINE; i++) {
		const char *alias = r->to->entries[i].alias;

		if (alias && (rest = behind(name, alias)))
			ret = add_candidate(r, i, rest);
	}
	for (unsigned i = 0; i < r->to->entry_count && ret == FINE; i++)
		ret = add_candidate(r, i, name);
	return ret;
}

/* [A|B]x is Ax and Bx. */
static int look_up(struct resolver *r, const char *name)
{
	const char *close = name[0] == '[' ? strchr(name, ']') : NULL, *at = name + 1;
	int ret = FINE;

	r->found = NULL;
	r->found_count = 0;
	if (!close)
		return look_up_one(r, name);
	while (at <= close && ret == FINE) {
		size_t len = strcspn(at, "|]");
		char *one = arena_alloc(r->arena, len + strlen(close) + 1);

		if (!one)
			return NO_MEMORY;
		memcpy(one, at, len);
		strcpy(one + len, close + 1);
		ret = look_up_one(r, one);
		at += len + 1;
	}
	return ret;
}

/* Columns -------------------------------------------------------------------------------------- */

static void aggregate_look(struct look *l, enum aggregator a)
{
	if (a == AGGREGATE_COUNT || a == AGGREGATE_UNIQUE) {
		*l = (struct look){ .type = "long", .may_grow = l->may_grow };
	} else if (a == AGGREGATE_LIST || a == AGGREGATE_SET) {
		l->is_left = l->sorts_as_text = true;
	}
}

/* Bytes become bytes per second; a length of time per second is a share of the time. */
static void measure_look(struct column *c)
{
	struct look *l = &c->look;

	if (c->measure == MEASURE_SHARE || (c->measure == MEASURE_RATE && l->is_span)) {
		*l = (struct look){ .type = "double", .is_percentage = true, .is_descending = true };
		c->format.normalized = c->measure == MEASURE_SHARE;
	} else if (c->measure == MEASURE_RATE) {
		*l = (struct look){
			.type = "double",
			.is_amount = l->is_amount,
			.is_bits = l->is_bits,
			.is_frequency = l->is_amount,
		};
	}
}

/* Several sources, of which some have other types: their values become texts. */
static bool is_mixed(const struct resolver *r, const struct look *first)
{
	for (unsigned i = 1; i < r->found_count; i++) {
		if (strcmp(field_look(&r->found[i].field).type, first->type) != 0)
			return true;
	}
	return false;
}

/* Make a column of what was found.  NULL: no memory. */
static struct column *add_column(struct resolver *r, const struct select_item *item)
{
	struct column *c;

	if (r->to->column_count == MAX_COLUMNS || !(c = ADD(r, r->to, columns, column_count)))
		return NULL;
	c->field = r->found[0].field;
	c->look = field_look(&c->field);
	c->format.precision = -1;
	if (item) {
		c->aggregator = item->aggregator;
		c->measure = item->measure;
		c->function = item->function;
		c->percentile = item->percentile;
		c->least_above = item->least_above;
	}
	if (!(item && item->argument) && is_mixed(r, &c->look)) {
		c->is_mixed = true;
		c->look.is_left = c->look.sorts_as_text = true;
	}
	aggregate_look(&c->look, (enum aggregator)c->aggregator);
	measure_look(c);
	if (c->aggregator == AGGREGATE_NONE && strcmp(c->field.path, "startTime") == 0)
		c->every_ns = r->parsed->every_ns;
	c->label = field_label(r->arena, &c->field, item);
	c->entries = arena_alloc(r->arena, r->found_count * sizeof(*c->entries));
	if (!c->label || !c->entries)
		return NULL;
	for (unsigned i = 0; i < r->found_count; i++)
		c->entries[c->entry_count++] = r->found[i].entry;
	return c;
}

/* A column without anything in it yet.  NULL: no memory. */
static struct column *new_column(struct resolver *r, const char *text)
{
	struct column *c;

	if (r->to->column_count == MAX_COLUMNS || !(c = ADD(r, r->to, columns, column_count)))
		return NULL;
	c->field.path = c->label = text;
	c->format.precision = -1;
	return c;
}

/* The fields of a calculation, which one event must have all. */
static int find_atoms(struct resolver *r, const struct arithmetic *k, struct field *atoms,
		      struct look *looks)
{
	struct candidate *common = NULL;
	unsigned count = 0;

	for (unsigned i = 0; i < k->operand_count; i++) {
		const char *name = k->operands[i].field;
		unsigned kept = 0;

		r->at = k->operands[i].at;
		if (look_up(r, name) != FINE)
			return NO_MEMORY;
		if (r->found_count == 0)
			return fail_field(r, name);
		atoms[i] = r->found[0].field;
		looks[i] = field_look(&atoms[i]);
		for (unsigned n = 0; n < count; n++) {
			if (last_of(r, common[n].entry))
				common[kept++] = common[n];
		}
		count = i ? kept : r->found_count;
		common = i ? common : r->found;
	}
	r->found = common;
	r->found_count = count;
	return count ? FINE : fail(r, "No event type has all fields of the calculation");
}

/* SUM(a * b) */
static int resolve_argument(struct resolver *r, const struct select_item *item)
{
	const struct arithmetic *k = item->argument;
	struct field *atoms = arena_zalloc(r->arena, k->operand_count, sizeof(*atoms));
	struct look *looks = arena_zalloc(r->arena, k->operand_count, sizeof(*looks)), look;
	struct formula *f = arena_zalloc(r->arena, 1, sizeof(*f));
	const char *why;
	struct column *c;
	int ret;

	if (!atoms || !looks || !f)
		return NO_MEMORY;
	ret = find_atoms(r, k, atoms, looks);
	if (ret != FINE)
		return ret;
	r->at = item->at;
	if (!formula_make(r->arena, k, looks, f, &look, &why))
		return NO_MEMORY;
	if (why)
		return fail(r, why);
	c = add_column(r, item);
	if (!c)
		return NO_MEMORY;
	c->argument = f;
	c->atoms = atoms;
	c->atom_count = k->operand_count;
	c->look = look;
	aggregate_look(&c->look, (enum aggregator)c->aggregator);
	measure_look(c);
	c->field.path = item->field;
	c->label = calculation_label(r->arena, item);
	return c->label ? FINE : NO_MEMORY;
}

/* A field, or a function of one.  The column is the last. */
static int resolve_plain(struct resolver *r, const struct select_item *item)
{
	const char *name = strcmp(item->field, "*") == 0 ? "startTime" : item->field;

	if (item->aggregator)
		r->to->has_aggregator = true;
	if (item->argument)
		return resolve_argument(r, item);
	r->at = item->at;
	if (look_up(r, name) != FINE)
		return NO_MEMORY;
	if (r->found_count == 0)
		return fail_field(r, name);
	return add_column(r, item) ? FINE : NO_MEMORY;
}

static int resolve_item(struct resolver *r, const struct select_item *item)
{
	int ret = FINE;

	if (!item->arithmetic)
		ret = resolve_plain(r, item);
	else if (!new_column(r, item->field))
		ret = NO_MEMORY;
	if (ret != FINE)
		return ret;
	r->to->columns[r->to->column_count - 1].is_visible = true;
	if (item->is_labelled)
		r->to->columns[r->to->column_count - 1].label = item->alias;
	return FINE;
}

/* The column that an operand of a calculation is: one of SELECT, or another that is not shown. */
static int resolve_operand(struct resolver *r, const struct select_item *item, unsigned *column)
{
	int ret;

	r->at = item->at;
	if (item->measure == MEASURE_SHARE)
		return fail(r, "SHARE cannot be part of a calculation");
	for (unsigned i = 0; i < r->parsed->item_count; i++) {
		if (item_is_same(item, &r->parsed->items[i])) {
			*column = i;
			return FINE;
		}
	}
	ret = resolve_plain(r, item);
	*column = r->to->column_count - 1;
	if (ret == FINE)
		r->to->columns[*column].is_operand = true;
	return ret;
}

/* Has the column's value another unit than its field? */
static struct look look_of_result(const struct column *c)
{
	struct look l = c->look;

	if (l.is_time && c->aggregator == AGGREGATE_DIFF) {
		l.is_time = l.is_left = false;
		l.is_span = true;
	}
	return l;
}

/* SUM(a) / SUM(b), for a column that is there. */
static int resolve_formula(struct resolver *r, const struct select_item *item, unsigned column)
{
	const struct arithmetic *k = item->arithmetic;
	unsigned *operands = arena_zalloc(r->arena, k->operand_count, sizeof(*operands));
	struct look *looks = arena_zalloc(r->arena, k->operand_count, sizeof(*looks)), look;
	struct formula *f = arena_zalloc(r->arena, 1, sizeof(*f));
	struct column *c;
	const char *why;
	int ret = operands && looks && f ? FINE : NO_MEMORY;

	for (unsigned i = 0; i < k->operand_count && ret == FINE; i++) {
		ret = resolve_operand(r, &k->operands[i], &operands[i]);
		if (ret == FINE)
			looks[i] = look_of_result(&r->to->columns[operands[i]]);
	}
	if (ret != FINE)
		return ret;
	r->at = item->at;
	if (!formula_make(r->arena, k, looks, f, &look, &why))
		return NO_MEMORY;
	if (why)
		return fail(r, why);
	c = &r->to->columns[column];
	c->formula = f;
	c->operands = operands;
	c->look = look;
	r->to->has_formula = true;
	return FINE;
}

static int add_star_column(void *ctx, unsigned entry, const char *path, const char *label)
{
	struct resolver *r = ctx;
	struct column *c;

	r->found = NULL;
	r->found_count = 0;
	if (add_candidate(r, entry, path) != FINE)
		return NO_MEMORY;
	if (r->found_count == 0)
		return FINE;
	c = add_column(r, NULL);
	if (!c)
		return NO_MEMORY;
	c->is_visible = true;
	if (label)
		c->label = label;
	else if (c->field.pseudo == PSEUDO_SETTING)
		c->label = c->field.last->label ? c->field.last->label : c->field.last->name;
	return FINE;
}

static int resolve_select(struct resolver *r)
{
	int ret = FINE;

	for (unsigned i = 0; i < r->parsed->item_count && ret == FINE; i++)
		ret = resolve_item(r, &r->parsed->items[i]);
	for (unsigned i = 0; !r->parsed->item_count && i < r->to->entry_count && ret == FINE; i++)
		ret = star_columns(r->arena, type_of(r, i), i, add_star_column, r);
	r->to->visible_count = r->to->column_count;
	for (unsigned i = 0; i < r->parsed->item_count && ret == FINE; i++) {
		if (r->parsed->items[i].arithmetic)
			ret = resolve_formula(r, &r->parsed->items[i], i);
	}
	return ret;
}

/* The item of SELECT with that alias, or NULL. */
static const struct select_item *aliased(const struct resolver *r, const char *name,
					 unsigned *column)
{
	for (unsigned i = 0; i < r->parsed->item_count; i++) {
		const struct select_item *item = &r->parsed->items[i];

		if (item->alias && strcmp(item->alias, name) == 0) {
			*column = i;
			return item;
		}
	}
	return NULL;
}

/* GROUP BY, ORDER BY, WHERE -------------------------------------------------------------------- */

/* A hidden column for each type: an event's key is read from its own. */
static int add_key(struct resolver *r, unsigned entry)
{
	struct candidate *all = r->found, *first = first_of(r, entry);
	unsigned count = r->found_count;
	struct column *c;

	if (!first)
		return FAILED;
	r->found = first;
	r->found_count = 1;
	c = add_column(r, NULL);
	if (c)
		c->is_key = true;
	r->found = all;
	r->found_count = count;
	return c ? FINE : NO_MEMORY;
}

static int resolve_group(struct resolver *r, unsigned number)
{
	const char *name = r->parsed->group_by[number], *field = name;
	const struct select_item *item;
	unsigned column;
	int ret = FINE;

	r->at = r->parsed->group_at[number];
	item = aliased(r, name, &column);
	if (item && (item->aggregator || item->arithmetic))
		return fail(r, "Aggregate funtion can't be used together with an alias");
	if (item)
		field = item->field;
	if (look_up(r, field) != FINE)
		return NO_MEMORY;
	for (unsigned i = 0; i < r->to->entry_count && ret == FINE; i++)
		ret = add_key(r, i);
	if (ret == FAILED)
		return fail_field(r, name);
	r->to->has_group = true;
	return ret;
}

/* What SELECT has, by its alias or as it is written; else a column that is not shown. */
static int find_or_add(struct resolver *r, const struct select_item *item, unsigned *column)
{
	bool is_field = !item->aggregator && !item->arithmetic;

	r->at = item->at;
	if (is_field && aliased(r, item->field, column))
		return FINE;
	if (is_field) {
		if (look_up(r, item->field) != FINE)
			return NO_MEMORY;
		if (r->found_count == 0)
			return fail_field(r, item->field);
		*column = r->to->column_count;
		return add_column(r, NULL) ? FINE : NO_MEMORY;
	}
	for (*column = 0; *column < r->parsed->item_count; ++*column) {
		if (item_is_same(item, &r->parsed->items[*column]))
			return FINE;
	}
	*column = r->to->column_count;
	if (!item->arithmetic)
		return resolve_plain(r, item);
	if (!new_column(r, item->field))
		return NO_MEMORY;
	return resolve_formula(r, item, *column);
}

static int resolve_order(struct resolver *r, const struct order_item *item)
{
	struct order *o = ADD(r, r->to, orders, order_count);

	if (!o)
		return NO_MEMORY;
	o->direction = item->direction;
	return find_or_add(r, &item->item, &o->column);
}

static int resolve_per(struct resolver *r)
{
	r->to->has_per = true;
	return find_or_add(r, r->parsed->per, &r->to->per);
}

/* A field that no type has restricts nothing. */
static int resolve_condition(struct resolver *r, const struct condition *c)
{
	if (look_up(r, c->field) != FINE)
		return NO_MEMORY;
	for (unsigned i = 0; i < r->found_count; i++) {
		struct entry *e = &r->to->entries[r->found[i].entry];
		struct filter *f = ADD(r, e, filters, filter_count);

		if (!f)
			return NO_MEMORY;
		f->field = r->found[i].field;
		f->look = field_look(&f->field);
		f->text = text_of(c->value, strlen(c->value));
	}
	return FINE;
}

/* HAVING --------------------------------------------------------------------------------------- */

static enum having_kind kind_of(const struct column *c)
{
	if (c->look.is_span || (c->look.is_time && c->aggregator == AGGREGATE_DIFF))
		return HAVING_SPAN;
	if (c->look.is_time)
		return HAVING_TIME;
	return c->look.is_left ? HAVING_TEXT : HAVING_NUMBER;
}

/* Values must be of the column's kind: 10 could be seconds, or nanoseconds. */
static int check_having(struct resolver *r, const struct having *h)
{
	static const char *const names[] = { "a number", "a duration, such as 10ms",
					     "a time, such as 2026-01-31T12:00:00Z", "a 'text'" };
	enum having_kind kind = kind_of(&r->to->columns[h->item]);
	char *sentence;
	const size_t size = 200;

	if (kind == h->kind)
		return FINE;
	sentence = arena_alloc(r->arena, size);
	if (sentence)
		snprintf(sentence, size, "HAVING compares column %u with '%.50s': expected %s",
			 h->item + 1, h->text, names[kind]);
	return fail(r, sentence);
}

/* COLUMN, FORMAT ------------------------------------------------------------------------------- */

static int dress(struct resolver *r)
{
	const struct parsed *p = r->parsed;

	if (p->format_count && p->format_count != r->to->visible_count)
		return fail(r, "Number of fields in FORMAT doesn't match SELECT");
	if (p->column_count && p->column_count != r->to->visible_count)
		return fail(r, "Number of fields in COLUMN clause doesn't match SELECT");
	for (unsigned i = 0; i < r->to->visible_count; i++) {
		struct column *c = &r->to->columns[i];

		if (p->column_count)
			c->label = p->columns[i];
		if (!p->format_count)
			continue;
		c->format = p->formats[i];
		c->format.normalized |= c->measure == MEASURE_SHARE;
		if (c->format.normalized)
			c->look.is_percentage = c->look.is_descending = true;
	}
	return FINE;
}

/* Is it more than a key?  FROM * has many.  Rows without another order are sorted by keys. */
static bool is_needed(const struct resolved *to, unsigned i)
{
	const struct column *c = &to->columns[i];
	bool is = c->is_visible || !c->is_key || c->every_ns || c->is_operand ||
		  (to->has_per && to->per == i) || (!to->has_aggregator && !to->order_count);

	for (unsigned k = 0; k < to->order_count; k++)
		is |= to->orders[k].column == i;
	return is;
}

/* All of a query ------------------------------------------------------------------------------- */

static int resolve(struct resolver *r)
{
	const struct parsed *p = r->parsed;
	int ret = FINE;

	for (unsigned i = 0; i < p->from_count && ret == FINE; i++)
		ret = resolve_from(r, &p->from[i]);
	if (ret == FINE)
		ret = resolve_select(r);
	for (unsigned i = 0; i < p->group_count && ret == FINE; i++)
		ret = resolve_group(r, i);
	for (unsigned i = 0; i < p->order_count && ret == FINE; i++)
		ret = resolve_order(r, &p->order_by[i]);
	if (ret == FINE && p->per)
		ret = resolve_per(r);
	for (unsigned i = 0; i < p->condition_count && ret == FINE; i++)
		ret = resolve_condition(r, &p->conditions[i]);
	for (unsigned i = 0; i < p->having_count && ret == FINE; i++)
		ret = check_having(r, &p->having[i]);
	if (ret == FINE)
		ret = dress(r);
	if (ret == FINE && !make_listeners(r->arena, r->schema, r->to))
		ret = NO_MEMORY;
	r->to->width = r->to->column_count;
	while (r->to->width && !is_needed(r->to, r->to->width - 1))
		r->to->width--;
	return ret;
}

int resolve_query(struct arena *a, const struct schema *s, bool late, const struct parsed *p,
		  struct resolved *to)
{
	struct resolver r = { .arena = a, .schema = s, .parsed = p, .to = to };

	r.type_count = late ? s->type_count : s->early_count;
	*to = (struct resolved){ 0 };
	return resolve(&r) == NO_MEMORY ? -1 : 0;
}
