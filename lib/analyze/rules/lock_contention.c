/* SPDX-License-Identifier: MIT */
/*
 * lock_contention.c - which lock costs most?
 */
#include "analyze/crowd.h"
#include "analyze/rules.h"
#include "analyze/samples.h"

/* Less than this in all, as a share of the time of one thread, is noise. */
#define NOISE 0.05

/* As JDK Mission Control's limits: all waits, as shares of the time of one thread. */
#define MUCH	  0.21
#define VERY_MUCH 1.0

#define LONG_NS 1e9

/* A queue of 10 s: so many at once on average, of so many threads, one of them for so long. */
#define QUEUE	     1.5
#define MANY_THREADS 5
#define QUEUED_NS    250e6

static const char *const jmc[] = { "JavaBlocking", "ContextSwitch", NULL };

enum { ENTER, PARK, LOAD, SWITCHES, STALL };
enum { CLASS, STACK, THREAD, OWNER };

static const struct reads inputs[] = {
	READS("jdk.JavaMonitorEnter", OCCURS, "monitorClass", "stackTrace", "eventThread", "previousOwner"),
	READS("jdk.ThreadPark", HELPS, "parkedClass", "stackTrace", "eventThread"),
	READS("jdk.ThreadCPULoad", HELPS, "eventThread"),
	READS("jdk.ThreadContextSwitchRate", HELPS),
	READS("jdk.ZAllocationStall", HELPS, "startTime"),
	{ 0 },
};

struct state {
	struct groups locks;   /* class, method, kind of lock */
	struct groups threads; /* that waited */
	struct groups owners;  /* class, thread that had the lock */
	struct groups runners; /* threads of the application that were at work */
	struct spans waits;    /* what the class */
	struct spans stalls;   /* threads that wait for memory */
	double longest;
};

/*
 * Threads that wait for work wait for other things than these. For a permit they do, too, in pools
 * of some servers: then no code of the application has asked for it.
 */
static bool is_idle(const struct event *e, const char *class, uint32_t stack)
{
	static const char *const locks[] = { "java.util.concurrent.locks.ReentrantLock",
					     "java.util.concurrent.locks.ReentrantReadWriteLock",
					     "java.util.concurrent.locks.StampedLock",
					     "java.util.concurrent.Semaphore" };

	if (strncmp(class, locks[3], strlen(locks[3])) == 0)
		return !event_is_of_app(e, stack);
	for (size_t i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		if (strncmp(class, locks[i], strlen(locks[i])) == 0)
			return false;
	}
	return true;
}

static void take_wait(struct state *s, const struct event *e)
{
	double ns = (double)event_duration(e);
	uint32_t class = event_text(e, CLASS), thread = event_thread(e, THREAD);
	uint32_t stack = event_stack(e, STACK);
	struct group *g;
	bool is_most;

	if (e->input == PARK && is_idle(e, event_text_of(e, class), stack))
		return;
	if (strstr(event_text_of(e, event_text(e, THREAD)), "weblogic.socket.Muxer"))
		return;
	/* Flight Recorder itself, while a recording begins. */
	if (strncmp(event_text_of(e, class), "jdk.jfr.internal.", 17) == 0)
		return;
	g = groups_add(&s->locks, e, (uint32_t[4]){ class, 0, e->input, 0 }, ns, &is_most);
	if (g && is_most) {
		g->most_stack = stack;
		g->most_thread = thread;
	}
	groups_add(&s->threads, e, (uint32_t[4]){ thread }, ns, NULL);
	spans_add(&s->waits, e,
		  (struct span_of){ .start_ns = e->start_ns,
				    .end_ns = e->end_ns,
				    .what = class,
				    .thread = thread });
	if (e->input == ENTER && event_thread(e, OWNER))
		groups_add(&s->owners, e, (uint32_t[4]){ class, event_thread(e, OWNER) }, ns, NULL);
	if (ns > s->longest)
		s->longest = ns;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == STALL)
		spans_add(&s->stalls, e,
			  (struct span_of){ .start_ns = e->start_ns, .end_ns = e->end_ns });
	else if (e->input != LOAD)
		take_wait(s, e);
	else if (!is_jvm_thread(event_text_of(e, event_text(e, 0))))
		groups_add(&s->runners, e, (uint32_t[4]){ event_thread(e, 0) }, 1, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->locks);
	groups_fini(&s->threads);
	groups_fini(&s->owners);
	groups_fini(&s->runners);
	spans_fini(&s->waits);
	spans_fini(&s->stalls);
}

/* Threads of the application that were at work, or waited; at least 1. */
static double threads_that_ran(const struct state *s)
{
	double n = (double)s->threads.count;

	for (uint32_t i = 0; i < s->runners.count; i++)
		n += !groups_find(&s->threads, s->runners.list[i].key);
	return fmax(1, n);
}

static const struct group *owner_of(const struct state *s, uint32_t class)
{
	for (uint32_t i = 0; i < s->owners.count; i++) {
		if (s->owners.list[i].key[0] == class)
			return &s->owners.list[i];
	}
	return NULL;
}

/* The time in which threads waited for that lock most densely. */
static void show_when(struct judging *j, struct state *s, uint32_t class)
{
	struct cluster best;

	spans_sort(&s->waits);
	best = spans_densest(&s->waits, &class);
	if (best.end > best.start)
		show_range(j, "worst", (int64_t)best.start, (int64_t)best.end);
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

/* Those that overlap become one; id: the time of all before it. */
static void join_stalls(struct spans *s)
{
	size_t n = 0;

	spans_sort(s);
	for (size_t i = 1; i < s->count; i++) {
		struct span_of *last = &s->list[n], *o = &s->list[i];

		if (o->start_ns > last->end_ns)
			s->list[++n] = *o;
		else if (o->end_ns > last->end_ns)
			last->end_ns = o->end_ns;
	}
	s->count = n + 1;
	s->list[0].id = 0;
	for (size_t i = 1; i < s->count; i++)
		s->list[i].id = s->list[i - 1].id +
				(uint64_t)(s->list[i - 1].end_ns - s->list[i - 1].start_ns);
}

/* How long, up to then, at least one thread waited for memory. */
static double stalled_until(const struct spans *s, int64_t at_ns)
{
	size_t low = 0, high = s->count;
	const struct span_of *last;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->list[middle].start_ns < at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	last = &s->list[low - 1];
	return (double)last->id +
	       (double)((at_ns < last->end_ns ? at_ns : last->end_ns) - last->start_ns);
}

/*
 * Who holds a lock and waits for memory lets the others wait for the lock: that is the collector's
 * doing. Is it most of the time that threads waited for locks of the class?
 */
static bool is_for_memory(struct state *s, uint32_t class)
{
	double waited = 0, stalled = 0;

	if (!s->stalls.count)
		return false;
	join_stalls(&s->stalls);
	for (size_t i = 0; i < s->waits.count; i++) {
		const struct span_of *o = &s->waits.list[i];

		if (o->what != class)
			continue;
		waited += (double)(o->end_ns - o->start_ns);
		stalled += stalled_until(&s->stalls, o->end_ns) -
			   stalled_until(&s->stalls, o->start_ns);
	}
	return stalled > 0.5 * waited;
}

/* What is limited by permits, or held by a lock of java.util.concurrent, is in no block. */
static void advise_for(struct judging *j, const struct group *worst)
{
	if (strncmp(text_at(j, worst->key[0]), "java.util.concurrent.ConcurrentHashMap$", 39) == 0)
		advise(j, "What computeIfAbsent(), compute() or merge() of a ConcurrentHashMap calls takes "
			  "long, and others that want a key near by wait for it: make the value before, "
			  "or keep a future of it in the map");
	else if (strstr(text_at(j, worst->key[0]), ".Semaphore"))
		advise(j, "Hold a permit for less time: take what is slow out of the code between acquire() "
			  "and release(); see whether one is never released; only then give more of them");
	else if (worst->key[2] == PARK)
		advise(j, "Hold the lock for less time, or let fewer threads need it: take what is slow "
			  "out of the code between lock() and unlock()");
}

/* " in app.Orders.book": where the longest wait was. */
static const char *where(struct judging *j, uint32_t stack)
{
	size_t i = stack_first_app(j, stack, 0);

	i = i == SIZE_MAX ? stack_first_own(j, stack) : i;
	return i == SIZE_MAX ? "" : textf(j, " in %s", stack_method(j, stack, i));
}

/* A queue that was there for seconds only, of many threads: over a long time it is little. */
static void tell_queue(struct judging *j, const struct state *s, const struct group *worst)
{
	struct crowd_room room;
	struct crowd c;

	if (is_found(j) || !crowd_room_init(j, &room, &s->waits))
		return;
	c = crowd_worst(j, &room, worst->key[0]);
	if (c.at_once < QUEUE || c.threads < MANY_THREADS || worst->most < QUEUED_NS)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "%u threads waited %s for locks of %s within %s from %s on, at most for %s each time",
		  c.threads, span_text(j, c.waited_ns), text_at(j, worst->key[0]),
		  span_text(j, (double)(c.to_ns - c.from_ns)), time_text(j, c.from_ns),
		  span_text(j, worst->most));
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double length = (double)recorded_ns(j), sum, of_one, share;
	const struct group *worst;

	groups_sort(&s->locks);
	groups_sort(&s->threads);
	groups_sort(&s->owners);
	sum = groups_sum(&s->locks);
	if (!s->locks.count) {
		summarize(j, "No thread waited for a lock%s",
			  longer_than_threshold(j, "jdk.JavaMonitorEnter"));
		return;
	}
	worst = &s->locks.list[0];
	of_one = sum / length;
	share = worst->sum / (length * threads_that_ran(s));
	judge_by(j, share);
	if (s->longest >= LONG_NS && of_one >= MUCH)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (of_one >= VERY_MUCH || s->longest >= LONG_NS)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	else if (of_one < NOISE)
		judge_at_most(j, JFREC_SEVERITY_OK);
	if (of_one < MUCH)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "Threads waited %s for locks of %s%s, %s of the time of %s thread%s %s",
		  span_text(j, worst->sum), text_at(j, worst->key[0]), where(j, worst->most_stack),
		  percent_text(j, share),
		  count_text(j, threads_that_ran(s)), plural(threads_that_ran(s)), limit_text(j));
	if (share < j->warning && j->finding->severity == JFREC_SEVERITY_WARNING)
		summarize(j, "Threads waited %s for locks of %s%s, and once for %s (limit %s)",
			  span_text(j, worst->sum), text_at(j, worst->key[0]),
			  where(j, worst->most_stack), span_text(j, s->longest),
			  span_text(j, LONG_NS));
	tell_queue(j, s, worst);
	if (is_for_memory(s, worst->key[0])) {
		judge_at_most(j, JFREC_SEVERITY_OK);
		show_note(j, "for most of that time threads waited for memory: gc-zgc-stall judges that");
	}
	show_when(j, s, worst->key[0]);
	show_quantity(j, "waited for all locks but Flight Recorder's, of one thread's time", of_one,
		      JFREC_UNIT_PERCENT);
	show_locks(j, s, sum);
	show_quantity(j, "threads that waited", (double)s->threads.count, JFREC_UNIT_NONE);
	show_quantity(j, "longest wait", s->longest, JFREC_UNIT_NS);
	advise_for(j, worst);
	show_command_if(j, "jdk.JavaMonitorEnter", "view contention-by-site");
	show_command(j, "flame --profile lock");
}

const struct rule rule_lock_contention = {
	.info = {
		.id = "lock-contention",
		.jmc = jmc,
		.question = "Which lock costs most?",
		.matters = "Threads that wait for a lock do nothing. More threads or "
			   "processors do not help; only holding the lock for less time does.",
		.computes = "Adds up, for the class of each lock, how long threads waited for it "
			    "(jdk.JavaMonitorEnter; jdk.ThreadPark of java.util.concurrent.locks), "
			    "and divides the sum by the time of all threads that were at work or "
			    "waited. It is a warning only if all waits together are 21 % of the "
			    "time of one thread, and then also if one wait took a second. A wait "
			    "of a second, or waits as long as the recording, are info at least; so are, "
			    "in the worst 10 s, five threads of which 1.5 wait at once on average, one "
			    "of them for 250 ms. Waits for a lock while threads mostly waited for memory "
			    "(jdk.ZAllocationStall) are ok.",
		.measures = "time waited for the locks of one class, of the time of all threads",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.02,
		.warning = 0.10,
		.advice = "Hold the lock for less time, or let fewer threads need it: take what is "
			  "slow out of the synchronized block",
		.beware = "Shorter waits than the threshold of the recording (20 ms by default) are "
			  "not seen, so all sums are lower bounds. Threads of a pool that wait for "
			  "work are left out.",
		.differs = "JDK Mission Control adds up the waits for all locks, however many threads "
			   "share them; this judges the worst class.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
