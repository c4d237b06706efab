/* SPDX-License-Identifier: MIT */
/*
 * event_loop_blocked.c - do event loops stand still, and all of their connections with them?
 */
#include <ctype.h>
#include <stdlib.h>

#include "analyze/notes.h"
#include "analyze/rules.h"

#define WINDOW_NS INT64_C(10000000000)
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { SLEEP, PARK, ENTER, WAIT, SOCKET_READ, SOCKET_WRITE, FILE_READ, FILE_WRITE, FORCE };
enum { STACK, THREAD };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ThreadSleep", OCCURS, "stackTrace", "eventThread"),
	READS_EITHER(1, "jdk.ThreadPark", OCCURS, "stackTrace", "eventThread"),
	READS_EITHER(1, "jdk.JavaMonitorEnter", OCCURS, "stackTrace", "eventThread"),
	READS_EITHER(1, "jdk.JavaMonitorWait", OCCURS, "stackTrace", "eventThread"),
	READS("jdk.SocketRead", HELPS, "stackTrace", "eventThread"),
	READS("jdk.SocketWrite", HELPS, "stackTrace", "eventThread"),
	READS("jdk.FileRead", HELPS, "stackTrace", "eventThread"),
	READS("jdk.FileWrite", HELPS, "stackTrace", "eventThread"),
	READS("jdk.FileForce", HELPS, "stackTrace", "eventThread"),
	{ 0 },
};

/* Of the same order. */
static const char *const doing[] = { "asleep",
				     "waiting",
				     "waiting for a lock",
				     "waiting for a signal",
				     "reading from a socket",
				     "writing to a socket",
				     "reading a file",
				     "writing a file",
				     "forcing a file to the disk" };

struct state {
	struct notes methods, stacks; /* KNOWN, what it looks like, and OF_CHANNEL */
	struct notes names;	      /* of threads: KNOWN, and a place in workers + 1, or LOOP */
	struct groups places; /* thread, method, input */
	struct spans waits;   /* of event loops */
};

/* Names that libraries give to their event loops: "reactor-http-nio-3", "XNIO-1 I/O-4". */
static bool is_name_of_loop(const char *name)
{
	static const char *const parts[] = {
		"EventLoop",	"event-loop",	    "reactor-http-", "reactor-tcp-",
		"-worker-ELG-", "AsyncHttpClient-", " I/O-",
	};

	for (size_t i = 0; i < COUNT(parts); i++) {
		const char *at = strcasestr(name, parts[i]);

		/* Their number follows; "I/O-" is of XNIO only. */
		if (at && isdigit((unsigned char)name[strlen(name) - 1]))
			return strcmp(parts[i], " I/O-") != 0 || strncmp(name, "XNIO-", 5) == 0;
	}
	return false;
}

static bool is_frame_of_loop(const char *method)
{
	static const char *const loops[] = {
		"io.netty.channel.nio.NioEventLoop.run",
		"io.netty.channel.epoll.EpollEventLoop.run",
		"io.netty.channel.kqueue.KQueueEventLoop.run",
		"io.netty.channel.SingleThreadIoEventLoop.run",
		"io.netty.incubator.channel.uring.IOUringEventLoop.run",
		"io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoop.run",
		"io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoop.run",
		"org.xnio.nio.WorkerThread.run",
		"org.apache.http.impl.nio.reactor.BaseIOReactor.execute",
		"org.apache.hc.core5.reactor.SingleCoreIOReactor.doExecute",
		"jdk.internal.net.http.HttpClientImpl$SelectorManager.run",
	};

	for (size_t i = 0; i < COUNT(loops); i++) {
		if (strncmp(method, loops[i], strlen(loops[i])) == 0)
			return true;
	}
	return false;
}

/*
 * Workers of schedulers for code that never blocks, as many as there are processors: by name, and
 * by a method, since names are not theirs alone. Kotlin's also work for Dispatchers.IO, which may
 * block and is a limited dispatcher; what scala.concurrent.blocking marks gets a thread more.
 */
static const struct workers {
	const char *name, *method, *not_below, *what;
} workers[] = {
	{ "parallel-", "reactor.core.scheduler.", NULL, "Reactor's parallel scheduler" },
	{ "RxComputationThreadPool-", "io.reactivex.", NULL, "RxJava's computation scheduler" },
	{ "DefaultDispatcher-worker-", "kotlinx.coroutines.scheduling.CoroutineScheduler",
	  "kotlinx.coroutines.internal.LimitedDispatcher", "Kotlin's Dispatchers.Default" },
	{ "akka.actor.default-dispatcher-", "akka.dispatch.", "scala.concurrent.BlockContext",
	  "Akka's default dispatcher" },
	{ "pekko.actor.default-dispatcher-", "org.apache.pekko.dispatch.",
	  "scala.concurrent.BlockContext", "Pekko's default dispatcher" },
};

/* Of which scheduler a thread is, by its name; NULL: of none. */
static const struct workers *workers_of(const char *name)
{
	for (size_t i = 0; i < COUNT(workers); i++) {
		if (strstr(name, workers[i].name))
			return &workers[i];
	}
	return NULL;
}

static bool is_worker(const struct event *e, uint32_t stack, const struct workers *of)
{
	return event_stack_has(e, stack, of->method) &&
	       !(of->not_below && event_stack_has(e, stack, of->not_below));
}

/* There a loop waits for work, or for its end. */
static bool is_frame_of_idle(const char *method)
{
	static const char *const frames[] = {
		".SingleThreadEventExecutor.takeTask",	".SingleThreadEventExecutor.confirmShutdown",
		".GlobalEventExecutor.takeTask",	"sun.nio.ch.SelectorImpl.",
		".EpollEventLoop.epollWait",		".KQueueEventLoop.kqueueWait",
		"jdk.jfr.",				".ThreadPoolExecutor.getTask",
		".CoroutineScheduler$Worker.park",	".CoroutineScheduler$Worker.tryPark",
		".ForkJoinPool.awaitWork",
	};

	for (size_t i = 0; i < COUNT(frames); i++) {
		if (*frames[i] == '.' ? strstr(method, frames[i]) != NULL
				      : strncmp(method, frames[i], strlen(frames[i])) == 0)
			return true;
	}
	return false;
}

/* There all but a loop that selects waits for work. */
static bool is_frame_of_queue(const char *method)
{
	const char *name = strncmp(method, "java.util.concurrent.", 21) == 0 ? strrchr(method, '.') : NULL;

	return name && (strstr(method, "Queue.") || strstr(method, "Deque.")) &&
	       (strcmp(name, ".take") == 0 || strncmp(name, ".poll", 5) == 0);
}

enum { OF_OTHERS, OF_LOOP, OF_IDLE, AT_QUEUE };

/* Beside these in a note: */
enum { OF_CHANNEL = 0x20, LOOP = 0x40, KNOWN = 0x80 };

static uint32_t look_at_method(const char *method)
{
	return is_frame_of_idle(method)	   ? OF_IDLE
	       : is_frame_of_loop(method)  ? OF_LOOP
	       : is_frame_of_queue(method) ? AT_QUEUE
					   : OF_OTHERS;
}

/* What that method looks like; its name is compared once. */
static uint32_t look_of_method(struct state *s, const struct event *e, uint32_t method)
{
	uint32_t *note = notes_at(&s->methods, method);

	if (!note) {
		event_no_memory(e);
		return OF_OTHERS;
	}
	if (!*note)
		*note = KNOWN | look_at_method(event_text_of(e, method));
	return *note & ~(uint32_t)KNOWN;
}

static uint32_t look_at_stack(struct state *s, const struct event *e, uint32_t stack)
{
	uint32_t is = OF_OTHERS;

	for (size_t i = 0; i < event_stack_depth(e, stack); i++) {
		uint32_t look = look_of_method(s, e, event_method(e, stack, i));

		if (look == OF_IDLE)
			return OF_IDLE;
		if (look == OF_LOOP)
			is = OF_LOOP;
		else if (is == OF_OTHERS && look == AT_QUEUE)
			is = AT_QUEUE;
	}
	return is;
}

/* A loop's own channels do not block: what takes long is the kernel, or no processor was free. */
static bool is_of_channel(const char *method)
{
	static const char *const owners[] = {
		"io.netty.channel.",	"io.netty.buffer.",
		"io.netty.handler.ssl.", "io.grpc.netty.shaded.io.netty.channel.",
		"org.xnio.",		"io.grpc.netty.shaded.io.netty.buffer.",
		"org.apache.http.impl.nio.", "org.apache.hc.core5.reactor.",
	};

	for (size_t i = 0; i < COUNT(owners); i++) {
		if (strncmp(method, owners[i], strlen(owners[i])) == 0)
			return true;
	}
	return false;
}

static uint32_t note_of_stack(struct state *s, const struct event *e, uint32_t stack)
{
	uint32_t *note = notes_at(&s->stacks, stack);

	if (!note) {
		event_no_memory(e);
		return OF_OTHERS;
	}
	if (!*note) {
		*note = KNOWN | look_at_stack(s, e, stack);
		if (is_of_channel(event_text_of(e, event_top_own(e, stack))))
			*note |= OF_CHANNEL;
	}
	return *note & ~(uint32_t)KNOWN;
}

static uint32_t look_at_name(const char *name)
{
	const struct workers *of = workers_of(name);

	if (is_name_of_loop(name))
		return LOOP;
	return of ? (uint32_t)(of - workers) + 1 : 0;
}

/* LOOP, or the place of its scheduler in workers + 1; 0: neither. */
static uint32_t note_of_name(struct state *s, const struct event *e, uint32_t name)
{
	uint32_t *note = notes_at(&s->names, name);

	if (!note) {
		event_no_memory(e);
		return 0;
	}
	if (!*note)
		*note = KNOWN | look_at_name(event_text_of(e, name));
	return *note & ~(uint32_t)KNOWN;
}

/* Does that thread wait where it must not? */
static bool is_blocked(struct state *s, const struct event *e, uint32_t stack)
{
	uint32_t note = note_of_stack(s, e, stack), is = note & ~(uint32_t)OF_CHANNEL, name;

	if (is == OF_IDLE ||
	    ((note & OF_CHANNEL) && (e->input == SOCKET_READ || e->input == SOCKET_WRITE)))
		return false;
	if (is == OF_LOOP)
		return true;
	name = note_of_name(s, e, event_text(e, THREAD));
	if (name == LOOP)
		return is != AT_QUEUE;
	return name && is_worker(e, stack, &workers[name - 1]);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t stack = event_stack(e, STACK), thread = event_thread(e, THREAD);
	double ns = (double)event_duration(e);
	struct group *g;
	bool is_most;

	if (ns <= 0 || !is_blocked(s, e, stack))
		return;
	spans_add(&s->waits, e,
		  (struct span_of){
			  .start_ns = e->start_ns, .end_ns = e->end_ns, .thread = thread });
	g = groups_add(&s->places, e, (uint32_t[4]){ thread, event_top_own(e, stack), e->input },
		       ns, &is_most);
	if (g && is_most)
		g->most_stack = stack;
}

static void fini(void *state)
{
	struct state *s = state;

	notes_fini(&s->methods);
	notes_fini(&s->stacks);
	notes_fini(&s->names);
	groups_fini(&s->places);
	spans_fini(&s->waits);
}

/* A loop in its worst window. */
struct loop {
	uint32_t thread;
	struct worst worst;
	double share;
};

static int compare_by_thread(const void *a, const void *b)
{
	const struct span_of *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The loop that stood still most; *found: how many reach the limit for info. */
static struct loop worst_loop(const struct judging *j, struct state *s, uint32_t *found)
{
	int64_t width = window_ns(j, WINDOW_NS);
	struct loop most = { 0 };

	*found = 0;
	qsort(s->waits.list, s->waits.count, sizeof(*s->waits.list), compare_by_thread);
	for (size_t i = 0, end; i < s->waits.count; i = end) {
		struct spans of = { .list = &s->waits.list[i] };
		struct loop loop = { .thread = s->waits.list[i].thread };

		for (end = i; end < s->waits.count && s->waits.list[end].thread == loop.thread;
		     end++)
			of.count++;
		loop.worst = spans_worst(&of, width, j->facts->start_ns, j->facts->end_ns);
		loop.share = (double)loop.worst.covered_ns / (double)width;
		*found += loop.share >= j->info;
		if (i == 0 || loop.share > most.share)
			most = loop;
	}
	return most;
}

/* Where that thread waited longest in all. */
static const struct group *place_of(const struct state *s, uint32_t thread)
{
	for (uint32_t i = 0; i < s->places.count; i++) {
		if (s->places.list[i].key[0] == thread)
			return &s->places.list[i];
	}
	return NULL;
}

static void show_places(struct judging *j, const struct state *s, uint32_t thread)
{
	for (uint32_t i = 0, shown = 0; i < s->places.count && shown < 3; i++) {
		const struct group *g = &s->places.list[i];

		if (g->key[0] != thread)
			continue;
		show_stack(j,
			   textf(j, "%s %s times, %s in all, at most %s", doing[g->key[2]],
				 count_text(j, (double)g->count), span_text(j, g->sum),
				 span_text(j, g->most)),
			   g->most_stack, NAN);
		shown++;
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct group *place;
	const struct workers *of;
	struct loop worst;
	uint32_t found;

	if (!s->waits.count) {
		summarize(j, "No event loop stood still%s",
			  longer_than_threshold(j, "jdk.ThreadPark"));
		return;
	}
	groups_sort(&s->places);
	worst = worst_loop(j, s, &found);
	place = place_of(s, worst.thread);
	judge_by(j, worst.share);
	of = workers_of(thread_of(j, worst.thread).name);
	summarize(j, "The %s %s stood still for %s of %s%s%s%s%s %s",
		  of ? textf(j, "worker of %s", of->what) : "event loop",
		  thread_of(j, worst.thread).name, percent_text(j, worst.share),
		  span_text(j, (double)(worst.worst.to_ns - worst.worst.from_ns)),
		  found > 1 ? textf(j, ", as did %u more", found - 1) : "",
		  place ? ", most of it " : "", place ? doing[place->key[2]] : "",
		  place ? textf(j, " in %s", text_at(j, place->key[1])) : "", limit_text(j));
	if (!is_found(j))
		return;
	show_range(j, "worst", worst.worst.from_ns, worst.worst.to_ns);
	show_thread(j, of ? "worker" : "event loop", worst.thread, NAN);
	show_places(j, s, worst.thread);
	show_quantity(j, of ? "workers that stood still" : "event loops that stood still", found, JFREC_UNIT_NONE);
	if (place)
		show_command(j, "flame --type %s", inputs[place->key[2]].type);
}

const struct rule rule_event_loop_blocked = {
	.info = {
		.id = "event-loop-blocked",
		.question = "Do event loops stand still, and all of their connections with them?",
		.matters = "One thread of Netty, Vert.x, Reactor or XNIO serves many connections. "
			   "While it sleeps, waits for a lock, or reads in the blocking way, "
			   "none of them gets an answer. Schedulers such as Reactor's parallel have "
			   "as many workers as there are processors: a few that wait stop all.",
		.computes = "For each event loop, known by the name of its thread or by its methods, the "
			    "time that it slept, parked, waited for monitors, for sockets and for "
			    "files, in its worst 10 s. So for the workers of schedulers for code that "
			    "does not block: Reactor's parallel, RxJava's computation, Kotlin's "
			    "Default, Akka's and Pekko's default dispatcher. Waiting for work does not "
			    "count.",
		.measures = "time that one event loop stood still, of its worst 10 s",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.05,
		.warning = 0.20,
		.advice = "Hand what blocks over to a pool of workers (executeBlocking, publishOn, an "
			  "EventExecutorGroup of its own, Schedulers.boundedElastic(), "
			  "Dispatchers.IO), or use a client that does not block",
		.beware = "What takes less than the threshold (20 ms by default) is not seen, and work "
			  "that needs the CPU for long is found by hot-method only.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
