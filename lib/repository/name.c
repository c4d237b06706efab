/* SPDX-License-Identifier: MIT */
/*
 * name.c - parse the names of repositories and chunk files
 */
#include "repository/name.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/suffix.h"

/* The form of a time; a 9 stands for any digit. */
#define TIME "9999_99_99_99_99_99"

bool name_is_chunk(const char *file)
{
	return ends_with_any(file, ".jfr");
}

bool name_is_part(const char *file)
{
	return ends_with_any(file, ".part");
}

static bool begins_with_time(const char *s)
{
	for (const char *form = TIME; *form; form++, s++) {
		if (*form == '9' ? !isdigit((unsigned char)*s) : *s != *form)
			return false;
	}
	return true;
}

bool name_is_own_chunk(const char *file)
{
	const char *end;

	if (!begins_with_time(file))
		return false;
	end = file + strlen(TIME);
	if (*end == '_' && isdigit((unsigned char)end[1]))
		end += 1 + strspn(end + 1, "0123456789");
	return strcmp(end, ".jfr") == 0;
}

static const char *last_name(const char *path)
{
	const char *end = path + strlen(path);

	while (end > path && end[-1] == '/')
		end--;
	while (end > path && end[-1] != '/')
		end--;
	return end;
}

int name_repository_pid(const char *path)
{
	const char *name = last_name(path);
	char *end;
	long pid;

	/* "2026_11_20_09_46_59_4711", or the same and a number if there was one of that name. */
	if (!begins_with_time(name) || name[strlen(TIME)] != '_' ||
	    !isdigit((unsigned char)name[strlen(TIME) + 1]))
		return 0;
	errno = 0;
	pid = strtol(name + strlen(TIME) + 1, &end, 10);
	if (*end == '_')
		end += 1 + strspn(end + 1, "0123456789");
	end += strspn(end, "/");
	return *end == '\0' && !errno && pid > 0 && pid <= INT_MAX ? (int)pid : 0;
}

bool name_parse_chunk_path(char *path, int ns_pid, bool *deleted)
{
	char *file;

	*deleted = ends_with(path, REPOSITORY_DELETED);
	if (*deleted)
		path[strlen(path) - strlen(REPOSITORY_DELETED)] = '\0';
	file = strrchr(path, '/');
	if (!file || !begins_with_time(file + 1) || !(name_is_chunk(file) || name_is_part(file)))
		return false;
	*file = '\0';
	return strchr(path, '/') && name_repository_pid(path) == ns_pid;
}
