/* SPDX-License-Identifier: MIT */
/*
 * jdk_home.c - find the JDKs of this host and their settings files
 *
 * A JDK has them in lib/jfr, JDK 8 in jre/lib/jfr.
 */
#include "settings/jdk_home.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where distributions put JDKs. */
static const char *const places[] = {
	"/usr/lib/jvm/default-java", "/usr/lib/jvm/*", "/usr/java/*", "/opt/java/*", "/opt/jdk*",
};

/* What a JDK has below its home; a directory of .jfc files may be named itself. */
static const char *const inside[] = { "lib/jfr", "jre/lib/jfr" };

static bool is_known(const struct jdk_homes *homes, const char *path)
{
	for (size_t i = 0; i < homes->count; i++) {
		if (strcmp(homes->paths[i], path) == 0)
			return true;
	}
	return false;
}

/* Links lead to one JDK by several names. */
static bool add_directory(struct jdk_homes *homes, const char *path)
{
	char *real = realpath(path, NULL);
	char **paths;

	if (!real || access(real, X_OK) < 0 || is_known(homes, real)) {
		free(real);
		return real;
	}
	paths = reallocarray(homes->paths, homes->count + 1, sizeof(*paths));
	if (!paths) {
		free(real);
		return false;
	}
	homes->paths = paths;
	paths[homes->count++] = real;
	return true;
}

static bool add_home(struct jdk_homes *homes, const char *home)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", home, inside[i]) < sizeof(path) &&
		    add_directory(homes, path))
			return true;
	}
	return false;
}

/* The home of the JDK whose bin/java that is. */
static void add_program(struct jdk_homes *homes, const char *java)
{
	char *real = realpath(java, NULL), *bin = real ? strstr(real, "/bin/java") : NULL;

	if (bin) {
		*bin = '\0';
		add_home(homes, real);
	}
	free(real);
}

static void add_java_of_path(struct jdk_homes *homes)
{
	const char *at = getenv("PATH");
	char java[PATH_MAX];

	while (at && *at) {
		size_t len = strcspn(at, ":");

		if (len && len < sizeof(java) - sizeof("/java")) {
			snprintf(java, sizeof(java), "%.*s/java", (int)len, at);
			if (access(java, X_OK) == 0) {
				add_program(homes, java);
				return;
			}
		}
		at += len + (at[len] == ':');
	}
}

void jdk_homes_find(struct jdk_homes *homes)
{
	const char *home = getenv("JAVA_HOME");

	if (home && *home)
		add_home(homes, home);
	add_java_of_path(homes);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		glob_t found;

		if (glob(places[i], 0, NULL, &found) == 0) {
			for (size_t j = 0; j < found.gl_pathc; j++)
				add_home(homes, found.gl_pathv[j]);
		}
		globfree(&found);
	}
}

void jdk_homes_only(struct jdk_homes *homes, const char *home)
{
	if (!add_home(homes, home))
		add_directory(homes, home);
}

void jdk_homes_fini(struct jdk_homes *homes)
{
	for (size_t i = 0; i < homes->count; i++)
		free(homes->paths[i]);
	free(homes->paths);
	*homes = (struct jdk_homes){ 0 };
}

/* The path of that file in one of them, or NULL. */
static char *file_in(const char *home, const char *name)
{
	size_t len = strlen(name);
	const char *suffix = len > 4 && strcmp(name + len - 4, ".jfc") == 0 ? "" : ".jfc";
	char *path;

	if (asprintf(&path, "%s/%s%s", home, name, suffix) < 0)
		return NULL;
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *jdk_homes_file(const struct jdk_homes *homes, const char *name)
{
	char *path = NULL;

	for (size_t i = 0; i < homes->count && !path; i++)
		path = file_in(homes->paths[i], name);
	return path;
}

size_t jdk_homes_having(const struct jdk_homes *homes, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < homes->count; i++) {
		char *path = file_in(homes->paths[i], name);

		count += path != NULL;
		free(path);
	}
	return count;
}
