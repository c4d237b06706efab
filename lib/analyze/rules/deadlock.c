/* SPDX-License-Identifier: MIT */
/*
 * deadlock.c - do threads wait for each other, so that none of them ever runs again?
 *
 * The JVM looks for that whenever it writes a thread dump, and appends what it found
 * (threads/deadlock_section.c).
 */
#include <stdlib.h>

#include "analyze/dumps.h"
#include "analyze/rules.h"
#include "threads/deadlock_section.h"
#include "threads/frames.h"

#define FOUND "\n" DEADLOCK_FOUND "\n==="

/* What is read of a dump, from there on. */
#define MAX_TEXT 65536
#define MAX_THREADS 8

/* Dumps that are nearer say nothing of threads that stand at the same place in both. */
#define APART_NS INT64_C(10000000000)

enum { DUMP };

static const struct reads inputs[] = {
	READS("jdk.ThreadDump", PERIODIC, "result"),
	READS("jdk.ThreadPark", HELPS, "eventThread"),
	READS("jdk.JavaMonitorEnter", HELPS, "eventThread"),
	{ 0 },
};

/* Numbers of texts. */
struct blocked {
	uint32_t name, lock, holder, place;
};

struct state {
	uint64_t dumps, found;
	int64_t first_ns, last_ns, last_dump_ns;
	struct blocked threads[MAX_THREADS];
	size_t count, total; /* kept; there were */
	struct dumps stands;
	struct groups ended; /* name of a thread: waits that ended */
};

/* A text, cut short where that is very long. */
static uint32_t put(const struct event *e, const char *text)
{
	char copy[512];

	if (!text)
		return 0;
	snprintf(copy, sizeof(copy), "%s", text);
	return event_put_text(e, copy);
}

/* "app.Bank.transfer:23" of the first frame that is not the JDK's; else 0. */
static uint32_t place_of(const struct event *e, const struct jfrec_deadlocked *t)
{
	char text[METHOD_MAX];

	for (size_t i = 0; i < t->frame_count; i++) {
		if (frame_place(text, t->frames[i]) && !is_jdk_method(text))
			return event_put_text(e, text);
	}
	return 0;
}

/* One deadlock is shown; of the others, how many dumps had any. */
static void keep(struct state *s, const struct event *e, const struct jfrec_deadlock *of)
{
	s->total = of->count;
	for (s->count = 0; s->count < of->count && s->count < MAX_THREADS; s->count++) {
		const struct jfrec_deadlocked *t = &of->threads[s->count];

		s->threads[s->count] = (struct blocked){
			.name = put(e, t->name),
			.lock = put(e, t->lock.class_name),
			.holder = put(e, t->holder),
			.place = place_of(e, t),
		};
	}
}

static void parse(struct state *s, const struct event *e, const char *text)
{
	char *copy = strdup(text + 1);
	struct dump d = { 0 };

	s->count = s->total = 0;
	if (!copy || !deadlock_section_read(&d, copy, strlen(copy)))
		event_no_memory(e);
	else if (d.deadlocks.count)
		keep(s, e, &d.deadlocks.items[0]);
	dump_fini(&d);
	free(copy);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	const char *text;

	if (e->input != DUMP) {
		groups_add(&s->ended, e, (uint32_t[4]){ event_text(e, 0) }, 1, NULL);
		return;
	}
	dumps_take(&s->stands, e, 0);
	text = event_excerpt(e, 0, FOUND, MAX_TEXT);
	s->dumps++;
	if (s->dumps == 1 || e->start_ns > s->last_dump_ns)
		s->last_dump_ns = e->start_ns;
	if (text) {
		if (!s->found || e->start_ns < s->first_ns) {
			s->first_ns = e->start_ns;
			parse(s, e, text);
		}
		if (!s->found || e->start_ns > s->last_ns)
			s->last_ns = e->start_ns;
		s->found++;
	}
}

static void fini(void *state)
{
	struct state *s = state;

	dumps_fini(&s->stands);
	groups_fini(&s->ended);
}

/* It stood there all the time, or else a wait of it would have ended. */
static const struct stand_in_dump *stuck(const struct state *s, size_t i)
{
	const struct stand_in_dump *t = dumps_standing(&s->stands, i);
	const struct group *ended = t ? groups_find(&s->ended, (uint32_t[4]){ t->name }) : NULL;

	return t && (!ended || ended->last_ns <= s->stands.first.at_ns) && !s->ended.others ? t
											    : NULL;
}

/* The same, if that is what it waits for, in that pool; 0: in any. */
static const struct stand_in_dump *stuck_waiting(const struct state *s, size_t i, enum stuck_in in,
					    uint32_t pool)
{
	const struct stand_in_dump *t = &s->stands.last.threads[i];

	return t->in == in && (!pool || t->pool == pool) ? stuck(s, i) : NULL;
}

struct stuck_count {
	size_t threads;
	const struct stand_in_dump *first;
};

static struct stuck_count count_stuck(const struct state *s, enum stuck_in in, uint32_t pool)
{
	struct stuck_count n = { 0 };

	for (size_t i = 0; i < s->stands.last.count; i++) {
		const struct stand_in_dump *t = stuck_waiting(s, i, in, pool);

		if (!t)
			continue;
		n.threads++;
		n.first = n.first ? n.first : t;
	}
	return n;
}

static void show_stuck(struct judging *j, const struct state *s, enum stuck_in in, uint32_t pool)
{
	unsigned shown = 0;

	for (size_t i = 0; i < s->stands.last.count && shown < MAX_THREADS; i++) {
		const struct stand_in_dump *t = stuck_waiting(s, i, in, pool);

		if (!t)
			continue;
		shown++;
		show_name(j, JFREC_EVIDENCE_THREAD, "waits", text_at(j, t->name), NAN);
		if (t->place)
			show_name(j, JFREC_EVIDENCE_METHOD, "waits in", text_at(j, t->place), NAN);
	}
	show_range(j, "seen in thread dumps", s->stands.first.at_ns, s->stands.last.at_ns);
	show_events(j, "jdk.ThreadDump", s->stands.last.at_ns, s->stands.last.at_ns, NULL);
}

/* Locks that no thread gets, though the JVM sees no circle. True: it was reported. */
static bool tell_locks(struct judging *j, const struct state *s)
{
	struct stuck_count n = count_stuck(s, STUCK_LOCK, 0);

	if (!n.threads)
		return false;
	judge_at_least(j, n.threads > 1 ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	summarize(j, "%zu thread%s waited for a lock from %s on, for all of %s, and did not get it: %s in "
		     "%s%s%s",
		  n.threads, plural((double)n.threads), time_text(j, s->stands.first.at_ns),
		  span_text(j, (double)(s->stands.last.at_ns - s->stands.first.at_ns)),
		  text_at(j, n.first->name), text_at(j, n.first->place), n.first->what ? ", a " : "",
		  text_at(j, n.first->what));
	advise(j, "Look for who holds it and never lets go: a read lock whose holder wants the write "
		  "lock, a path without unlock(), a holder that waits for these threads");
	show_stuck(j, s, STUCK_LOCK, 0);
	return true;
}

/* Workers that all wait for results, which none of them is left to make. */
static bool tell_pools(struct judging *j, const struct state *s)
{
	for (size_t i = 0; i < s->stands.last.count; i++) {
		const struct stand_in_dump *t = stuck_waiting(s, i, STUCK_FUTURE, 0);
		struct stuck_count n;

		if (!t || !dumps_pool_waits(&s->stands, t->pool))
			continue;
		n = count_stuck(s, STUCK_FUTURE, t->pool);
		if (n.threads < 2)
			continue;
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "All %zu threads %s... waited for results of others from %s on, for all of %s, "
			     "and got none, in %s",
			  n.threads, text_at(j, t->pool), time_text(j, s->stands.first.at_ns),
			  span_text(j, (double)(s->stands.last.at_ns - s->stands.first.at_ns)),
			  text_at(j, t->place));
		advise(j, "See whether the work that they wait for was given to the same executor, which has "
			  "no thread left for it: give it one of its own");
		show_stuck(j, s, STUCK_FUTURE, t->pool);
		return true;
	}
	return false;
}

static bool tell_stuck(struct judging *j, const struct state *s)
{
	return s->stands.last.at_ns - s->stands.first.at_ns >= APART_NS &&
	       type_was_on(j, "jdk.ThreadPark") && type_was_on(j, "jdk.JavaMonitorEnter") &&
	       (tell_locks(j, s) || tell_pools(j, s));
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;
	const struct blocked *first = &s->threads[0];

	if (!s->found && tell_stuck(j, s))
		return;
	if (!s->found) {
		summarize(j, "No deadlock in %s thread dump%s", count_text(j, (double)s->dumps),
			  plural((double)s->dumps));
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (s->count && first->holder)
		summarize(j, "Deadlock of %zu thread%s, seen at %s: %s waits for %s, which %s holds, and "
			     "none of them will run again",
			  s->total, plural((double)s->total), time_text(j, s->first_ns),
			  text_at(j, first->name),
			  first->lock ? textf(j, "a lock of %s", text_at(j, first->lock)) : "a lock",
			  text_at(j, first->holder));
	else
		summarize(j, "Deadlock, seen at %s: threads wait for each other, and none of them will "
			     "run again",
			  time_text(j, s->first_ns));
	if (s->last_ns < s->last_dump_ns)
		doubt(j, "later thread dumps do not show it");
	show_range(j, "seen in thread dumps", s->first_ns, s->last_ns);
	for (size_t i = 0; i < s->count; i++) {
		const struct blocked *t = &s->threads[i];

		show_name(j, JFREC_EVIDENCE_THREAD,
			  textf(j, "waits for %s, held by %s",
				t->lock ? text_at(j, t->lock) : "a lock",
				t->holder ? text_at(j, t->holder) : "another thread"),
			  text_at(j, t->name), NAN);
		if (t->place)
			show_name(j, JFREC_EVIDENCE_METHOD, "waits in", text_at(j, t->place), NAN);
	}
	show_events(j, "jdk.ThreadDump", s->first_ns, s->first_ns, NULL);
}

const struct rule rule_deadlock = {
	.info = {
		.id = "deadlock",
		.question = "Do threads wait for each other, so that none of them ever runs again?",
		.matters = "Threads in a deadlock never end, nor do those that wait for locks that "
			   "these hold. Only a restart of the JVM helps.",
		.computes = "Reads in thread dumps (jdk.ThreadDump) whether the JVM found a deadlock: "
			    "a circle of threads that wait for monitors or for locks of "
			    "java.util.concurrent. Also looks for threads that wait for a lock at the same "
			    "place in the first and the last dump, 10 s apart or more, and of which no wait "
			    "ended meanwhile: two are a warning, one is info. So are all "
			    "workers of an executor that wait so for a future.",
		.advice = "Restart the JVM; then have all code take these locks in the same order, or "
			  "with tryLock and a timeout",
		.beware = "The JVM finds neither circles through read locks, semaphores, latches and "
			  "queues, nor those of virtual threads. What begins after the last dump is not seen.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
