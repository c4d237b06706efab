/* SPDX-License-Identifier: MIT */
/*
 * recode.c - re-encode values with new constant ids and a new clock
 */
#include "edit/recode.h"

#include "format/string.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* Steps from a first guess: doubles are exact to a few ticks for centuries. */
#define MAX_STEPS 8

static int64_t guess_ticks(const struct clock *c, int64_t ns)
{
	return double_to_long((double)ns * c->ticks_per_ns);
}

int64_t rebase_time(const struct clock *from, const struct clock *to, int64_t ticks)
{
	int64_t ns, t;

	if (ticks == INT64_MIN)
		return ticks;
	ns = clock_time_ns(from, ticks);
	t = long_add(to->start_ticks, guess_ticks(to, long_subtract(ns, to->start_ns)));
	for (int i = 0; i < MAX_STEPS && clock_time_ns(to, t) < ns; i++)
		t = long_add(t, 1);
	for (int i = 0; i < MAX_STEPS && clock_time_ns(to, t) > ns; i++)
		t = long_subtract(t, 1);
	return t;
}

int64_t rebase_span(const struct clock *from, const struct clock *to, int64_t ticks)
{
	int64_t ns, t;

	if (ticks == INT64_MIN || ticks == INT64_MAX)
		return ticks;
	ns = clock_span_ns(from, ticks);
	t = guess_ticks(to, ns);
	for (int i = 0; i < MAX_STEPS && clock_span_ns(to, t) < ns; i++)
		t = long_add(t, 1);
	for (int i = 0; i < MAX_STEPS && clock_span_ns(to, t) > ns; i++)
		t = long_subtract(t, 1);
	return t;
}

static void recode_long(const struct recoder *r, const struct jfrec_field *f, struct cursor *c,
			struct buffer *to)
{
	int64_t v = (int64_t)cursor_varint(c);

	if (r->from && f && f->timestamp == TIME_TICKS)
		v = rebase_time(r->from, r->to, v);
	else if (r->from && f && f->timespan == TIME_TICKS)
		v = rebase_span(r->from, r->to, v);
	buffer_varint(to, (uint64_t)v);
}

static void recode_string(const struct recoder *r, struct cursor *c, struct buffer *to)
{
	const uint8_t *start = c->pos;
	struct string s = string_read(c);

	if (s.encoding != STRING_KEY || !r->string) {
		buffer_put(to, start, (size_t)(c->pos - start));
		return;
	}
	buffer_u8(to, STRING_KEY);
	buffer_varint(to, r->key(r->ctx, r->string, s.key));
}

static void recode_array(const struct recoder *r, const struct plan *element, struct cursor *c,
			 struct buffer *to)
{
	uint64_t n = cursor_varint(c);

	if (n > cursor_left(c))
		cursor_spoil(c);
	buffer_varint(to, n);
	for (; n && !c->bad && !to->failed; n--)
		recode_value(r, element, c, to);
}

/* Bytes that mean the same everywhere. */
static void copy_step(enum wire wire, struct cursor *c, struct buffer *to)
{
	const uint8_t *start = c->pos;

	wire_skip(wire, c);
	buffer_put(to, start, (size_t)(c->pos - start));
}

void recode_value(const struct recoder *r, const struct plan *plan, struct cursor *c,
		  struct buffer *to)
{
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		switch ((enum wire)s->wire) {
		case WIRE_KEY:
			buffer_varint(to, r->key(r->ctx, s->field->type, cursor_varint(c)));
			break;
		case WIRE_STRING:
			recode_string(r, c, to);
			break;
		case WIRE_ARRAY:
			recode_array(r, s->element, c, to);
			break;
		case WIRE_LONG:
			recode_long(r, s->field, c, to);
			break;
		case WIRE_NONE:
		case WIRE_BOOLEAN:
		case WIRE_BYTE:
		case WIRE_CHAR:
		case WIRE_SHORT:
		case WIRE_INT:
		case WIRE_FLOAT:
		case WIRE_DOUBLE:
			copy_step((enum wire)s->wire, c, to);
		}
	}
}
