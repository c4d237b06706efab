/* SPDX-License-Identifier: MIT */
/*
 * lines.c - are these lines of JSON?
 *
 *    jfrec print --ndjson ... | lines
 *
 * Each line has to be an object that jansson reads, without two keys of the
 * same name, and its first key one that jfrec-ndjson(5) knows.  Prints how many
 * are events; exits with 1, and says why, at the first that is no such line.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Integers beyond 64 bits are allowed; jansson has to take them for reals. */
#define FLAGS (JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL)

static const char *first_key(json_t *line)
{
	return json_object_iter_key(json_object_iter(line));
}

static bool is_key(json_t *line, const char *name)
{
	const char *key = first_key(line);

	return key && strcmp(key, name) == 0;
}

int main(void)
{
	unsigned long number = 0, events = 0;
	char *text = NULL;
	size_t room = 0;
	ssize_t len;

	while ((len = getline(&text, &room, stdin)) > 0) {
		json_error_t error;
		json_t *line = json_loadb(text, (size_t)len, FLAGS, &error);

		number++;
		if (!line)
			line = json_loadb(text, (size_t)len, FLAGS | JSON_DECODE_INT_AS_REAL,
					  &error);
		if (!line || text[len - 1] != '\n') {
			fprintf(stderr, "line %lu: %s\n", number, line ? "has no end" : error.text);
			return 1;
		}
		if (!is_key(line, "type") && !is_key(line, "stack") && !is_key(line, "chunk")) {
			fprintf(stderr, "line %lu: begins with %s\n", number, first_key(line));
			return 1;
		}
		events += is_key(line, "type");
		json_decref(line);
	}
	free(text);
	printf("%lu\n", events);
	return 0;
}
