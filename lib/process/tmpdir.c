/* SPDX-License-Identifier: MIT */
/*
 * tmpdir.c - the directory in which a JVM has its attach socket and its performance data
 */
#include "process/tmpdir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/cmdline.h"
#include "process/listening.h"
#include "process/root.h"

#define DEFAULT_DIRECTORY "/tmp"

/* As probe.c reads them. */
#define MAX_CMDLINE (2u << 20)
#define MAX_ENVIRON (2u << 20)

/* A directory as the JVM may name it; false if it is none that could be used. */
static bool take(char path[PATH_MAX], const char *name, size_t len)
{
	while (len > 1 && name[len - 1] == '/')
		len--;
	if (!len || *name != '/' || len >= PATH_MAX)
		return false;
	snprintf(path, PATH_MAX, "%.*s", (int)len, name);
	return true;
}

static bool find_in_words(const struct process *p, char path[PATH_MAX])
{
	size_t len = 0;
	char *words = process_read(p, "cmdline", MAX_CMDLINE, &len);
	struct cmdline c;
	bool found;

	cmdline_parse(&c, words ? words : "", len);
	found = c.alt_tmp && take(path, c.alt_tmp, strlen(c.alt_tmp));
	free(words);
	return found;
}

static bool find_in_environment(const struct process *p, char path[PATH_MAX])
{
	size_t len = 0;
	char *variables = process_read(p, "environ", MAX_ENVIRON, &len);
	const char *value =
		variables ? environ_find_option(variables, len, "-XX:AltTempDir=") : NULL;
	bool found = value && take(path, value, strcspn(value, " \t\n\r\f\v"));

	free(variables);
	return found;
}

static bool find_by_socket(const struct process *p, char path[PATH_MAX])
{
	char socket[32];

	snprintf(socket, sizeof(socket), ".java_pid%d", p->status.ns_pid);
	return listening_find(p, socket, path) == LISTENING_SELF && *path == '/';
}

void tmpdir_find(const struct process *p, const struct loaded *l, char path[PATH_MAX])
{
	struct loaded seen = { 0 };
	bool found = false;
	const char *mapped;

	if (!l && loaded_read(&seen, p) == 0)
		l = &seen;
	mapped = l && l->tmp ? root_name(p, l->tmp) : NULL;
	if (mapped)
		found = take(path, mapped, strlen(mapped));
	if (!found)
		found = find_in_words(p, path) || find_in_environment(p, path) ||
			find_by_socket(p, path);
	if (!found)
		snprintf(path, PATH_MAX, "%s", DEFAULT_DIRECTORY);
	loaded_fini(&seen);
}
