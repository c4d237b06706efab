/* SPDX-License-Identifier: MIT */
/*
 * library.c - the version of the library, and freeing what it returns
 */
#include "jfrec/base.h"

#include <stdlib.h>

#include "version.h"

_Static_assert(JFREC_VERSION_NUMBER == JFREC_BUILD_NUMBER,
	       "the version in lib/jfrec/base.h is not the one in meson.build");

const char *jfrec_version(void)
{
	return JFREC_VERSION;
}

unsigned jfrec_version_number(void)
{
	return JFREC_VERSION_NUMBER;
}

/* A program may have another allocator than the library. */
void jfrec_free(void *p)
{
	free(p);
}
