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
#include "read/select.h"
#include "read/where_program.h"

/* A way in the making, for one leaf and one event type. */
struct way_maker {
	struct maker *maker;
	struct leaf *leaf;
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

const char *leaf_path(const struct leaf *l, unsigned segments, char *text)
{
	size_t len = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < segments && len < 100; i++)
		len += (size_t)snprintf(text + len, 128 - len, "%s%.60s", i ? "." : "",
					l->segments[i].name);
	return text;
}

/* A type that takes the path further knows better what is wrong. */
#define NEARNESS_OF_VALUE (MAX_SEGMENTS + 1)

static bool is_nearer(const struct way_maker *w, unsigned nearness)
{
	if (w->leaf->used || w->leaf->nearness >= nearness)
		return false;
	w->leaf->nearness = nearness;
	return true;
}

/* The value is there, but cannot be compared so: "duration is ...". Returns NULL. */
static struct hop *misfit(struct way_maker *w, const char *what)
{
	struct leaf *l = w->leaf;
	char path[128];

	if (is_nearer(w, NEARNESS_OF_VALUE))
		where_fail(&l->failure, l->expression, l->segments[0].at, "%s %s",
			   leaf_path(l, l->segment_count, path), what);
	return NULL;
}

/* A struct has no such field. Returns NULL. */
static struct hop *missing(struct way_maker *w, unsigned segment, const struct jfrec_type *t)
{
	struct leaf *l = w->leaf;
	struct near near = { .name = l->segments[segment].name };
	char path[128], list[NEAR_LIST_MAX];

	if (!segment || !is_nearer(w, segment))
		return NULL;
	for (unsigned i = 0; i < t->field_count; i++)
		near_offer(&near, t->fields[i].name);
	where_fail(&l->failure, l->expression, l->segments[segment].at,
		   "%s (%.80s) has no field %.60s%s", leaf_path(l, segment, path), t->name,
		   near.name, near_list(&near, list));
	return NULL;
}

/* Checks --------------------------------------------------------------------------------------- */

static struct hop *new_hop(struct way_maker *w, enum hop_kind kind, unsigned slot)
{
	struct hop *h = made(w->maker, arena_zalloc(&w->maker->programs->arena, 1, sizeof(*h)));

	if (!h)
		return NULL;
	h->kind = (uint8_t)kind;
	h->slot = (uint16_t)slot;
	h->leaf = w->leaf;
	h->height = 1;
	return h;
}

static struct hop *new_check(struct way_maker *w, enum check check, unsigned slot)
{
	struct hop *h = new_hop(w, HOP_CHECK, slot);

	if (h)
		h->check = (uint8_t)check;
	return h;
}

static bool asks_only_if_there(const struct leaf *l)
{
	return l->relation == RELATION_EXISTS;
}

static struct hop *text_check(struct way_maker *w, enum check check, const struct jfrec_type *t,
			      unsigned slot)
{
	struct hop *h;

	if (!asks_only_if_there(w->leaf) && w->leaf->relation != RELATION_LIST &&
	    w->leaf->value.kind != LITERAL_TEXT)
		return misfit(w, "is text: compare it with text in quotes");
	h = new_check(w, check, slot);
	if (h)
		h->type = t;
	return h;
}

static struct hop *bool_check(struct way_maker *w, unsigned slot)
{
	enum relation r = w->leaf->relation;
	struct hop *h;

	if (r != RELATION_TRUE && (r != RELATION_EQUAL || w->leaf->value.kind != LITERAL_BOOL))
		return misfit(w, "is a boolean: compare it with true or false by = or !=");
	h = new_check(w, CHECK_BOOL, slot);
	if (h)
		h->number.i = r == RELATION_TRUE || w->leaf->value.number.i;
	return h;
}

static bool is_zero(const struct literal *l)
{
	return l->kind == LITERAL_NUMBER && l->number.whole && l->number.i == 0 && !l->number.huge;
}

static struct hop *span_check(struct way_maker *w, unsigned slot)
{
	const struct literal *l = &w->leaf->value;
	struct hop *h;

	if (l->kind != LITERAL_SPAN && !is_zero(l))
		return misfit(w, "is a duration: compare it with a number and unit, such as 10ms "
				 "or 1.5s");
	h = new_check(w, CHECK_SPAN, slot);
	if (h)
		h->ns = l->ns;
	return h;
}

/* A time relative to the recording. */
static bool resolve_span(struct way_maker *w, const struct literal *l, int64_t *ns)
{
	struct jfrec_time t = {
		.base = l->sign == '+' ? JFREC_SINCE_START : JFREC_BEFORE_END,
		.ns = l->sign == '-' ? -l->ns : l->ns,
	};
	struct jfrec_error err = { 0 };
	int64_t start_ns, end_ns;

	if (w->maker->span(w->maker->span_ctx, &start_ns, &end_ns, &err) < 0) {
		if (is_nearer(w, NEARNESS_OF_VALUE))
			where_fail(&w->leaf->failure, w->leaf->expression, w->leaf->value_at,
				   "%.300s", err.text);
		return false;
	}
	*ns = jfrec_time_resolve(&t, start_ns, end_ns);
	return true;
}

static bool resolve_time(struct way_maker *w, int64_t *ns)
{
	const struct literal *l = &w->leaf->value;
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

static struct hop *time_check(struct way_maker *w, enum check check, unsigned slot)
{
	int64_t ns = 0;
	struct hop *h;

	if (w->leaf->relation == RELATION_MATCH)
		return misfit(w, "is a point in time, so it cannot be matched with a pattern");
	if (!asks_only_if_there(w->leaf) && !resolve_time(w, &ns))
		return NULL;
	h = new_check(w, check, slot);
	if (h)
		h->ns = ns;
	return h;
}

/* The number to compare with, in the field's unit; NULL if it has none of that kind. */
static const struct number *number_wanted(struct way_maker *w, const struct jfrec_field *f,
					  struct number *scaled)
{
	const struct literal *l = &w->leaf->value;
	bool is_amount = f && f->content == CONTENT_AMOUNT;

	if (l->kind == LITERAL_NUMBER)
		return &l->number;
	if (l->kind != LITERAL_AMOUNT || (f && f->content && !is_amount))
		return NULL;
	*scaled = l->number;
	if (!is_amount || f->is_bits == l->bits)
		return scaled;
	scaled->d = l->bits ? scaled->d / 8 : scaled->d * 8;
	scaled->whole = scaled->whole && !scaled->huge && scaled->d == (double)(int64_t)scaled->d;
	scaled->i = scaled->whole ? (int64_t)scaled->d : 0;
	return scaled;
}

static struct hop *number_check(struct way_maker *w, const struct jfrec_field *f, enum wire wire,
				unsigned slot)
{
	const struct number *wanted;
	struct number scaled;
	struct hop *h;

	if (w->leaf->relation == RELATION_TRUE)
		return misfit(w, "is a number: compare it with a number");
	wanted = number_wanted(w, f, &scaled);
	if (!wanted)
		return misfit(w, w->leaf->value.kind == LITERAL_SPAN
					 ? "is a number without a unit of time"
					 : "is a number: compare it with a number");
	h = new_check(w, f && f->is_unsigned ? CHECK_UNSIGNED : CHECK_SIGNED, slot);
	if (!h)
		return NULL;
	h->number = *wanted;
	h->wire = (uint8_t)wire;
	if (wire == WIRE_FLOAT || wire == WIRE_DOUBLE)
		h->check = wire == WIRE_FLOAT ? CHECK_FLOAT : CHECK_DOUBLE;
	/* 0.1 in a recording of floats is 0.1f. */
	if (wire == WIRE_FLOAT)
		h->number.d = (double)(float)h->number.d;
	return h;
}

static struct hop *whole_number_check(struct way_maker *w, const struct jfrec_field *f,
				      enum wire wire, unsigned slot)
{
	struct hop *h;

	if (f && f->timespan)
		h = span_check(w, slot);
	else if (f && f->timestamp)
		h = time_check(w, CHECK_TIME, slot);
	else
		h = number_check(w, f, wire, slot);
	if (h) {
		h->field = f;
		h->wire = (uint8_t)wire;
	}
	return h;
}

/* What is asked of a value without parts. */
static struct hop *leaf_check(struct way_maker *w, const struct jfrec_type *t,
			      const struct jfrec_field *f, unsigned slot, enum check form)
{
	struct hop *h;

	switch ((enum wire)t->wire) {
	case WIRE_STRING:
		return text_check(w, form, t, slot);
	case WIRE_CHAR:
		return text_check(w, CHECK_CHAR, t, slot);
	default:
		break;
	}
	if (!asks_only_if_there(w->leaf)) {
		if (t->wire == WIRE_BOOLEAN)
			return bool_check(w, slot);
		return whole_number_check(w, f, t->wire, slot);
	}
	h = new_check(w, f && (f->timespan || f->timestamp) ? CHECK_SPAN : CHECK_THERE, slot);
	if (h) {
		h->field = f;
		h->wire = t->wire;
	}
	return h;
}

/* Ways ----------------------------------------------------------------------------------------- */

static const struct hop *value_way(struct way_maker *w, const struct jfrec_type *t,
				   const struct jfrec_field *f, unsigned slot, unsigned segment,
				   enum check form);

static struct follow *find_follow(struct way_maker *w, const struct follow *wanted)
{
	struct follow *f = w->maker->programs->follows;

	while (f &&
	       (f->leaf != wanted->leaf || f->segment != wanted->segment ||
		f->form != wanted->form || f->field != wanted->field || f->type != wanted->type))
		f = f->next;
	return f;
}

/* What is asked of the constants of a type; NULL if that is nothing. */
static struct follow *follow_of(struct way_maker *w, const struct jfrec_type *t,
				const struct jfrec_field *f, unsigned segment, enum check form)
{
	struct programs *p = w->maker->programs;
	struct follow wanted = {
		.leaf = w->leaf,
		.segment = segment,
		.form = (uint8_t)form,
		.field = t->wire == WIRE_NONE || t->wire == WIRE_STRING ? NULL : f,
		.type = t,
		.plan = plan_of(t),
		.in_the_making = true,
		.next = p->follows,
	};
	struct follow *found = find_follow(w, &wanted);

	if (!found) {
		found = made(w->maker, arena_alloc(&p->arena, sizeof(*found)));
		if (!found)
			return NULL;
		*found = wanted;
		p->follows = found;
		if (!found->plan->fault)
			found->rest = value_way(w, t, f, 0, segment, form);
		found->in_the_making = false;
	}
	/* A type of constants that leads to itself leads to no value. */
	return found->in_the_making || !found->rest ? NULL : found;
}

static const struct hop *key_way(struct way_maker *w, const struct jfrec_type *t,
				 const struct jfrec_field *f, unsigned slot, unsigned segment,
				 enum check form)
{
	struct follow *follow = follow_of(w, t, f, segment, form);
	struct hop *h;

	if (!follow || follow->rest->height >= MAX_HOPS || !(h = new_hop(w, HOP_KEY, slot)))
		return NULL;
	h->follow = follow;
	h->height = follow->rest->height + 1;
	return h;
}

/* `named` is the part of the path that names the array, or NULL. */
static const struct hop *array_way(struct way_maker *w, const struct jfrec_field *f, unsigned slot,
				   unsigned segment, enum check form, const struct segment *named)
{
	bool has_index = named && named->has_index;
	const struct hop *next;
	struct hop *h;

	if (segment == w->leaf->segment_count && asks_only_if_there(w->leaf) && !has_index)
		return new_check(w, CHECK_THERE, slot);
	next = f->constant ? key_way(w, f->type, f, 0, segment, form)
			   : value_way(w, f->type, f, 0, segment, form);
	if (!next || next->height >= MAX_HOPS)
		return NULL;
	h = new_hop(w, has_index ? HOP_ELEMENT : HOP_EACH, slot);
	if (!h)
		return NULL;
	h->element = plan_of_element(f);
	h->index = has_index ? named->index : 0;
	h->next = next;
	h->height = next->height + 1;
	return h->element->fault ? NULL : h;
}

/* The way from a struct on, whose slots begin at `base`, to a field of it. */
static const struct hop *field_way(struct way_maker *w, const struct jfrec_field *f, unsigned base,
				   unsigned segment, enum check form, const struct segment *named)
{
	const struct plan *owner = plan_of(f->owner);
	unsigned slot;

	if (!f->type || owner->fault)
		return NULL;
	slot = base + owner->first_step[f->index];
	if (f->array)
		return array_way(w, f, slot, segment, form, named);
	if (named && named->has_index)
		return misfit(w, "is not an array, so it cannot be indexed");
	if (f->constant)
		return key_way(w, f->type, f, slot, segment, form);
	return value_way(w, f->type, f, slot, segment, form);
}

/* The same by name; NULL if there is none. */
static const struct hop *member_way(struct way_maker *w, const struct jfrec_type *t,
				    const char *name, unsigned base, enum check form)
{
	const struct jfrec_field *f = type_field(t, name);

	return f ? field_way(w, f, base, w->leaf->segment_count, form, NULL) : NULL;
}

/* A check of text that is made of the text at several places; some may be missing. */
static const struct hop *joined(struct way_maker *w, enum check check, const struct hop *first,
				const struct hop *second, const struct hop *third)
{
	const struct hop *parts[] = { first, second, third };
	struct hop *h;

	if (check == CHECK_EITHER && (!first || !second))
		return first ? first : second;
	h = first || second ? new_check(w, check, 0) : NULL;
	if (!h)
		return NULL;
	h->first = first;
	h->second = second;
	h->third = third;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i] && parts[i]->height >= h->height)
			h->height = parts[i]->height + 1;
	}
	return h->height <= MAX_HOPS ? h : NULL;
}

/* What stands for a whole struct: the text by which `jfr print` shows it. */
static const struct hop *struct_way(struct way_maker *w, const struct jfrec_type *t, unsigned base)
{
	const struct hop *h;

	switch ((enum known_type)t->known) {
	case KNOWN_THREAD:
		h = joined(w, CHECK_EITHER, member_way(w, t, "javaName", base, CHECK_TEXT),
			   member_way(w, t, "osName", base, CHECK_TEXT), NULL);
		break;
	case KNOWN_CLASS:
		h = member_way(w, t, "name", base, CHECK_CLASS);
		break;
	case KNOWN_CLASS_LOADER:
		h = joined(w, CHECK_EITHER, member_way(w, t, "name", base, CHECK_TEXT),
			   member_way(w, t, "type", base, CHECK_TEXT), NULL);
		break;
	case KNOWN_METHOD:
		h = joined(w, CHECK_METHOD, member_way(w, t, "type", base, CHECK_TEXT),
			   member_way(w, t, "name", base, CHECK_TEXT),
			   member_way(w, t, "descriptor", base, CHECK_TEXT));
		break;
	case KNOWN_FRAME:
		h = member_way(w, t, "method", base, CHECK_TEXT);
		break;
	case KNOWN_STACK_TRACE:
		h = member_way(w, t, "frames", base, CHECK_TEXT);
		break;
	default:
		h = member_way(w, t, "name", base, CHECK_TEXT);
	}
	return h ? h : misfit(w, "is a struct: name one of its fields");
}

static const struct hop *value_in_depth(struct way_maker *w, const struct jfrec_type *t,
					const struct jfrec_field *f, unsigned slot,
					unsigned segment, enum check form)
{
	const struct jfrec_field *member;

	if (segment < w->leaf->segment_count) {
		member = t->wire == WIRE_NONE ? type_field(t, w->leaf->segments[segment].name)
					      : NULL;
		if (!member)
			return missing(w, segment, t);
		return field_way(w, member, slot, segment + 1, CHECK_TEXT,
				 &w->leaf->segments[segment]);
	}
	if (t->wire != WIRE_NONE)
		return leaf_check(w, t, f, slot, form);
	if (t->simple && t->field_count == 1)
		return field_way(w, &t->fields[0], slot, segment, form, NULL);
	/* A struct without fields, which damaged metadata can have, is in no slot. */
	if (asks_only_if_there(w->leaf))
		return plan_of(t)->step_count ? new_check(w, CHECK_THERE, slot) : NULL;
	return struct_way(w, t, slot);
}

/* The way on from a value of a type, at that segment of the path. */
static const struct hop *value_way(struct way_maker *w, const struct jfrec_type *t,
				   const struct jfrec_field *f, unsigned slot, unsigned segment,
				   enum check form)
{
	const struct hop *h;

	if (w->depth == MAX_HOPS)
		return NULL;
	w->depth++;
	h = value_in_depth(w, t, f, slot, segment, form);
	w->depth--;
	return h;
}

/* The first part of a path --------------------------------------------------------------------- */

/* The thread is the event's own field of that name, or the one that it is about. */
static const struct jfrec_field *first_field(const struct leaf *l, const struct jfrec_type *t)
{
	static const char *const threads[] = { "eventThread", "sampledThread" };
	const struct jfrec_field *f = type_field(t, l->segments[0].name);

	if (f || l->own_field || strcmp(l->segments[0].name, "thread") != 0)
		return f;
	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads) && !f; i++)
		f = type_field(t, threads[i]);
	return f;
}

static const struct hop *end_way(struct way_maker *w)
{
	const struct plan *plan = plan_of(w->event);
	struct hop *h;

	if (plan->start_step == PLAN_NO_STEP)
		return NULL;
	h = time_check(w, CHECK_END, plan->start_step);
	if (h)
		h->end_slot = plan->duration_step;
	return h;
}

/* NULL if the type has nothing that the leaf could ask. */
static const struct hop *leaf_way(struct maker *m, struct leaf *l, const struct jfrec_type *t)
{
	struct way_maker w = { .maker = m, .leaf = l, .event = t };
	const struct jfrec_field *f = first_field(l, t);
	const struct hop *h = NULL;

	if (plan_of(t)->fault)
		return NULL;
	if (f)
		h = field_way(&w, f, 0, 1, CHECK_TEXT, &l->segments[0]);
	else if (l->segment_count == 1 && !l->own_field && !l->segments[0].has_index &&
		 strcmp(l->segments[0].name, "endTime") == 0)
		h = end_way(&w);
	if (h)
		l->used = true;
	return h;
}

/* Programs ------------------------------------------------------------------------------------- */

/* What = and =~ compare: one name, with commas or without. */
static bool is_name(const struct leaf *l, const char *name)
{
	if (l->relation == RELATION_MATCH)
		return glob_match(l->value.text, l->value.len, name);
	return strcmp(l->value.text, name) == 0;
}

static bool is_event(const struct leaf *l, const struct jfrec_type *t)
{
	const char *dot = strrchr(t->name, '.');

	return is_name(l, t->name) || (dot && is_name(l, dot + 1));
}

static bool is_category(const struct leaf *l, const struct jfrec_type *t)
{
	const struct jfrec_annotation *a =
		annotation_named(t->annotations, t->annotation_count, "jdk.jfr.Category");

	for (unsigned i = 0; a && i < a->member_count; i++) {
		const char *element = a->members[i].value;

		if (element && (is_name(l, element) || is_acronym(l->value.text, element)))
			return true;
	}
	return !a && is_name(l, "Uncategorized");
}

static bool names_match(const struct leaf *l, const struct jfrec_type *t)
{
	bool is_list = l->relation == RELATION_LIST;

	if (l->subject == SUBJECT_EVENT)
		return is_list ? list_has_event(l->value.text, t) : is_event(l, t);
	return is_list ? list_has_category(l->value.text, t) : is_category(l, t);
}

static int32_t static_leaf(struct leaf *l, const struct jfrec_type *t, int32_t yes, int32_t no)
{
	bool there = l->relation == RELATION_EXISTS;

	l->used = true;
	return (there || names_match(l, t)) != l->negated ? yes : no;
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

static int32_t leaf_program(struct maker *m, struct leaf *l, const struct jfrec_type *t,
			    int32_t yes, int32_t no)
{
	struct test test = { .leaf = l, .yes = yes, .no = no };

	if (l->subject != SUBJECT_FIELD)
		return static_leaf(l, t, yes, no);
	test.hop = leaf_way(m, l, t);
	if (!test.hop)
		return l->relation == RELATION_EXISTS && l->negated ? yes : no;
	return yes == no ? yes : add_test(m, test);
}

/* The entry of a program that goes to `yes` or to `no`; it is built from its end. */
static int32_t node_program(struct maker *m, const struct node *n, const struct jfrec_type *t,
			    int32_t yes, int32_t no)
{
	int32_t entry = n->kind == NODE_AND ? yes : no;

	switch (n->kind) {
	case NODE_LEAF:
		return leaf_program(m, n->leaf, t, yes, no);
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

/* How many of the slots in front of it are needed to go that way. */
static unsigned slots_needed(const struct hop *h)
{
	const struct hop *parts[] = { h->first, h->second, h->third };
	unsigned needed = h->slot + 1u;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i] && slots_needed(parts[i]) > needed)
			needed = slots_needed(parts[i]);
	}
	if (h->check == CHECK_END && h->end_slot != PLAN_NO_STEP && h->end_slot + 1u > needed)
		needed = h->end_slot + 1u;
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
		if (slots_needed(p->tests[i].hop) > needed)
			needed = slots_needed(p->tests[i].hop);
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
