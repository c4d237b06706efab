/* SPDX-License-Identifier: MIT */
/*
 * replay.c - a fuzz target as an ordinary test: no fuzzer, the inputs we have
 *
 *    fuzz_NAME DIRECTORY...      all .jfr, .bin and .yaml in them; a test each
 *
 * A test that fails crashes or aborts, so what is not told as ok failed.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

static int is_input(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && (strcmp(dot, ".jfr") == 0 || strcmp(dot, ".bin") == 0 ||
		       strcmp(dot, ".yaml") == 0);
}

/* The bytes of a file, to be freed. */
static uint8_t *read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long size;

	if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
		rewind(f);
		*len = (size_t)size;
		bytes = malloc(*len + 1);
		if (bytes && fread(bytes, 1, *len, f) != *len) {
			free(bytes);
			bytes = NULL;
		}
	}
	if (f)
		fclose(f);
	return bytes;
}

static int replay(const char *directory, const char *name)
{
	char path[4096];
	uint8_t *bytes;
	size_t len;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	bytes = read_file(path, &len);
	if (!bytes)
		return -1;
	LLVMFuzzerTestOneInput(bytes, len);
	free(bytes);
	return 0;
}

int main(int argc, char **argv)
{
	int tests = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		struct dirent **entries;
		int n = scandir(argv[i], &entries, is_input, alphasort);

		if (n <= 0) {
			printf("not ok %d - %s: no inputs are there\n", ++tests, argv[i]);
			failed++;
			continue;
		}
		for (int k = 0; k < n; k++) {
			int bad = replay(argv[i], entries[k]->d_name) < 0;

			printf("%s %d - %s\n", bad ? "not ok" : "ok", ++tests, entries[k]->d_name);
			failed += bad;
			free(entries[k]);
		}
		free(entries);
	}
	printf("1..%d\n", tests);
	return failed > 0;
}
