/* SPDX-License-Identifier: MIT */
/*
 * upset.c - what a careless program does first of all, done to one that is not careless
 *
 * Preloaded before others, so that its constructor is the last one.  UPSET=close: close all descriptors
 * from 3 on.  UPSET=reuse: then give all high numbers, where the recorder has its own, to UPSET_FILE.  Only
 * the first program of that UPSET_NAME, and none that it executes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST 4096

__attribute__((constructor)) static void upset(void)
{
	const char *what = getenv("UPSET"), *path = getenv("UPSET_FILE"), *name = getenv("UPSET_NAME");
	struct rlimit limit;
	int fd, end = MOST;

	if (!what || !name || strcmp(name, program_invocation_short_name))
		return;
	unsetenv("UPSET");
	for (int i = 3; i < MOST; i++)
		close(i);
	if (strcmp(what, "reuse") || !path)
		return;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST)
		end = (int)limit.rlim_cur;
	fd = open(path, O_RDWR | O_CLOEXEC);
	for (int i = end * 3 / 4; fd >= 0 && i < end; i++)
		dup3(fd, i, O_CLOEXEC);
	close(fd);
}
