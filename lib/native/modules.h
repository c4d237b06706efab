/* SPDX-License-Identifier: MIT */
/*
 * modules.h - the program and its libraries: tables of frames, names of functions
 *
 * For one thread alone, the sampler's.  What was read of a module stays after it was unloaded, for
 * samples of before.
 */
#ifndef JFREC_NATIVE_MODULES_H
#define JFREC_NATIVE_MODULES_H

#include "native/unwind.h"

struct module;

/* Look what is loaded, if that has changed.  -1: no memory. */
int modules_refresh(void);

/* For unwind(). */
find_tables modules_find_tables;

/* A function: where it begins, what it is called, and in what. */
struct function {
	uint64_t begin; /* of the function; without a name that of the page */
	char name[256], module[128];
};

void modules_name(uint64_t pc, struct function *f);

#endif
