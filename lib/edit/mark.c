/* SPDX-License-Identifier: MIT */
/*
 * mark.c - which constants of a chunk are needed by the events that stay
 */
#include "edit/mark.h"

#include <stdlib.h>

#include "format/string.h"

int marks_init(struct marks *m, struct chunk *c)
{
	*m = (struct marks){ .chunk = c };
	m->bits = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->bits));
	m->plans = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->plans));
	m->string = metadata_type_named(c->metadata, "java.lang.String");
	if (m->bits && m->plans)
		return 0;
	marks_fini(m);
	return -1;
}

void marks_fini(struct marks *m)
{
	for (uint32_t i = 0; m->bits && m->plans && i < m->chunk->metadata->type_count; i++) {
		free(m->bits[i]);
		free(m->plans[i].steps);
	}
	free(m->bits);
	free(m->plans);
	free(m->todo);
	*m = (struct marks){ 0 };
}

static bool push(struct marks *m, uint32_t type, uint32_t entry)
{
	if (m->todo_count == m->todo_room) {
		size_t room = m->todo_room ? m->todo_room * 2 : 1024;
		struct mark_place *todo = reallocarray(m->todo, room, sizeof(*todo));

		if (!todo)
			return false;
		m->todo = todo;
		m->todo_room = room;
	}
	m->todo[m->todo_count++] = (struct mark_place){ type, entry };
	return true;
}

bool marks_next(struct marks *m, struct mark_place *place)
{
	if (m->todo_count == 0)
		return false;
	*place = m->todo[--m->todo_count];
	return true;
}

static void mark(struct marks *m, const struct jfrec_type *t, uint64_t key)
{
	const struct pool *pool = &m->chunk->pools.pools[t->index];
	uint32_t entry = pool_find(&m->chunk->pools, t, key);
	uint64_t **bits = &m->bits[t->index];

	if (entry == POOL_NONE)
		return;
	if (!*bits)
		*bits = calloc(pool->count / 64 + 1, sizeof(**bits));
	if (!*bits) {
		m->failed = true;
		return;
	}
	if (marks_has(m, t->index, entry))
		return;
	(*bits)[entry / 64] |= UINT64_C(1) << entry % 64;
	m->failed |= !push(m, t->index, entry);
}

static void mark_string(struct marks *m, struct cursor *c)
{
	struct string s = string_read(c);

	if (s.encoding == STRING_KEY && m->string)
		mark(m, m->string, s.key);
}

static void mark_array(struct marks *m, const struct plan *element, struct cursor *c)
{
	uint64_t n = cursor_varint(c);

	if (n > cursor_left(c))
		cursor_spoil(c);
	for (; n && !c->bad; n--)
		marks_value(m, element, c);
}

void marks_value(struct marks *m, const struct plan *plan, struct cursor *c)
{
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];
		uint64_t key;

		switch ((enum wire)s->wire) {
		case WIRE_KEY:
			key = cursor_varint(c);
			if (!c->bad)
				mark(m, s->field->type, key);
			break;
		case WIRE_STRING:
			mark_string(m, c);
			break;
		case WIRE_ARRAY:
			mark_array(m, s->element, c);
			break;
		case WIRE_BOOLEAN:
		case WIRE_BYTE:
			cursor_take(c, 1);
			break;
		case WIRE_FLOAT:
			cursor_take(c, 4);
			break;
		case WIRE_DOUBLE:
			cursor_take(c, 8);
			break;
		default:
			cursor_varint(c);
		}
	}
}

/* Events --------------------------------------------------------------------------------------- */

/* No producer uses this key, so it is not the last one. */
#define NO_KEY UINT64_MAX

static bool refers(const struct step *s)
{
	return s->wire == WIRE_KEY || s->wire == WIRE_STRING || s->wire == WIRE_ARRAY;
}

static bool make_plan(struct mark_plan *p, const struct plan *plan)
{
	p->steps = calloc((size_t)plan->step_count + 1, sizeof(*p->steps));
	if (!p->steps)
		return false;
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		if (!refers(s))
			continue;
		p->steps[p->count++] = (struct mark_step){
			.step = (uint16_t)i,
			.wire = s->wire,
			.type = s->field ? s->field->type : NULL,
			.last = NO_KEY,
		};
	}
	p->made = true;
	return true;
}

void marks_event(struct marks *m, const struct jfrec_type *t, const uint64_t *slots,
		 const uint8_t *end)
{
	const struct plan *plan = plan_of(t);
	struct mark_plan *p = &m->plans[t->index];

	if (!p->made && !make_plan(p, plan)) {
		m->failed = true;
		return;
	}
	for (unsigned i = 0; i < p->count; i++) {
		struct mark_step *s = &p->steps[i];
		struct cursor c = { .pos = slot_bytes(slots[s->step]), .end = end };

		if (s->wire == WIRE_KEY) {
			if (slots[s->step] != s->last || s->last == NO_KEY)
				mark(m, s->type, slots[s->step]);
			s->last = slots[s->step];
		} else if (s->wire == WIRE_STRING) {
			if (*c.pos == STRING_KEY)
				mark_string(m, &c);
		} else {
			mark_array(m, plan->steps[s->step].element, &c);
		}
	}
}
