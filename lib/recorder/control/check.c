/* SPDX-License-Identifier: MIT */
/*
 * check.c - what of a buffer are events, and which stacks they refer to
 *
 * The recorder's thread looks at each event that a program emits, and has less of a processor than
 * the threads that emit: so what is usual, sizes and types of one byte, is looked at first.
 */
#include "recorder/control/check.h"

#include "recorder/stack/traces.h"
#include "recorder/types/types.h"

/* Bytes of the least event: size, type, start, thread. */
#define LEAST 4u

/* The number that e begins with, and after it. */
static uint64_t take_number(const uint8_t **e, const uint8_t *end)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (*e < end && shift < 63) {
		uint8_t byte = *(*e)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte < 0x80)
			break;
		if (shift == 56) {
			value |= (uint64_t)(*e < end ? *(*e)++ : 0) << 56;
			break;
		}
	}
	return value;
}

/* After the type: start, duration, thread, stack. */
static void need_stack(const uint8_t *e, const uint8_t *end, uint32_t type)
{
	uint64_t key;

	take_number(&e, end);
	if (type_has_duration(type))
		take_number(&e, end);
	take_number(&e, end);
	key = take_number(&e, end);
	if (key)
		traces_need(key);
}

/* The size of the event at e, of which a program may have made anything; 0: it is none. */
static uint32_t look(const uint8_t *e, uint32_t left, uint32_t *type, uint32_t *head)
{
	uint32_t size = e[0], bytes = size < 0x80 ? 1 : 4;

	if (left < bytes + 3)
		return 0;
	if (bytes == 4) {
		if (!(e[1] & e[2] & 0x80) || e[3] & 0x80)
			return 0;
		size = (e[0] & 0x7fu) | (e[1] & 0x7fu) << 7 | (e[2] & 0x7fu) << 14 |
		       (uint32_t)e[3] << 21;
	}
	*type = e[bytes] < 0x80 ? e[bytes] : (e[bytes] & 0x7fu) | (uint32_t)e[bytes + 1] << 7;
	*head = bytes + 1 + (e[bytes] >= 0x80);
	if (size < bytes + 3 || size > left || *type < TYPE_FIRST_OF_PROGRAM ||
	    *type >= EVENT_TYPES)
		return 0;
	return size;
}

uint32_t check_events(const uint8_t *data, uint32_t from, uint32_t to, const uint8_t *ahead,
		      uint64_t *count)
{
	const uint8_t *e = data + from, *end = data + to;
	uint64_t events = 0;

	while (end - e >= (ptrdiff_t)LEAST) {
		__builtin_prefetch(ahead + (e - data));
		uint32_t left = (uint32_t)(end - e), size = e[0], type = e[1], head = 2;

		if ((size | type) >= 0x80)
			size = look(e, left, &type, &head);
		else if (size < LEAST || size > left || type < TYPE_FIRST_OF_PROGRAM)
			size = 0;
		if (!size)
			break;
		if (atomic_load_explicit(&type_stack[type], memory_order_relaxed) != STACK_NEVER)
			need_stack(e + head, e + size, type);
		e += size;
		events++;
	}
	*count += events;
	return (uint32_t)(e - data);
}
