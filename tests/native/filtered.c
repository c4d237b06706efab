/* SPDX-License-Identifier: MIT */
/*
 * filtered.c - events of threads that may make hardly any system call
 *
 * usage: filtered DIRECTORY [TEST]
 *
 * Each test is a process of its own.  A filter ends it, or refuses what an event must do without.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../unit/test.h"
#include "jfrec-recorder.h"

#define TICK(F) F(LONG, number, "Number", PLAIN) F(STRING, text, "Text", PLAIN)
JFREC_EVENT(tick, "filtered.Tick", "Tick", "Filtered", TICK)
JFREC_STACK_EVENT(traced, "filtered.Traced", "Traced", "Filtered", TICK)

#define ALLOW	 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD	 BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IS(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1)

static const char *directory;

/* Helpers -------------------------------------------------------------------------------------- */

static void start(uint64_t memory)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .memory_size = memory, .no_attach = true };
	struct jfrec_recorder_error err;

	if (jfrec_recorder_start(&o, &err)) {
		printf("# %s\n", err.text);
		exit(1);
	}
}

/* What is written and what is lost are what was made. */
static void balance(long made, bool some_lost)
{
	struct jfrec_recorder_stats s = { .struct_size = sizeof(s) };

	CHECK_INT(jfrec_recorder_flush(NULL), 0);
	jfrec_recorder_count(&s);
	printf("# %ld made, %ld written, %ld lost\n", made, (long)s.written, (long)s.lost);
	CHECK_INT((int64_t)(s.written + s.lost), made);
	CHECK((s.lost > 0) == some_lost);
}

static void emit(long count)
{
	for (long i = 0; i < count; i++) {
		tick_emit(i, "a text");
		if (i % 10 == 0)
			traced_emit(i, NULL);
	}
}

/* Only this thread: the recorder's own does what it did. */
static void allow_only_sleep(unsigned otherwise)
{
	struct sock_filter rules[] = { LOAD,  IS(clock_nanosleep), ALLOW, IS(rt_sigreturn),
				       ALLOW, IS(exit_group),	   ALLOW, BPF_STMT(BPF_RET | BPF_K, otherwise) };
	struct sock_fprog program = { sizeof(rules) / sizeof(rules[0]), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

static void sleep_forever(void)
{
	struct timespec t = { 3600, 0 };

	for (;;)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static atomic_bool done;

/* It cannot end: that takes more calls. */
static void run(void *(*work)(void *), void *arg)
{
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, work, arg) == 0);
	while (!atomic_load(&done))
		usleep(1000);
}

/* Tests ---------------------------------------------------------------------------------------- */

static void *emit_locked_in(void *count)
{
	emit(10);
	allow_only_sleep(SECCOMP_RET_KILL_PROCESS);
	emit(*(long *)count - 10);
	atomic_store(&done, true);
	sleep_forever();
	return NULL;
}

static void no_call_after_the_first_event(void)
{
	long count = 100000;

	start(64 << 20);
	run(emit_locked_in, &count);
	balance(11 * count / 10, false);
}

static void no_call_when_the_buffers_are_full(void)
{
	long count = 1000000;

	start(256 << 10);
	run(emit_locked_in, &count);
	balance(11 * count / 10, true);
}

static void *emit_refused(void *unused)
{
	(void)unused;
	allow_only_sleep(SECCOMP_RET_ERRNO | 1);
	emit(1000);
	atomic_store(&done, true);
	sleep_forever();
	return NULL;
}

static void the_first_event_may_be_refused_all(void)
{
	start(0);
	run(emit_refused, NULL);
	balance(1100, false);
}

static void *emit_announced(void *unused)
{
	(void)unused;
	jfrec_recorder_before_filter();
	allow_only_sleep(SECCOMP_RET_KILL_PROCESS);
	emit(1000);
	atomic_store(&done, true);
	sleep_forever();
	return NULL;
}

static void no_call_at_all_after_a_word(void)
{
	start(0);
	run(emit_announced, NULL);
	balance(1100, false);
}

static void allow_all_but_nice(void)
{
	struct sock_filter rules[] = { LOAD, IS(setpriority), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
				       IS(lchown), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), ALLOW };
	struct sock_fprog program = { sizeof(rules) / sizeof(rules[0]), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

/* As the unit of Redis does: SystemCallFilter=~ @privileged @resources. */
static void what_units_forbid_is_not_called(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory };

	allow_all_but_nice();
	CHECK_INT(jfrec_recorder_start(&o, NULL), 0);
	emit(1000);
	balance(1100, false);
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
}

/* The child has the parent's buffers, and knows from no handler that it is one. */
static void cloned_children_leave_it_alone(void)
{
	int status = -1;
	pid_t child;

	start(0);
	emit(10);
	child = (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0l, 0l, 0l, 0l);
	if (child == 0) {
		for (int i = 0; i < 100000; i++)
			tick_emit(i, "of the child");
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	emit(1000);
	balance(1111, false);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "no_call_after_the_first_event", no_call_after_the_first_event },
	{ "no_call_when_the_buffers_are_full", no_call_when_the_buffers_are_full },
	{ "the_first_event_may_be_refused_all", the_first_event_may_be_refused_all },
	{ "no_call_at_all_after_a_word", no_call_at_all_after_a_word },
	{ "what_units_forbid_is_not_called", what_units_forbid_is_not_called },
	{ "cloned_children_leave_it_alone", cloned_children_leave_it_alone },
};

static bool run_apart(void (*test_of)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		test_of();
		fflush(stdout);
		exit(test.bad);
	}
	if (waitpid(child, &status, 0) != child || status)
		printf("# status %x\n", (unsigned)status);
	return status == 0;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	directory = argv[1];
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 2 && strcmp(argv[2], tests[i].name))
			continue;
		test_begin(tests[i].name);
		CHECK(run_apart(tests[i].run));
	}
	return test_end();
}
