/* SPDX-License-Identifier: MIT */
/*
 * borrowed.c - types of the JDK that native programs may have, too
 *
 * Views, rules and the pages of JDK Mission Control know them by their names and fields, so an
 * event of such a name has just these.
 */
#include "recorder/types/borrowed.h"

#include <stdio.h>
#include <string.h>

#include "recorder/types/types.h"

/* Fields: a letter for the kind, and the name. */
static const struct {
	const char *name, *fields;
} borrowed[] = {
	{ "jdk.SocketRead", "s:host s:address i:port l:timeout l:bytesRead b:endOfStream" },
	{ "jdk.SocketWrite", "s:host s:address i:port l:bytesWritten" },
	{ "jdk.FileRead", "s:path l:bytesRead b:endOfFile" },
	{ "jdk.FileWrite", "s:path l:bytesWritten" },
	{ "jdk.FileForce", "s:path b:metaData" },
	{ "jdk.JavaMonitorEnter", "c:monitorClass t:previousOwner l:address" },
	{ "jdk.ThreadPark", "c:parkedClass l:timeout l:until l:address" },
	{ "jdk.ThreadSleep", "l:time" },
};

#define BORROWED (sizeof(borrowed) / sizeof(borrowed[0]))

const char *borrowed_name(unsigned i)
{
	return i < BORROWED ? borrowed[i].name : NULL;
}

static char letter_of(unsigned kind)
{
	switch (kind) {
	case JFREC_EVENT_LONG:
	case JFREC_EVENT_ULONG:
		return 'l';
	case JFREC_EVENT_INT:
		return 'i';
	case JFREC_EVENT_BOOL:
		return 'b';
	case JFREC_EVENT_STRING:
	case JFREC_EVENT_INTERNED:
		return 's';
	case KIND_CLASS:
		return 'c';
	case KIND_THREAD:
		return 't';
	default:
		return '?';
	}
}

static bool has_fields(const struct jfrec_event_type *t, const char *fields)
{
	char one[128];

	for (size_t i = 0; i < t->field_count; i++) {
		size_t len = strcspn(fields, " ");

		snprintf(one, sizeof(one), "%c:%.100s", letter_of((unsigned)t->fields[i].kind),
			 t->fields[i].name);
		if (strlen(one) != len || strncmp(one, fields, len))
			return false;
		fields += len + (fields[len] == ' ');
	}
	return !*fields;
}

bool borrowed_is_sound(const struct jfrec_event_type *t)
{
	const unsigned flags = JFREC_EVENT_HAS_DURATION | JFREC_EVENT_HAS_STACK;

	for (size_t i = 0; i < BORROWED; i++)
		if (!strcmp(t->name, borrowed[i].name))
			return (t->flags & flags) == flags && has_fields(t, borrowed[i].fields);
	return false;
}
