/* SPDX-License-Identifier: MIT */
/*
 * hotspot.c - thread dumps as HotSpot writes them
 *
 *	2026-11-28 01:43:00
 *	Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):
 *
 *	"worker-1" #23 [4711] prio=5 os_prio=0 cpu=1.02ms elapsed=30.1s tid=0x... nid=4711 waiting ...
 *	   java.lang.Thread.State: WAITING (parking)
 *		at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
 *		- parking to wait for  <0x000000043f8e5b28> (a java.util...NonfairSync)
 *		at app.Ledger.book(Ledger.java:42)
 *		- locked <0x000000043f8e5b18> (a app.Ledger)
 *
 *	   Locked ownable synchronizers:
 *		- <0x000000043f8e5c00> (a java.util...NonfairSync)
 *
 *	JNI global refs: 4, weak refs: 0
 *
 *	Found one Java-level deadlock: ...
 *
 * A thread that carries a virtual one has the stack of that below its own (JDK 21 on):
 *
 *	   Carrying virtual thread #22
 *		at ...
 *	   Mounted virtual thread #22
 *		at ...
 */
#include "threads/hotspot.h"

#include <stdlib.h>
#include <string.h>

#include "threads/deadlock_section.h"
#include "threads/thread_header.h"

#define FULL_DUMP "Full thread dump"

/* A name with more line feeds in it is not put together. */
#define MAX_NAME_LINES 8

struct reading {
	struct dump *d;
	struct lines *lines;
	struct jfrec_dumped_thread *thread; /* whose lines follow; or NULL */
	struct deadlock_section section;
	enum { BEFORE, IN_THREADS, AFTER_THREADS, IN_SECTION } at;
	bool in_owned;	 /* "Locked ownable synchronizers:" */
	bool in_wait;	 /* as thread_header */
	bool unnamed_wait; /* in Object.wait(), of an object that is not told */
};

static const char *after(const char *text, const char *with)
{
	size_t len = strlen(with);

	return strncmp(text, with, len) == 0 ? text + len : NULL;
}

/* Threads -------------------------------------------------------------------------------------- */

/* JDK 8 and 11 do not write what the thread waits for, but in Java it would stand in wait(). */
static bool waits_for_class(const struct reading *r)
{
	const struct jfrec_dumped_thread *t = r->thread;

	return r->in_wait && t->wait == JFREC_WAIT_NONE && t->frame_count && t->state &&
	       strcmp(t->state, "RUNNABLE") == 0 &&
	       !after(r->d->frames[r->d->frame_count - t->frame_count], "java.lang.Object.wait");
}

static void end_thread(struct reading *r)
{
	if (r->thread && waits_for_class(r)) {
		r->thread->wait = JFREC_WAIT_CLASS;
		r->thread->lock.frame = 0;
	}
	r->thread = NULL;
	r->in_owned = r->in_wait = r->unnamed_wait = false;
}

/* A name may have line feeds in it. */
static char *complete_header(struct reading *r, char *line)
{
	char *end = thread_header_name_end(line);

	for (unsigned i = 0; !end && i < MAX_NAME_LINES; i++) {
		const char *next = r->lines->next;

		/* Another thread begins. */
		if (next >= r->lines->end || *lines_content(r->lines, (char *)next) == '"' ||
		    !lines_join(r->lines, line))
			return NULL;
		end = thread_header_name_end(line);
	}
	return end;
}

static bool begin_thread(struct reading *r, char *line)
{
	struct thread_header h;
	char *end = complete_header(r, line);

	if (!end)
		return false;
	end_thread(r);
	thread_header_read(&h, line, end);
	r->thread = dump_begin_thread(r->d, h.name);
	if (!r->thread)
		return true;
	r->thread->id = h.id;
	r->thread->nid = h.nid;
	r->thread->daemon = h.daemon;
	r->thread->cpu_ns = h.cpu_ns;
	r->thread->elapsed_ns = h.elapsed_ns;
	r->in_wait = h.in_wait;
	return true;
}

/* What is mounted on a thread has its lines below those of that thread. */
static void begin_virtual(struct reading *r, const char *number)
{
	end_thread(r);
	r->thread = dump_begin_thread(r->d, "");
	if (!r->thread)
		return;
	r->thread->id = strtoull(number, NULL, 10);
	r->thread->is_virtual = r->thread->daemon = true;
	r->thread->state = "RUNNABLE";
}

/* Locks ---------------------------------------------------------------------------------------- */

/* "<0x000000043f8e5b28> (a app.Account)", "(a java.lang.Class for app.Account)" */
static struct jfrec_lock read_lock(const struct reading *r, char *text)
{
	const struct jfrec_dumped_thread *t = r->thread;
	struct jfrec_lock lock = { .frame = t->frame_count ? t->frame_count - 1 : 0 };
	char *open = strchr(text, '<'), *close = open ? strchr(open, '>') : NULL;
	char *name = close ? strstr(close, "(a ") : NULL, *end = name ? strrchr(name, ')') : NULL;

	if (close && open[1] == '0') {
		*close = '\0';
		lock.id = open + 1;
	}
	if (end) {
		*end = '\0';
		lock.class_name = name + 3;
	}
	return lock;
}

static void wait_for(struct reading *r, enum jfrec_wait wait, struct jfrec_lock lock)
{
	if (r->thread->wait != JFREC_WAIT_NONE)
		return;
	r->thread->wait = wait;
	r->thread->lock = lock;
}

/*
 * Who waits for a notice has locked the monitor and left it: "- locked" says so all the same.
 * Where the object of the wait is not told, it is the innermost that is locked.
 */
static void take_held(struct reading *r, struct jfrec_lock lock)
{
	struct jfrec_dumped_thread *t = r->thread;
	bool is_waited_for = t->wait == JFREC_WAIT_NOTICE || t->wait == JFREC_WAIT_MONITOR;

	if (!lock.id)
		return;
	if (r->unnamed_wait) {
		r->unnamed_wait = false;
		t->lock.id = lock.id;
		t->lock.class_name = lock.class_name;
		return;
	}
	if (is_waited_for && is_same_lock(&t->lock, &lock))
		return;
	dump_add_lock(r->d, &lock);
}

static void take_lock_line(struct reading *r, char *line)
{
	const char *class_name;
	char *text;

	if (r->in_owned) {
		take_held(r, read_lock(r, line));
	} else if ((text = (char *)after(line, "locked ")) != NULL) {
		take_held(r, read_lock(r, text));
	} else if ((text = (char *)after(line, "waiting to ")) != NULL) {
		wait_for(r, JFREC_WAIT_MONITOR, read_lock(r, text));
	} else if ((class_name = after(line, "waiting on the Class initialization monitor for ")) !=
		   NULL) {
		wait_for(r, JFREC_WAIT_CLASS,
			 (struct jfrec_lock){ .class_name = class_name,
					      .frame = r->thread->frame_count -
						       !!r->thread->frame_count });
	} else if ((text = (char *)after(line, "waiting on ")) != NULL) {
		wait_for(r, JFREC_WAIT_NOTICE, read_lock(r, text));
		r->unnamed_wait = r->thread->wait == JFREC_WAIT_NOTICE && !r->thread->lock.id;
	} else if ((text = (char *)after(line, "parking to wait for ")) != NULL) {
		struct jfrec_lock lock = read_lock(r, text);

		wait_for(r, wait_of_park(lock.class_name), lock);
	}
}

/* Lines ---------------------------------------------------------------------------------------- */

static void take_state(struct reading *r, char *line)
{
	line[strcspn(line, " ")] = '\0';
	r->thread->state = line;
}

static void take_thread_line(struct reading *r, char *line)
{
	const char *rest;

	line += strspn(line, " \t");
	if ((rest = after(line, "at ")) != NULL) {
		dump_add_frame(r->d, rest);
	} else if ((rest = after(line, "- ")) != NULL) {
		take_lock_line(r, (char *)rest);
	} else if ((rest = after(line, "java.lang.Thread.State: ")) != NULL) {
		take_state(r, (char *)rest);
	} else if (after(line, "Locked ownable synchronizers:")) {
		r->in_owned = r->d->is.has_owners = true;
	} else if ((rest = after(line, "Mounted virtual thread #")) != NULL) {
		begin_virtual(r, rest);
	}
}

static void take_line(struct reading *r, char *line)
{
	if (after(line, "JNI global ref")) {
		end_thread(r);
		r->at = AFTER_THREADS;
	} else if (strcmp(line, DEADLOCK_FOUND) == 0) {
		end_thread(r);
		r->at = IN_SECTION;
		deadlock_section_line(&r->section, r->d, line);
	} else if (r->at == IN_SECTION) {
		deadlock_section_line(&r->section, r->d, line);
	} else if (r->at == IN_THREADS && *line == '"') {
		begin_thread(r, line);
	} else if (r->thread) {
		take_thread_line(r, line);
	}
}

/* The dump, from its first line on; else the thread with which what was cut out of one begins. */
static bool begin_dump(struct reading *r, char *line, char *before)
{
	char *at = strstr(line, FULL_DUMP), *end;

	if (at) {
		lines_use_prefix(r->lines, line, (size_t)(at - line));
		r->at = IN_THREADS;
		at += strlen(FULL_DUMP);
		end = strrchr(at, ':');
		if (end && !end[1])
			*end = '\0';
		r->d->is.vm = at + (*at == ' ');
		before = before ? lines_content(r->lines, before) : NULL;
		/* "2026-11-28 01:43:00" */
		if (before && strlen(before) == 19 && before[4] == '-' && before[13] == ':')
			r->d->is.time = before;
		return true;
	}
	if (*line != '"' || !strstr(line, " nid=") || !strstr(line, " tid="))
		return false;
	r->at = IN_THREADS;
	return begin_thread(r, line);
}

/* Most lines show by their first byte that they do not. */
static bool begins_dump(const struct lines *l, char *line)
{
	return after(lines_content(l, line), FULL_DUMP) ||
	       (!strchr("\t \"", *line) && strstr(line, FULL_DUMP));
}

int hotspot_read(struct dump *d, struct lines *l)
{
	struct reading r = { .d = d, .lines = l };
	char *before = NULL;

	*d = (struct dump){ 0 };
	l->prefix_len = 0;
	for (char *line; (line = lines_next(l)) != NULL;) {
		if (r.at == BEFORE) {
			begin_dump(&r, line, before);
			before = line;
		} else if (begins_dump(l, line)) {
			lines_back(l, line);
			break;
		} else {
			take_line(&r, lines_content(l, line));
		}
	}
	end_thread(&r);
	deadlock_section_end(&r.section, d);
	d->is.is_cut |= r.at == IN_THREADS;
	return r.at != BEFORE;
}
