/* SPDX-License-Identifier: MIT */
/*
 * deadlock_section.c - the deadlocks that a JVM found, at the end of its thread dump
 *
 *	Found one Java-level deadlock:
 *	=============================
 *	"worker-1":
 *	  waiting to lock monitor 0x00007f (object 0x0000000, a app.Account),
 *	  which is held by "worker-2"
 *
 *	"worker-2":
 *	  waiting for ownable synchronizer 0x00000000fc01ca18, (a java.util...NonfairSync),
 *	  which is held by "worker-1"
 *
 *	Java stack information for the threads listed above:
 *	===================================================
 *	"worker-1":
 *		at app.Bank.transfer(Bank.java:23)
 *		- waiting to lock <0x0000000> (a app.Account)
 *	...
 *	Found 1 deadlock.
 *
 * Each further deadlock has all of that again.
 */
#include "threads/deadlock_section.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "threads/lines.h"

/* Circles are short; what has more threads was not written by a JVM. */
#define MAX_CIRCLE    1000
#define MAX_DEADLOCKS 100

static bool begins_with(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Cut out of the line what is between the two, the second being the last of its kind; or NULL. */
static char *between(char *line, const char *before, char after)
{
	char *from = strstr(line, before), *to;

	if (!from)
		return NULL;
	from += strlen(before);
	to = strrchr(from, after);
	if (!to || to == from)
		return NULL;
	*to = '\0';
	return from;
}

/* "object 0x0000000fc01c8f0, a ...": the address, a copy. */
static const char *address_of(struct dump *d, const char *line)
{
	const char *at = strstr(line, "(object ");
	size_t len;

	at = at ? at + 8 : strstr(line, "synchronizer ");
	if (!at)
		return NULL;
	at += *at == 's' ? strlen("synchronizer ") : 0;
	len = strspn(at, "0123456789abcdefx");
	return len ? arena_strndup(&d->arena, at, len) : NULL;
}

static void take_lock(struct jfrec_deadlocked *t, struct dump *d, char *line)
{
	char *name;

	t->wait = strstr(line, "ownable synchronizer") ? JFREC_WAIT_LOCK : JFREC_WAIT_MONITOR;
	t->lock = (struct jfrec_lock){ .id = address_of(d, line), .frame = SIZE_MAX };
	name = between(line, ", a ", ')');
	t->lock.class_name = name ? name : between(line, "(a ", ')');
}

static struct jfrec_deadlocked *find(struct jfrec_deadlocked *threads, size_t count,
				     const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(threads[i].name, name) == 0)
			return &threads[i];
	}
	return NULL;
}

/* A thread of the circle that was complete last. */
static struct jfrec_deadlocked *find_stack(struct dump *d, const char *name)
{
	const struct deadlock_list *l = &d->deadlocks;
	const struct jfrec_deadlock *last = l->count ? &l->items[l->count - 1] : NULL;

	return last ? find((struct jfrec_deadlocked *)last->threads, last->count, name) : NULL;
}

static void end_stack(struct deadlock_section *s, struct dump *d)
{
	const char **copy;

	if (s->of && s->frame_count && !s->of->frame_count) {
		copy = arena_alloc(&d->arena, s->frame_count * sizeof(*copy));
		if (copy) {
			memcpy(copy, s->frames, s->frame_count * sizeof(*copy));
			s->of->frames = copy;
			s->of->frame_count = s->frame_count;
		}
		d->no_memory |= !copy;
	}
	s->of = NULL;
	s->frame_count = 0;
}

static void end_circle(struct deadlock_section *s, struct dump *d)
{
	struct jfrec_deadlocked *copy;

	if (!s->count || d->deadlocks.count == MAX_DEADLOCKS)
		return;
	copy = arena_alloc(&d->arena, s->count * sizeof(*copy));
	if (!copy || !array_push(d->deadlocks.items, d->deadlocks.count, d->deadlocks.room,
				 (struct jfrec_deadlock){ copy, s->count, true, false }))
		d->no_memory = true;
	else
		memcpy(copy, s->threads, s->count * sizeof(*copy));
	s->count = 0;
}

/* The part that says who waits for what. */
static void take_circle_line(struct deadlock_section *s, struct dump *d, char *line)
{
	struct jfrec_deadlocked *last = s->count ? &s->threads[s->count - 1] : NULL;
	char *name;

	if (*line == '"') {
		name = between(line, "\"", '"');
		if (name && s->count < MAX_CIRCLE && !find(s->threads, s->count, name) &&
		    !array_push(s->threads, s->count, s->room,
				(struct jfrec_deadlocked){ .name = name,
							   .thread = JFREC_NO_THREAD }))
			d->no_memory = true;
		return;
	}
	if (!last)
		return;
	if (!last->lock.class_name && strstr(line, "waiting "))
		take_lock(last, d, line);
	if (!last->holder)
		last->holder = between(line, "which is held by \"", '"');
}

static void take_stack_line(struct deadlock_section *s, struct dump *d, char *line)
{
	char *name;

	if (*line == '"') {
		end_stack(s, d);
		name = between(line, "\"", '"');
		s->of = name ? find_stack(d, name) : NULL;
		return;
	}
	line += strspn(line, " \t");
	if (s->of && begins_with(line, "at ") &&
	    !array_push(s->frames, s->frame_count, s->frame_room, line + 3))
		d->no_memory = true;
}

void deadlock_section_line(struct deadlock_section *s, struct dump *d, char *line)
{
	if (d->deadlocks.count == MAX_DEADLOCKS && !s->in_stacks)
		return;
	if (begins_with(line, "Found one ")) {
		end_stack(s, d);
		end_circle(s, d);
		s->in_stacks = false;
	} else if (begins_with(line, "Java stack information")) {
		end_circle(s, d);
		s->in_stacks = true;
	} else if (s->in_stacks) {
		take_stack_line(s, d, line);
	} else {
		take_circle_line(s, d, line);
	}
}

void deadlock_section_end(struct deadlock_section *s, struct dump *d)
{
	end_stack(s, d);
	end_circle(s, d);
	free(s->threads);
	free(s->frames);
	*s = (struct deadlock_section){ 0 };
}

bool deadlock_section_read(struct dump *d, char *text, size_t len)
{
	struct deadlock_section s = { 0 };
	struct lines l = { .next = text, .end = text + len };

	for (char *line; (line = lines_next(&l)) != NULL;)
		deadlock_section_line(&s, d, line);
	deadlock_section_end(&s, d);
	return !d->no_memory;
}
