/* SPDX-License-Identifier: MIT */
/*
 * lock_contention.c - which lock costs most?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "JavaBlocking", "ContextSwitch", NULL };

enum { ENTER, PARK };
enum { CLASS, STACK, THREAD, OWNER };

static const struct reads inputs[] = {
	READS("jdk.JavaMonitorEnter", OCCURS, "monitorClass", "stackTrace", "eventThread", "previousOwner"),
	READS("jdk.ThreadPark", HELPS, "parkedClass", "stackTrace", "eventThread"),
	READS("jdk.ThreadContextSwitchRate", HELPS),
	{ 0 },
};

struct state {
	struct groups locks;   /* class, method, kind of lock */
	struct groups threads; /* that waited */
	struct groups owners;  /* class, thread that had the lock */
	double total, longest;
};

/* Threads that wait for work have a stack through one of these. */
static bool is_idle(const struct event *e, const char *class)
{
	static const char *const locks[] = { "java.util.concurrent.locks.ReentrantLock",
					     "java.util.concurrent.locks.ReentrantReadWriteLock",
					     "java.util.concurrent.locks.StampedLock",
					     "java.util.concurrent.Semaphore" };

	(void)e;
	for (size_t i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		if (strncmp(class, locks[i], strlen(locks[i])) == 0)
			return false;
	}
	return true;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double ns = (double)event_duration(e);
	uint32_t class = event_text(e, CLASS), thread = event_thread(e, THREAD);
	uint32_t stack = event_stack(e, STACK);
	struct group *g;
	bool is_most;

	if (e->input == PARK && is_idle(e, event_text_of(e, class)))
		return;
	if (strstr(event_text_of(e, event_text(e, THREAD)), "weblogic.socket.Muxer"))
		return;
	g = groups_add(&s->locks, e, (uint32_t[4]){ class, 0, e->input, 0 }, ns, &is_most);
	if (g && is_most) {
		g->most_stack = stack;
		g->most_thread = thread;
	}
	groups_add(&s->threads, e, (uint32_t[4]){ thread }, ns, NULL);
	if (e->input == ENTER && event_thread(e, OWNER))
		groups_add(&s->owners, e, (uint32_t[4]){ class, event_thread(e, OWNER) }, ns, NULL);
	if (e->input == ENTER)
		s->total += ns;
	if (ns > s->longest)
		s->longest = ns;
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->locks);
	groups_fini(&s->threads);
	groups_fini(&s->owners);
}

static const struct group *owner_of(const struct state *s, uint32_t class)
{
	for (uint32_t i = 0; i < s->owners.count; i++) {
		if (s->owners.list[i].key[0] == class)
			return &s->owners.list[i];
	}
	return NULL;
}

static void show_locks(struct judging *j, const struct state *s, double sum)
{
	for (uint32_t i = 0; i < s->locks.count && i < 3; i++) {
		const struct group *g = &s->locks.list[i];
		const struct group *owner = owner_of(s, g->key[0]);

		show_name(j, JFREC_EVIDENCE_CLASS,
			  textf(j, "%s waited in %s waits, at most %s", span_text(j, g->sum),
				count_text(j, (double)g->count), span_text(j, g->most)),
			  text_at(j, g->key[0]), sum > 0 ? g->sum / sum : NAN);
		show_stack(j, "longest wait", g->most_stack, NAN);
		if (owner)
			show_thread(j, "had it most", owner->key[1],
				    g->sum > 0 ? owner->sum / g->sum : NAN);
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double length = (double)recorded_ns(j), sum, of_one;
	const struct group *worst;

	groups_sort(&s->locks);
	groups_sort(&s->threads);
	groups_sort(&s->owners);
	sum = groups_sum(&s->locks);
	if (!s->locks.count) {
		summarize(j, "no thread waited for a lock for longer than %s",
			  span_text(j, (double)type_threshold_ns(j, "jdk.JavaMonitorEnter")));
		return;
	}
	worst = &s->locks.list[0];
	of_one = worst->sum / length;
	judge_by(j, of_one);
	summarize(j, "threads waited %s for locks of %s in %s, %s of the time of one thread %s",
		  span_text(j, worst->sum), text_at(j, worst->key[0]), span_text(j, length),
		  percent_text(j, of_one), limit_text(j));
	show_locks(j, s, sum);
	show_quantity(j, "threads that waited", (double)s->threads.count, JFREC_MEASURE_NUMBER);
	show_quantity(j, "longest wait", s->longest, JFREC_MEASURE_NS);
	show_command(j, "view contention-by-site");
	show_command(j, "flame --profile lock");
}

const struct rule rule_lock_contention = {
	.info = {
		.id = "lock-contention",
		.jmc = jmc,
		.question = "Which lock costs most?",
		.computes = "Adds up, for the class of each lock, how long threads waited for it "
			    "(jdk.JavaMonitorEnter; jdk.ThreadPark of java.util.concurrent.locks), "
			    "and divides the sum by the length of the recording: 100 % is one "
			    "thread that waited all the time.",
		.measures = "time waited for the locks of one class, of the recording's length",
		.unit = JFREC_MEASURE_SHARE,
		.info = 0.21,
		.warning = 1.0,
		.advice = "hold the lock for less time, or let fewer threads need it: take what is "
			  "slow out of the synchronized block",
		.beware = "Shorter waits than the threshold of the recording (20 ms by default) are "
			  "not seen, so all sums are lower bounds. Threads of a pool that wait for "
			  "work are left out.",
		.differs = "JDK Mission Control adds up all locks; this judges the worst class.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
