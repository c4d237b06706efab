/* SPDX-License-Identifier: MIT */
/*
 * host_tree.h - trees of files that are laid out like a host's /proc and /sys
 */
#ifndef JFREC_TEST_HOST_TREE_H
#define JFREC_TEST_HOST_TREE_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Write a file below root, with the directories above it. */
static inline void tree_put(const char *root, const char *path, const char *text)
{
	char full[PATH_MAX];
	int fd;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		if (mkdir(full, 0700) < 0 && errno != EEXIST)
			abort();
		*slash = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

/* Remove all that is below root. */
static inline void tree_clear(const char *root)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'/*", root);
	if (system(command) != 0)
		abort();
}

#endif
