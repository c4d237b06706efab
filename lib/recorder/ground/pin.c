/* SPDX-License-Identifier: MIT */
/*
 * pin.c - a plug-in that carries the recorder stays loaded
 *
 * The shared library says so by itself (-z nodelete), but a plug-in that is linked with the static
 * one does not, and dlclose() would take the code from under the recorder's threads.
 */
#include "recorder/ground/pin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A program without a loader has no plug-ins, and the linker warns of those that call one. */
#pragma weak dladdr
#pragma weak dlopen

void pin_own_module(void)
{
	static atomic_bool is_pinned;
	Dl_info own;
	int saved = errno;

	/* Weak: a static program has neither. */
	if (!dladdr || !dlopen || atomic_exchange(&is_pinned, true))
		return;
	/*
	 * It is loaded already, and the handle is not given back.  The program itself is refused,
	 * and stays.
	 */
	if (dladdr((void *)(size_t)pin_own_module, &own) && own.dli_fname)
		dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	errno = saved;
}
