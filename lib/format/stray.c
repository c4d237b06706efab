/* SPDX-License-Identifier: MIT */
/*
 * stray.c - find constants that are stored under the type of others
 *
 * A bit that flips in the type id of a pool can name another type, whose constants look the same:
 * of the many that are only a name, each.  Everything can be decoded then, and yet what refers to
 * these constants finds none.  That is certain where keys that are missing are those of such a
 * pool.
 *
 * To look for missing keys takes as long as printing the chunk, so first it is asked whether it can
 * be at all.  A JVM writes constants of a type together with those that refer to them; so a
 * checkpoint with that type twice, or with one that looks like what others in it, or in the chunk,
 * refer to and lack, is worth the search.
 */
#include "format/stray.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/plan.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* Arrays in arrays: further down, types are not told apart. */
#define DEEPEST 2

/* So many types are looked at of which constants are missing: damage of one pool shows in a few. */
#define MOST_TYPES 32

/* With more steps of plans, which only hostile chunks have, it is looked closer at once. */
#define MOST_STEPS (4u << 20)

/* How values of a wire are stored. */
static enum wire form_of(enum wire w)
{
	switch (w) {
	case WIRE_BYTE:
		return WIRE_BOOLEAN;
	case WIRE_CHAR:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_KEY:
		return WIRE_LONG;
	case WIRE_NONE:
	case WIRE_BOOLEAN:
	case WIRE_LONG:
	case WIRE_FLOAT:
	case WIRE_DOUBLE:
	case WIRE_STRING:
	case WIRE_ARRAY:
		break;
	}
	return w;
}

/*
 * A number for how values are stored: those of another type that has the same could be its values.
 * 0: there can be none.
 */
static uint64_t form_of_plan(const struct plan *p, unsigned depth)
{
	uint64_t form = p->step_count;

	if (p->fault || !p->step_count)
		return 0;
	for (unsigned i = 0; i < p->step_count; i++) {
		const struct step *step = &p->steps[i];

		form = form * 31 + (uint64_t)form_of(step->wire);
		if (step->wire == WIRE_ARRAY && depth < DEEPEST)
			form = form * 31 + form_of_plan(step->element, depth + 1);
	}
	return form ? form : 1;
}

struct suspicion {
	const struct metadata *metadata;
	/* By the index of the type. */
	size_t *checkpoint; /* the last one that has constants of it; 0: none has */
	uint64_t *form;	    /* of those, and of those that they refer to */
	struct idmap forms; /* indexes of `alike` */
	struct alike *alike;
	size_t alike_count, alike_room;
	uint64_t steps; /* of plans, that were looked at */
	bool failed;	/* memory is gone */
};

/* Which types of a form there are: in the last checkpoint that has some, and in the chunk. */
struct alike {
	size_t checkpoint;
	const struct jfrec_type *here, *anywhere;
	bool has_more_here, has_more;
};

/* `form`, by the index of the type, keeps it. */
static uint64_t form_of_type(uint64_t *form, const struct jfrec_type *t)
{
	if (!form[t->index])
		form[t->index] = form_of_plan(plan_of(t), 0);
	return form[t->index];
}

/*
 * Type `by` refers to t.  Are there no constants of t in that checkpoint (0: in the chunk), but
 * some of that form, other than those of `by`?
 */
static bool is_lacking(struct suspicion *s, const struct jfrec_type *by, const struct jfrec_type *t,
		       size_t checkpoint)
{
	size_t own = s->checkpoint[t->index];
	const struct alike *a;
	uint32_t i;

	if (t->is_event || (checkpoint ? own == checkpoint : own != 0))
		return false;
	i = idmap_get(&s->forms, form_of_type(s->form, t));
	if (i == IDMAP_NONE)
		return false;
	a = &s->alike[i];
	if (!checkpoint)
		return a->anywhere != by || a->has_more;
	return a->checkpoint == checkpoint && (a->here != by || a->has_more_here);
}

/*
 * Constants stand in one checkpoint with what they refer to, but for the types of the frames of
 * stack traces, so without one only elements of arrays are asked, and events.
 */
static bool lacks(struct suspicion *s, const struct jfrec_type *by, const struct plan *plan,
		  size_t checkpoint, unsigned depth)
{
	s->steps += plan->step_count;
	if (s->steps > MOST_STEPS)
		return true;
	for (unsigned i = 0; !plan->fault && i < plan->step_count; i++) {
		const struct step *step = &plan->steps[i];
		const struct jfrec_type *t = step->field ? step->field->type : NULL;

		if (step->wire == WIRE_KEY && t && (checkpoint || by->is_event || depth) &&
		    is_lacking(s, by, t, checkpoint))
			return true;
		if (step->wire == WIRE_ARRAY && depth < DEEPEST &&
		    lacks(s, by, step->element, checkpoint, depth + 1))
			return true;
	}
	return false;
}

static struct alike *alike_of(struct suspicion *s, uint64_t form)
{
	struct alike new = { 0 };
	uint32_t *at = idmap_put(&s->forms, form, (uint32_t)s->alike_count);

	if (!at || (*at == s->alike_count &&
		    !array_push(s->alike, s->alike_count, s->alike_room, new)))
		return NULL;
	return &s->alike[*at];
}

static void note_form(struct suspicion *s, const struct jfrec_type *t, size_t checkpoint)
{
	uint64_t form = form_of_type(s->form, t);
	struct alike *a = form ? alike_of(s, form) : NULL;

	if (!a) {
		s->failed |= form != 0;
		return;
	}
	a->has_more |= a->anywhere && a->anywhere != t;
	a->has_more_here = a->checkpoint == checkpoint && (a->has_more_here || a->here != t);
	a->anywhere = t;
	a->here = t;
	a->checkpoint = checkpoint;
}

/* The blocks of one checkpoint, which has no type twice, or is odd at once. */
static bool is_odd(struct suspicion *s, const struct pool_block *b, size_t count)
{
	size_t number = b->checkpoint;

	for (size_t i = 0; i < count; i++) {
		if (s->checkpoint[b[i].type->index] == number)
			return true;
		s->checkpoint[b[i].type->index] = number;
		note_form(s, b[i].type, number);
	}
	for (size_t i = 0; i < count; i++) {
		if (lacks(s, b[i].type, plan_of(b[i].type), number, 0))
			return true;
	}
	return false;
}

static bool is_any_odd(struct suspicion *s, const struct pool_blocks *b)
{
	size_t end;

	for (size_t i = 0; i < b->count; i = end) {
		for (end = i; end < b->count && b->items[end].checkpoint == b->items[i].checkpoint;)
			end++;
		if (is_odd(s, &b->items[i], end - i))
			return true;
	}
	return s->failed;
}

/* The same of the whole chunk. */
static bool does_any_lack(struct suspicion *s, const struct met_types *events)
{
	for (uint32_t i = 0; i < s->metadata->type_count; i++) {
		const struct jfrec_type *t = &s->metadata->types[i];

		if ((t->is_event ? met_types_have(events, t->id) : s->checkpoint[i] != 0) &&
		    lacks(s, t, plan_of(t), 0, 0))
			return true;
	}
	return false;
}

/* Without memory it is looked closer. */
bool strays_possible(const struct metadata *m, const struct pool_blocks *blocks,
		     const struct met_types *events)
{
	struct suspicion s = {
		.metadata = m,
		.checkpoint = calloc((size_t)m->type_count + 1, sizeof(*s.checkpoint)),
		.form = calloc((size_t)m->type_count + 1, sizeof(*s.form)),
	};
	bool ret = !s.checkpoint || !s.form || is_any_odd(&s, blocks) || does_any_lack(&s, events);

	free(s.checkpoint);
	free(s.form);
	free(s.alike);
	idmap_fini(&s.forms);
	return ret;
}

/*
 * How many of its keys are among those that are missing.  0 unless each of its values is one of
 * that type, too: that is not checked again.
 */
static uint64_t count_hits(const struct pool_block *b, const struct jfrec_type *t,
			   const struct idmap *missing)
{
	struct cursor c = { .pos = b->from, .end = b->to };
	uint64_t hits = 0;

	while (c.pos < b->to && !c.bad) {
		struct cursor as_own;

		hits += idmap_get(missing, cursor_varint(&c)) != IDMAP_NONE;
		as_own = c;
		plan_skip(plan_of(b->type), &c);
		if (!plan_skip(plan_of(t), &as_own) || as_own.pos != c.pos)
			return 0;
	}
	return hits;
}

/* Mark those of which there are more of the same type in the checkpoint. False without memory. */
static bool mark_repeated(const struct metadata *m, struct pool_blocks *blocks)
{
	struct pool_block **last = calloc((size_t)m->type_count + 1, sizeof(struct pool_block *));

	for (size_t i = 0; last && i < blocks->count; i++) {
		struct pool_block *b = &blocks->items[i], *before = last[b->type->index];

		if (before && before->checkpoint == b->checkpoint)
			before->is_repeated = b->is_repeated = true;
		last[b->type->index] = b;
	}
	free(last);
	return last != NULL;
}

/*
 * Pools that a JVM writes once have small keys, most of which nothing refers to: those of one can
 * be missing in another by chance, where that one was lost otherwise.  So a type must be there
 * twice, or many be missing that are nearly all of the block.
 */
#define MANY 8

static bool is_certain(const struct pool_block *b, const struct jfrec_type *t, uint64_t hits,
		       uint64_t missing, bool others)
{
	/* Frames that are rewritten keep the keys of lost types (intern.c). */
	bool is_rewritten = strcmp(t->name, "jdk.types.FrameType") == 0;

	if (hits * 2 <= missing)
		return false;
	return (hits >= MANY && hits >= b->count - b->count / 8 && !is_rewritten) ||
	       ((hits > 1 || !others) && b->is_repeated);
}

/* Of the blocks that could be of that type, the one that has most of what is missing. */
static uint64_t look_in_blocks(struct pools *p, const struct jfrec_type *t, uint64_t *forms,
			       const struct idmap *missing, struct pool_stray *stray)
{
	uint64_t form = form_of_type(forms, t), most = 0;
	bool others = pool_at(p, t->index)->count > 0;

	*stray = (struct pool_stray){ .type = t, .missing = missing->count };
	for (size_t i = 0; i < p->blocks.count; i++) {
		const struct pool_block *b = &p->blocks.items[i];
		uint64_t hits;

		if (b->type == t || form_of_type(forms, b->type) != form)
			continue;
		hits = count_hits(b, t, missing);
		if (hits < most || !is_certain(b, t, hits, missing->count, others))
			continue;
		stray->block = hits > most ? *b : (struct pool_block){ 0 };
		most = hits;
	}
	return most;
}

bool stray_find(const struct metadata *m, struct pools *p, const struct idmap *missing,
		struct pool_stray *stray)
{
	uint64_t *forms = calloc((size_t)m->type_count + 1, sizeof(*forms));
	bool can_look = forms && mark_repeated(m, &p->blocks);
	unsigned looked = 0;
	uint64_t most = 0;

	for (uint32_t i = 0; can_look && i < m->type_count && looked < MOST_TYPES; i++) {
		struct pool_stray found;
		uint64_t hits;

		if (!missing[i].count)
			continue;
		looked++;
		hits = look_in_blocks(p, &m->types[i], forms, &missing[i], &found);
		if (hits > most) {
			most = hits;
			*stray = found;
		}
	}
	free(forms);
	return most > 0;
}
