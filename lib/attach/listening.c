/* SPDX-License-Identifier: MIT */
/*
 * listening.c - who listens at a JVM's attach socket, without connecting to it
 */
#include "attach/listening.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/cmdline.h"

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

/* Does the descriptor, by its number, stand for that socket? */
static bool is_socket(int fds, const char *number, const char *socket)
{
	char link[64];
	ssize_t len = readlinkat(fds, number, link, sizeof(link));

	return len == (ssize_t)strlen(socket) && memcmp(link, socket, strlen(socket)) == 0;
}

/* 1: it has the socket; 0: it has not; -1: we may not see that. */
static int has_socket(const struct process *p, uint64_t inode)
{
	int fd = openat(p->dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), found = 0;
	DIR *fds = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	char socket[40];

	if (!fds) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	snprintf(socket, sizeof(socket), "socket:[%" PRIu64 "]", inode);
	while (!found && (entry = readdir(fds)) != NULL)
		found = is_socket(fd, entry->d_name, socket);
	closedir(fds);
	return found;
}

static enum listening find_in(const struct process *p, char *text, const char *name)
{
	enum listening result = LISTENING_NOBODY;
	uint64_t inode;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		int has = listening_parse(line, name, &inode) ? has_socket(p, inode) : 0;

		if (has < 0)
			return LISTENING_UNKNOWN;
		if (has)
			return LISTENING_SELF;
		if (listening_parse(line, name, &inode))
			result = LISTENING_OTHER;
	}
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
