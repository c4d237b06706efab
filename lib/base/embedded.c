/* SPDX-License-Identifier: MIT */
/*
 * embedded.c - data files that the build puts into the library
 */
#include "base/embedded.h"

#include <stddef.h>
#include <string.h>

const char *embedded_text(const struct embedded_file *table, const char *name)
{
	while (table->name && strcmp(table->name, name) != 0)
		table++;
	return table->text;
}
