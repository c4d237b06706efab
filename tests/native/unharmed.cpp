/* SPDX-License-Identifier: MIT */
/*
 * unharmed.cpp - a program that is sampled while it does what profilers break
 *
 * usage: unharmed SECONDS
 *
 * Exceptions, longjmp, coroutines, signal handlers on a stack of their own, calls that wait.  Exits
 * with 0 if each of them came out as it should.
 */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <ucontext.h>
#include <unistd.h>

#include <jfrec-recorder.h>

static volatile double result;
static ucontext_t outside, inside;
static volatile long yielded, handled;
static jmp_buf place;

static double cpu()
{
	timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void work(int n)
{
	for (int i = 1; i < n; i++)
		result = result + 1.0 / i;
}

__attribute__((noinline)) static void throw_from(int depth)
{
	work(100);
	if (!depth)
		throw depth;
	throw_from(depth - 1);
	work(1);
}

__attribute__((noinline)) static void jump_from(int depth)
{
	work(100);
	if (!depth)
		longjmp(place, 1);
	jump_from(depth - 1);
	work(1);
}

static void coroutine()
{
	for (;;) {
		work(2000);
		yielded = yielded + 1;
		swapcontext(&inside, &outside);
	}
}

static void on_signal(int)
{
	work(1000);
	handled = handled + 1;
}

int main(int argc, char **argv)
{
	static char stack[64 << 10], signal_stack[64 << 10];
	volatile long caught = 0, jumped = 0, rounds = 0, waited = 0;
	double end = cpu() + (argc > 1 ? atof(argv[1]) : 1);
	struct sigaction action = {};
	stack_t own = {};

	own.ss_sp = signal_stack;
	own.ss_size = sizeof(signal_stack);
	action.sa_handler = on_signal;
	action.sa_flags = SA_ONSTACK;
	if (sigaltstack(&own, nullptr) || sigaction(SIGUSR1, &action, nullptr) || getcontext(&inside))
		return 2;
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = nullptr;
	makecontext(&inside, coroutine, 0);
	for (; cpu() < end; rounds = rounds + 1) {
		timespec moment = { 0, 1000 };

		try {
			throw_from(20);
		} catch (int) {
			caught = caught + 1;
		}
		if (setjmp(place) == 0)
			jump_from(20);
		else
			jumped = jumped + 1;
		swapcontext(&outside, &inside);
		raise(SIGUSR1);
		waited = waited + (nanosleep(&moment, nullptr) == 0);
	}
	printf("%ld rounds\n", (long)rounds);
	return rounds && caught == rounds && jumped == rounds && yielded == rounds && handled == rounds &&
			       waited >= rounds - rounds / 100 - 1
		       ? 0
		       : 1;
}
