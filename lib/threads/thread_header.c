/* SPDX-License-Identifier: MIT */
/*
 * thread_header.c - the line of a thread dump that begins a thread
 *
 *	JDK 8:  "main" #1 prio=5 os_prio=0 tid=0x00007f5d nid=0x2ba2 waiting on condition
 *[0x00007f5d] 11, 17: "main" #1 prio=5 os_prio=0 cpu=74.12ms elapsed=2.54s tid=0x00007f5d
 *nid=0x2ba2 runnable ... 21, 25: "main" #1 [11170] prio=5 os_prio=0 cpu=74.12ms elapsed=2.54s
 *tid=0x00007f5d nid=11170 ... "VM Thread" os_prio=0 cpu=1.42ms elapsed=2.43s tid=0x00007fd1
 *nid=0x3129 runnable
 *
 * A name is what the program says: it may have quotes, and even line feeds, in it.
 */
#include "threads/thread_header.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

char *thread_header_name_end(char *line)
{
	char *end = NULL;

	if (*line != '"')
		return NULL;
	/* The last quote that can end it does. */
	for (char *at = line + 1; (at = strchr(at, '"')) != NULL; at++) {
		const char *after = at + 2;

		if (at[1] == ' ' &&
		    (*after == '#' || begins_with(after, "prio=") || begins_with(after, "os_prio=") ||
		     begins_with(after, "daemon ") || begins_with(after, "tid=")))
			end = at;
	}
	return end;
}

/* The value of " NAME=" in the fields, or NULL. */
static const char *value_of(const char *fields, const char *name)
{
	const char *at = strstr(fields, name);

	return at ? at + strlen(name) : NULL;
}

/* "74.12ms", "2.54s"; -1: it is none. */
static int64_t span_of(const char *text)
{
	char *unit;
	double v = text ? strtod(text, &unit) : NAN;

	if (!(v >= 0 && v < 1e12))
		return -1;
	return (int64_t)llround(v * (begins_with(unit, "ms") ? 1e6 : 1e9));
}

void thread_header_read(struct thread_header *h, char *line, char *name_end)
{
	const char *fields = name_end + 1, *nid = value_of(fields, " nid=");

	*name_end = '\0';
	*h = (struct thread_header){
		.name = line + 1,
		.id = begins_with(fields, " #") ? strtoull(fields + 2, NULL, 10) : 0,
		.nid = nid ? strtoull(nid, NULL, 0) : 0,
		.daemon = strstr(fields, " daemon ") != NULL,
		.in_wait = strstr(fields, " in Object.wait()") != NULL,
		.cpu_ns = span_of(value_of(fields, " cpu=")),
		.elapsed_ns = span_of(value_of(fields, " elapsed=")),
	};
}
