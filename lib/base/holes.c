/* SPDX-License-Identifier: MIT */
/*
 * holes.c - detect sparse files, whose size is larger than their contents
 */
#include "base/holes.h"

#include <stdint.h>
#include <unistd.h>

bool has_holes(int fd, const struct stat *st)
{
	off_t hole;

	if ((uint64_t)st->st_blocks * 512 >= (uint64_t)st->st_size)
		return false;
	hole = lseek(fd, 0, SEEK_HOLE);
	return hole >= 0 && hole < st->st_size;
}
