/* SPDX-License-Identifier: MIT */
/*
 * mark.c - mark the constants that the remaining events use
 */
#include "format/mark.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/string.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

int marks_init(struct marks *m, struct chunk *c)
{
	*m = (struct marks){ .chunk = c };
	m->bits = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->bits));
	m->plans = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->plans));
	m->scans = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->scans));
	m->marked = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->marked));
	m->used = calloc((size_t)c->metadata->type_count + 1, sizeof(*m->used));
	m->string = metadata_type_named(c->metadata, "java.lang.String");
	if (m->bits && m->plans && m->scans && m->marked && m->used)
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
	free(m->marked);
	free(m->used);
	free(m->todo);
	*m = (struct marks){ 0 };
}

static bool push(struct marks *m, uint32_t type, uint32_t entry)
{
	if (!array_push(m->todo, m->todo_count, m->todo_room, (struct mark_place){ type, entry }))
		return false;
	return true;
}

static void mark_now(struct marks *m, const struct jfrec_type *t, uint64_t key)
{
	const struct pool *pool = pool_at(&m->chunk->pools, t->index);
	uint32_t entry = pool_find(&m->chunk->pools, t, key);
	uint64_t **bits = &m->bits[t->index];

	if (entry == POOL_NONE)
		return;
	if (!*bits && (*bits = calloc(pool->count / 64 + 1, sizeof(**bits))))
		m->marked[m->marked_count++] = t->index;
	if (!*bits) {
		m->failed = true;
		return;
	}
	if (marks_has(m, t->index, entry))
		return;
	(*bits)[entry / 64] |= UINT64_C(1) << entry % 64;
	m->failed |= !push(m, t->index, entry);
}

/* Maps of keys are larger than caches: a place is asked for now, and looked at some keys later. */
static void mark(struct marks *m, const struct jfrec_type *t, uint64_t key)
{
	struct mark_key *waiting = &m->waiting[m->waiting_at++ % MARKS_WAITING];
	struct mark_key before = *waiting;

	pool_prefetch(&m->chunk->pools, t, key);
	*waiting = (struct mark_key){ t, key };
	if (before.type)
		mark_now(m, before.type, before.key);
}

static void mark_waiting(struct marks *m)
{
	for (unsigned i = 0; i < MARKS_WAITING; i++) {
		const struct mark_key *k = &m->waiting[i];

		if (k->type)
			mark_now(m, k->type, k->key);
	}
	memset(m->waiting, 0, sizeof(m->waiting));
}

bool marks_next(struct marks *m, struct mark_place *place)
{
	if (m->todo_count == 0)
		mark_waiting(m);
	if (m->todo_count == 0)
		return false;
	*place = m->todo[--m->todo_count];
	return true;
}

void marks_frame_types(struct marks *m)
{
	const struct jfrec_type *t = metadata_type_named(m->chunk->metadata, "jdk.types.FrameType");
	uint32_t count = t ? pool_at(&m->chunk->pools, t->index)->count : 0;

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
		case WIRE_NONE:
		case WIRE_BOOLEAN:
		case WIRE_BYTE:
		case WIRE_CHAR:
		case WIRE_SHORT:
		case WIRE_INT:
		case WIRE_LONG:
		case WIRE_FLOAT:
		case WIRE_DOUBLE:
			wire_skip((enum wire)s->wire, c);
		}
	}
}

/* Events --------------------------------------------------------------------------------------- */

/* No producer uses this key, so it is not the last one. */
#define NO_KEY UINT64_MAX

/* What it knows of its last event is forgotten when the marks are cleared. */
static void note_used(struct marks *m, const struct jfrec_type *t)
{
	if (m->plans[t->index].used)
		return;
	m->plans[t->index].used = true;
	m->used[m->used_count++] = t->index;
}

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

	note_used(m, t);
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
 * Most of what is in an event refers to nothing, and need only be stepped over.
 */

static unsigned fixed_size(const struct step *s)
{
	return wire_size((enum wire)s->wire);
}

/* Can the value be a part of this step, as the next one? */
static bool goes_into(const struct scan_step *scan, const struct step *s)
{
	if (scan->keys)
		return s->wire == WIRE_KEY;
	return !scan->at && (!scan->bytes || fixed_size(s) || refers(s));
}

/* With an empty mask no bytes equal this. */
#define NO_BYTES 1

static bool make_scan(struct scan_plan *p, const struct plan *plan)
{
	struct scan_step *scan;

	p->steps = scan = calloc((size_t)plan->step_count + 1, sizeof(*p->steps));
	if (!scan)
		return false;
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		if (!goes_into(scan, s))
			scan++;
		if (refers(s) && !scan->at)
			scan->at = s;
		scan->last = NO_BYTES;
		scan->keys += s->wire == WIRE_KEY;
		scan->is_string = s->wire == WIRE_STRING;
		scan->is_array = s->wire == WIRE_ARRAY;
		scan->bytes += fixed_size(s);
		scan->varints += !refers(s) && !fixed_size(s);
	}
	p->end = scan + 1;
	return true;
}

/* Of these functions each is given a pos from which eight bytes can be read: marks_scan(). */

static const uint8_t *mark_keys(struct marks *m, struct scan_step *s, const uint8_t *pos,
				const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end };
	uint64_t eight;

	memcpy(&eight, pos, sizeof(eight));
	for (unsigned i = 0; i < s->keys; i++)
		mark(m, s->at[i].field->type, cursor_varint(&c));
	if (!c.bad && c.pos - pos < (ptrdiff_t)sizeof(eight)) {
		s->size = (unsigned)(c.pos - pos);
		s->mask = (UINT64_C(1) << 8 * s->size) - 1;
		s->last = eight & s->mask;
	}
	return c.pos;
}

/* Most keys are the event's before, and that shows without taking their bytes apart. */
static inline const uint8_t *step_over_keys(struct marks *m, struct scan_step *s,
					    const uint8_t *pos, const uint8_t *end)
{
	uint64_t eight;

	memcpy(&eight, pos, sizeof(eight));
	return (eight & s->mask) == s->last ? pos + s->size : mark_keys(m, s, pos, end);
}

static const uint8_t *step_over_string(struct marks *m, const uint8_t *pos, const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end };

	if (*pos == STRING_KEY)
		mark_string(m, &c);
	else
		string_skip(&c);
	return c.pos;
}

static const uint8_t *step_over_array(struct marks *m, const struct plan *element,
				      const uint8_t *pos, const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end };

	mark_array(m, element, &c);
	return c.pos;
}

/*
 * Nothing is checked byte by byte, and yet nothing is read outside of the chunk: nine bytes follow
 * the event there, or it is not scanned at all.  A step begins at `end` or before it, so the eight
 * bytes that are read at once, or the byte that says what a string is, lie before `limit`; and a
 * varint's end, nine bytes further at most, is no further than `limit` itself.  Keys, strings and
 * arrays go by cursors that end there.  Whatever is past `end` after a step ends the scan, which
 * then has failed.
 */
bool marks_scan(struct marks *m, const struct jfrec_type *t, const struct raw_event *e)
{
	const uint8_t *pos = e->payload, *end = e->start + e->size;
	/* So far after the event its fields may be read, but none may end there. */
	const uint8_t *limit = end + VARINT_MAX;
	struct scan_plan *p = &m->scans[t->index];

	if (plan_of(t)->fault || m->chunk->end - end < VARINT_MAX)
		return false;
	note_used(m, t);
	if (!p->steps && !make_scan(p, plan_of(t))) {
		m->failed = true;
		return false;
	}
	for (struct scan_step *s = p->steps; s < p->end && pos <= end; s++) {
		for (unsigned n = s->varints; n && pos <= end; n--)
			pos = varint_step(pos);
		if (end - pos < s->bytes)
			return false;
		pos += s->bytes;
		if (s->keys)
			pos = step_over_keys(m, s, pos, limit);
		else if (s->is_string)
			pos = step_over_string(m, pos, limit);
		else if (s->is_array)
			pos = step_over_array(m, s->at->element, pos, limit);
	}
	m->scan_end = pos;
	return pos <= end;
}

static void forget_last(struct marks *m, uint32_t type)
{
	struct mark_plan *p = &m->plans[type];
	struct scan_plan *scan = &m->scans[type];

	p->used = false;
	for (unsigned k = 0; k < p->count; k++)
		p->steps[k].last = NO_KEY;
	for (struct scan_step *s = scan->steps; s < scan->end; s++) {
		s->last = NO_BYTES;
		s->mask = 0;
	}
}

void marks_clear(struct marks *m)
{
	for (uint32_t i = 0; i < m->marked_count; i++) {
		free(m->bits[m->marked[i]]);
		m->bits[m->marked[i]] = NULL;
	}
	for (uint32_t i = 0; i < m->used_count; i++)
		forget_last(m, m->used[i]);
	m->marked_count = m->used_count = 0;
	memset(m->waiting, 0, sizeof(m->waiting));
	m->todo_count = 0;
}
