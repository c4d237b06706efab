/* SPDX-License-Identifier: MIT */
/*
 * dumps.c - thread dumps: from a text to what it says
 *
 *	a text --> hotspot.c or dump_json.c --> dump.c: frames.c, graph.c, cycles.c, groups.c,
 *pools.c
 */
#include "threads/dumps.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "threads/dump_json.h"
#include "threads/hotspot.h"

/* What else is called a thread dump; looked for at the beginning of a text. */
static const struct {
	const char *mark, *sentence;
} others[] = {
	{ "0SECTION ", "it is a javacore of OpenJ9, whose threads jfrec does not read; the JVM writes the "
		       "dump of HotSpot with jcmd PID Thread.print" },
	{ "1TISIGINFO", "it is a javacore of OpenJ9, whose threads jfrec does not read; the JVM writes the "
			"dump of HotSpot with jcmd PID Thread.print" },
	{ "# A fatal error has been detected", "it is the log of a JVM that crashed (hs_err), which has "
					       "no thread dump" },
	{ "Attaching to process ID", "it was written by jstack -F, which has no names of locks; take a "
				     "dump with jfrec threads --raw PID" },
	{ "Attaching to core", "it was written from a core file, without the names of locks; take a "
			       "dump of the running JVM with jfrec threads --raw PID" },
};

#define MARKS_WITHIN 4096

/* More than an hour of one every second; what follows is left out. */
#define MAX_DUMPS 10000

static int fail_for_kind(const char *text, size_t len, struct jfrec_error *err)
{
	size_t within = len < MARKS_WITHIN ? len : MARKS_WITHIN;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (memmem(text, within, others[i].mark, strlen(others[i].mark)))
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "%s",
					  others[i].sentence);
	}
	if (len && text[0] != '{' && memmem(text, within, "\n#", 2) &&
	    (memmem(text, within, " virtual\n", 9) || memmem(text, within, "\" RUNNABLE ", 11)))
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "it is a dump of Thread.dump_to_file as plain text, without the locks; "
				  "ask the JVM for -format=json");
	return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
			  "there is no thread dump in it; jfrec threads --raw PID writes one");
}

struct jfrec_thread_dumps *jfrec_thread_dumps_new(struct jfrec_error *err)
{
	struct jfrec_thread_dumps *d = calloc(1, sizeof(*d));

	if (!d)
		jfrec_fail_memory(err);
	return d;
}

static void free_dump(struct dump *d)
{
	if (d)
		dump_fini(d);
	free(d);
}

/* Takes over the dump, complete or not. */
static int keep(struct jfrec_thread_dumps *d, struct dump *one, struct jfrec_error *err)
{
	if (!one->no_memory && dump_finish(one) && array_push(d->items, d->count, d->room, one))
		return 0;
	free_dump(one);
	return jfrec_fail_memory(err);
}

static int read_hotspot(struct jfrec_thread_dumps *d, char *text, size_t len,
			struct jfrec_error *err)
{
	struct lines l = { .next = text, .end = text + len };
	size_t before = d->count;

	while (d->count < MAX_DUMPS) {
		struct dump *one = calloc(1, sizeof(*one));

		if (!one)
			return jfrec_fail_memory(err);
		if (!hotspot_read(one, &l)) {
			free_dump(one);
			break;
		}
		if (keep(d, one, err) < 0)
			return -1;
	}
	return d->count > before ? 0 : 1;
}

static int read_json(struct jfrec_thread_dumps *d, char *text, size_t len, struct jfrec_error *err)
{
	struct dump *one = calloc(1, sizeof(*one));

	if (!one)
		return jfrec_fail_memory(err);
	if (dump_json_read(one, text, len, err) < 0) {
		free_dump(one);
		return -1;
	}
	return keep(d, one, err);
}

int jfrec_thread_dumps_add(struct jfrec_thread_dumps *d, char *text, size_t len,
			   struct jfrec_error *err)
{
	char start[MARKS_WITHIN];
	size_t kept = len < sizeof(start) ? len : sizeof(start), blanks;
	int ret;

	if (!array_push(d->texts, d->text_count, d->text_room, text)) {
		free(text);
		return jfrec_fail_memory(err);
	}
	text[len] = '\0';
	memcpy(start, text, kept);
	blanks = strspn(text, " \t\r\n");
	if (text[blanks] == '{')
		return read_json(d, text + blanks, len - blanks, err);
	ret = read_hotspot(d, text, len, err);
	/* The text has been changed; what it was is told by its beginning. */
	return ret > 0 ? fail_for_kind(start, kept, err) : ret;
}

size_t jfrec_thread_dumps_count(const struct jfrec_thread_dumps *d)
{
	return d->count;
}

const struct jfrec_thread_dump *jfrec_thread_dumps_get(const struct jfrec_thread_dumps *d, size_t i)
{
	return i < d->count ? &d->items[i]->is : NULL;
}

void jfrec_thread_dumps_free(struct jfrec_thread_dumps *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++)
		free_dump(d->items[i]);
	for (size_t i = 0; i < d->text_count; i++)
		free(d->texts[i]);
	free(d->items);
	free(d->texts);
	free(d);
}
