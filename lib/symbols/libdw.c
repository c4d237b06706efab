/* SPDX-License-Identifier: MIT */
/*
 * libdw.c - load elfutils' libdw when debug information is first asked for
 */
#include "symbols/libdw.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/error.h"

#define SONAME	   "libdw.so.1"
#define ELF_SONAME "libelf.so.1"

static struct libdw table;
static bool loaded;

static bool find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	*(void **)function = symbol;
	return symbol != NULL;
}

#define FIND_ELF(name) &&find(elf, #name, &table.name)
#define FIND_DW(name)  &&find(dw, #name, &table.name)

static void load(void)
{
	void *dw = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	void *elf = dlopen(ELF_SONAME, RTLD_NOW | RTLD_LOCAL);

	/* clang-format off */
	loaded = dw && elf LIBELF_FUNCTIONS(FIND_ELF) LIBDW_FUNCTIONS(FIND_DW) &&
		 table.elf_version(EV_CURRENT) != EV_NONE;
	/* clang-format on */
	if (!loaded && dw)
		dlclose(dw);
	if (!loaded && elf)
		dlclose(elf);
}

const struct libdw *libdw_load(struct jfrec_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (loaded)
		return &table;
	jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
		   "reading debug information needs libdw of elfutils, which is not installed as "
		   SONAME);
	return NULL;
}
