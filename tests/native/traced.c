/* SPDX-License-Identifier: MIT */
/*
 * traced.c - events with stacks, from places whose stacks are known
 *
 * usage: traced [threads]
 *
 * With an argument eight threads at once, for sanitizers.  Without, a recursion, two ways to one
 * place, a callback of the C library, a signal handler on a stack of its own, a coroutine, and a
 * thread.  Prints how many events it has emitted.
 */
#include <jfrec-recorder.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))

#define PLACE(F) F(STRING, place, "Place", PLAIN) F(INT, depth, "Depth", PLAIN)
JFREC_STACK_EVENT(traced, "test.Traced", "Traced", "Test", PLACE)
JFREC_STACK_SPAN_EVENT(span, "test.Span", "Span", "Test", PLACE)

static __thread int emitted;
static __thread volatile int kept; /* so that no call is the last thing that a function does */

NOINLINE void emit(const char *place, int depth)
{
	traced_emit(place, depth);
	kept = ++emitted;
}

NOINLINE void recurse(int depth, int left)
{
	if (left)
		recurse(depth, left - 1);
	else
		emit("recursion", depth);
	kept++;
}

/*
 * Two ways to one place.  The stack pointer is the same there whichever was taken, and the room that
 * two frames take is divided anew each time, so only words far above tell one stack from another.
 */
NOINLINE void inner(int i, int room)
{
	volatile char bytes[64 * room];

	bytes[0] = (char)i;
	traced_emit(i % 3 == 0 ? "way_a" : "way_b", i);
	kept += ++emitted + bytes[0];
}

NOINLINE void outer(int i, int room)
{
	volatile char bytes[64 * room];

	bytes[0] = (char)i;
	inner(i, 5 - room);
	kept += bytes[0];
}

NOINLINE void way_a(int i)
{
	outer(i, i / 3 % 4 + 1);
	kept += 1;
}

NOINLINE void way_b(int i)
{
	outer(i, i / 3 % 4 + 1);
	kept += 2;
}

NOINLINE void by_ways(void)
{
	static void (*const ways[])(int) = { way_a, way_b, way_b };

	for (int i = 0; i < 60; i++)
		ways[i % 3](i);
	kept++;
}

NOINLINE int compare(const void *a, const void *b)
{
	if (emitted == 160)
		emit("callback", 0);
	kept++;
	return *(const int *)a - *(const int *)b;
}

NOINLINE void on_signal(int number)
{
	emit("handler", number);
	kept++;
}

static ucontext_t main_context, other_context;

NOINLINE void coroutine(void)
{
	emit("coroutine", 0);
	kept++;
	swapcontext(&other_context, &main_context);
}

NOINLINE void *in_thread(void *unused)
{
	uint64_t begin = span_begin();

	(void)unused;
	span_end(begin, "thread", 1);
	kept++;
	return NULL;
}

NOINLINE void *many(void *unused)
{
	for (int i = 0; i < 5000; i++)
		recurse(i % 30, i % 30);
	for (int i = 0; i < 50; i++)
		by_ways();
	return unused;
}

static int in_threads(void)
{
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, many, NULL))
			return 1;
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	static char stack[65536], handlers[65536];
	static int numbers[100];
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	stack_t alternate = { .ss_sp = handlers, .ss_size = sizeof(handlers) };
	pthread_t thread;

	(void)argv;
	if (argc > 1)
		return in_threads();
	for (int i = 0; i < 100; i++)
		recurse(i % 80, i % 80);
	by_ways();
	for (int i = 0; i < 100; i++)
		numbers[i] = i * 37 % 100;
	qsort(numbers, 100, sizeof(numbers[0]), compare);
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof(stack);
	other_context.uc_link = &main_context;
	makecontext(&other_context, coroutine, 0);
	swapcontext(&main_context, &other_context);
	if (pthread_create(&thread, NULL, in_thread, NULL))
		return 1;
	pthread_join(thread, NULL);
	printf("%d\n", emitted);
	return 0;
}
