/* SPDX-License-Identifier: MIT */
/*
 * tmpfile.c - create an unnamed temporary file
 */
#include "base/tmpfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int tmpfile_in(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	char *name;

	/* Not every file system can. */
	if (fd >= 0 || asprintf(&name, "%s/.jfrec-XXXXXX", directory) < 0)
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}
