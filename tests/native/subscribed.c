/* SPDX-License-Identifier: MIT */
/*
 * subscribed.c - functions of the program get each event, once, or are told how many are lost
 *
 * usage: subscribed PLUGIN.so DIRECTORY [PART]
 *
 * Each test is a process of its own.  PART divides the numbers of events, for builds that are slow.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/test.h"
#include "jfrec-recorder.h"

/* Modules are in memory of the recorder's own, where the leak sanitizer does not look for what they refer to. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:take_symbols\nleak:read_section\n";
}

#define TICK(F) F(LONG, number, "Number", PLAIN) F(INT, worker, "Worker", PLAIN)
JFREC_EVENT(tick, "subscribed.Tick", "Tick", "Subscribed", TICK)

#define WORK(F) F(STRING, text, "Text", PLAIN) F(INTERNED, kind, "Kind", PLAIN)
JFREC_SPAN_EVENT(work, "subscribed.Work", "Work", "Subscribed", WORK)

#define ALL(F)                          \
	F(LONG, a_long, "A", PLAIN)     \
	F(ULONG, a_ulong, "B", PLAIN)   \
	F(INT, an_int, "C", PLAIN)      \
	F(UINT, a_uint, "D", PLAIN)     \
	F(SHORT, a_short, "E", PLAIN)   \
	F(BYTE, a_byte, "F", PLAIN)     \
	F(BOOL, a_bool, "G", PLAIN)     \
	F(FLOAT, a_float, "H", PLAIN)   \
	F(DOUBLE, a_double, "I", PLAIN) \
	F(STRING, a_text, "J", PLAIN)   \
	F(INTERNED, a_key, "K", PLAIN)  \
	F(STRING, none, "L", PLAIN)     \
	F(STRING, empty, "M", PLAIN)
JFREC_EVENT(all, "subscribed.All", "All", "Subscribed", ALL)

#define DEEP(F) F(INT, depth, "Depth", PLAIN)
JFREC_STACK_EVENT(deep, "subscribed.Deep", "Deep", "Subscribed", DEEP)

#define NOINLINE static __attribute__((noinline))

#define WORKERS 4

static const char *plugin, *directory;
static long part = 1;
static long first; /* the number of the next event of each worker */

#define CHECK_STR(got, want) CHECK((got) && strcmp((got), (want)) == 0)

/* What the functions were called with. */
static struct {
	_Atomic long events, flushes, closes, lost, wrong;
	int64_t next[WORKERS];
	struct jfrec_subscription *subscription;
	_Atomic long sleep_us, close_at;
	bool emits, is_closed, is_shared;
} got;

static void on_event(void *ctx, const struct jfrec_received *e)
{
	int64_t number = jfrec_received_long(e, "number"), worker = jfrec_received_long(e, "worker");
	uint32_t tid;
	char name[16];

	(void)ctx;
	got.wrong += got.is_closed || got.closes;
	if (strcmp(jfrec_received_type(e), "subscribed.Tick") == 0) {
		snprintf(name, sizeof(name), "worker-%d", (int)worker);
		got.wrong += worker < 0 || worker >= WORKERS || number < got.next[worker];
		got.wrong += strcmp(jfrec_received_thread(e, &tid), name) != 0 || !tid;
		if (!got.is_shared)
			got.next[worker] = number + 1;
	}
	got.events++;
	if (got.emits)
		tick_emit(number, (int32_t)worker);
	if (got.sleep_us)
		usleep((useconds_t)got.sleep_us);
	if (got.events == got.close_at) {
		jfrec_subscription_close(got.subscription);
		got.is_closed = true;
	}
}

static void on_flush(void *ctx, uint64_t lost)
{
	(void)ctx;
	got.flushes++;
	got.lost += (long)lost;
}

static void on_close(void *ctx)
{
	(void)ctx;
	got.closes++;
}

static struct jfrec_subscription *subscribe(const char *events, uint64_t queue)
{
	struct jfrec_subscription_options o = { .struct_size = sizeof(o), .events = events,
						.queue_size = queue, .flush_ns = 20000000,
						.on_event = on_event, .on_flush = on_flush,
						.on_close = on_close };
	struct jfrec_recorder_error err;
	struct jfrec_subscription *s = jfrec_subscription_open(&o, &err);

	if (!s) {
		printf("# %s\n", err.text);
		exit(1);
	}
	return s;
}

static void start(uint64_t max_chunk)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .max_chunk = max_chunk, .flush_ns = 10000000,
					    .no_attach = true };
	struct jfrec_recorder_error err;

	if (jfrec_recorder_start(&o, &err)) {
		printf("# %s\n", err.text);
		exit(1);
	}
}

static void *emit_ticks(void *arg)
{
	long worker = (long)arg, n = 50000 / part;
	char name[16];

	snprintf(name, sizeof(name), "worker-%ld", worker);
	jfrec_recorder_name_thread(name);
	for (long i = 0; i < n; i++)
		tick_emit(first + i, (int32_t)worker);
	return NULL;
}

/* How many were made. */
static long run_workers(void)
{
	pthread_t ids[WORKERS];

	for (long i = 0; i < WORKERS; i++)
		CHECK(pthread_create(&ids[i], NULL, emit_ticks, (void *)i) == 0);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(ids[i], NULL);
	first += 50000 / part;
	return 50000 / part * WORKERS;
}

static long lost_by_recorder(void)
{
	struct jfrec_recorder_stats s = { .struct_size = sizeof(s) };

	jfrec_recorder_count(&s);
	return (long)s.lost;
}

/* Until a condition is true, however busy the machine is. */
#define WAIT_FOR(condition)                                            \
	do {                                                           \
		for (int i_ = 0; !(condition) && i_ < 60000; i_++)     \
			usleep(1000);                                  \
		CHECK(condition);                                      \
	} while (0)

/* Tests ---------------------------------------------------------------------------------------- */

static void each_event_once(void)
{
	struct jfrec_subscription *s;
	long made;

	start(0);
	s = subscribe("subscribed.Tick", 64u << 20);
	made = run_workers();
	jfrec_subscription_close(s);
	CHECK_INT(got.events + lost_by_recorder(), made);
	CHECK_INT(got.lost, 0);
	CHECK_INT(got.wrong, 0);
	CHECK_INT(got.closes, 1);
	CHECK(got.flushes > 0);
}

static void each_event_once_over_rotations(void)
{
	struct jfrec_recorder_stats stats = { .struct_size = sizeof(stats) };
	struct jfrec_subscription *s;
	char path[512];
	long made;

	snprintf(path, sizeof(path), "%s/subscribed.jfr", directory);
	start(10000);
	s = subscribe("subscribed.Tick", 64u << 20);
	made = run_workers();
	for (int i = 0; i < 5; i++) {
		CHECK_INT(jfrec_recorder_dump(path, NULL), 0);
		made += run_workers();
		jfrec_recorder_flush(NULL);
	}
	unlink(path);
	jfrec_recorder_count(&stats);
	jfrec_subscription_close(s);
	CHECK(stats.chunks > 4);
	CHECK_INT(got.events + lost_by_recorder(), made);
	CHECK_INT(got.lost, 0);
	CHECK_INT(got.wrong, 0);
}

static void a_slow_one_is_told_what_it_loses(void)
{
	struct jfrec_subscription *s;
	long made = 0;

	start(0);
	s = subscribe("subscribed.Tick", 64u << 10);
	got.sleep_us = 20;
	for (int i = 0; i < 5; i++)
		made += run_workers();
	got.sleep_us = 0;
	jfrec_subscription_close(s);
	printf("# %ld made, %ld delivered, %ld lost\n", made, got.events, got.lost);
	CHECK(got.lost > 0);
	CHECK_INT(got.events + got.lost + lost_by_recorder(), made);
	CHECK_INT(got.closes, 1);
}

static void on_all(void *ctx, const struct jfrec_received *e)
{
	const char *text;

	*(int *)ctx += 1;
	CHECK_STR(jfrec_received_type(e), "subscribed.All");
	CHECK_INT(jfrec_received_long(e, "a_long"), INT64_MIN);
	CHECK((uint64_t)jfrec_received_long(e, "a_ulong") == UINT64_MAX);
	CHECK(jfrec_received_double(e, "a_ulong") > 1e19);
	CHECK_INT(jfrec_received_long(e, "an_int"), -5);
	CHECK_INT(jfrec_received_long(e, "a_uint"), 4000000000u);
	CHECK_INT(jfrec_received_long(e, "a_short"), -300);
	CHECK_INT(jfrec_received_long(e, "a_byte"), -1);
	CHECK_INT(jfrec_received_long(e, "a_bool"), 1);
	CHECK(jfrec_received_double(e, "a_float") == 0.5);
	CHECK(jfrec_received_double(e, "a_double") == -1e300);
	CHECK(jfrec_received_double(e, "an_int") == -5);
	CHECK_STR(jfrec_received_text(e, "a_text"), "Grüße");
	CHECK_STR(jfrec_received_text(e, "a_key"), "often");
	text = jfrec_received_text(e, "none");
	CHECK(!text);
	CHECK_STR(jfrec_received_text(e, "empty"), "");
	CHECK(!jfrec_received_text(e, "absent") && !jfrec_received_text(e, "a_long"));
	CHECK_INT(jfrec_received_long(e, "absent") + jfrec_received_long(e, "a_text"), 0);
	CHECK(jfrec_received_start(e) > 0 && !jfrec_received_duration(e));
	CHECK_STR(jfrec_received_field(e, 12)->name, "empty");
	CHECK(!jfrec_received_field(e, 13));
}

static void values_are_what_was_emitted(void)
{
	int count = 0;
	struct jfrec_subscription_options o = { .struct_size = sizeof(o), .events = "subscribed.All",
						.on_event = on_all, .ctx = &count };
	struct jfrec_subscription *s = jfrec_subscription_open(&o, NULL);

	CHECK(s != NULL);
	for (int i = 0; i < 3; i++)
		all_emit(INT64_MIN, UINT64_MAX, -5, 4000000000u, -300, -1, true, 0.5f, -1e300, "Grüße",
			 jfrec_event_intern("often"), NULL, "");
	jfrec_subscription_close(s);
	CHECK_INT(count, 3);
}

static volatile int kept; /* so that no call is the last thing that a function does */

NOINLINE void descend(int depth, int left)
{
	if (left)
		descend(depth, left - 1);
	else
		deep_emit(depth);
	kept++;
}

/* depth 0: they have no stacks. */
static void check_stack(const struct jfrec_received *e, int depth)
{
	const struct jfrec_stack_frame *f = jfrec_received_frame(e, 0);
	bool is_whole;
	size_t count = jfrec_received_depth(e, &is_whole);

	CHECK(!jfrec_received_frame(e, count));
	if (!depth) {
		CHECK(!count && !is_whole && !f);
		return;
	}
	CHECK(depth < 50 ? count > (size_t)depth && is_whole : count <= 64);
	CHECK(depth < 64 || (count == 64 && !is_whole));
	CHECK(f && strcmp(f->module, "subscribed") == 0 && f->offset < f->address);
	for (int i = 0; i < depth && i < 64; i++) {
		f = jfrec_received_frame(e, (size_t)i);
		if (!CHECK(f && strcmp(f->function, "descend") == 0))
			return;
		CHECK(f->address - (uintptr_t)descend < 4096);
	}
}

static void on_stack(void *ctx, const struct jfrec_received *e)
{
	*(_Atomic int *)ctx += 1;
	check_stack(e, (int)jfrec_received_long(e, "depth"));
}

static struct jfrec_subscription *subscribe_to_stacks(const char *events, _Atomic int *count)
{
	struct jfrec_subscription_options o = { .struct_size = sizeof(o), .events = events,
						.on_event = on_stack, .ctx = (void *)count };

	return jfrec_subscription_open(&o, NULL);
}

static void stacks_are_where_it_was_emitted(void)
{
	_Atomic int count = 0;
	struct jfrec_subscription *s = subscribe_to_stacks("subscribed.Deep", &count);

	CHECK(s != NULL);
	/* Of the deepest only the inner ones are kept. */
	for (int i = 0; i < 100; i++)
		descend(i % 80 + 1, i % 80);
	jfrec_subscription_close(s);
	CHECK_INT(count, 100);
	s = subscribe_to_stacks("subscribed.Deep#stackTrace=false", &count);
	descend(0, kept % 5);
	jfrec_subscription_close(s);
	CHECK_INT(count, 101);
}

/* The sanitizer of threads holds signals back. */
#if !defined(__SANITIZE_THREAD__)
static _Atomic bool is_seen;

NOINLINE void compute(void)
{
	while (!is_seen)
		kept ^= 1; /* for as long as it takes */
	kept++;
}

static void on_sample(void *ctx, const struct jfrec_received *e)
{
	const struct jfrec_stack_frame *f = jfrec_received_frame(e, 0);
	const char *thread = jfrec_received_thread(e, NULL);

	(void)ctx;
	CHECK_STR(jfrec_received_type(e), "jdk.ExecutionSample");
	is_seen |= f && strcmp(f->function, "compute") == 0 && thread && strcmp(thread, "busy") == 0;
}

static void samples_have_stacks_and_threads(void)
{
	struct jfrec_subscription_options o = { .struct_size = sizeof(o), .flush_ns = 20000000,
						.events = "jdk.ExecutionSample#period=10ms",
						.on_event = on_sample };
	struct jfrec_subscription *s = jfrec_subscription_open(&o, NULL);

	CHECK(s != NULL);
	jfrec_recorder_name_thread("busy");
	compute();
	jfrec_subscription_close(s);
}
#endif

static void only_what_it_asks_for(void)
{
	struct jfrec_subscription *s = subscribe("subscribed.Work#threshold=1h,absent.Event", 0);

	CHECK(!tick_enabled() && work_enabled());
	CHECK(work_is_due(3600000000000) && !work_is_due(3599999999999) && !work_is_due(0));
	work_end(work_begin(), "short", 0);
	tick_emit(1, 1);
	jfrec_subscription_close(s);
	CHECK(!work_enabled() && !work_is_due(UINT64_MAX));
	CHECK_INT(got.events, 0);
	CHECK_INT(got.closes, 1);
	s = subscribe("subscribed.Work#threshold=0ns", 0);
	CHECK(work_is_due(0) && work_is_due(UINT64_MAX));
	jfrec_subscription_close(s);
}

static void events_before_it_are_not_delivered(void)
{
	struct jfrec_subscription *s;

	start(0);
	for (int i = 0; i < 100; i++)
		tick_emit(i, 0);
	s = subscribe("subscribed.Tick", 0);
	jfrec_subscription_close(s);
	CHECK_INT(got.events, 0);
}

static void events_of_its_functions_are_not_recorded(void)
{
	struct jfrec_subscription *s;
	long made;

	start(0);
	got.emits = true;
	s = subscribe("subscribed.Tick", 64u << 20);
	made = run_workers();
	jfrec_subscription_close(s);
	CHECK_INT(got.events + lost_by_recorder(), made);
}

static void it_may_be_closed_by_its_function(void)
{
	start(0);
	got.close_at = 3;
	got.subscription = subscribe("subscribed.Tick", 0);
	run_workers();
	jfrec_recorder_flush(NULL);
	WAIT_FOR(got.closes == 1);
	CHECK_INT(got.events, 3);
	CHECK_INT(got.wrong, 0);
}

static void the_recorder_of_the_program_may_stop(void)
{
	struct jfrec_subscription *s;
	struct jfrec_recorder_error err = { 0 };
	long made;

	start(0);
	s = subscribe("subscribed.Tick", 64u << 20);
	made = run_workers();
	CHECK_INT(jfrec_recorder_stop(&err), 0);
	WAIT_FOR(got.events + lost_by_recorder() == made);
	CHECK_INT(got.closes, 0);
	made += run_workers();
	jfrec_subscription_close(s);
	CHECK_INT(got.events + lost_by_recorder(), made);
	CHECK_INT(got.closes, 1);
	CHECK(!tick_enabled());
}

static void on_own(void *ctx, const struct jfrec_received *e)
{
	_Atomic int *count = ctx;

	if (strcmp(jfrec_received_type(e), "jdk.CPULoad") == 0 && !jfrec_received_thread(e, NULL) &&
	    jfrec_received_double(e, "machineTotal") <= 1)
		++*count;
}

static void the_recorders_own_events(void)
{
	_Atomic int count = 0;
	struct jfrec_subscription_options o = { .struct_size = sizeof(o),
						.events = "jdk.CPULoad#period=20ms",
						.flush_ns = 20000000,
						.on_event = on_own, .ctx = (void *)&count };
	struct jfrec_subscription *s = jfrec_subscription_open(&o, NULL);

	CHECK(s != NULL);
	WAIT_FOR(count >= 3);
	jfrec_subscription_close(s);
}

static void several_at_once(void)
{
	struct jfrec_subscription *s[8];
	long made;

	got.is_shared = true;
	for (int i = 0; i < 8; i++)
		s[i] = subscribe(i % 2 ? "subscribed.Tick" : "subscribed.All", 16u << 20);
	made = run_workers();
	for (int i = 0; i < 8; i++)
		jfrec_subscription_close(s[i]);
	/* Some may be lost by the recorder, for all of them. */
	CHECK_INT(got.events + got.lost, 4 * (made - lost_by_recorder()));
	CHECK_INT(got.closes, 8);
}

static void on_count(void *ctx, const struct jfrec_received *e)
{
	(void)e;
	++*(_Atomic int *)ctx;
}

/* In a child of a process with threads the allocator of the address sanitizer may be locked for ever. */
#if !defined(__SANITIZE_ADDRESS__)
static void *descend_in_thread(void *unused)
{
	static volatile int one = 1; /* no compiler makes a function for this number */

	descend(one + 1, one);
	descend(one + 2, one + 1);
	return unused;
}

/* The same stacks, whoever calls it. */
static void descend_apart(void)
{
	pthread_t id;

	CHECK(pthread_create(&id, NULL, descend_in_thread, NULL) == 0);
	pthread_join(id, NULL);
}

static void a_child_has_its_own(void)
{
	struct jfrec_subscription *s;
	int status;
	pid_t child;

	start(0);
	s = subscribe("subscribed.Tick,subscribed.Deep", 0);
	descend_apart();
	jfrec_recorder_flush(NULL);
	child = fork();
	if (child == 0) {
		_Atomic int count = 0;
		struct jfrec_subscription *own;

		jfrec_subscription_close(s);
		own = subscribe_to_stacks("subscribed.Deep", &count);
		for (int i = 0; own && i < 5; i++)
			descend_apart();
		jfrec_subscription_close(own);
		fflush(stdout);
		_exit(own && count == 10 && !test.bad ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	run_workers();
	jfrec_subscription_close(s);
	CHECK(got.events > 0);
}
#endif

static void a_module_may_go(void)
{
	_Atomic int count = 0;
	struct jfrec_subscription_options o = { .struct_size = sizeof(o), .events = "plugin.Used",
						.on_event = on_count, .ctx = (void *)&count };
	struct jfrec_subscription *s = jfrec_subscription_open(&o, NULL);

	CHECK(s != NULL);
	for (int i = 0; i < 3; i++) {
		void *module = dlopen(plugin, RTLD_NOW);
		void (*emit)(int) = NULL;

		if (module)
			*(void **)&emit = dlsym(module, "plugin_emit");
		if (CHECK(emit != NULL))
			emit(100);
		if (module)
			dlclose(module);
	}
	jfrec_subscription_close(s);
	CHECK_INT(count, 300);
}

static void mistakes_are_refused(void)
{
	struct jfrec_subscription_options o = { .struct_size = sizeof(o), .on_event = on_event };
	struct jfrec_recorder_error err;

	o.events = "";
	CHECK(!jfrec_subscription_open(&o, &err) && strstr(err.text, "needs the name of an event"));
	o.events = "a.B#threshold";
	CHECK(!jfrec_subscription_open(&o, &err) && strstr(err.text, "has no value"));
	o.events = "a.B#threshold=often";
	CHECK(!jfrec_subscription_open(&o, &err) && strstr(err.text, "is invalid; write"));
	jfrec_subscription_close(NULL);
}

/* Nothing is called while it ends, and nothing hangs. */
static void the_process_may_end(void)
{
	start(0);
	subscribe(NULL, 0);
	run_workers();
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "each_event_once", each_event_once },
	{ "each_event_once_over_rotations", each_event_once_over_rotations },
	{ "a_slow_one_is_told_what_it_loses", a_slow_one_is_told_what_it_loses },
	{ "values_are_what_was_emitted", values_are_what_was_emitted },
	{ "stacks_are_where_it_was_emitted", stacks_are_where_it_was_emitted },
#if !defined(__SANITIZE_THREAD__)
	{ "samples_have_stacks_and_threads", samples_have_stacks_and_threads },
#endif
	{ "only_what_it_asks_for", only_what_it_asks_for },
	{ "events_before_it_are_not_delivered", events_before_it_are_not_delivered },
	{ "events_of_its_functions_are_not_recorded", events_of_its_functions_are_not_recorded },
	{ "it_may_be_closed_by_its_function", it_may_be_closed_by_its_function },
	{ "the_recorder_of_the_program_may_stop", the_recorder_of_the_program_may_stop },
	{ "the_recorders_own_events", the_recorders_own_events },
	{ "several_at_once", several_at_once },
#if !defined(__SANITIZE_ADDRESS__)
	{ "a_child_has_its_own", a_child_has_its_own },
#endif
	{ "a_module_may_go", a_module_may_go },
	{ "mistakes_are_refused", mistakes_are_refused },
	{ "the_process_may_end", the_process_may_end },
};

/* In a process of its own, which ends as programs do. */
static bool run_apart(void (*run)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		run();
		fflush(stdout);
		exit(test.bad);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	plugin = argv[1];
	directory = argv[2];
	if (argc > 3)
		part = atol(argv[3]);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 4 && strcmp(argv[4], tests[i].name) != 0)
			continue;
		test_begin(tests[i].name);
		CHECK(run_apart(tests[i].run));
	}
	return test_end();
}
