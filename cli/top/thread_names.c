/* SPDX-License-Identifier: MIT */
/*
 * thread_names.c - the names of Java threads by their native ids, from a thread dump
 *
 *	"main" #1 prio=5 os_prio=0 cpu=41.52ms elapsed=9.01s tid=0x00007f... nid=0x1a2b runnable [0x...]
 *	"main" #1 [6699] prio=5 os_prio=0 ... tid=0x00007f... nid=6699 waiting on condition [0x...]
 *
 * The id is hexadecimal before JDK 19, and one of the JVM's pid namespace. The name may hold
 * anything, quotes and all that follows one included, so the last quote of the line before the last
 * id ends it.
 */
#include "top/thread_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* More threads than these are not named. */
#define MOST_NAMES (32u << 10)

/* Before the last " nid="; NULL: there is none. */
static char *find_id(char *line)
{
	char *found = NULL;

	for (char *at = line; (at = strstr(at, " nid=")) != NULL; at++)
		found = at;
	return found;
}

static int take_line(struct thread_names *t)
{
	char *id, *end, key[16];
	unsigned long number;

	t->line[t->len] = '\0';
	id = t->line[0] == '"' ? find_id(t->line) : NULL;
	if (!id || json_object_size(t->names) >= MOST_NAMES)
		return 0;
	*id = '\0';
	number = strtoul(id + strlen(" nid="), NULL, 0);
	end = strrchr(t->line, '"');
	if (end == t->line || !number || number > 1u << 30)
		return 0;
	*end = '\0';
	snprintf(key, sizeof(key), "%lu", number);
	return json_object_set_new(t->names, key, text_json(t->line + 1)) < 0 ? ENOMEM : 0;
}

int thread_names_take(void *names, const void *data, size_t len)
{
	struct thread_names *t = names;
	const char *bytes = data;
	int error = 0;

	for (size_t i = 0; i < len && !error; i++) {
		if (bytes[i] == '\n') {
			error = take_line(t);
			t->len = 0;
		} else if (t->len < sizeof(t->line) - 1) {
			t->line[t->len++] = bytes[i];
		}
	}
	return error;
}
