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
	m->scans = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->scans));
	m->string = metadata_type_named(c->metadata, "java.lang.String");
	if (m->bits && m->plans && m->scans)
		return 0;
	marks_fini(m);
	return -1;
}

void marks_fini(struct marks *m)
{
	for (uint32_t i = 0; m->scans && i < m->chunk->metadata->type_count; i++) {
		free(m->bits ? m->bits[i] : NULL);
		free(m->plans ? m->plans[i].steps : NULL);
		free(m->scans[i].steps);
	}
	free(m->bits);
	free(m->plans);
	free(m->scans);
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

void marks_frame_types(struct marks *m)
{
	const struct jfrec_type *t = metadata_type_named(m->chunk->metadata, "jdk.types.FrameType");
	uint32_t count = t ? m->chunk->pools.pools[t->index].count : 0;

	for (uint32_t i = 0; i < count; i++)
		mark(m, t, pool_entry(&m->chunk->pools, t, i)->key);
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

/* Events that are not decoded ------------------------------------------------------------------
 *
 * Most of what is in an event refers to nothing, and need only be stepped over:
 * a varint ends at the first byte whose highest bit is not set.
 */

static struct scan_step scan_step_of(const struct step *s)
{
	struct scan_step scan = { .kind = SCAN_VARINTS, .count = 1, .last = NO_KEY };

	switch ((enum wire)s->wire) {
	case WIRE_KEY:
		scan.kind = SCAN_KEY;
		scan.type = s->field->type;
		break;
	case WIRE_STRING:
		scan.kind = SCAN_STRING;
		break;
	case WIRE_ARRAY:
		scan.kind = SCAN_ARRAY;
		scan.element = s->element;
		break;
	case WIRE_BOOLEAN:
	case WIRE_BYTE:
	case WIRE_FLOAT:
	case WIRE_DOUBLE:
		scan.kind = SCAN_BYTES;
		scan.count = s->wire == WIRE_DOUBLE ? 8 : s->wire == WIRE_FLOAT ? 4 : 1;
		break;
	default:
		break;
	}
	return scan;
}

/* Varints that follow each other are one step, and so are bytes. */
static bool make_scan(struct scan_plan *p, const struct plan *plan)
{
	p->steps = calloc((size_t)plan->step_count + 1, sizeof(*p->steps));
	for (unsigned i = 0; p->steps && i < plan->step_count; i++) {
		struct scan_step s = scan_step_of(&plan->steps[i]);
		struct scan_step *before = p->count ? &p->steps[p->count - 1] : NULL;

		if (before && before->kind == s.kind && s.kind <= SCAN_BYTES)
			before->count += s.count;
		else
			p->steps[p->count++] = s;
	}
	return p->steps;
}

/* VARINT_MAX bytes can be read from anywhere before `end`. NULL if there are not so many. */
static const uint8_t *step_over_varints(const uint8_t *pos, const uint8_t *end, unsigned n)
{
	for (; n; n--) {
		uint64_t eight, last;

		if (pos >= end)
			return NULL;
		if (*pos < 0x80) {
			pos++;
			continue;
		}
		memcpy(&eight, pos, sizeof(eight));
		last = ~eight & 0x8080808080808080u;
		pos += last ? (unsigned)__builtin_ctzll(last) / 8 + 1 : VARINT_MAX;
	}
	return pos;
}

static const uint8_t *step_over_string(struct marks *m, const uint8_t *pos, const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end }, again = c;

	string_skip(&c);
	if (c.bad)
		return NULL;
	if (*pos == STRING_KEY)
		mark_string(m, &again);
	return c.pos;
}

static const uint8_t *step_over_key(struct marks *m, struct scan_step *s, const uint8_t *pos,
				    const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end + VARINT_MAX };
	uint64_t key = cursor_varint(&c);

	if (key != s->last || key == NO_KEY)
		mark(m, s->type, key);
	s->last = key;
	return c.pos;
}

static const uint8_t *step_over_array(struct marks *m, const struct plan *element,
				      const uint8_t *pos, const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end };

	mark_array(m, element, &c);
	return c.bad ? NULL : c.pos;
}

bool marks_scan(struct marks *m, const struct jfrec_type *t, const struct raw_event *e)
{
	const uint8_t *pos = e->payload, *end = e->start + e->size;
	struct scan_plan *p = &m->scans[t->index];

	if (plan_of(t)->fault || m->chunk->end - end < VARINT_MAX)
		return false;
	if (!p->steps && !make_scan(p, plan_of(t))) {
		m->failed = true;
		return false;
	}
	for (unsigned i = 0; i < p->count && pos && pos <= end; i++) {
		struct scan_step *s = &p->steps[i];

		switch (s->kind) {
		case SCAN_VARINTS:
			pos = step_over_varints(pos, end, s->count);
			break;
		case SCAN_BYTES:
			pos = (uint64_t)(end - pos) < s->count ? NULL : pos + s->count;
			break;
		case SCAN_KEY:
			pos = step_over_key(m, s, pos, end);
			break;
		case SCAN_STRING:
			pos = step_over_string(m, pos, end);
			break;
		case SCAN_ARRAY:
			pos = step_over_array(m, s->element, pos, end);
			break;
		}
	}
	return pos && pos <= end;
}
