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
bool listening_parse(const char *line, const char *name, uint64_t *inode, const char **path)
{
	size_t len = strlen(name);
	const char *file;
	unsigned flags;
	int at = 0;

	if (sscanf(line, "%*x: %*x %*x %x %*x %*x %" SCNu64 " %n", &flags, inode, &at) != 2 ||
	    !at || !(flags & LISTENS))
		return false;
	*path = line + at;
	file = base_name(*path);
	return strncmp(file, name, len) == 0 &&
	       (file[len] == '\0' || strcmp(file + len, BOUND) == 0);
}

/*
 * The sockets of that name that a process listens at, each by what the kernel calls its
 * descriptors.
 */
struct socket {
	uint64_t inode;
	const char *path; /* a piece of the text */
};

struct sockets {
	struct socket *items; /* in order */
	size_t count, room;
	const struct socket *own; /* the one that the process has; NULL: none of them */
};

static bool add(struct sockets *s, const struct socket *socket)
{
	return array_push(s->items, s->count, s->room, *socket);
}

static int by_number(const void *a, const void *b)
{
	const struct socket *x = a, *y = b;

	return (x->inode > y->inode) - (x->inode < y->inode);
}

static int look_at_link(void *ctx, int number, const char *link)
{
	struct sockets *s = ctx;
	struct socket key;

	(void)number;
	if (sscanf(link, "socket:[%" SCNu64 "]", &key.inode) == 1)
		s->own = bsearch(&key, s->items, s->count, sizeof(key), by_number);
	return s->own ? -1 : 0;
}

static void take_directory(const char *path, char directory[PATH_MAX])
{
	size_t len = (size_t)(base_name(path) - path);

	if (len > 1)
		len--;
	if (*path == '/' && len < PATH_MAX)
		snprintf(directory, PATH_MAX, "%.*s", (int)len, path);
}

/* One pass over the sockets, one over the descriptors: either may be thousands. */
static enum listening judge(const struct process *p, struct sockets *s, char directory[PATH_MAX])
{
	int result;

	if (!s->count)
		return LISTENING_NOBODY;
	qsort(s->items, s->count, sizeof(*s->items), by_number);
	result = process_each_descriptor(p, look_at_link, s);
	if (!s->own)
		return result < 0 ? LISTENING_UNKNOWN : LISTENING_OTHER;
	if (directory)
		take_directory(s->own->path, directory);
	return LISTENING_SELF;
}

static enum listening find_in(const struct process *p, char *text, const char *name,
			      char directory[PATH_MAX])
{
	enum listening result;
	struct sockets s = { 0 };
	struct socket found;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		if (listening_parse(line, name, &found.inode, &found.path) && !add(&s, &found))
			break;
	}
	result = line ? LISTENING_UNKNOWN : judge(p, &s, directory);
	free(s.items);
	return result;
}

enum listening listening_find(const struct process *p, const char *name, char directory[PATH_MAX])
{
	size_t len = 0;
	char *text = process_read(p, "net/unix", MAX_SOCKETS, &len);
	enum listening result;

	if (directory)
		*directory = '\0';
	result = text ? find_in(p, text, name, directory) : LISTENING_UNKNOWN;
	free(text);
	return result;
}
