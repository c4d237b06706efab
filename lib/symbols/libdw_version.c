/* SPDX-License-Identifier: MIT */
/*
 * libdw_version.c - which libdw there is
 */
#include <elfutils/version.h>
#include <stdio.h>

#include "symbols/libdw.h"
#include "symbols/library_version.h"

const char *jfrec_symbols_library_version(struct jfrec_error *err)
{
	static char text[16];

	if (!libdw_load(err))
		return NULL;
	snprintf(text, sizeof(text), "%d.%d", _ELFUTILS_VERSION / 1000, _ELFUTILS_VERSION % 1000);
	return text;
}
