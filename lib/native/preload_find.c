/* SPDX-License-Identifier: MIT */
/*
 * preload_find.c - the functions that the wrappers stand for
 */
#include <dlfcn.h>
#include <errno.h>

#include "native/preload.h"

static __thread bool is_looking __attribute__((tls_model("initial-exec")));

bool preload_is_looking(void)
{
	return is_looking;
}

void *preload_find(_Atomic(void *) *found, const char *name)
{
	int saved = errno;
	bool before = is_looking;
	void *p;

	/* dlsym() may allocate, and an allocator may lock. */
	is_looking = true;
	p = dlsym(RTLD_NEXT, name);
	is_looking = before;
	atomic_store_explicit(found, p, memory_order_release);
	errno = saved;
	return p;
}
