/* SPDX-License-Identifier: MIT */
/*
 * command_file.c - read a file of diagnostic commands, one per line
 */
#include "jvm/command_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands fit in that a thousand times. */
#define MAX_TEXT (1u << 20)

static bool say(const char *path, const char *what)
{
	fprintf(stderr, "jfrec: %s: %s\n", path, what);
	return false;
}

static bool say_no_memory(void)
{
	return say("commands", "out of memory");
}

/* Take over text, which ends in NUL. Empty lines at its end are none. */
static bool split(struct command_file *l, char *text)
{
	size_t room = 1;

	l->text = text;
	for (const char *p = text; *p; p++)
		room += *p == '\n';
	l->items = calloc(room, sizeof(*l->items));
	if (!l->items)
		return say_no_memory();
	for (char *rest = text; rest;)
		l->items[l->count++] = strsep(&rest, "\n");
	while (l->count && !*l->items[l->count - 1])
		l->count--;
	return true;
}

static bool read_from(struct command_file *l, FILE *f, const char *path)
{
	char *text = malloc(MAX_TEXT + 1);
	size_t len;

	if (!text)
		return say_no_memory();
	len = fread(text, 1, MAX_TEXT + 1, f);
	if (ferror(f) || len > MAX_TEXT || memchr(text, '\0', len)) {
		say(path, ferror(f)	   ? strerror(errno)
			  : len > MAX_TEXT ? "a file of commands must be smaller than 1 MiB"
					   : "a command cannot contain a NUL byte");
		free(text);
		return false;
	}
	text[len] = '\0';
	return split(l, text);
}

bool command_file_read(struct command_file *l, const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	bool good;

	if (!f)
		return say(path, strerror(errno));
	good = read_from(l, f, path);
	if (f != stdin)
		fclose(f);
	return good;
}

bool command_file_join(struct command_file *l, char *const *words, int count)
{
	size_t size = 1;
	char *text, *end;

	for (int i = 0; i < count; i++)
		size += strlen(words[i]) + 1;
	text = end = malloc(size);
	if (!text)
		return say_no_memory();
	*end = '\0';
	for (int i = 0; i < count; i++)
		end += sprintf(end, "%s%s", i ? " " : "", words[i]);
	return split(l, text);
}

void command_file_fini(struct command_file *l)
{
	free(l->items);
	free(l->text);
	*l = (struct command_file){ 0 };
}
