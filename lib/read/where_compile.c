/* SPDX-License-Identifier: MIT */
/*
 * where_compile.c - compile the tree of an expression for one event type
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/glob.h"
#include "base/near.h"
#include "base/units.h"
#include "format/content.h"
#include "jfrec-tool.h"
#include "read/select.h"
#include "read/where_program.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* Makes the accesses of one comparison for one event type. */
struct access_maker {
	struct maker *maker;
	struct compare *comparison;
	const struct jfrec_type *event;
	unsigned depth;
};

static void *made(struct maker *m, void *object)
{
	if (!object)
		m->out_of_memory = true;
	return object;
}

/* What does not fit --------------------------------------------------------------------------- */

const char *comparison_path(const struct compare *cmp, unsigned segments, char *text)
{
	size_t len = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < segments && len < 100; i++)
		len += (size_t)snprintf(text + len, 128 - len, "%s%.60s", i ? "." : "",
					cmp->segments[i].name);
	return text;
}

/* A type that takes the path further knows better what is wrong. */
#define NEARNESS_OF_VALUE (MAX_SEGMENTS + 1)

static bool is_nearer(const struct access_maker *w, unsigned nearness)
{
	if (w->comparison->used || w->comparison->nearness >= nearness)
		return false;
	w->comparison->nearness = nearness;
	return true;
}

/* The value is there, but cannot be compared so: "duration is ...". Returns NULL. */
static struct access *misfit(struct access_maker *w, const char *what)
{
	struct compare *cmp = w->comparison;
	char path[128];

	if (is_nearer(w, NEARNESS_OF_VALUE))
		where_fail(&cmp->failure, cmp->expression, cmp->segments[0].at, "%s %s",
			   comparison_path(cmp, cmp->segment_count, path), what);
	return NULL;
}

/* A struct has no such field. Returns NULL. */
static struct access *missing(struct access_maker *w, unsigned segment, const struct jfrec_type *t)
{
	struct compare *cmp = w->comparison;
	struct near near = { .name = cmp->segments[segment].name };
	char path[128], list[NEAR_LIST_MAX];

	if (!segment || !is_nearer(w, segment))
		return NULL;
	for (unsigned i = 0; i < t->field_count; i++)
		near_offer(&near, t->fields[i].name);
	where_fail(&cmp->failure, cmp->expression, cmp->segments[segment].at,
		   "%s (%.80s) has no field %.60s%s", comparison_path(cmp, segment, path), t->name,
		   near.name, near_list(&near, list));
	return NULL;
}

/* Checks --------------------------------------------------------------------------------------- */

static struct access *new_access(struct access_maker *w, enum access_kind kind, unsigned slot)
{
	struct access *a = made(w->maker, arena_zalloc(&w->maker->programs->arena, 1, sizeof(*a)));

	if (!a)
		return NULL;
	a->kind = (uint8_t)kind;
	a->slot = (uint16_t)slot;
	a->comparison = w->comparison;
	a->height = 1;
	return a;
}

static struct access *new_check(struct access_maker *w, enum check check, unsigned slot)
{
	struct access *a = new_access(w, ACCESS_CHECK, slot);

	if (a)
		a->check = (uint8_t)check;
	return a;
}

static bool asks_only_if_there(const struct compare *cmp)
{
	return cmp->relation == RELATION_EXISTS;
}

static struct access *text_check(struct access_maker *w, enum check check,
				 const struct jfrec_type *t, unsigned slot)
{
	struct access *a;

	if (!asks_only_if_there(w->comparison) && w->comparison->relation != RELATION_LIST &&
	    w->comparison->value.kind != LITERAL_TEXT)
		return misfit(w, "is text: compare it with text in quotes");
	a = new_check(w, check, slot);
	if (a)
		a->type = t;
	return a;
}

static struct access *bool_check(struct access_maker *w, unsigned slot)
{
	enum relation r = w->comparison->relation;
	struct access *a;

	if (r != RELATION_TRUE &&
	    (r != RELATION_EQUAL || w->comparison->value.kind != LITERAL_BOOL))
		return misfit(w, "is a boolean: compare it with true or false by = or !=");
	a = new_check(w, CHECK_BOOL, slot);
	if (a)
		a->number.i = r == RELATION_TRUE || w->comparison->value.number.i;
	return a;
}

static bool is_zero(const struct literal *l)
{
	return l->kind == LITERAL_NUMBER && l->number.whole && l->number.i == 0 && !l->number.huge;
}

static struct access *span_check(struct access_maker *w, unsigned slot)
{
	const struct literal *l = &w->comparison->value;
	struct access *a;

	if (l->kind != LITERAL_SPAN && !is_zero(l))
		return misfit(w, "is a duration: compare it with a number and unit, such as 10ms "
				 "or 1.5s");
	a = new_check(w, CHECK_SPAN, slot);
	if (a)
		a->ns = l->ns;
	return a;
}

/* A time relative to the recording. */
static bool resolve_span(struct access_maker *w, const struct literal *l, int64_t *ns)
{
	struct jfrec_time t = {
		.base = l->sign == '+' ? JFREC_SINCE_START : JFREC_BEFORE_END,
		.ns = l->sign == '-' ? -l->ns : l->ns,
	};
	struct jfrec_error err = { 0 };
	int64_t start_ns, end_ns;

	if (w->maker->span(w->maker->span_ctx, &start_ns, &end_ns, &err) < 0) {
		if (is_nearer(w, NEARNESS_OF_VALUE))
			where_fail(&w->comparison->failure, w->comparison->expression,
				   w->comparison->value_at, "%.300s", err.text);
		return false;
	}
	*ns = jfrec_time_resolve(&t, start_ns, end_ns);
	return true;
}

static bool resolve_time(struct access_maker *w, int64_t *ns)
{
	const struct literal *l = &w->comparison->value;
	struct jfrec_time t = { 0 };

	if (l->kind == LITERAL_TIME) {
		*ns = l->ns;
		return true;
	}
	if (l->kind == LITERAL_SPAN && l->sign)
		return resolve_span(w, l, ns);
	if (l->kind == LITERAL_NUMBER && l->number.d > -9e9 && l->number.d < 9e9) {
		*ns = (int64_t)(l->number.d * 1e9);
		return true;
	}
	if (l->kind == LITERAL_TEXT && *l->text != '+' && *l->text != '-' &&
	    jfrec_time_parse(l->text, &t) && t.base != JFREC_TIME_OF_DAY) {
		*ns = t.ns;
		return true;
	}
	misfit(w, "is a point in time: compare it with 2026-11-20T09:47:05Z, with +30s after the "
		  "start or with -10m before the end of the recording");
	return false;
}

static struct access *time_check(struct access_maker *w, enum check check, unsigned slot)
{
	int64_t ns = 0;
	struct access *a;

	if (w->comparison->relation == RELATION_MATCH)
		return misfit(w, "is a point in time, so it cannot be matched with a pattern");
	if (!asks_only_if_there(w->comparison) && !resolve_time(w, &ns))
		return NULL;
	a = new_check(w, check, slot);
	if (a)
		a->ns = ns;
	return a;
}

/* The number to compare with, in the field's unit; NULL if it has none of that kind. */
static const struct number *number_wanted(struct access_maker *w, const struct jfrec_field *f,
					  struct number *scaled)
{
	const struct literal *l = &w->comparison->value;
	const struct content *c = content_of(f ? (enum jfrec_unit)f->unit : JFREC_UNIT_NONE);
	bool is_bits = c->amount & AMOUNT_BITS;

	if (l->kind == LITERAL_NUMBER)
		return &l->number;
	if (l->kind != LITERAL_AMOUNT || (c->annotation && !c->is_amount))
		return NULL;
	*scaled = l->number;
	if (!c->is_amount || is_bits == l->bits)
		return scaled;
	scaled->d = l->bits ? scaled->d / 8 : scaled->d * 8;
	scaled->whole = scaled->whole && !scaled->huge && scaled->d == (double)(int64_t)scaled->d;
	scaled->i = scaled->whole ? (int64_t)scaled->d : 0;
	return scaled;
}

static struct access *number_check(struct access_maker *w, const struct jfrec_field *f,
				   enum wire wire, unsigned slot)
{
	const struct number *wanted;
	struct number scaled;
	struct access *a;

	if (w->comparison->relation == RELATION_TRUE)
		return misfit(w, "is a number: compare it with a number");
	wanted = number_wanted(w, f, &scaled);
	if (!wanted)
		return misfit(w, w->comparison->value.kind == LITERAL_SPAN
					 ? "is a number without a unit of time"
					 : "is a number: compare it with a number");
	a = new_check(w, f && f->is_unsigned ? CHECK_UNSIGNED : CHECK_SIGNED, slot);
	if (!a)
		return NULL;
	a->number = *wanted;
	a->wire = (uint8_t)wire;
	if (wire == WIRE_FLOAT || wire == WIRE_DOUBLE)
		a->check = wire == WIRE_FLOAT ? CHECK_FLOAT : CHECK_DOUBLE;
	/* 0.1 in a recording of floats is 0.1f. */
	if (wire == WIRE_FLOAT)
		a->number.d = (double)(float)a->number.d;
	return a;
}

static struct access *whole_number_check(struct access_maker *w, const struct jfrec_field *f,
					 enum wire wire, unsigned slot)
{
	struct access *a;

	if (f && f->timespan)
		a = span_check(w, slot);
	else if (f && f->timestamp)
		a = time_check(w, CHECK_TIME, slot);
	else
		a = number_check(w, f, wire, slot);
	if (a) {
		a->field = f;
		a->wire = (uint8_t)wire;
	}
	return a;
}

/* What is asked of a value without parts. */
static struct access *comparison_check(struct access_maker *w, const struct jfrec_type *t,
				       const struct jfrec_field *f, unsigned slot, enum check form)
{
	struct access *a;

	switch ((enum wire)t->wire) {
	case WIRE_STRING:
		return text_check(w, form, t, slot);
	case WIRE_CHAR:
		return text_check(w, CHECK_CHAR, t, slot);
	case WIRE_NONE:
	case WIRE_BOOLEAN:
	case WIRE_BYTE:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
	case WIRE_FLOAT:
	case WIRE_DOUBLE:
	case WIRE_KEY:
	case WIRE_ARRAY:
		break;
	}
	if (!asks_only_if_there(w->comparison)) {
		if (t->wire == WIRE_BOOLEAN)
			return bool_check(w, slot);
		return whole_number_check(w, f, t->wire, slot);
	}
	a = new_check(w, f && (f->timespan || f->timestamp) ? CHECK_SPAN : CHECK_THERE, slot);
	if (a) {
		a->field = f;
		a->wire = t->wire;
	}
	return a;
}

/* Accesses ------------------------------------------------------------------------------------- */

static const struct access *value_access(struct access_maker *w, const struct jfrec_type *t,
					 const struct jfrec_field *f, unsigned slot,
					 unsigned segment, enum check form);

static struct const_query *find_query(struct access_maker *w, const struct const_query *wanted)
{
	struct const_query *q = w->maker->programs->queries;

	while (q &&
	       (q->comparison != wanted->comparison || q->segment != wanted->segment ||
		q->form != wanted->form || q->field != wanted->field || q->type != wanted->type))
		q = q->next;
	return q;
}

/* What is asked of the constants of a type; NULL if that is nothing. */
static struct const_query *query_of(struct access_maker *w, const struct jfrec_type *t,
				    const struct jfrec_field *f, unsigned segment, enum check form)
{
	struct programs *p = w->maker->programs;
	struct const_query wanted = {
		.comparison = w->comparison,
		.segment = segment,
		.form = (uint8_t)form,
		.field = t->wire == WIRE_NONE || t->wire == WIRE_STRING ? NULL : f,
		.type = t,
		.plan = plan_of(t),
		.is_unfinished = true,
		.next = p->queries,
	};
	struct const_query *found = find_query(w, &wanted);

	if (!found) {
		found = made(w->maker, arena_alloc(&p->arena, sizeof(*found)));
		if (!found)
			return NULL;
		*found = wanted;
		p->queries = found;
		if (!found->plan->fault)
			found->rest = value_access(w, t, f, 0, segment, form);
		found->is_unfinished = false;
	}
	/* A type of constants that leads to itself leads to no value. */
	return found->is_unfinished || !found->rest ? NULL : found;
}

static const struct access *key_access(struct access_maker *w, const struct jfrec_type *t,
				       const struct jfrec_field *f, unsigned slot, unsigned segment,
				       enum check form)
{
	struct const_query *query = query_of(w, t, f, segment, form);
	struct access *a;

	if (!query || query->rest->height >= MAX_ACCESS_DEPTH ||
	    !(a = new_access(w, ACCESS_KEY, slot)))
		return NULL;
	a->query = query;
	a->height = query->rest->height + 1;
	return a;
}

/* `named` is the part of the path that names the array, or NULL. */
static const struct access *array_access(struct access_maker *w, const struct jfrec_field *f,
					 unsigned slot, unsigned segment, enum check form,
					 const struct segment *named)
{
	bool has_index = named && named->has_index;
	const struct access *next;
	struct access *a;

	if (segment == w->comparison->segment_count && asks_only_if_there(w->comparison) &&
	    !has_index)
		return new_check(w, CHECK_THERE, slot);
	next = f->constant ? key_access(w, f->type, f, 0, segment, form)
			   : value_access(w, f->type, f, 0, segment, form);
	if (!next || next->height >= MAX_ACCESS_DEPTH)
		return NULL;
	a = new_access(w, has_index ? ACCESS_ELEMENT : ACCESS_EACH, slot);
	if (!a)
		return NULL;
	a->element = plan_of_element(f);
	a->index = has_index ? named->index : 0;
	a->next = next;
	a->height = next->height + 1;
	return a->element->fault ? NULL : a;
}

/* To a field of a struct whose slots begin at `base`. */
static const struct access *field_access(struct access_maker *w, const struct jfrec_field *f,
					 unsigned base, unsigned segment, enum check form,
					 const struct segment *named)
{
	const struct plan *owner = plan_of(f->owner);
	unsigned slot;

	if (!f->type || owner->fault)
		return NULL;
	slot = base + owner->first_step[f->index];
	if (f->array)
		return array_access(w, f, slot, segment, form, named);
	if (named && named->has_index)
		return misfit(w, "is not an array, so it cannot be indexed");
	if (f->constant)
		return key_access(w, f->type, f, slot, segment, form);
	return value_access(w, f->type, f, slot, segment, form);
}

/* The same by name; NULL if there is none. */
static const struct access *member_access(struct access_maker *w, const struct jfrec_type *t,
					  const char *name, unsigned base, enum check form)
{
	const struct jfrec_field *f = type_field(t, name);

	return f ? field_access(w, f, base, w->comparison->segment_count, form, NULL) : NULL;
}

/* A check of text that is made of the text at several places; some may be missing. */
static const struct access *joined(struct access_maker *w, enum check check,
				   const struct access *first, const struct access *second,
				   const struct access *third)
{
	const struct access *parts[] = { first, second, third };
	struct access *a;

	if (check == CHECK_EITHER && (!first || !second))
		return first ? first : second;
	a = first || second ? new_check(w, check, 0) : NULL;
	if (!a)
		return NULL;
	a->first = first;
	a->second = second;
	a->third = third;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i] && parts[i]->height >= a->height)
			a->height = parts[i]->height + 1;
	}
	return a->height <= MAX_ACCESS_DEPTH ? a : NULL;
}

/* What stands for a whole struct: the text by which `jfr print` shows it. */
static const struct access *struct_access(struct access_maker *w, const struct jfrec_type *t,
					  unsigned base)
{
	const struct access *a = NULL;

	switch ((enum known_type)t->known) {
	case KNOWN_THREAD:
		a = joined(w, CHECK_EITHER, member_access(w, t, "javaName", base, CHECK_TEXT),
			   member_access(w, t, "osName", base, CHECK_TEXT), NULL);
		break;
	case KNOWN_CLASS:
		a = member_access(w, t, "name", base, CHECK_CLASS);
		break;
	case KNOWN_CLASS_LOADER:
		a = joined(w, CHECK_EITHER, member_access(w, t, "name", base, CHECK_TEXT),
			   member_access(w, t, "type", base, CHECK_TEXT), NULL);
		break;
	case KNOWN_METHOD:
		a = joined(w, CHECK_METHOD, member_access(w, t, "type", base, CHECK_TEXT),
			   member_access(w, t, "name", base, CHECK_TEXT),
			   member_access(w, t, "descriptor", base, CHECK_TEXT));
		break;
	case KNOWN_FRAME:
		a = member_access(w, t, "method", base, CHECK_TEXT);
		break;
	case KNOWN_STACK_TRACE:
		a = member_access(w, t, "frames", base, CHECK_TEXT);
		break;
	case KNOWN_NONE:
	case KNOWN_OLD_OBJECT:
		a = member_access(w, t, "name", base, CHECK_TEXT);
	}
	return a ? a : misfit(w, "is a struct: name one of its fields");
}

static const struct access *value_in_depth(struct access_maker *w, const struct jfrec_type *t,
					   const struct jfrec_field *f, unsigned slot,
					   unsigned segment, enum check form)
{
	const struct jfrec_field *member;

	if (segment < w->comparison->segment_count) {
		member = t->wire == WIRE_NONE ? type_field(t, w->comparison->segments[segment].name)
					      : NULL;
		if (!member)
			return missing(w, segment, t);
		return field_access(w, member, slot, segment + 1, CHECK_TEXT,
				    &w->comparison->segments[segment]);
	}
	if (t->wire != WIRE_NONE)
		return comparison_check(w, t, f, slot, form);
	if (t->simple && t->field_count == 1)
		return field_access(w, &t->fields[0], slot, segment, form, NULL);
	/* A struct without fields, which damaged metadata can have, is in no slot. */
	if (asks_only_if_there(w->comparison))
		return plan_of(t)->step_count ? new_check(w, CHECK_THERE, slot) : NULL;
	return struct_access(w, t, slot);
}

/* From a value of a type on, at that segment of the path. */
static const struct access *value_access(struct access_maker *w, const struct jfrec_type *t,
					 const struct jfrec_field *f, unsigned slot,
					 unsigned segment, enum check form)
{
	const struct access *a;

	if (w->depth == MAX_ACCESS_DEPTH)
		return NULL;
	w->depth++;
	a = value_in_depth(w, t, f, slot, segment, form);
	w->depth--;
	return a;
}

/* The first part of a path --------------------------------------------------------------------- */

/* The thread is the event's own field of that name, or the one that it is about. */
static const struct jfrec_field *first_field(const struct compare *cmp, const struct jfrec_type *t)
{
	static const char *const threads[] = { "eventThread", "sampledThread" };
	const struct jfrec_field *f = type_field(t, cmp->segments[0].name);

	if (f || cmp->own_field || strcmp(cmp->segments[0].name, "thread") != 0)
		return f;
	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads) && !f; i++)
		f = type_field(t, threads[i]);
	return f;
}

static const struct access *end_access(struct access_maker *w)
{
	const struct plan *plan = plan_of(w->event);
	struct access *a;

	if (plan->start_step == PLAN_NO_STEP)
		return NULL;
	a = time_check(w, CHECK_END, plan->start_step);
	if (a)
		a->end_slot = plan->duration_step;
	return a;
}

/* NULL if the type has nothing that the comparison could ask. */
static const struct access *comparison_access(struct maker *m, struct compare *cmp,
					      const struct jfrec_type *t)
{
	struct access_maker w = { .maker = m, .comparison = cmp, .event = t };
	const struct jfrec_field *f = first_field(cmp, t);
	const struct access *a = NULL;

	if (plan_of(t)->fault)
		return NULL;
	if (f)
		a = field_access(&w, f, 0, 1, CHECK_TEXT, &cmp->segments[0]);
	else if (cmp->segment_count == 1 && !cmp->own_field && !cmp->segments[0].has_index &&
		 strcmp(cmp->segments[0].name, "endTime") == 0)
		a = end_access(&w);
	if (a)
		cmp->used = true;
	return a;
}

/* Programs ------------------------------------------------------------------------------------- */

/* What = and =~ compare: one name, with commas or without. */
static bool is_name(const struct compare *cmp, const char *name)
{
	if (cmp->relation == RELATION_MATCH)
		return glob_match(cmp->value.text, cmp->value.len, name);
	return strcmp(cmp->value.text, name) == 0;
}

static bool is_event(const struct compare *cmp, const struct jfrec_type *t)
{
	const char *dot = strrchr(t->name, '.');

	return is_name(cmp, t->name) || (dot && is_name(cmp, dot + 1));
}

static bool is_category(const struct compare *cmp, const struct jfrec_type *t)
{
	const struct jfrec_annotation *a = type_category(t);

	for (unsigned i = 0; a && i < a->member_count; i++) {
		const char *element = a->members[i].value;

		if (element && (is_name(cmp, element) || is_acronym(cmp->value.text, element)))
			return true;
	}
	return !a && is_name(cmp, "Uncategorized");
}

static bool names_match(const struct compare *cmp, const struct jfrec_type *t)
{
	bool is_list = cmp->relation == RELATION_LIST;

	if (cmp->subject == SUBJECT_EVENT)
		return is_list ? list_has_event(cmp->value.text, t) : is_event(cmp, t);
	return is_list ? list_has_category(cmp->value.text, t) : is_category(cmp, t);
}

static int32_t static_comparison(struct compare *cmp, const struct jfrec_type *t, int32_t yes,
				 int32_t no)
{
	bool there = cmp->relation == RELATION_EXISTS;

	cmp->used = true;
	return (there || names_match(cmp, t)) != cmp->negated ? yes : no;
}

/* Add a test; PROGRAM_REJECT when memory is gone. */
static int32_t add_test(struct maker *m, struct test test)
{
	struct programs *p = m->programs;

	if (p->test_count == INT32_MAX ||
	    !array_push(p->tests, p->test_count, p->test_room, test)) {
		m->out_of_memory = true;
		return PROGRAM_REJECT;
	}
	return (int32_t)(p->test_count - 1);
}

static int32_t comparison_program(struct maker *m, struct compare *cmp, const struct jfrec_type *t,
				  int32_t yes, int32_t no)
{
	struct test test = { .comparison = cmp, .yes = yes, .no = no };

	if (cmp->subject != SUBJECT_FIELD)
		return static_comparison(cmp, t, yes, no);
	test.access = comparison_access(m, cmp, t);
	if (!test.access)
		return cmp->relation == RELATION_EXISTS && cmp->negated ? yes : no;
	return yes == no ? yes : add_test(m, test);
}

/* The entry of a program that goes to `yes` or to `no`; it is built from its end. */
static int32_t node_program(struct maker *m, const struct node *n, const struct jfrec_type *t,
			    int32_t yes, int32_t no)
{
	int32_t entry = n->kind == NODE_AND ? yes : no;

	switch (n->kind) {
	case NODE_COMPARISON:
		return comparison_program(m, n->comparison, t, yes, no);
	case NODE_NOT:
		return node_program(m, n->last, t, no, yes);
	case NODE_AND:
		for (n = n->last; n; n = n->before)
			entry = node_program(m, n, t, entry, no);
		return entry;
	case NODE_OR:
		for (n = n->last; n; n = n->before)
			entry = node_program(m, n, t, yes, entry);
		return entry;
	}
	return no;
}

/* How many of the event's slots, from the first one on, must be decoded for this access. */
static unsigned slots_needed(const struct access *a)
{
	const struct access *parts[] = { a->first, a->second, a->third };
	unsigned needed = a->slot + 1u;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i] && slots_needed(parts[i]) > needed)
			needed = slots_needed(parts[i]);
	}
	if (a->check == CHECK_END && a->end_slot != PLAN_NO_STEP && a->end_slot + 1u > needed)
		needed = a->end_slot + 1u;
	return needed;
}

/* The plan of the event as far as these tests look. */
static struct plan *needed_plan(struct maker *m, const struct jfrec_type *t, size_t first_test)
{
	struct programs *p = m->programs;
	struct plan *plan = made(m, arena_alloc(&p->arena, sizeof(*plan)));
	unsigned needed = 0;

	if (!plan)
		return NULL;
	for (size_t i = first_test; i < p->test_count; i++) {
		if (slots_needed(p->tests[i].access) > needed)
			needed = slots_needed(p->tests[i].access);
	}
	*plan = *plan_of(t);
	plan->step_count = needed;
	return plan;
}

void program_make(struct maker *m, const struct node *root, const struct jfrec_type *t)
{
	size_t first_test = m->programs->test_count;
	struct program *p = &m->programs->programs[t->index];

	p->entry = node_program(m, root, t, PROGRAM_ACCEPT, PROGRAM_REJECT);
	if (p->entry >= 0)
		p->plan = needed_plan(m, t, first_test);
}
