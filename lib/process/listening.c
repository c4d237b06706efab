/* SPDX-License-Identifier: MIT */
/*
 * listening.c - find out who listens at a JVM's attach socket, without connecting
 */
#include "process/listening.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "process/cmdline.h"

/* Of /proc/PID/net/unix: some hosts have thousands of sockets. */
#define MAX_SOCKETS (16u << 20)

/* The flag of a socket that listens: __SO_ACCEPTCON of the kernel. */
#define LISTENS 0x10000

/* While it is bound the file has another name, which the kernel remembers. */
#define BOUND ".tmp"

/* A line: "address: references protocol flags type state inode path" */
bool listening_parse(const char *line, const char *name, uint64_t *inode)
{
	size_t len = strlen(name);
	const char *file;
	unsigned flags;
	int path = 0;

	if (sscanf(line, "%*x: %*x %*x %x %*x %*x %" SCNu64 " %n", &flags, inode, &path) != 2 ||
	    !path || !(flags & LISTENS))
		return false;
	file = base_name(line + path);
	return strncmp(file, name, len) == 0 &&
	       (file[len] == '\0' || strcmp(file + len, BOUND) == 0);
}

/* The sockets of that name that somebody listens at, each by what the kernel calls its descriptors. */
struct sockets {
	uint64_t *inodes; /* in order */
	size_t count, room;
	bool has_one; /* the process has one of them */
};

static bool add(struct sockets *s, uint64_t inode)
{
	return array_push(s->inodes, s->count, s->room, inode);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int look_at_link(void *ctx, int number, const char *link)
{
	struct sockets *s = ctx;
	uint64_t inode;

	(void)number;
	if (sscanf(link, "socket:[%" SCNu64 "]", &inode) != 1 ||
	    !bsearch(&inode, s->inodes, s->count, sizeof(inode), by_number))
		return 0;
	s->has_one = true;
	return -1;
}

/* One pass over the sockets, one over the descriptors: either may be thousands. */
static enum listening find_in(const struct process *p, char *text, const char *name)
{
	enum listening result = LISTENING_NOBODY;
	struct sockets s = { 0 };
	uint64_t inode;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		if (listening_parse(line, name, &inode) && !add(&s, inode))
			break;
	}
	if (line) {
		result = LISTENING_UNKNOWN;
	} else if (s.count) {
		qsort(s.inodes, s.count, sizeof(*s.inodes), by_number);
		result = process_each_descriptor(p, look_at_link, &s) < 0 && !s.has_one
				 ? LISTENING_UNKNOWN
			 : s.has_one ? LISTENING_SELF
				     : LISTENING_OTHER;
	}
	free(s.inodes);
	return result;
}

enum listening listening_find(const struct process *p, const char *name)
{
	size_t len = 0;
	char *text = process_read(p, "net/unix", MAX_SOCKETS, &len);
	enum listening result = text ? find_in(p, text, name) : LISTENING_UNKNOWN;

	free(text);
	return result;
}
