/* SPDX-License-Identifier: MIT */
/*
 * rooted.h - files beneath the directories that the server was given, and no others
 */
#ifndef JFREC_CLI_MCP_ROOTED_H
#define JFREC_CLI_MCP_ROOTED_H

#include <stdbool.h>
#include <stdint.h>

struct rooted {
	int fd;	    /* -1: there is none */
	char *path; /* absolute, without links */
};

/* Open the directory; NULL: none.  False with errno set if that fails, or openat2 is missing. */
bool rooted_open(struct rooted *r, const char *path);
void rooted_close(struct rooted *r);

/*
 * Open a recording beneath it for reading: a plain file, reached through no link and no "..".  A
 * path may begin with that of the directory.  -1, with a sentence in *fault that lives forever.
 */
int rooted_recording(const struct rooted *r, const char *path, const char **fault);

/* Is that the name of a new recording in the directory?  NULL, or what is wrong with it. */
const char *rooted_check_name(const struct rooted *r, const char *name);

/* How many bytes the files of the directory have. */
uint64_t rooted_size(const struct rooted *r);

#endif
