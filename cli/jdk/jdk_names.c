/* SPDX-License-Identifier: MIT */
/*
 * jdk_names.c - helpers that as_jcmd.c and as_jfr.c share
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jdk/called_as.h"

/* Where we stand, if it is the bin of a JDK. */
static char home[4096];

/* The directory that a shell has found us in; "" if there is none that can be named. */
static void find_directory(const char *program, char *to, size_t size)
{
	const char *slash = strrchr(program, '/'), *at = getenv("PATH");

	*to = '\0';
	if (slash) {
		snprintf(to, size, "%.*s", (int)(slash - program + 1), program);
		return;
	}
	while (at && *at) {
		size_t len = strcspn(at, ":");

		snprintf(to, size, "%.*s/%s", (int)len, at, program);
		if (len && strlen(to) < size - 1 && access(to, X_OK) == 0) {
			to[strlen(to) - strlen(program)] = '\0';
			return;
		}
		at += len + (at[len] == ':');
	}
	*to = '\0';
}

/* A JDK says in `release` what it is. */
static void find_home(const char *program)
{
	char release[sizeof(home) + 16];
	size_t len;

	find_directory(program, home, sizeof(home));
	len = strlen(home);
	while (len > 1 && home[len - 1] == '/')
		home[--len] = '\0';
	if (len < 4 || strcmp(home + len - 4, "/bin") != 0) {
		*home = '\0';
		return;
	}
	home[len - 4] = '\0';
	snprintf(release, sizeof(release), "%s/release", home);
	if (access(release, R_OK) < 0)
		*home = '\0';
}

int jdk_names_begin(int *argc, char **argv)
{
	int count = 0;

	find_home(argv[0]);
	for (int i = 0; i < *argc; i++) {
		if (i == 0 || strncmp(argv[i], "-J", 2) != 0) {
			argv[count++] = argv[i];
		} else if (!argv[i][2]) {
			fputs("Error: The -J option should not be followed by a space.\n", stderr);
			return EXIT_FAILED;
		}
	}
	argv[count] = NULL;
	*argc = count;
	return EXIT_DONE;
}

const char *jdk_names_home(void)
{
	return *home ? home : NULL;
}

/* "25.0.3", of the line JAVA_VERSION="25.0.3". */
static bool take_version(const char *line, char *to, size_t size)
{
	static const char key[] = "JAVA_VERSION=\"";
	size_t len;

	if (strncmp(line, key, sizeof(key) - 1) != 0)
		return false;
	line += sizeof(key) - 1;
	len = strspn(line, "0123456789.+-_abcdefghijklmnopqrstuvwxyz");
	if (!len || len >= size || line[len] != '"')
		return false;
	snprintf(to, size, "%.*s", (int)len, line);
	return true;
}

bool jdk_names_version(char *to, size_t size)
{
	char path[sizeof(home) + 16], line[512];
	bool found = false;
	FILE *f;

	if (!*home)
		return false;
	snprintf(path, sizeof(path), "%s/release", home);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = take_version(line, to, size);
	if (f)
		fclose(f);
	return found;
}
