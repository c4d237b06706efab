/* SPDX-License-Identifier: MIT */
/*
 * phrases.c - names, frames and waits of threads, as sentences have them
 */
#include "threads/phrases.h"

#include <string.h>

#include "base/report.h"

#define LONGEST_NAME  100
#define LONGEST_FRAME 300

static void put_cut(FILE *to, const char *text, size_t longest)
{
	char copy[LONGEST_FRAME + 1];
	size_t len = strnlen(text, longest + 1);

	if (len <= longest) {
		put_name(to, text);
		return;
	}
	/* A character of UTF-8 stays whole. */
	for (len = longest; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
		len--;
	memcpy(copy, text, len);
	copy[len] = '\0';
	put_name(to, copy);
	fputs("…", to);
}

void put_short_name(FILE *to, const char *name)
{
	put_cut(to, *name ? name : "(without a name)", LONGEST_NAME);
}

void put_thread(FILE *to, const struct jfrec_dumped_thread *t)
{
	if (*t->name || !t->id)
		put_short_name(to, t->name);
	else
		fprintf(to, "%s #%llu", t->is_virtual ? "virtual thread" : "thread",
			(unsigned long long)t->id);
}

/* What follows the slash of a class that the JVM made is its address. */
static const char *without_module(const char *frame)
{
	const char *open = strchr(frame, '('), *slash;

	while (open && (slash = memchr(frame, '/', (size_t)(open - frame))) != NULL &&
	       strncmp(slash, "/0x", 3) != 0)
		frame = slash + 1;
	return frame;
}

/* The version of the module is of no use here: "(java.base@25.0.3/Thread.java:540)". */
void put_frame(FILE *to, const char *frame)
{
	const char *from = without_module(frame), *open = strchr(from, '(');
	const char *slash = open ? strchr(open, '/') : NULL;
	char text[LONGEST_FRAME + 1];

	if (slash)
		snprintf(text, sizeof(text), "%.*s%s", (int)(open + 1 - from), from, slash + 1);
	put_cut(to, slash ? text : from, LONGEST_FRAME - 1);
}

const char *wait_name(enum jfrec_wait wait)
{
	static const char *const names[] = {
		[JFREC_WAIT_MONITOR] = "monitor", [JFREC_WAIT_LOCK] = "lock",
		[JFREC_WAIT_CLASS] = "class",	  [JFREC_WAIT_NOTICE] = "notice",
		[JFREC_WAIT_PARK] = "park",
	};

	return names[wait];
}

void put_wait(FILE *to, enum jfrec_wait wait, const struct jfrec_lock *lock)
{
	static const char *const told[][2] = {
		[JFREC_WAIT_NONE] = { "waits", "waits for " },
		[JFREC_WAIT_MONITOR] = { "waits to enter a monitor", "waits to enter the monitor of " },
		[JFREC_WAIT_LOCK] = { "waits for a lock", "waits for a lock of " },
		[JFREC_WAIT_CLASS] = { "waits for a class to be initialized",
				       "waits for the initialization of " },
		[JFREC_WAIT_NOTICE] = { "waits for a notice", "waits for a notice of " },
		[JFREC_WAIT_PARK] = { "is parked", "is parked for " },
	};

	fputs(told[wait][lock->class_name != NULL], to);
	if (lock->class_name)
		put_cut(to, lock->class_name, LONGEST_NAME);
}

const char *place_of_thread(const struct jfrec_dumped_thread *t)
{
	if (t->site != SIZE_MAX)
		return t->frames[t->site];
	return t->frame_count ? t->frames[0] : NULL;
}

/* How the JDK waits, below which is what for. */
static bool is_mechanism(const char *frame)
{
	static const char *const prefixes[] = {
		"jdk.internal.", "sun.misc.Unsafe.", "java.util.concurrent.locks.", "java.lang.Object.wait",
		"java.lang.Thread.sleep", "java.lang.VirtualThread.", "java.lang.System$",
		"java.util.concurrent.FutureTask.awaitDone", "java.util.concurrent.ForkJoinPool.managedBlock",
		"java.util.concurrent.ForkJoinPool.unmanagedBlock",
		"java.util.concurrent.CompletableFuture.waitingGet",
		"java.util.concurrent.CompletableFuture$Signaller.", "sun.nio.ch.", "sun.nio.fs.",
		"java.net.SocketInputStream.socketRead", "java.net.PlainSocketImpl.",
		"java.net.AbstractPlainSocketImpl.", "java.net.Socket$SocketInputStream.implRead",
	};

	frame = without_module(frame);
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (strncmp(frame, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

const char *call_of_thread(const struct jfrec_dumped_thread *t)
{
	size_t end = t->site == SIZE_MAX ? t->frame_count : t->site;

	for (size_t i = 0; i < end; i++) {
		if (!is_mechanism(t->frames[i]))
			return t->frames[i];
	}
	return NULL;
}
