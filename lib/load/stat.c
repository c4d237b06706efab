/* SPDX-License-Identifier: MIT */
/*
 * stat.c - what /proc/PID/stat says a process, or one of its threads, has used
 *
 *	4711 (name) S 1 ...
 *
 * (proc(5)). The name may hold any byte, blanks and parentheses included; the last parenthesis ends
 * it. After it come the state, field 3, and numbers: times are 14 and 15, threads 20, the start 22,
 * resident pages 24.
 */
#include "load/stat.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A line has some 400 bytes. */
#define MAX_LINE 1024

bool stat_parse(struct stat_line *s, const char *text)
{
	const char *name = strchr(text, '('), *end = strrchr(text, ')');
	uint64_t user, system;
	int64_t pages;

	if (!name || !end || end < name)
		return false;
	snprintf(s->name, sizeof(s->name), "%.*s", (int)(end - name - 1), name + 1);
	if (sscanf(end + 1,
		   " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
		   " %*s %*s %*s %*s %" SCNu64 " %*s %" SCNu64 " %*s %" SCNd64,
		   &s->state, &user, &system, &s->threads, &s->start_ticks, &pages) != 6)
		return false;
	s->ticks = user + system;
	s->resident = pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
	return true;
}

bool stat_read(struct stat_line *s, int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char text[MAX_LINE];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 && stat_parse(s, text);
}

double stat_seconds(uint64_t ticks)
{
	long hertz = sysconf(_SC_CLK_TCK);

	return hertz > 0 ? (double)ticks / (double)hertz : 0;
}
