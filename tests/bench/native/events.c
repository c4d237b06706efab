/* SPDX-License-Identifier: MIT */
/*
 * events.c - what an event of the native recorder costs, beside a reading of the clock
 *
 * usage: events [MILLIONS]
 *
 * Nanoseconds of the thread's CPU time, the least of five rounds; what the recorder's own thread
 * takes is in the last line.  Rounds are short enough for the buffers, so that nothing is lost.
 */
#include <jfrec-recorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define ROUNDS 5

#define VALUES(F) F(LONG, number, "Number", PLAIN) F(INT, other, "Other", PLAIN)
JFREC_EVENT(instant, "bench.Instant", "Instant", "Bench", VALUES)
JFREC_SPAN_EVENT(span, "bench.Span", "Span", "Bench", VALUES)

JFREC_STACK_EVENT(traced, "bench.Traced", "Traced", "Bench", VALUES)

#define NAMED(F) F(STRING, text, "Text", PLAIN) F(LONG, number, "Number", PLAIN)
JFREC_EVENT(named, "bench.Named", "Named", "Bench", NAMED)

static volatile uint64_t sink;
static FILE *null;

static void empty(long i)
{
	sink = (uint64_t)i;
}

static void read_clock(long i)
{
	struct timespec t;

	(void)i;
	clock_gettime(CLOCK_MONOTONIC, &t);
	sink = (uint64_t)t.tv_nsec;
}

static void read_ticks(long i)
{
	(void)i;
	sink = jfrec_recorder_now();
}

static void emit_instant(long i)
{
	instant_emit(i, (int32_t)i);
}

static void emit_span(long i)
{
	span_end(span_begin(), i, (int32_t)i);
}

static void emit_named(long i)
{
	named_emit("forty-one bytes of text, as they are in logs", i);
}

/* Ten frames: three before main, main, measure, emit_traced, and four of these; no tail calls. */
__attribute__((noinline)) static int down(long i, int depth)
{
	int sum = depth ? down(i, depth - 1) + 1 : 0;

	if (!depth)
		traced_emit(i, (int32_t)i);
	__asm__ volatile("" : "+r"(sum));
	return sum;
}

static void emit_traced(long i)
{
	sink = (uint64_t)down(i, 3);
}

static void print_line(long i)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	fprintf(null, "%ld.%09ld bench %ld %d\n", (long)t.tv_sec, t.tv_nsec, i, (int)i);
}

static double cpu_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(const char *name, void (*what)(long), long count)
{
	double least = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		double begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);

		for (long i = 0; i < count; i++)
			what(i);
		begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
		least = begin < least ? begin : least;
		/* Empty buffers for the next round. */
		jfrec_recorder_flush(NULL);
	}
	printf("%-34s %7.1f ns\n", name, least / (double)count);
}

int main(int argc, char **argv)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .memory_size = 64 << 20 };
	struct jfrec_recorder_stats s = { .struct_size = sizeof(s) };
	struct jfrec_recorder_error err;
	long count = (argc > 1 ? atol(argv[1]) : 1) * 1000000;
	double all, own;

	null = fopen("/dev/null", "w");
	if (!null || count < 1)
		return 2;
	measure("an empty loop", empty, count);
	measure("clock_gettime()", read_clock, count);
	measure("fprintf() of a line with the time", print_line, count);
	measure("an instant event, never started", emit_instant, count);
	if (jfrec_recorder_start(&o, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	/* The rate of the processor's counter has been measured by then. */
	nanosleep(&(struct timespec){ 2, 0 }, NULL);
	all = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	own = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	measure("jfrec_recorder_now()", read_ticks, count);
	measure("an instant event", emit_instant, count);
	measure("an event with a duration", emit_span, count);
	measure("an event with a text", emit_named, count);
	measure("an event with a stack of 10 frames", emit_traced, count);
	jfrec_recorder_set("bench.Span", "threshold", "1 h", NULL);
	measure("an event below its threshold", emit_span, count);
	jfrec_recorder_set("*", "enabled", "false", NULL);
	measure("a type that is off", emit_instant, count);
	all = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - all;
	own = cpu_ns(CLOCK_THREAD_CPUTIME_ID) - own;
	jfrec_recorder_count(&s);
	printf("%lu events written, %lu lost; the recorder's thread took %.1f ns for each\n",
	       (unsigned long)s.written, (unsigned long)s.lost,
	       (all - own) / ((double)s.written + 1));
	return jfrec_recorder_stop(NULL) != 0;
}
