/* SPDX-License-Identifier: MIT */
/*
 * interrupted.c - code that a signal interrupts is unwound from a copy of its registers and stack
 *
 * As the sampler does it, but without its clocks and system calls, which emulators do not have.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "../unit/test.h"
#include "recorder/stack/modules.h"
#include "recorder/stack/registers.h"

#define NOINLINE static __attribute__((noinline))

static uint8_t copy[64 << 10];
static struct snapshot snapshot;
static volatile sig_atomic_t is_taken;
static volatile int kept; /* so that no call is the last thing that a function does */
static volatile int calls = 3; /* no compiler makes a function for this number */
static uint64_t end;

static void on_alarm(int number, siginfo_t *info, void *context)
{
	uint64_t sp, size;

	(void)number;
	(void)info;
	copy_registers(snapshot.registers, context);
	sp = snapshot.registers[REGISTER_SP];
	size = end > sp && end - sp < sizeof(copy) ? end - sp : sizeof(copy);
	memcpy(copy, (const void *)sp, size);
	snapshot.stack = copy;
	snapshot.stack_address = sp;
	snapshot.stack_size = size;
	is_taken = 1;
}

/* It calls nothing: on AArch64 it has nothing on the stack. */
NOINLINE void spin(void)
{
	while (!is_taken)
		continue;
}

NOINLINE void middle(int depth)
{
	volatile char room[300];

	room[depth] = 1;
	if (depth)
		middle(depth - 1);
	else
		spin();
	kept += room[depth];
}

static void interrupt(void)
{
	struct itimerval soon = { .it_value = { .tv_usec = 20000 } };

	is_taken = 0;
	setitimer(ITIMER_REAL, &soon, NULL);
	middle(calls);
	kept++;
}

/* The alarm is for the thread that is in middle(). */
static void let_it_come(bool come)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(come ? SIG_UNBLOCK : SIG_BLOCK, &alarm, NULL);
}

NOINLINE void *begin(void *unused)
{
	char here;

	(void)unused;
	end = (uint64_t)&here + 1024; /* descriptors of threads are larger, and above */
	let_it_come(true);
	interrupt();
	kept++;
	return NULL;
}

static bool is_called(uint64_t pc, const char *name)
{
	struct function f;

	modules_name(pc, &f);
	if (strcmp(function_name(&f), name) != 0)
		printf("# %s is not %s\n", function_name(&f), name);
	return strcmp(function_name(&f), name) == 0;
}

static void look(void)
{
	static const char *const names[] = { "spin", "middle", "middle", "middle", "middle" };
	struct frames frames;

	modules_refresh();
	unwind(&snapshot, modules_find_tables, NULL, &frames);
	CHECK(frames.count >= 6);
	for (unsigned i = 0; i < 5 && i < frames.count; i++)
		CHECK(is_called(frames.pc[i], names[i]));
	CHECK(frames.is_whole || frames.is_cut);
}

int main(void)
{
	struct sigaction a = { .sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_RESTART };
	pthread_t thread;

	sigaction(SIGALRM, &a, NULL);
	test_begin("code_of_the_first_thread");
	end = (uint64_t)__builtin_frame_address(0);
	interrupt();
	look();
	test_begin("code_of_another_thread");
	let_it_come(false);
	CHECK(pthread_create(&thread, NULL, begin, NULL) == 0);
	pthread_join(thread, NULL);
	look();
	return test_end();
}
