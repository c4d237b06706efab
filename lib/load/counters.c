/* SPDX-License-Identifier: MIT */
/*
 * counters.c - heap and collections, by the performance data that HotSpot keeps
 *
 *	sun.gc.generation.N.capacity		bytes of the generation that are committed
 *	sun.gc.generation.N.space.M.used	bytes in a part of it
 *	sun.gc.collector.N.invocations, .time, .lastEntryTime, .lastExitTime
 *	sun.os.hrt.frequency			ticks of these times in a second
 *
 * Generations 0 and 1 are the heap, with every collector: one that knows no generations has only
 * one of them filled. With G1, ZGC and Shenandoah the numbers are those of the last collection.
 * A collection that goes on is counted when it ends, so one in which both readings fall is known
 * by having begun after the last one had ended.  Shenandoah ("Shenandoah full") counts the time of
 * its concurrent phases as well, so the share of its pauses is not known.
 */
#include "load/counters.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "process/hsperf.h"

#define HEAP_GENERATIONS 2

/* Behind a word that the name begins with; NULL. */
static const char *after(const char *name, const char *word)
{
	size_t len = strlen(word);

	return strncmp(name, word, len) == 0 ? name + len : NULL;
}

/* The number that the name goes on with, and what is behind it and a dot; NULL. */
static const char *after_number(const char *name, unsigned *number)
{
	char *end;

	if (!isdigit((unsigned char)*name) || strlen(name) > 64)
		return NULL;
	*number = (unsigned)strtoul(name, &end, 10);
	return *end == '.' ? end + 1 : NULL;
}

static void take_generation(struct counters *c, const char *name, double n)
{
	unsigned number, space;
	const char *rest = after_number(name, &number), *of_space;

	if (!rest || number >= HEAP_GENERATIONS || n < 0)
		return;
	of_space = after(rest, "space.");
	of_space = of_space ? after_number(of_space, &space) : NULL;
	if (strcmp(rest, "capacity") == 0)
		c->committed += n;
	else if (of_space && strcmp(of_space, "used") == 0)
		c->used += n;
	else
		return;
	c->has_heap = true;
}

static void take_collector(struct counters *c, const char *name, double n)
{
	unsigned number;
	const char *rest = after_number(name, &number);
	struct collector *of = rest && number < COUNTERS_COLLECTORS ? &c->collectors[number] : NULL;

	if (!of)
		return;
	if (strcmp(rest, "invocations") == 0)
		of->invocations = n;
	else if (strcmp(rest, "time") == 0)
		of->time = n;
	else if (strcmp(rest, "lastEntryTime") == 0)
		of->entered = n;
	else if (strcmp(rest, "lastExitTime") == 0)
		of->left = n;
	c->has_collectors = true;
}

static void take_text(struct counters *c, const struct hsperf_entry *e)
{
	if (after(e->name, "sun.gc.collector.") && after(e->text, "Shenandoah"))
		c->has_concurrent = true;
}

static void take(void *ctx, const struct hsperf_entry *e)
{
	struct counters *c = ctx;
	const char *name = after(e->name, "sun."), *rest;
	double n = (double)e->number;

	if (!name)
		return;
	if (e->text) {
		take_text(c, e);
		return;
	}
	if ((rest = after(name, "gc.generation.")) != NULL)
		take_generation(c, rest, n);
	else if ((rest = after(name, "gc.collector.")) != NULL)
		take_collector(c, rest, n);
	else if (strcmp(name, "os.hrt.frequency") == 0)
		c->per_second = n > 0 ? n : 0;
}

bool counters_parse(struct counters *c, const void *bytes, size_t len)
{
	struct hsperf h;

	*c = (struct counters){ 0 };
	if (!hsperf_parse(&h, bytes, len) || !h.accessible)
		return false;
	hsperf_each(bytes, len, take, c);
	return true;
}

static bool is_in_both(const struct collector *a, const struct collector *b)
{
	return a->entered > a->left && b->entered > b->left && a->entered == b->entered;
}

double counters_share(const struct counters *before, const struct counters *after, double seconds)
{
	double time = 0;

	if (!before->has_collectors || !after->has_collectors || after->has_concurrent ||
	    !after->per_second || seconds <= 0)
		return -1;
	for (size_t i = 0; i < COUNTERS_COLLECTORS; i++) {
		const struct collector *a = &before->collectors[i], *b = &after->collectors[i];

		if (is_in_both(a, b))
			return 1;
		time += fmax(b->time - a->time, 0);
	}
	return fmin(time / after->per_second / seconds, 1);
}

double counters_rate(const struct counters *before, const struct counters *after, double seconds)
{
	double count = 0;

	if (!before->has_collectors || !after->has_collectors || seconds <= 0)
		return -1;
	for (size_t i = 0; i < COUNTERS_COLLECTORS; i++)
		count += fmax(after->collectors[i].invocations - before->collectors[i].invocations,
			      0);
	return count / seconds;
}
