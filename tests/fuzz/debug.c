/* SPDX-License-Identifier: MIT */
/*
 * debug.c - a fuzz target: a file with debug information, and the functions at all of its addresses
 *
 * The target adds the first four bytes, without which nothing is read.  So the seeds are no programs,
 * which tools that check packages would look into.
 */
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/debug_info.h"
#include "target.h"

#define FIRST 0x1000u
#define LAST  0x1400u

static size_t sum; /* everything that was found is read */

static void look_around(struct debug_info *d)
{
	struct code_frame frames[CODE_FRAMES_MAX];

	for (uint64_t at = FIRST; at < LAST; at += 4) {
		unsigned count = debug_info_find(d, at, frames);

		for (unsigned i = 0; i < count; i++)
			sum += frames[i].line + (frames[i].name ? strlen(frames[i].name) : 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("debug", MFD_CLOEXEC);
	struct debug_info *d;
	struct jfrec_error err;

	if (fd < 0)
		return 0;
	if (write(fd, ELFMAG, SELFMAG) != SELFMAG || write(fd, bytes, len) != (ssize_t)len) {
		close(fd);
		return 0;
	}
	d = debug_info_open(fd, &err);
	if (d) {
		sum += debug_info_id(d).size;
		debug_info_read(d, NULL, NULL, &err);
		look_around(d);
	}
	debug_info_close(d);
	return 0;
}
