/* SPDX-License-Identifier: MIT */
/*
 * modules.h - the program and its libraries: tables of frames, names of functions
 *
 * What was read of a module stays after it was unloaded, for stacks of before.  Tables are found
 * without a lock, also by signal handlers; names are under the lock of stacks.h.
 */
#ifndef JFREC_RECORDER_STACK_MODULES_H
#define JFREC_RECORDER_STACK_MODULES_H

#include "recorder/stack/unwind.h"

struct module;

/*
 * Look what is loaded, if that has changed, unless another thread does so.  It takes the loader's
 * lock, so no lock may be held here for which a constructor could wait.
 */
void modules_refresh(void);

/* Was that done? */
bool modules_are_known(void);

/* How often modules were unloaded: what was learned of addresses may be wrong. */
uint32_t modules_generation(void);

/* In the child of a fork(). */
void modules_forget(void);

/* For unwind(). */
find_tables modules_find_tables;

/* A function: where it begins, what it is called, and in what. */
struct function {
	uint64_t begin; /* of the function; without a name that of the page */
	uint64_t base;	/* where offset 0 is */
	/*
	 * Of the code: in the module, as its file counts; without a module in the page.  0: too
	 * far.
	 */
	uint32_t offset;
	const char *symbol; /* as long as the recorder is there; NULL: it has none */
	char page[32];	    /* what it is called then */
	char module[128];
};

/* What a function is called. */
static inline const char *function_name(const struct function *f)
{
	return f->symbol ? f->symbol : f->page;
}

/* What `jfrec symbolize` finds debug information by. */
struct described {
	char name[128], path[512]; /* name: as in struct function */
	char build_id[129];	   /* hexadecimal; empty: it has none */
	uint64_t begin, end;
};

/* The modules from 0 on, also those that were unloaded: they only become more.  False: no more. */
bool modules_describe(size_t i, struct described *d);

/* Is a module of this file name loaded?  As of the last refresh. */
bool modules_have(const char *name);

/* Is the code that of the wrappers, which stand between the program and libc? */
bool modules_is_wrapper(uint64_t pc);

void modules_name(uint64_t pc, struct function *f);

#endif
