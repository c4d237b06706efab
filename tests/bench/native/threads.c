/* SPDX-License-Identifier: MIT */
/*
 * threads.c - what an event costs, and how many are lost, when several threads do nothing else
 *
 * usage: threads THREADS EVENTS BYTES
 *
 * BYTES of text in each event; 0 for the two numbers alone.  JFREC_BENCH_MEMORY is the recorder's
 * memory in MB, 64 if unset.  Prints nanoseconds of CPU time an event, written and lost; -DLTTNG
 * makes the same of LTTng-UST, where the session tells what was lost (threads.py asks it).
 */
#ifdef LTTNG
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_events.h"
#else
#include <jfrec-recorder.h>
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 64

struct work {
	long count;
	double ns;
	const char *text; /* NULL: numbers alone */
};

#ifdef LTTNG
static void emit_numbers(long i)
{
	lttng_ust_tracepoint(bench, instant, i, (int)i);
}

static void emit_text(const char *text, long i)
{
	lttng_ust_tracepoint(bench, named, text, i);
}

static void begin(void)
{
	/* Its daemon knows of us by then. */
	sleep(1);
}

static void end(double ns)
{
	printf("%.1f\n", ns);
}
#else
#define VALUES(F) F(LONG, number, "Number", PLAIN) F(INT, other, "Other", PLAIN)
JFREC_EVENT(instant, "bench.Instant", "Instant", "Bench", VALUES)
#define NAMED(F) F(STRING, text, "Text", PLAIN) F(LONG, number, "Number", PLAIN)
JFREC_EVENT(named, "bench.Named", "Named", "Bench", NAMED)

static void emit_numbers(long i)
{
	instant_emit(i, (int32_t)i);
}

static void emit_text(const char *text, long i)
{
	named_emit(text, i);
}

static void begin(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o) };
	const char *memory = getenv("JFREC_BENCH_MEMORY");
	struct jfrec_recorder_error err;

	o.memory_size = (size_t)atol(memory ? memory : "64") << 20;
	if (jfrec_recorder_start(&o, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	/* The rate of the processor's counter has been measured by then. */
	sleep(2);
}

static void end(double ns)
{
	struct jfrec_recorder_stats s = { .struct_size = sizeof(s) };

	jfrec_recorder_flush(NULL);
	jfrec_recorder_count(&s);
	printf("%.1f %lu %lu\n", ns, (unsigned long)s.written, (unsigned long)s.lost);
	jfrec_recorder_stop(NULL);
}
#endif

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *emit_all(void *arg)
{
	struct work *w = arg;
	double since = cpu_ns();

	if (w->text)
		for (long i = 0; i < w->count; i++)
			emit_text(w->text, i);
	else
		for (long i = 0; i < w->count; i++)
			emit_numbers(i);
	w->ns = cpu_ns() - since;
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0, bytes = argc > 3 ? atoi(argv[3]) : 0;
	long count = argc > 2 ? atol(argv[2]) : 0;
	pthread_t ids[MAX_THREADS];
	struct work works[MAX_THREADS];
	char text[1024] = "";
	double ns = 0;

	if (threads < 1 || threads > MAX_THREADS || count < 1 || bytes >= (int)sizeof(text))
		return 2;
	memset(text, 'x', (size_t)bytes);
	begin();
	for (int i = 0; i < threads; i++) {
		works[i] = (struct work){ .count = count, .text = bytes ? text : NULL };
		if (pthread_create(&ids[i], NULL, emit_all, &works[i]))
			return 1;
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		ns += works[i].ns;
	}
	end(ns / ((double)threads * (double)count));
	return 0;
}
