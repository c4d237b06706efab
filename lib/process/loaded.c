/* SPDX-License-Identifier: MIT */
/*
 * loaded.c - find the libjvm.so that a process has loaded
 *
 * OpenJ9 has a libjvm.so, too, that only forwards calls; so all lines are
 * read.  A native image has neither, but may map performance data like HotSpot.
 */
#include "process/loaded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/cmdline.h"

/* The kernel's own limit is 65530, unless it was raised. */
#define MAX_LINES 1000000u

static bool begins(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static int keep(char **to, const char *text, size_t len)
{
	if (*to)
		return 0;
	*to = strndup(text, len);
	return *to ? 0 : -1;
}

/* ".../hsperfdata_app/4711" */
static int take_perf(struct loaded *l, const char *path, const char *file)
{
	const char *directory = file - 1;

	while (directory > path && directory[-1] != '/')
		directory--;
	/* A tool such as jstat maps that of others. */
	if (!begins(directory, "hsperfdata_") || (l->ns_pid && atoi(file) != l->ns_pid))
		return 0;
	if (keep(&l->tmp, path, directory - path > 1 ? (size_t)(directory - 1 - path) : 1) < 0)
		return -1;
	return keep(&l->perf, directory, (size_t)(file - 1 - directory));
}

int loaded_take_line(struct loaded *l, char *line)
{
	bool deleted;
	const char *path = proc_maps_path(line, &deleted), *name;

	if (!path)
		return 0;
	name = base_name(path);
	if (begins(name, "libj9vm") && strstr(name, ".so")) {
		l->kind = JFREC_JVM_OPENJ9;
	} else if (strcmp(name, "libjvm.so") == 0) {
		if (l->kind != JFREC_JVM_OPENJ9)
			l->kind = JFREC_JVM_HOTSPOT;
		l->deleted |= deleted;
		return keep(&l->library, path, strlen(path));
	}
	return *name >= '0' && *name <= '9' ? take_perf(l, path, name) : 0;
}

void loaded_conclude(struct loaded *l)
{
	if (l->kind == JFREC_JVM_MAYBE && l->perf)
		l->kind = JFREC_JVM_NATIVE;
}

static FILE *open_maps(const struct process *p)
{
	int fd = openat(p->dir_fd, "maps", O_RDONLY | O_CLOEXEC);
	FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");

	if (!maps && fd >= 0)
		close(fd);
	return maps;
}

/* The right to read is asked for when the file is opened; after the end it is empty. */
int loaded_read(struct loaded *l, const struct process *p)
{
	FILE *maps = open_maps(p);
	/* The kernel writes a page at a time, of which stdio would take 1 KB. */
	char buffer[8192], *line = NULL;
	size_t room = 0;
	int ret = 0;

	*l = (struct loaded){ .kind = JFREC_JVM_MAYBE, .ns_pid = p->status.ns_pid };
	if (!maps) {
		l->denied = errno == EACCES || errno == EPERM;
		return errno == ENOMEM ? -1 : 0;
	}
	setvbuf(maps, buffer, _IOFBF, sizeof(buffer));
	for (unsigned n = 0; ret == 0 && n < MAX_LINES && getline(&line, &room, maps) >= 0; n++)
		ret = loaded_take_line(l, line);
	free(line);
	fclose(maps);
	loaded_conclude(l);
	if (ret < 0)
		loaded_fini(l);
	return ret;
}

void loaded_fini(struct loaded *l)
{
	free(l->library);
	free(l->perf);
	free(l->tmp);
	l->library = l->perf = l->tmp = NULL;
}
