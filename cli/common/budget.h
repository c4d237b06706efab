/* SPDX-License-Identifier: MIT */
/*
 * budget.h - the memory limit of commands that read recordings: --max-memory
 *
 * A recording says itself how large its parts are. What one that lies could make us ask for is
 * bounded where it is read; this is the bound on all of that together, kept by the kernel.
 */
#ifndef JFREC_CLI_COMMON_BUDGET_H
#define JFREC_CLI_COMMON_BUDGET_H

#include <stdbool.h>

/* clang-format off */
#define OPT_MAX_MEMORY 760
/* A row for the table of a command that reads recordings; opt_next() does the rest. */
#define MEMORY_OPT \
	{ OPT_MAX_MEMORY, "max-memory", "SIZE", "memory to use (default: a quarter of what there is)" }
/* clang-format on */

/* Keep the value of the option.  False, without a message: not a size, or too small. */
bool budget_take(const char *value);

/* What the value has to be: for a sentence behind "takes". */
#define BUDGET_TAKES "a size from 16M on, such as 512M or 2G"

/*
 * From now on memory of our own (not files that are mapped) beyond the budget is refused, and
 * allocation fails. Commands that we start are as free as we were. Once is enough. Builds with
 * sanitizers, which need address space without measure, have no limit.
 */
void budget_begin(void);

/* What to say when memory is gone: that it is the budget, if there is one. */
const char *budget_sentence(void);

#endif
