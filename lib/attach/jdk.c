/* SPDX-License-Identifier: MIT */
/*
 * jdk.c - the JDK that a libjvm.so belongs to
 */
#include "attach/jdk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/version.h"
#include "process/root.h"

/* Of a file `release`. */
#define MAX_RELEASE (64 << 10)

/* From lib/server/libjvm.so, or jre/lib/amd64/server/libjvm.so, up to the JDK. */
#define MAX_PARENTS 5

/* The text of a regular file of its root, of a size that is fit for it, or NULL. */
static char *read_release(int root, const char *path)
{
	int fd = root_open_at(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	char *text = NULL;
	struct stat st;
	ssize_t len;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_RELEASE)
		text = malloc((size_t)st.st_size + 1);
	if (text) {
		len = read(fd, text, (size_t)st.st_size);
		text[len < 0 ? 0 : len] = '\0';
	}
	close(fd);
	return text;
}

/* The `release` of the JDK, from the first directory above the library that has one; or NULL. */
static char *find_release(const struct process *p, int root, const char *library)
{
	const char *path = root_name(p, library);
	size_t len = strlen(path);
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
		text = read_release(root, release);
		len--;
	}
	free(release);
	return text;
}

char *jdk_version(const struct process *p, int root, const char *library, struct arena *arena)
{
	char *text = find_release(p, root, library), *version = NULL;
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
static bool has_jar(const struct process *p, int root, const char *library)
{
	const char *path = root_name(p, library);
	char *jar = malloc(strlen(path) + sizeof("/../../jfr.jar")), *slash;
	int fd = -1;

	if (!jar)
		return false;
	strcpy(jar, path);
	for (int i = 0; i < 3 && (slash = strrchr(jar, '/')) != NULL; i++)
		*slash = '\0';
	strcat(jar, "/jfr.jar");
	fd = root_open_at(root, jar, O_PATH);
	if (fd >= 0)
		close(fd);
	free(jar);
	return fd >= 0;
}

enum jdk_part jdk_find_recorder(const struct process *p, int root, const char *library)
{
	enum jdk_part part = JDK_PART_UNKNOWN;
	char *text;

	if (version_of_layout(library) == 8)
		return has_jar(p, root, library) ? JDK_PART_THERE : JDK_PART_MISSING;
	text = find_release(p, root, library);
	if (text)
		part = version_has_module(text, "jdk.jfr");
	free(text);
	return part;
}
