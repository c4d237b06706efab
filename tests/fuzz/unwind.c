/* SPDX-License-Identifier: MIT */
/*
 * unwind.c - a fuzz target: registers, a piece of a stack, and tables of frames, all of them anything
 *
 *	17 registers of 8 bytes; u16 bytes of stack; the stack; the tables, as if they began at 0x1000
 *
 * Where the first register is odd, the frame pointer is not known, and the tables are code, too.
 */
#include <stdlib.h>
#include <string.h>

#include "recorder/stack/prologue.h"
#include "recorder/stack/unwind.h"
#include "target.h"

#define ADDRESS 0x1000u

static size_t sum; /* everything that was found is read */

static const struct frame_tables *find(void *ctx, uint64_t pc)
{
	const struct frame_tables *t = ctx;

	/* Some code has none. */
	return pc % 64 == 63 ? NULL : t;
}

static const struct frame_tables *code;

static bool read_code_at(uint64_t address, uint8_t *to, size_t size)
{
	if (!code->size || address % 64 == 63)
		return false;
	for (size_t i = 0; i < size; i++)
		to[i] = code->data[(address + i) % code->size];
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct snapshot s = { 0 };
	struct frame_tables t = { .address = ADDRESS, .header = ADDRESS };
	struct frames frames;
	uint8_t *stack, *tables;
	uint64_t distance;
	uint16_t size;

	if (len < sizeof(s.registers) + 2)
		return 0;
	memcpy(s.registers, bytes, sizeof(s.registers));
	memcpy(&size, bytes + sizeof(s.registers), 2);
	bytes += sizeof(s.registers) + 2;
	len -= sizeof(s.registers) + 2;
	s.stack_size = size < len ? size : len;
	s.stack_address = s.registers[REGISTER_SP];
	t.size = len - s.stack_size;
	/* Copies of their own: each byte too far is seen. */
	stack = malloc(s.stack_size + !s.stack_size);
	tables = malloc(t.size + !t.size);
	if (stack && tables) {
		memcpy(stack, bytes, s.stack_size);
		memcpy(tables, bytes + s.stack_size, t.size);
		s.stack = stack;
		t.data = tables;
		code = &t;
		s.without_fp = s.registers[0] & 1 ? read_code_at : NULL;
		if (prologue_read(tables, t.size, &distance))
			sum += distance;
		unwind(&s, find, &t, &frames);
		for (unsigned i = 0; i < frames.count; i++)
			sum += frames.pc[i];
	}
	free(stack);
	free(tables);
	return 0;
}
