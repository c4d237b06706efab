/* SPDX-License-Identifier: MIT */
/* jfrec/tool/libraries.h - which libraries of others a build uses, and whether they are here */
#ifndef JFREC_TOOL_LIBRARIES_H
#define JFREC_TOOL_LIBRARIES_H

#include <stddef.h>

/* One of them.  The strings are constants, or live as long as the program. */
struct jfrec_library {
	const char *name;
	const char *version; /* of what is used, or NULL if it is missing */
	const char *does;    /* what jfrec needs it for */
	const char *missing; /* why what it does cannot be had, a sentence; or NULL */
};

/* How many there are.  A static file has more, of which it only knows that they are linked in. */
size_t jfrec_library_count(void);

/* Number i, below the count.  Those that are loaded when they are needed are loaded for it. */
struct jfrec_library jfrec_library_get(size_t i);

#endif
