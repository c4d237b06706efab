/* SPDX-License-Identifier: MIT */
/*
 * cleaner.c - check whether systemd-tmpfiles would remove attach sockets
 */
#include "doctor/cleaner.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of one file. */
#define MAX_TEXT (256u << 10)

/* Types of lines whose age has a directory cleaned. */
#define CLEANING "dDevqQ"

/* A socket as any other. */
#define SOCKET "/tmp/.java_pid4711"

/* The fields of a line: type, path, mode, user, group, age. */
enum {
	TYPE,
	PATH,
	AGE = 5,
	FIELDS,
};

/* Rules ---------------------------------------------------------------------------------------- */

/* Parts the line at blanks, or at quotes. Missing fields are "-". */
static void part(char *line, const char *fields[FIELDS])
{
	for (int i = 0; i < FIELDS; i++) {
		const char *end = " \t";

		line += strspn(line, " \t");
		if (*line == '"' || *line == '\'') {
			end = *line == '"' ? "\"" : "'";
			line++;
		}
		fields[i] = *line ? line : "-";
		line += strcspn(line, end);
		if (*line)
			*line++ = '\0';
	}
}

static bool is_tmp(const char *path)
{
	return strcmp(path, "/tmp") == 0 || strcmp(path, "/tmp/") == 0;
}

static void take_line(struct cleaner *c, char *line)
{
	const char *fields[FIELDS];

	line += strspn(line, " \t");
	if (*line == '#' || *line == '\0')
		return;
	part(line, fields);
	if (*fields[TYPE] == 'x' || *fields[TYPE] == 'X') {
		c->is_spared |= fnmatch(fields[PATH], SOCKET, FNM_PATHNAME | FNM_PERIOD) == 0;
	} else if (!c->decided && strchr(CLEANING, *fields[TYPE]) && is_tmp(fields[PATH])) {
		c->decided = true;
		if (strcmp(fields[AGE], "-") != 0)
			snprintf(c->age, sizeof(c->age), "%s", fields[AGE]);
	}
}

void cleaner_take(struct cleaner *c, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;

	while (copy && (line = strsep(&rest, "\n")) != NULL)
		take_line(c, line);
	free(copy);
}

/* Files ---------------------------------------------------------------------------------------- */

/* A file of the first directory that has one of its name counts, those of the others do not. */
static const char *const directories[] = {
	"/etc/tmpfiles.d",
	"/run/tmpfiles.d",
	"/usr/local/lib/tmpfiles.d",
	"/usr/lib/tmpfiles.d",
};

#define DIRECTORY_COUNT (sizeof(directories) / sizeof(*directories))

static int is_rules(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 5 && strcmp(entry->d_name + len - 5, ".conf") == 0;
}

/* /dev/null, which such a file may be a link to, is an empty one. */
static void read_file(struct cleaner *c, size_t directory, const char *name)
{
	char path[512], *text = NULL;
	ssize_t len = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directories[directory], name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0)
		text = malloc(MAX_TEXT + 1);
	if (text)
		len = read(fd, text, MAX_TEXT);
	if (len > 0) {
		text[len] = '\0';
		cleaner_take(c, text);
	}
	free(text);
	if (fd >= 0)
		close(fd);
}

/* Of all directories together the first name, by bytes, after `after`; NULL: there is none. */
static const char *next_name(struct dirent **lists[], const int counts[], const char *after)
{
	const char *next = NULL;

	for (size_t d = 0; d < DIRECTORY_COUNT; d++) {
		for (int i = 0; i < counts[d]; i++) {
			const char *name = lists[d][i]->d_name;

			if (strcmp(name, after) > 0 && (!next || strcmp(name, next) < 0))
				next = name;
		}
	}
	return next;
}

static bool has_name(struct dirent *const *list, int count, const char *name)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i]->d_name, name) == 0)
			return true;
	}
	return false;
}

static void read_all(struct cleaner *c, struct dirent **lists[], const int counts[])
{
	for (const char *name = ""; (name = next_name(lists, counts, name)) != NULL;) {
		size_t d = 0;

		while (!has_name(lists[d], counts[d], name))
			d++;
		read_file(c, d, name);
	}
}

void cleaner_read(struct cleaner *c)
{
	struct dirent **lists[DIRECTORY_COUNT] = { 0 };
	int counts[DIRECTORY_COUNT];

	for (size_t d = 0; d < DIRECTORY_COUNT; d++)
		counts[d] = scandir(directories[d], &lists[d], is_rules, NULL);
	read_all(c, lists, counts);
	for (size_t d = 0; d < DIRECTORY_COUNT; d++) {
		for (int i = 0; i < counts[d]; i++)
			free(lists[d][i]);
		free(lists[d]);
	}
}
