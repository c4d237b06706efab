/* SPDX-License-Identifier: MIT */
/*
 * seen.c - thread dumps of one JVM or file, and what they show
 */
#include "threads/seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "threads/changes.h"
#include "threads/findings.h"
#include "threads/hot.h"

/* What a thread takes at most that did nothing, as lib/threads has it. */
#define SOME_CPU_NS 100000

int threads_seen_init(struct threads_seen *s)
{
	struct jfrec_error err;

	*s = (struct threads_seen){ .dumps = jfrec_thread_dumps_new(&err) };
	if (s->dumps)
		return EXIT_DONE;
	say_out_of_memory();
	return EXIT_FAILED;
}

bool threads_seen_deadlock(const struct threads_seen *s)
{
	return s->finding_count && s->findings[0].kind == FINDING_DEADLOCK;
}

/* Dumps of JDK 8, and those in JSON, have no CPU; the system has. */
static void tell_cpu(struct threads_seen *s)
{
	for (size_t i = 0; i < s->change_count; i++)
		s->changes[i].cpu_ns = 0;
	for (size_t i = 0; i < s->hot_count; i++) {
		struct jfrec_thread_change *c =
			(struct jfrec_thread_change *)threads_seen_change(s, s->hot[i].thread);

		if (!c)
			continue;
		c->cpu_ns = s->hot[i].cpu_ns;
		c->stands = c->stands && c->cpu_ns <= SOME_CPU_NS;
	}
}

static int fail_memory(void)
{
	say_out_of_memory();
	return EXIT_FAILED;
}

int threads_seen_finish(struct threads_seen *s)
{
	size_t count = jfrec_thread_dumps_count(s->dumps);
	struct jfrec_error err;

	s->last = jfrec_thread_dumps_get(s->dumps, count - 1);
	if (count > 1)
		s->changes =
			jfrec_thread_dumps_compare(s->dumps, 0, count - 1, &s->change_count, &err);
	if (count > 1 && !s->changes)
		return fail_memory();
	if (s->hot)
		tell_cpu(s);
	else if (!hot_by_dumps(s))
		return fail_memory();
	return findings_find(s) ? EXIT_DONE : fail_memory();
}

void threads_seen_fini(struct threads_seen *s)
{
	jfrec_free(s->changes);
	free(s->hot);
	free(s->findings);
	jfrec_thread_dumps_free(s->dumps);
}
