/* SPDX-License-Identifier: MIT */
/*
 * preload_find.c - the functions that the wrappers stand for
 */
#include <dlfcn.h>
#include <errno.h>

#include "preload/preload.h"

__thread bool preload_is_looking;

void *preload_find(_Atomic(void *) *found, const char *name)
{
	int saved = errno;
	bool before = preload_is_looking;
	void *p;

	/* dlsym() may allocate, and an allocator may lock. */
	preload_is_looking = true;
	p = dlsym(RTLD_NEXT, name);
	preload_is_looking = before;
	atomic_store_explicit(found, p, memory_order_release);
	errno = saved;
	return p;
}
