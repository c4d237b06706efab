/* SPDX-License-Identifier: MIT */
/*
 * columns.c - a list of words in columns, as `jfr` prints its views
 */
#include "view/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t widest(const char **words, size_t from, size_t to)
{
	size_t most = 0;

	for (size_t i = from; i < to; i++) {
		if (strlen(words[i]) > most)
			most = strlen(words[i]);
	}
	return most;
}

void print_in_columns(FILE *to, const char **words, size_t count, size_t columns)
{
	size_t height = (count + columns - 1) / columns;

	qsort(words, count, sizeof(*words), compare);
	for (size_t row = 0; row < height; row++) {
		for (size_t i = row; i < count; i += height) {
			size_t end = i - row + height < count ? i - row + height : count;
			size_t padding = widest(words, i - row, end) - strlen(words[i]);

			fputc(' ', to);
			put_name(to, words[i]);
			fprintf(to, "%*s", (int)padding, "");
		}
		fputc('\n', to);
	}
}
