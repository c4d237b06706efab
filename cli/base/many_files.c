/* SPDX-License-Identifier: MIT */
/*
 * many_files.c - raise the limit of open files
 */
#include "base/many_files.h"

#include <sys/resource.h>

void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
