/* SPDX-License-Identifier: MIT */
/*
 * registers.h - the registers of interrupted code, in DWARF's order
 */
#ifndef JFREC_RECORDER_STACK_REGISTERS_H
#define JFREC_RECORDER_STACK_REGISTERS_H

#include <ucontext.h>

#include "recorder/stack/unwind.h"

#if defined(__x86_64__)
#define REGISTERS_ARE_KNOWN 1

static inline void copy_registers(uint64_t to[UNWIND_REGISTERS], const ucontext_t *context)
{
	static const int order[UNWIND_REGISTERS] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
						     REG_RDI, REG_RBP, REG_RSP, REG_R8,	 REG_R9,
						     REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
						     REG_R15, REG_RIP };

	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		to[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}
#elif defined(__aarch64__)
#define REGISTERS_ARE_KNOWN 1

static inline void copy_registers(uint64_t to[UNWIND_REGISTERS], const ucontext_t *context)
{
	for (unsigned i = 0; i < REGISTER_SP; i++)
		to[i] = context->uc_mcontext.regs[i];
	to[REGISTER_SP] = context->uc_mcontext.sp;
	to[REGISTER_PC] = context->uc_mcontext.pc;
}
#else
#define REGISTERS_ARE_KNOWN 0

static inline void copy_registers(uint64_t to[UNWIND_REGISTERS], const ucontext_t *context)
{
	(void)to;
	(void)context;
}
#endif

#endif
