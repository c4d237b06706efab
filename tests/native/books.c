/* SPDX-License-Identifier: MIT */
/*
 * books.c - of the events that were made, each is written or counted as lost
 *
 * usage: books PLUGIN.so DIRECTORY [PART]
 *
 * Each test is a process of its own, with a recorder of its own.  PART divides the numbers of events,
 * for builds that are slow.
 */
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
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
JFREC_EVENT(tick, "books.Tick", "Tick", "Books", TICK)

#define WORK(F) F(STRING, text, "Text", PLAIN) F(INTERNED, kind, "Kind", PLAIN) F(LONG, size, "Size", BYTES)
JFREC_SPAN_EVENT(work, "books.Work", "Work", "Books", WORK)

#define HANDLED(F) F(INT, number, "Number", PLAIN)
JFREC_EVENT(handled, "books.Handled", "Handled", "Books,Signals", HANDLED)

#define TEXTS(F) F(STRING, a, "A", PLAIN) F(STRING, b, "B", PLAIN) F(STRING, c, "C", PLAIN)
JFREC_EVENT(texts, "books.Texts", "Texts", "Books", TEXTS)

#define WORKERS 64

static const char *plugin, *directory;
static long part = 1;
static long made[WORKERS];
static volatile sig_atomic_t made_in_handler;
static char **environment;

/* Helpers -------------------------------------------------------------------------------------- */

static void start(uint64_t memory)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .memory_size = memory, .max_chunk = 1 << 20 };
	struct jfrec_recorder_error err;

	if (jfrec_recorder_start(&o, &err)) {
		printf("# %s\n", err.text);
		exit(1);
	}
}

static struct jfrec_recorder_stats stats(void)
{
	struct jfrec_recorder_stats s = { .struct_size = sizeof(s) };

	jfrec_recorder_count(&s);
	return s;
}

static void flush(void)
{
	struct jfrec_recorder_error err = { 0 };

	CHECK_INT(jfrec_recorder_flush(&err), 0);
	if (err.text[0])
		printf("# %s\n", err.text);
}

/* The books, after a flush: what is in chunks and what is counted make up what was made. */
static void balance(long all)
{
	struct jfrec_recorder_stats s;

	flush();
	s = stats();
	printf("# %ld made, %ld written, %ld lost\n", all, (long)s.written, (long)s.lost);
	CHECK_INT((int64_t)(s.written + s.lost), all);
	CHECK_INT((int64_t)s.damaged_bytes, 0);
	CHECK(!s.trouble[0]);
}

static void *emit_many(void *arg)
{
	long *count = arg, n = 200000 / part;

	for (long i = 0; i < n; i++) {
		tick_emit(i, (int)(count - made));
		++*count;
	}
	return NULL;
}

static long run_threads(int threads, void *(*work)(void *))
{
	pthread_t ids[WORKERS];
	long sum = 0;

	for (int i = 0; i < threads; i++)
		CHECK(pthread_create(&ids[i], NULL, work, &made[i]) == 0);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < threads; i++)
		sum += made[i];
	return sum;
}

/* Tests ---------------------------------------------------------------------------------------- */

static void one_thread(void)
{
	start(0);
	balance(run_threads(1, emit_many));
}

static void eight_threads(void)
{
	start(0);
	balance(run_threads(8, emit_many));
}

static void sixty_four_threads(void)
{
	start(0);
	balance(run_threads(64, emit_many));
}

/* Of this thread, and of those that it makes. */
static void give_up_nice(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2];

	CHECK(syscall(SYS_capget, &head, sets) == 0);
	sets[0].effective &= ~(1u << CAP_SYS_NICE);
	CHECK(syscall(SYS_capset, &head, sets) == 0);
}

static int count_recorders(void)
{
	char name[32] = "";
	int count = 0;
	glob_t found;

	if (glob("/proc/self/task/*/comm", 0, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *f = fopen(found.gl_pathv[i], "r");

		count += f && fgets(name, sizeof(name), f) && !strcmp(name, "JFR Recorder\n");
		if (f)
			fclose(f);
	}
	globfree(&found);
	return count;
}

/* Without it helpers take turns, if the processors are too few.  They go with the recorder. */
static void without_a_nice_value(void)
{
	give_up_nice();
	for (int round = 1; round < 4; round++) {
		memset(made, 0, sizeof(made));
		start(2 << 20);
		balance(run_threads(8, emit_many));
		printf("# %d threads write\n", count_recorders());
		CHECK_INT(jfrec_recorder_stop(NULL), 0);
	}
	for (int i = 0; i < 600 && count_recorders(); i++)
		usleep(100000);
	CHECK_INT(count_recorders(), 0);
}

/* Not an event finds room, once it is full, until the next flush. */
static void a_tiny_pool_loses_and_counts(void)
{
	struct jfrec_recorder_stats s;

	start(256 << 10);
	balance(run_threads(4, emit_many));
	s = stats();
	CHECK(part > 1 || s.lost > 0);
	CHECK(s.written > 0);
	/* The books of the next one do not have these losses. */
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
	start(256 << 10);
	tick_emit(1, 0);
	balance(1);
}

static void *emit_few(void *arg)
{
	long *count = arg;
	uint64_t kind = jfrec_event_intern("short");

	for (int i = 0; i < 20; i++) {
		uint64_t begin = work_begin();

		work_end(begin, "of a thread that ends", kind, i);
		++*count;
	}
	return NULL;
}

static void two_thousand_short_threads(void)
{
	long all = 0;

	start(0);
	for (int round = 0; round < 2000 / 50 / (part > 4 ? 4 : part); round++)
		all = run_threads(50, emit_few);
	balance(all);
}

static void on_signal(int number)
{
	(void)number;
	handled_emit(made_in_handler);
	made_in_handler++;
}

static void handlers_inside_events(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	long all = 0;

	start(0);
	/* What comes while a thread makes itself known has nowhere to write to, and is counted as lost. */
	work_end(work_begin(), "the first", 0, all++);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (made_in_handler < 1000 / part) {
		work_end(work_begin(), "interrupted", 0, all);
		/* The drain is not given a processor in time on every machine. */
		if (++all % 10000 == 0)
			flush();
	}
	setitimer(ITIMER_REAL, &never, NULL);
	/* TSan keeps signals back until the next call that may block. */
	usleep(1000);
	balance(all + made_in_handler);
	CHECK_INT((int64_t)stats().lost, 0);
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
/* Each in its own loop; what is counted before and after is off by the one that was cut short. */
static long begun[WORKERS];

static void *emit_until_cancelled(void *arg)
{
	long *count = arg;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;) {
		begun[count - made]++;
		tick_emit(*count, 0);
		++*count;
	}
	return NULL;
}

static void cancelled_threads(void)
{
	long least = 0, most = 0;
	struct jfrec_recorder_stats s;
	pthread_t id;

	start(0);
	for (int i = 0; i < 20; i++) {
		CHECK(pthread_create(&id, NULL, emit_until_cancelled, &made[i]) == 0);
		usleep(3000);
		pthread_cancel(id);
		pthread_join(id, NULL);
		least += made[i];
		most += begun[i];
	}
	flush();
	s = stats();
	printf("# %ld to %ld made, %ld written, %ld lost\n", least, most, (long)s.written, (long)s.lost);
	CHECK((long)(s.written + s.lost) >= least && (long)(s.written + s.lost) <= most);
	CHECK_INT((int64_t)s.damaged_bytes, 0);
}
#endif

static pthread_key_t key;

static void emit_at_end(void *left)
{
	tick_emit((intptr_t)left, 0);
	__atomic_fetch_add(&made[0], 1, __ATOMIC_RELAXED);
	if ((intptr_t)left > 1)
		pthread_setspecific(key, (void *)((intptr_t)left - 1));
}

static void *end_with_destructors(void *arg)
{
	(void)arg;
	pthread_setspecific(key, (void *)3);
	tick_emit(0, 0);
	__atomic_fetch_add(&made[0], 1, __ATOMIC_RELAXED);
	return NULL;
}

static void destructors_of_threads(void)
{
	pthread_t id;

	pthread_key_create(&key, emit_at_end);
	start(0);
	for (int i = 0; i < 50; i++) {
		CHECK(pthread_create(&id, NULL, end_with_destructors, NULL) == 0);
		pthread_join(id, NULL);
	}
	balance(made[0]);
}

static int wait_for(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* In a child of a process with threads the allocator of the address sanitizer may be locked for ever. */
#if !defined(__SANITIZE_ADDRESS__)
static void forked_children(void)
{
	pid_t child;

	start(0);
	tick_emit(1, 0);
	fflush(stdout);
	child = fork();
	if (!child) {
		bool on = tick_enabled();

		for (int i = 0; i < 100000; i++)
			tick_emit(i, 1);
		/* A recorder of its own, whose books are its own. */
		start(0);
		for (int i = 0; i < 500; i++)
			tick_emit(i, 1);
		balance(500);
		jfrec_recorder_stop(NULL);
		fflush(stdout);
		exit(on || test.bad);
	}
	tick_emit(2, 0);
	CHECK_INT(wait_for(child), 0);
	tick_emit(3, 0);
	balance(3);
	jfrec_recorder_stop(NULL);
}
#endif

static void fork_in_handler(int number)
{
	pid_t child = fork();

	(void)number;
	if (!child)
		return;
	wait_for(child);
	made_in_handler++;
}

/* The handler returns in the child, too, into the middle of an event: the parent does not see it. */
static void forks_inside_events(void)
{
	struct sigaction sa = { .sa_handler = fork_in_handler };
	pid_t me = getpid();
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } }, never = { { 0, 0 }, { 0, 0 } };
	long all = 0;

	start(0);
	/* What comes while a thread makes itself known has nowhere to write to, and is counted as lost. */
	work_end(work_begin(), "the first", 0, all++);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (made_in_handler < 100 / part) {
		tick_emit(all, 0);
		all++;
		if (getpid() != me)
			_exit(0);
	}
	if (getpid() != me)
		_exit(0);
	setitimer(ITIMER_REAL, &never, NULL);
	balance(all);
}

static void spawned_children(void)
{
	char *const argv[] = { (char *)"true", NULL };
	pid_t child;

	start(0);
	for (int i = 0; i < 20; i++) {
		tick_emit(i, 0);
		CHECK(posix_spawnp(&child, "true", NULL, NULL, argv, environment) == 0);
		CHECK_INT(wait_for(child), 0);
		child = vfork();
		if (!child)
			_exit(0);
		CHECK_INT(wait_for(child), 0);
		tick_emit(i, 0);
	}
	balance(40);
}

/* Loaded and really unloaded; its type stays one. */
static void plugins_come_and_go(void)
{
	start(0);
	for (int i = 0; i < 3; i++) {
		void *module = dlopen(plugin, RTLD_NOW);
		void (*emit)(int);

		if (!CHECK(module != NULL)) {
			printf("# %s\n", dlerror());
			return;
		}
		*(void **)&emit = dlsym(module, "plugin_emit");
		emit(1000);
		CHECK(dlclose(module) == 0);
		CHECK(!dlopen(plugin, RTLD_NOW | RTLD_NOLOAD));
	}
	balance(3000);
}

static char *repeated(size_t len)
{
	char *text = malloc(len + 1);

	memset(text, 'x', len);
	text[len] = '\0';
	return text;
}

/* Beyond a buffer, beyond a big buffer, and texts that are cut. */
static void large_events(void)
{
	char *small = repeated(100), *large = repeated(20000), *long_one = repeated(200000);

	start(0);
	texts_emit(small, large, NULL);
	texts_emit(large, large, large);
	texts_emit(long_one, "", small);
	balance(3);
	CHECK_INT((int64_t)stats().lost, 1);
	free(small);
	free(large);
	free(long_one);
}

/* The file that can be no longer stands for a full disk. */
static void a_full_disk(void)
{
	struct rlimit all, little = { 20000, RLIM_INFINITY };
	struct jfrec_recorder_error err;

	getrlimit(RLIMIT_FSIZE, &all);
	little.rlim_max = all.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	start(0);
	for (int i = 0; i < 100; i++)
		tick_emit(i, 0);
	flush();
	setrlimit(RLIMIT_FSIZE, &little);
	for (int i = 0; i < 20000; i++)
		tick_emit(i, 0);
	CHECK_INT(jfrec_recorder_flush(&err), -1);
	CHECK_INT(err.sys, EFBIG);
	CHECK_INT((int64_t)stats().written, 100);
	CHECK(stats().trouble[0] != '\0');
	for (int i = 0; i < 100; i++)
		tick_emit(i, 0);
	CHECK_INT(jfrec_recorder_flush(NULL), -1);
	setrlimit(RLIMIT_FSIZE, &all);
	balance(20200);
	CHECK(stats().failed_flushes >= 2);
}

static struct rlimit all_sizes;

/* From here on no file grows, so no buffer becomes empty; or it does again. */
static void fill_the_disk(bool is_full)
{
	struct rlimit none = { 0, RLIM_INFINITY };

	if (is_full)
		getrlimit(RLIMIT_FSIZE, &all_sizes);
	none.rlim_max = all_sizes.rlim_max;
	setrlimit(RLIMIT_FSIZE, is_full ? &none : &all_sizes);
}

/* Small ones find room where there is none for large ones. */
static void large_ones_are_lost_alone(void)
{
	char *large = repeated(20000);

	signal(SIGXFSZ, SIG_IGN);
	start(0);
	flush();
	fill_the_disk(true);
	for (int i = 0; i < 40; i++)
		texts_emit(large, NULL, NULL);
	for (int i = 0; i < 1000; i++)
		tick_emit(i, 0);
	CHECK_INT((int64_t)stats().lost, 24);
	fill_the_disk(false);
	balance(1040);
	CHECK_INT((int64_t)stats().lost, 24);
	free(large);
}

static void *emit_in_turn(void *arg)
{
	long *count = arg, n = 40000 / part;

	for (long i = 0; i < n; i++, ++*count) {
		if (i % 1000 < 500)
			tick_emit(i, 0);
		else if (i % 2)
			work_end(work_begin(), "lost, perhaps", 0, i);
		else
			texts_emit("one", "two", "three");
	}
	return NULL;
}

/* Each thread counts what it loses, and others have its place when it has ended. */
static void losses_of_all_types(void)
{
	long all = 0;

	signal(SIGXFSZ, SIG_IGN);
	start(256 << 10);
	flush();
	fill_the_disk(true);
	for (int round = 0; round < 3; round++) {
		memset(made, 0, sizeof(made));
		all += run_threads(8, emit_in_turn);
		CHECK(part > 4 || stats().lost > 0);
	}
	fill_the_disk(false);
	/* There are buffers again. */
	flush();
	memset(made, 0, sizeof(made));
	all += run_threads(1, emit_few);
	balance(all);
}

static void started_again(void)
{
	struct jfrec_recorder_error err;

	start(0);
	CHECK_INT(jfrec_recorder_start(NULL, &err), -1);
	CHECK(strstr(err.text, "already runs") != NULL);
	tick_emit(1, 0);
	balance(1);
	CHECK_INT(jfrec_recorder_stop(&err), 0);
	CHECK_INT(jfrec_recorder_stop(&err), -1);
	CHECK_INT(jfrec_recorder_dump("x.jfr", &err), -1);
	CHECK(!tick_enabled());
	tick_emit(2, 0);
	start(0);
	tick_emit(3, 0);
	balance(1);
}

static bool runs_within(bool running, int seconds)
{
	for (int i = 0; i < seconds * 100 && stats().is_running != running; i++)
		usleep(10000);
	return stats().is_running == running;
}

/* With nobody who listens, too; and one that has not begun can be given up. */
static void later_and_for_a_while(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory, .no_attach = true,
					    .delay_ns = 3600ull * 1000000000 };
	struct jfrec_recorder_error err;

	CHECK_INT(jfrec_recorder_start(&o, &err), 0);
	CHECK(!stats().is_running && !tick_enabled());
	CHECK_INT(jfrec_recorder_start(&o, &err), -1);
	CHECK_INT(jfrec_recorder_stop(&err), 0);
	CHECK_INT(jfrec_recorder_stop(&err), -1);
	o.delay_ns = 20000000;
	o.duration_ns = 2000000000;
	CHECK_INT(jfrec_recorder_start(&o, &err), 0);
	CHECK(runs_within(true, 60));
	tick_emit(1, 0);
	CHECK(runs_within(false, 60));
	CHECK(!tick_enabled());
	start(0);
	tick_emit(2, 0);
	balance(1);
}

/* A process that is not given the time to tidy up has nothing to tidy up after a stop. */
static void nothing_is_left_after_a_stop(void)
{
	char pattern[64];
	glob_t left;

	snprintf(pattern, sizeof(pattern), "/dev/shm/jfrec-recorder-%d-*", (int)getpid());
	start(0);
	CHECK_INT(glob(pattern, 0, NULL, &left), 0);
	globfree(&left);
	tick_emit(1, 0);
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
	CHECK_INT(glob(pattern, 0, NULL, &left), GLOB_NOMATCH);
	/* The next recording has a file again, with everything that is in use. */
	start(0);
	CHECK_INT(glob(pattern, 0, NULL, &left), 0);
	globfree(&left);
	tick_emit(2, 0);
	balance(1);
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
	fflush(stdout);
	_exit(test.bad);
}

/* All are interrupted all the time, also inside of events, and some children are made meanwhile. */
static void sampled_threads(void)
{
	CHECK_INT(jfrec_recorder_set("jdk.ExecutionSample", "enabled", "true", NULL), 0);
	CHECK_INT(jfrec_recorder_set("jdk.ExecutionSample", "period", "1 ms", NULL), 0);
	start(0);
	balance(run_threads(8, emit_many));
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (!child)
			_exit(tick_enabled() ? 1 : 0);
		CHECK(wait_for(child) == 0);
	}
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
	start(0);
	tick_emit(1, 0);
	balance(1);
}

static void settings_decide(void)
{
	struct jfrec_recorder_error err;

	start(0);
	CHECK_INT(jfrec_recorder_set("books.Tick", "enabled", "false", &err), 0);
	CHECK(!tick_enabled() && work_enabled());
	tick_emit(1, 0);
	CHECK_INT(jfrec_recorder_set("*", "enabled", "true", &err), 0);
	tick_emit(2, 0);
	CHECK_INT(jfrec_recorder_set("books.Work", "threshold", "2 ms", &err), 0);
	work_end(work_begin(), "short", 0, 0);
	uint64_t begin = work_begin();
	usleep(3000);
	work_end(begin, "long", 0, 0);
	balance(2);
	CHECK_INT(jfrec_recorder_set("books.Work", "threshold", "2 parsecs", &err), -1);
	CHECK(strstr(err.text, "threshold=10ms") != NULL);
	CHECK_INT(jfrec_recorder_set("books.Work", "colour", "red", &err), -1);
	CHECK_INT(jfrec_recorder_set("books.Work", "enabled", "maybe", &err), -1);
}

/* What has a type that cannot be recorded is off, and harms nothing. */
static void types_that_are_refused(void)
{
	static const struct jfrec_event_field fields[] = {
		{ "a", "A", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
		{ "startTime", "B", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	};
	struct jfrec_event_type t = { .struct_size = sizeof(t), .name = "jdk.ThreadSleep",
				      .fields = fields, .field_count = 1,
				      .on = &jfrec_event_off_ };
	static const char *const bad[] = { "jdk.ThreadSleep", "", "a b", ".a", "a.", "9a", "java.Lang" };

	start(0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		t.name = bad[i];
		jfrec_event_register(&t);
		CHECK_INT(t.id, 0);
	}
	t.name = "books.Own";
	t.field_count = 2;
	jfrec_event_register(&t);
	CHECK_INT(t.id, 0);
	t.field_count = 1;
	jfrec_event_register(&t);
	CHECK(t.id && *t.on);
	/* The same name with other fields. */
	t.field_count = 0;
	t.id = 0;
	jfrec_event_register(&t);
	CHECK_INT(t.id, 0);
	balance(0);
}

/* The same text has the same number, whoever asks. */
static uint64_t numbers[WORKERS];

static void *intern(void *arg)
{
	long i = (long *)arg - made;
	char text[32];

	for (int n = 0; n < 200; n++) {
		snprintf(text, sizeof(text), "text %d", n);
		numbers[i] += jfrec_event_intern(text) * (uint64_t)(n + 1);
	}
	return NULL;
}

static void interned_texts(void)
{
	char text[32];
	uint64_t last = 1;

	CHECK_INT((int64_t)jfrec_event_intern("before the start"), 0);
	start(0);
	run_threads(8, intern);
	for (int i = 1; i < 8; i++)
		CHECK(numbers[i] == numbers[0]);
	CHECK(jfrec_event_intern("") && jfrec_event_intern("") != jfrec_event_intern("text 1"));
	CHECK_INT((int64_t)jfrec_event_intern(NULL), 0);
	/* Until the table is full. */
	for (int n = 0; last && n < 100000; n++) {
		snprintf(text, sizeof(text), "another text %d", n);
		last = jfrec_event_intern(text);
	}
	CHECK_INT((int64_t)last, 0);
	work_end(work_begin(), "a", jfrec_event_intern("text 1"), 1);
	work_end(work_begin(), "b", last, 1);
	balance(2);
}

/* Chunks beyond the limit are deleted, and a dump has what is left. */
static void limits_and_dumps(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .max_chunk = 100000, .max_size = 500000,
					    .flush_ns = 10000000 };
	struct jfrec_recorder_error err = { 0 };
	char path[512], nowhere[600];
	struct stat st;

	snprintf(path, sizeof(path), "%s/limits.jfr", directory);
	snprintf(nowhere, sizeof(nowhere), "%s/no/such/directory.jfr", directory);
	CHECK_INT(jfrec_recorder_start(&o, &err), 0);
	for (int i = 0; i < 100; i++) {
		for (int n = 0; n < 2000; n++)
			tick_emit(n, i);
		usleep(10000);
	}
	balance(200000);
	CHECK_INT(jfrec_recorder_dump(path, &err), 0);
	CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	printf("# %ld bytes in the dump, %ld chunks begun\n", (long)st.st_size, (long)stats().chunks);
	CHECK(st.st_size > 100000 && st.st_size < 1000000);
	CHECK(stats().chunks > 5);
	CHECK_INT(jfrec_recorder_dump(nowhere, &err), -1);
	CHECK_INT(err.sys, ENOENT);
}

/* They wait for the recorder, and everything is written, but to a disk that is full. */
static void threads_that_wait_lose_nothing(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .memory_size = 256 << 10, .block = true };
	struct rlimit all, little = { 20000, RLIM_INFINITY };

	CHECK_INT(jfrec_recorder_start(&o, NULL), 0);
	balance(run_threads(8, emit_many));
	CHECK_INT((int64_t)stats().lost, 0);
	getrlimit(RLIMIT_FSIZE, &all);
	little.rlim_max = all.rlim_max;
	CHECK_INT(setrlimit(RLIMIT_FSIZE, &little), 0);
	for (int i = 0; i < 200000; i++)
		tick_emit(i, 0);
	CHECK(stats().lost > 0);
	setrlimit(RLIMIT_FSIZE, &all);
	balance(8 * (200000 / part) + 200000);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "one_thread", one_thread },
	{ "eight_threads", eight_threads },
	{ "sixty_four_threads", sixty_four_threads },
	{ "a_tiny_pool_loses_and_counts", a_tiny_pool_loses_and_counts },
	{ "threads_that_wait_lose_nothing", threads_that_wait_lose_nothing },
	{ "without_a_nice_value", without_a_nice_value },
	{ "two_thousand_short_threads", two_thousand_short_threads },
	{ "handlers_inside_events", handlers_inside_events },
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
	/* Sanitizers cannot be cancelled in the middle. */
	{ "cancelled_threads", cancelled_threads },
#endif
	{ "destructors_of_threads", destructors_of_threads },
#if !defined(__SANITIZE_ADDRESS__)
	{ "forked_children", forked_children },
#endif
	{ "forks_inside_events", forks_inside_events },
	{ "spawned_children", spawned_children },
	{ "plugins_come_and_go", plugins_come_and_go },
	{ "large_events", large_events },
	{ "large_ones_are_lost_alone", large_ones_are_lost_alone },
	{ "losses_of_all_types", losses_of_all_types },
	{ "a_full_disk", a_full_disk },
	{ "started_again", started_again },
	{ "later_and_for_a_while", later_and_for_a_while },
	{ "nothing_is_left_after_a_stop", nothing_is_left_after_a_stop },
	{ "sampled_threads", sampled_threads },
	{ "settings_decide", settings_decide },
	{ "types_that_are_refused", types_that_are_refused },
	{ "interned_texts", interned_texts },
	{ "limits_and_dumps", limits_and_dumps },
};

/* In a process of its own, which ends as programs do. */
static bool run_apart(void (*run)(void))
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		run();
		fflush(stdout);
		exit(test.bad);
	}
	return wait_for(child) == 0;
}

int main(int argc, char **argv, char **envp)
{
	if (argc < 3)
		return 2;
	environment = envp;
	plugin = argv[1];
	directory = argv[2];
	if (argc > 3)
		part = atol(argv[3]);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 4 && strcmp(argv[4], tests[i].name))
			continue;
		test_begin(tests[i].name);
		CHECK(run_apart(tests[i].run));
	}
	return test_end();
}
