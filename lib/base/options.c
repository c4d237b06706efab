/* SPDX-License-Identifier: MIT */
/*
 * options.c - structs of options that may be smaller or larger in the program than here
 */
#include "base/options.h"

#include <string.h>

#include "base/error.h"

/* Far more than any has; a size that was not set may be anything. */
#define SIZE_LIMIT 4096

int options_take(void *to, size_t size, const void *from, struct jfrec_error *err)
{
	size_t given = size;

	memset(to, 0, size);
	if (from)
		memcpy(&given, from, sizeof(given));
	if (given < sizeof(given) || given > SIZE_LIMIT)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "struct_size of the options is %zu; set it to their size", given);
	for (size_t i = size; i < given; i++) {
		if (((const char *)from)[i])
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "the program uses options that are newer than this "
					  "version of libjfrec");
	}
	if (from)
		memcpy(to, from, given < size ? given : size);
	memcpy(to, &size, sizeof(size));
	return 0;
}
