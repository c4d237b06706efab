/* SPDX-License-Identifier: MIT */
/*
 * native_threads.c - threads that stand in native methods, as samples of these show
 */
#include "analyze/native_threads.h"

enum { STACK, THREAD };

/* Fewer samples are chance. */
#define FEWEST 100

/*
 * By rounds it must be more: two threads that take turns at random look as if each was there for
 * 0.67.
 */
#define LEAST_BY_ROUNDS 0.7

static bool begins_with_any(const char *method, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strncmp(method, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

/* Who waits for connections is at no one's answer. */
static bool accepts(const struct event *e, uint32_t stack)
{
	return event_stack_has(e, stack, "sun.nio.ch.NioSocketImpl.accept") ||
	       event_stack_has(e, stack, "java.net.PlainSocketImpl.socketAccept") ||
	       event_stack_has(e, stack, "sun.nio.ch.ServerSocketChannelImpl.");
}

uint32_t native_threads_take(struct native_threads *s, const struct event *e,
			     const char *const *methods, size_t count)
{
	uint32_t stack = event_stack(e, STACK), thread = event_thread(e, THREAD);

	if (thread)
		series_add(&s->all, e, e->start_ns, thread);
	if (!stack || !thread || accepts(e, stack) ||
	    !begins_with_any(event_text_of(e, event_top_method(e, stack)), methods, count))
		return 0;
	return stack;
}

void native_threads_add(struct native_threads *s, const struct event *e, uint32_t what)
{
	uint32_t thread = event_thread(e, THREAD);
	struct group *g = groups_add(&s->there, e, (uint32_t[4]){ thread, what }, 1, NULL);

	if (g && !g->most_stack)
		g->most_stack = event_stack(e, STACK);
}

/* How often there may have been a look at all; 0: it is not known. */
static double looks_of(const struct judging *j)
{
	double period = (double)type_period_ns(j, "jdk.NativeMethodSample");

	return period > 0 ? (double)recorded_ns(j) / period : 0;
}

/*
 * How many rounds there were at most. One ends where the order of threads, by their numbers, begins
 * anew, in whichever direction; each look at which no thread was seen is one more.
 */
static double rounds_of(struct judging *j, struct native_threads *s, double looks)
{
	size_t up = 0, down = 0, same = 0;

	series_sort(&s->all);
	for (size_t i = 1; i < s->all.count; i++) {
		uint32_t from = (uint32_t)s->all.list[i - 1].value,
			 to = (uint32_t)s->all.list[i].value;
		int64_t a = thread_of(j, from).java_id, b = thread_of(j, to).java_id;

		same += from == to;
		up += from != to && b > a;
		down += from != to && b <= a;
	}
	return fmax(0, looks - (double)s->all.count) + (double)same +
	       (double)(up < down ? up : down);
}

/* Samples by thread, of those that count; NULL: there are none, or memory is gone. */
static double *by_thread(struct judging *j, const struct native_threads *s,
			 bool (*counts)(const void *ctx, uint32_t what), const void *ctx)
{
	uint32_t last = 0;
	double *sums;

	for (uint32_t i = 0; i < s->there.count; i++)
		last = s->there.list[i].key[0] > last ? s->there.list[i].key[0] : last;
	sums = last ? judging_memory(j, ((size_t)last + 1) * sizeof(*sums)) : NULL;
	for (uint32_t i = 0; sums && i < s->there.count; i++) {
		const struct group *g = &s->there.list[i];

		sums[g->key[0]] += !counts || counts(ctx, g->key[1]) ? (double)g->count : 0;
	}
	return sums;
}

struct native_thread native_threads_most(struct judging *j, struct native_threads *s, double least,
					 bool (*counts)(const void *ctx, uint32_t what),
					 const void *ctx)
{
	double looks = looks_of(j), rounds = fmax(1, rounds_of(j, s, looks));
	double *sums = looks > 0 ? by_thread(j, s, counts, ctx) : NULL;
	struct native_thread most = { 0 };

	for (uint32_t i = 0; sums && i < s->there.count; i++) {
		const struct group *g = &s->there.list[i];
		double n = sums[g->key[0]], share = fmin(1, n / rounds);

		sums[g->key[0]] = 0;
		if (share < fmax(least, LEAST_BY_ROUNDS))
			share = n / looks;
		if (n < FEWEST || share < least)
			continue;
		most.threads++;
		if (share > most.share)
			most = (struct native_thread){ g->key[0], g->most_stack, most.threads,
						       fmin(1, share) };
	}
	return most;
}

void native_threads_fini(struct native_threads *s)
{
	groups_fini(&s->there);
	series_fini(&s->all);
}
