/* SPDX-License-Identifier: MIT */
/*
 * outname.c - expand patterns such as %p-%t in names of output files
 */
#include "common/outname.h"

#include <string.h>

bool outname_tells_apart(const char *pattern)
{
	const char *s = strchr(pattern, '%');

	while (s && s[1] && s[1] != 'p')
		s = strchr(s + 2, '%');
	return s && s[1] == 'p';
}
