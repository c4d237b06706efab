/* SPDX-License-Identifier: MIT */
/*
 * prologue.c - how far a frame pointer is above the stack pointer, from how a function begins
 */
#include "recorder/stack/prologue.h"

#include "../unit/test.h"

#define FRAME "\x55\x48\x89\xe5" /* push %rbp; mov %rsp,%rbp */

static const struct {
	const char *name, *code;
	size_t size;
	int distance; /* -1: not known */
} rows[] = {
	{ "a_leaf", FRAME "\x5d\xc3", 6, 0 },
	{ "endbr64", "\xf3\x0f\x1e\xfa" FRAME, 8, 0 },
	{ "a_small_frame", FRAME "\x48\x83\xec\x38", 8, 0x38 },
	{ "a_large_frame", FRAME "\x48\x81\xec\x00\x10\x00\x00", 11, 0x1000 },
	{ "add_of_a_negative_number", FRAME "\x48\x83\xc4\x80", 8, 0x80 },
	{ "saved_registers", FRAME "\x41\x57\x53\x48\x83\xec\x08", 11, 0x18 },
	{ "registers_saved_before", "\x41\x57" FRAME "\x53", 7, 8 },
	{ "the_other_form", "\x55\x48\x8b\xec\x48\x83\xec\x10", 8, 0x10 },
	/* mov %rdi,%r12; lea 0x8(%rsi),%rax; xor %ebx,%ebx; movaps %xmm0,-0x20(%rbp) */
	{ "instructions_between",
	  FRAME "\x41\x54\x49\x89\xfc\x48\x8d\x46\x08\x53\x31\xdb\x0f\x29\x45\xe0\x48\x83\xec\x10", 24, 0x20 },
	{ "the_canary", FRAME "\x48\x83\xec\x10\x64\x48\x8b\x04\x25\x28\x00\x00\x00\x48\x89\x45\xf8", 21, 0x10 },
	{ "a_call_ends_it", FRAME "\x53\xe8\x00\x00\x00\x00\x53", 11, 8 },
	{ "cut_in_the_middle", FRAME "\x48\x81\xec\x00\x10", 9, 0 },
	{ "nothing", "", 0, -1 },
	{ "no_frame_pointer", "\x53\x48\x83\xec\x10", 5, -1 },
	{ "32_bits_of_it", "\x55\x89\xe5", 3, -1 },
	{ "an_aligned_stack", FRAME "\x48\x83\xe4\xe0", 8, -1 },
	{ "another_stack", FRAME "\x48\x89\xc4", 7, -1 },
	{ "another_frame_pointer", FRAME "\x48\x8d\x68\x08", 8, -1 },
	{ "room_of_a_variable_size", FRAME "\x48\x29\xc4", 7, -1 },
};

static const struct {
	const char *name, *code;
	bool is_call;
} calls[] = {
	{ "relative", "\x90\x90\xe8\x01\x02\x03\x04", true },
	{ "by_a_register", "\x90\x90\x90\x90\x90\xff\xd0", true },
	{ "by_the_table_of_a_library", "\x90\xff\x15\x01\x02\x03\x04", true },
	{ "by_an_object", "\x90\x90\x90\x90\xff\x50\x18", true },
	{ "a_jump", "\x90\x90\xe9\x01\x02\x03\x04", false },
	{ "a_jump_by_a_register", "\x90\x90\x90\x90\x90\xff\xe0", false },
	{ "something_else", "\x90\x90\x90\x90\x90\x90\x90", false },
};

int main(void)
{
	uint64_t distance;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		test_begin(rows[i].name);
		CHECK_INT(prologue_read((const uint8_t *)rows[i].code, rows[i].size, &distance), rows[i].distance >= 0);
		if (rows[i].distance >= 0)
			CHECK_INT((int64_t)distance, rows[i].distance);
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		test_begin(calls[i].name);
		CHECK_INT(prologue_is_call((const uint8_t *)calls[i].code), calls[i].is_call);
	}
	return test_end();
}
