/* SPDX-License-Identifier: MIT */
/*
 * jdk.c - find the version of the JDK that a libjvm.so belongs to
 */
#include "process/jdk.h"

#include <stdlib.h>
#include <string.h>

#include "process/root.h"
#include "process/version.h"

/* Of a file `release`. */
#define MAX_RELEASE (64 << 10)

/* From lib/server/libjvm.so, or jre/lib/amd64/server/libjvm.so, up to the JDK. */
#define MAX_PARENTS 5

/* The `release` of the JDK, from the first directory above the library that has one; or NULL. */
static char *find_release(struct jvm_root *r, const char *library)
{
	const char *path = root_name(&r->process, library);
	size_t len = strlen(path), size;
	char *release = malloc(len + sizeof("/release")), *text = NULL;

	if (!release)
		return NULL;
	memcpy(release, path, len + 1);
	for (int i = 0; i < MAX_PARENTS && !text; i++) {
		while (len && release[len - 1] != '/')
			len--;
		if (!len)
			break;
		memcpy(release + len, "release", sizeof("release"));
		text = opener_read(&r->opener, r->root_fd, release, 0, MAX_RELEASE, &size, NULL);
		len--;
	}
	free(release);
	return text;
}

char *jdk_version(struct jvm_root *r, const char *library, struct arena *arena)
{
	char *text = find_release(r, library), *version = NULL;
	const char *found;
	size_t len;

	if (!text)
		return NULL;
	found = version_of_release(text, &len);
	if (found)
		version = arena_strndup(arena, found, len);
	free(text);
	return version;
}

/* Up to 8 it is a jar: jre/lib/jfr.jar, beside the directory of jre/lib/amd64/server. */
static bool has_jar(struct jvm_root *r, const char *library)
{
	const char *path = root_name(&r->process, library);
	char *jar = malloc(strlen(path) + sizeof("/../../jfr.jar")), *slash;
	struct opener_file f;
	bool has;

	if (!jar)
		return false;
	strcpy(jar, path);
	for (int i = 0; i < 3 && (slash = strrchr(jar, '/')) != NULL; i++)
		*slash = '\0';
	strcat(jar, "/jfr.jar");
	has = opener_look(&r->opener, r->root_fd, jar, &f, NULL) > 0;
	free(jar);
	return has;
}

enum jdk_part jdk_find_recorder(struct jvm_root *r, const char *library)
{
	enum jdk_part part = JDK_PART_UNKNOWN;
	char *text;

	if (version_of_layout(library) == 8)
		return has_jar(r, library) ? JDK_PART_THERE : JDK_PART_MISSING;
	text = find_release(r, library);
	if (text)
		part = version_has_module(text, "jdk.jfr");
	free(text);
	return part;
}
