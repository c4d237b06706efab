/* SPDX-License-Identifier: MIT */
/*
 * paths.c - the files of recordings: %p in their names, and default names
 */
#include "recorder/files/paths.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/files/repository.h"

/* %p, %t and %%; false: too long. */
static bool expand(char *to, size_t size, const char *from)
{
	char piece[32];
	size_t len = 0, n;

	for (; *from; from++) {
		snprintf(piece, sizeof(piece), "%c", *from);
		if (from[0] == '%' && (from[1] == 'p' || from[1] == 't' || from[1] == '%')) {
			if (from[1] == 'p')
				snprintf(piece, sizeof(piece), "%d", (int)getpid());
			else if (from[1] == 't')
				repository_stamp(piece);
			from++;
		}
		n = strlen(piece);
		if (n >= size - len)
			return false;
		memcpy(to + len, piece, n);
		len += n;
	}
	to[len] = '\0';
	return true;
}

void path_generate(char *to, size_t size, uint64_t id)
{
	char now[32];

	repository_stamp(now);
	if (id)
		snprintf(to, size, "native-pid-%d-id-%" PRIu64 "-%s.jfr", (int)getpid(), id, now);
	else
		snprintf(to, size, "native-pid-%d-%s.jfr", (int)getpid(), now);
}

bool path_complete(char path[PATH_ROOM], const char *name, uint64_t id)
{
	char given[PATH_ROOM], generated[128];
	struct stat st;
	size_t len = 0;

	if (!expand(given, sizeof(given), name))
		return false;
	if (given[0] != '/') {
		if (!getcwd(path, PATH_ROOM - 1))
			return false;
		len = strlen(path);
		path[len++] = '/';
	}
	if (strlen(given) >= PATH_ROOM - len)
		return false;
	strcpy(path + len, given);
	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return true;
	path_generate(generated, sizeof(generated), id);
	len = strlen(path);
	return (size_t)snprintf(path + len, PATH_ROOM - len, "/%s", generated) < PATH_ROOM - len;
}
