/* SPDX-License-Identifier: MIT */
/*
 * received.c - the values of an event that is being delivered
 *
 *	size, type, start [, duration] [, key of the thread] [, key of the stack], fields
 *
 * What is read was checked by the drainer for its size and type only: the program may have written
 * over the rest.
 */
#include "recorder/control/received.h"

#include <string.h>

#include "recorder/stack/stacks.h"
#include "recorder/stack/traces.h"

struct reader {
	uint8_t *at, *end;
	bool bad;
};

static uint8_t take_byte(struct reader *r)
{
	r->bad |= r->at >= r->end;
	return r->bad ? 0 : *r->at++;
}

/* Nine bytes at most, of which the ninth has eight bits. */
static uint64_t take_varint(struct reader *r)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = take_byte(r);

		if (shift == 56)
			return value | (uint64_t)byte << 56;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static uint64_t take_big_endian(struct reader *r, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | take_byte(r);
	return value;
}

static double take_float(struct reader *r)
{
	uint32_t bits = (uint32_t)take_big_endian(r, 4);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return (double)value;
}

static double take_double(struct reader *r)
{
	uint64_t bits = take_big_endian(r, 8);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/*
 * 0: NULL, 1: empty, 2: a key, 3: UTF-8.  The text moves one byte to the front, over the last byte
 * of its length, so that there is room for its end.
 */
static const char *take_text(struct reader *r, char interned[MOST_TEXT + 1])
{
	uint8_t encoding = take_byte(r);
	uint64_t len;
	char *text;

	if (encoding == 1)
		return "";
	if (encoding == 2)
		return interned_texts_get(take_varint(r), interned, MOST_TEXT + 1) ? interned
										   : NULL;
	if (encoding != 3) {
		r->bad |= encoding != 0;
		return NULL;
	}
	len = take_varint(r);
	r->bad |= len > (uint64_t)(r->end - r->at);
	if (r->bad)
		return NULL;
	text = (char *)r->at - 1;
	memmove(text, r->at, len);
	text[len] = '\0';
	r->at += len;
	return text;
}

static void take_stack(struct jfrec_received *e, uint64_t key)
{
	if (!key)
		return;
	stacks_lock();
	e->frame_count =
		stacks_frames(stacks_is_of_sample(key) ? stacks_of_sample(key) : traces_stack(key),
			      e->frames, &e->is_whole);
	stacks_unlock();
}

static void take_value(struct jfrec_received *e, size_t i, struct reader *r)
{
	union received_value *v = &e->values[i];

	switch ((int)e->type->fields[i].kind) {
	case KIND_THREAD:
		/* The first is the one that it is about. */
		v->number = (int64_t)take_varint(r);
		if (!e->key)
			e->key = (uint64_t)v->number;
		break;
	case KIND_STACK:
		v->number = (int64_t)take_varint(r);
		take_stack(e, (uint64_t)v->number);
		break;
	case JFREC_EVENT_FLOAT:
		v->real = take_float(r);
		break;
	case JFREC_EVENT_DOUBLE:
		v->real = take_double(r);
		break;
	case JFREC_EVENT_STRING:
	case JFREC_EVENT_INTERNED:
		v->text = take_text(r, e->interned[i]);
		break;
	case JFREC_EVENT_BOOL:
		v->number = take_byte(r) != 0;
		break;
	case JFREC_EVENT_BYTE:
		v->number = (int8_t)take_byte(r);
		break;
	case JFREC_EVENT_SHORT:
		v->number = (int16_t)take_varint(r);
		break;
	case JFREC_EVENT_INT:
		v->number = (int32_t)take_varint(r);
		break;
	case JFREC_EVENT_UINT:
		v->number = (uint32_t)take_varint(r);
		break;
	default:
		v->number = (int64_t)take_varint(r);
	}
}

size_t received_look(const uint8_t *event, size_t left, uint32_t *type, uint64_t *end_ticks)
{
	struct reader r = { .at = (uint8_t *)event, .end = (uint8_t *)event + left };
	uint64_t size = take_varint(&r);
	const struct type *t;

	*type = (uint32_t)take_varint(&r);
	*end_ticks = take_varint(&r);
	t = *type < EVENT_TYPES ? types_get(*type) : NULL;
	if (t && t->flags & JFREC_EVENT_HAS_DURATION)
		*end_ticks += take_varint(&r);
	return r.bad || !t || !size || size > left ? 0 : (size_t)size;
}

bool received_take(struct jfrec_received *e, uint8_t *event, size_t size)
{
	struct reader r = { .at = event, .end = event + size };
	uint32_t id;

	take_varint(&r);
	id = (uint32_t)take_varint(&r);
	types_lock();
	e->type = id < EVENT_TYPES ? types_get(id) : NULL;
	types_unlock();
	if (!e->type || e->type->field_count > MOST_FIELDS)
		return false;
	e->start = take_varint(&r);
	e->duration = e->type->flags & JFREC_EVENT_HAS_DURATION ? take_varint(&r) : 0;
	e->key = e->type->has_thread ? take_varint(&r) : 0;
	e->frame_count = 0;
	if (e->type->flags & JFREC_EVENT_HAS_STACK)
		take_stack(e, take_varint(&r));
	for (size_t i = 0; i < e->type->field_count; i++)
		take_value(e, i, &r);
	return !r.bad;
}

/* Accessors ------------------------------------------------------------------------------------ */

const char *jfrec_received_type(const struct jfrec_received *event)
{
	return event->type->name;
}

uint64_t jfrec_received_start(const struct jfrec_received *event)
{
	return event->start;
}

uint64_t jfrec_received_duration(const struct jfrec_received *event)
{
	return event->duration;
}

const char *jfrec_received_thread(const struct jfrec_received *event, uint32_t *tid)
{
	if (tid)
		*tid = event->tid;
	return event->tid ? event->thread : NULL;
}

size_t jfrec_received_depth(const struct jfrec_received *event, bool *is_whole)
{
	if (is_whole)
		*is_whole = event->frame_count && event->is_whole;
	return event->frame_count;
}

const struct jfrec_stack_frame *jfrec_received_frame(const struct jfrec_received *event, size_t i)
{
	return i < event->frame_count ? &event->frames[i] : NULL;
}

const struct jfrec_event_field *jfrec_received_field(const struct jfrec_received *event, size_t i)
{
	return i < event->type->field_count ? &event->type->fields[i] : NULL;
}

/* The place of a field of that name and kind, or -1. */
static int find(const struct jfrec_received *e, const char *name)
{
	for (size_t i = 0; i < e->type->field_count; i++)
		if (!strcmp(e->type->fields[i].name, name))
			return (int)i;
	return -1;
}

static bool is_real(const struct jfrec_received *e, int i)
{
	return e->type->fields[i].kind == JFREC_EVENT_FLOAT ||
	       e->type->fields[i].kind == JFREC_EVENT_DOUBLE;
}

static bool is_text(const struct jfrec_received *e, int i)
{
	return e->type->fields[i].kind == JFREC_EVENT_STRING ||
	       e->type->fields[i].kind == JFREC_EVENT_INTERNED;
}

int64_t jfrec_received_long(const struct jfrec_received *event, const char *field)
{
	int i = find(event, field);

	return i < 0 || is_text(event, i) || is_real(event, i) ? 0 : event->values[i].number;
}

double jfrec_received_double(const struct jfrec_received *event, const char *field)
{
	int i = find(event, field);

	if (i < 0 || is_text(event, i))
		return 0;
	if (is_real(event, i))
		return event->values[i].real;
	return event->type->fields[i].kind == JFREC_EVENT_ULONG
		       ? (double)(uint64_t)event->values[i].number
		       : (double)event->values[i].number;
}

const char *jfrec_received_text(const struct jfrec_received *event, const char *field)
{
	int i = find(event, field);

	return i < 0 || !is_text(event, i) ? NULL : event->values[i].text;
}
