/* SPDX-License-Identifier: MIT */
/*
 * budget.h - the memory limit of commands that read recordings: --max-memory
 *
 * A recording says itself how large its parts are. What one that lies could make us ask for is
 * bounded where it is read; this is the bound on all of that together, kept by the kernel.
 */
#ifndef JFREC_CLI_BASE_BUDGET_H
#define JFREC_CLI_BASE_BUDGET_H

#include "base/opt.h"

/* A group for the table of a command that reads recordings; opt_parse() does the rest. */
extern const struct opt memory_rows[];

/*
 * From now on memory of our own (not files that are mapped) beyond the budget is refused, and
 * allocation fails, in processes that we start, too. Once is enough. Builds with sanitizers, which
 * need address space without measure, have no limit.
 */
void budget_begin(void);

/* Before another program is run, which may be a JVM: it is as free as we were. */
void budget_end(void);

/*
 * For a process that reads what a stranger wrote: it cannot raise the limit again, and has a second
 * one on its address space, with room for so many bytes of files that are mapped.
 */
void budget_harden(uint64_t mapped);

/* The budget that is in force, in bytes; 0: there is none. */
uint64_t budget_bytes(void);

/* What to say when memory is gone: that it is the budget, if there is one. */
const char *budget_sentence(void);

#endif
