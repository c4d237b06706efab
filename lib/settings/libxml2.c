/* SPDX-License-Identifier: MIT */
/*
 * libxml2.c - load libxml2 when the first .jfc file is read
 */
#include "settings/libxml2.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/error.h"

/* The library whose headers we were compiled with: 2.14 changed its binary interface. */
#if LIBXML_VERSION >= 21400
#define SONAME "libxml2.so.16"
#else
#define SONAME "libxml2.so.2"
#endif

static struct libxml2 table;
static bool loaded;

static bool find(void *library, const char *name, void *entry)
{
	void *symbol = dlsym(library, name);

	*(void **)entry = symbol;
	return symbol != NULL;
}

static void load(void)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	loaded = library && find(library, "xmlInitParser", &table.init) &&
		 find(library, "xmlCreatePushParserCtxt", &table.open) &&
		 find(library, "xmlCtxtUseOptions", &table.use_options) &&
		 find(library, "xmlParseChunk", &table.parse) &&
		 find(library, "xmlStopParser", &table.stop) &&
		 find(library, "xmlByteConsumed", &table.consumed) &&
		 find(library, "xmlCtxtGetLastError", &table.last_error) &&
		 find(library, "xmlFreeParserCtxt", &table.close);
	/* Reading does not depend on it. */
	if (loaded)
		find(library, "xmlParserVersion", &table.version);
	if (loaded)
		table.init();
	else if (library)
		dlclose(library);
}

const struct libxml2 *libxml2_load(struct jfrec_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (loaded)
		return &table;
	jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
		   "reading .jfc files needs libxml2, which is not installed as " SONAME
		   "; install it, or write the settings as YAML");
	return NULL;
}
