/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - who called whom, worked out from registers and a copy of the stack
 *
 * By the call frame information in .eh_frame, which compilers write for exceptions, so that no
 * frame pointers are needed.  Everything comes from copies, and every address is checked: registers
 * of interrupted code may be anything, and modules come from anywhere.
 */
#ifndef JFREC_RECORDER_STACK_UNWIND_H
#define JFREC_RECORDER_STACK_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A local that is large, and of which only what was written is read. */
#if defined(__has_attribute)
#if __has_attribute(uninitialized)
#define NOT_CLEARED __attribute__((uninitialized))
#endif
#endif
#ifndef NOT_CLEARED
#define NOT_CLEARED
#endif

#define UNWIND_FRAMES 64u

/* Registers in DWARF's order; REGISTER_RETURN is where tables have the address of the caller. */
#if defined(__aarch64__)
#define UNWIND_REGISTERS 33u
#define REGISTER_FP	 29u
#define REGISTER_RETURN	 30u
#define REGISTER_SP	 31u
#define REGISTER_PC	 32u /* DWARF has no number for it */
#else /* x86-64 */
#define UNWIND_REGISTERS 17u
#define REGISTER_FP	 6u
#define REGISTER_SP	 7u
#define REGISTER_PC	 16u
#define REGISTER_RETURN	 REGISTER_PC
#endif

/* Addresses that AArch64 has signed have their signature in the bits that no address uses. */
static inline uint64_t unwind_without_signature(uint64_t address)
{
#if defined(__aarch64__)
	return address & (((uint64_t)1 << 48) - 1);
#else
	return address;
#endif
}

/* The tables of a module, in a copy. */
struct frame_tables {
	const uint8_t *data;
	uint64_t address, size; /* where data was */
	uint64_t header, frames; /* addresses of .eh_frame_hdr, .eh_frame */
};

/* Copy code; false: it is not there. */
typedef bool read_code(uint64_t address, uint8_t *to, size_t size);

/* Part of a stack, and the registers with which it goes. */
struct snapshot {
	uint64_t registers[UNWIND_REGISTERS];
	const uint8_t *stack;
	uint64_t stack_address, stack_size;
	/*
	 * Not NULL: the frame pointer is not known, and is worked out from code where it is needed.
	 */
	read_code *without_fp;
};

/* The tables that cover a code address, or NULL. */
typedef const struct frame_tables *find_tables(void *ctx, uint64_t pc);

struct frames {
	uint64_t pc[UNWIND_FRAMES]; /* addresses inside of the calls, the innermost first */
	unsigned count;
	bool is_cut;	 /* the copy ended before the stack did */
	bool is_whole; /* it goes up to where the thread began */
};

void unwind(const struct snapshot *s, find_tables *find, void *ctx, struct frames *frames);

/*
 * The rules of a frame in the form that nearly all have: the caller's stack pointer is the stack or
 * frame pointer and a distance, and the two words that matter lie below it.
 */
#define PLAIN_MOST (1 << 20)

enum plain_kind { PLAIN_UNKNOWN, PLAIN_FRAME, PLAIN_OUTERMOST };

struct plain_rule {
	enum plain_kind kind;
	bool is_from_fp;
	uint32_t cfa; /* from that register up to the caller's stack pointer */
	/* from there down to the return address and the caller's frame pointer; 0: it is kept */
	uint32_t pc, fp;
};

/* Room for the work, which is too much for the stack of a signal handler. */
struct unwind_machine {
	uint64_t words[64 * UNWIND_REGISTERS];
};

/* For a return address, less one.  Nothing is allocated, and no lock is taken. */
void unwind_plain(const struct frame_tables *t, uint64_t pc, struct unwind_machine *room,
		  struct plain_rule *rule);

#endif
