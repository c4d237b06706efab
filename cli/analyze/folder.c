/* SPDX-License-Identifier: MIT */
/*
 * folder.c - a directory of recordings, each to be judged by itself
 */
#include "analyze/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/report.h"
#include "base/suffix.h"

bool folder_is_chunk(const char *name)
{
	return strcmp(name + strspn(name, "0123456789_"), ".jfr") == 0;
}

static bool add(struct folder *f, const char *path, const char *name)
{
	char *whole;

	if (asprintf(&whole, "%s/%s", path, name) < 0)
		return false;
	if (array_push(f->paths, f->count, f->room, whole))
		return true;
	free(whole);
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool folder_read(struct folder *f, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool good = true;

	*f = (struct folder){ .is_chunks = true };
	if (!dir) {
		say(path, strerror(errno));
		return false;
	}
	while (good && (entry = readdir(dir)) != NULL) {
		if (!suffix_is_recording(entry->d_name))
			continue;
		f->is_chunks &= folder_is_chunk(entry->d_name);
		good = add(f, path, entry->d_name);
	}
	closedir(dir);
	if (!good)
		say_out_of_memory();
	if (f->count)
		qsort(f->paths, f->count, sizeof(*f->paths), compare);
	return good;
}

void folder_fini(struct folder *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->paths[i]);
	free(f->paths);
}
