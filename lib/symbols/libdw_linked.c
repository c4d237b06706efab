/* SPDX-License-Identifier: MIT */
/*
 * libdw_linked.c - elfutils' libdw, in a program that carries it with it
 */
#include "symbols/libdw.h"

#include <pthread.h>

/* clang-format off */
static const struct libdw table = {
#define LIBDW_MEMBER(name) .name = name,
	LIBELF_FUNCTIONS(LIBDW_MEMBER)
	LIBDW_FUNCTIONS(LIBDW_MEMBER)
#undef LIBDW_MEMBER
};
/* clang-format on */

/* Without it nothing else of libelf works. */
static void choose_version(void)
{
	elf_version(EV_CURRENT);
}

const struct libdw *libdw_load(struct jfrec_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)err;
	pthread_once(&once, choose_version);
	return &table;
}
