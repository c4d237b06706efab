/* SPDX-License-Identifier: MIT */
/*
 * modules.h - the program and its libraries: tables of frames, names of functions
 *
 * What was read of a module stays after it was unloaded, for stacks of before.  Tables are found
 * without a lock, also by signal handlers; names are under the lock of stacks.h.
 */
#ifndef JFREC_NATIVE_MODULES_H
#define JFREC_NATIVE_MODULES_H

#include "native/unwind.h"

struct module;

/*
 * Look what is loaded, if that has changed, unless another thread does so.  It takes the loader's
 * lock, so no lock may be held here for which a constructor could wait.
 */
void modules_refresh(void);

/* How often modules were unloaded: what was learned of addresses may be wrong. */
uint32_t modules_generation(void);

/* In the child of a fork(). */
void modules_forget(void);

/* For unwind(). */
find_tables modules_find_tables;

/* A function: where it begins, what it is called, and in what. */
struct function {
	uint64_t begin; /* of the function; without a name that of the page */
	char name[256], module[128];
};

/* Is the code that of the wrappers, which stand between the program and libc? */
bool modules_is_wrapper(uint64_t pc);

void modules_name(uint64_t pc, struct function *f);

#endif
