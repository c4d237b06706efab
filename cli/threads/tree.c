/* SPDX-License-Identifier: MIT */
/*
 * tree.c - who waits for whom, as a tree
 *
 *	holder, TIMED_WAITING in app.Ledger.write(Ledger.java:42): 6 threads wait for it
 *	  heir waits to enter the monitor of app.Ledger in app.Ledger.read(Ledger.java:17)
 *	    queued-* x 5 wait ...
 */
#include "threads/tree.h"

#include <stdio.h>

#include "threads/phrases.h"

#define MAX_ROOTS 10
#define MAX_DEPTH 8
#define MAX_LINES 20 /* of one tree */
#define MAX_KINDS 6 /* that wait for the same thread in different places */

/* Those that wait for the thread at the same place as the first of them. */
struct kind {
	size_t first, count, waiters;
	uint64_t stack;
};

static size_t find_kinds(const struct threads_seen *s, size_t thread, struct kind *kinds,
			 size_t *left)
{
	size_t count = 0;

	*left = 0;
	for (size_t i = 0; i < s->last->count; i++) {
		const struct jfrec_dumped_thread *t = &s->last->threads[i];
		size_t k = 0;

		if (t->holder != thread || t->in_deadlock)
			continue;
		while (k < count && kinds[k].stack != t->stack)
			k++;
		if (k == MAX_KINDS) {
			(*left)++;
			continue;
		}
		if (k == count)
			kinds[count++] = (struct kind){ .first = i, .stack = t->stack };
		kinds[k].count++;
		kinds[k].waiters += t->waiters;
	}
	return count;
}

static void print_in(const struct jfrec_dumped_thread *t)
{
	const char *place = place_of_thread(t);

	if (!place)
		return;
	fputs(" in ", stdout);
	put_frame(stdout, place);
}

static void print_kind(const struct threads_seen *s, const struct kind *k, unsigned depth)
{
	const struct jfrec_dumped_thread *t = &s->last->threads[k->first];

	printf("%*s", 2 * (int)depth, "");
	put_thread(stdout, t);
	if (k->count > 1)
		printf(" and %zu more", k->count - 1);
	fputs(": ", stdout);
	put_wait(stdout, t->wait, &t->lock);
	print_in(t);
	putchar('\n');
}

static void print_below(const struct threads_seen *s, size_t thread, unsigned depth,
			unsigned *lines)
{
	struct kind kinds[MAX_KINDS];
	size_t left, count;

	if (depth > MAX_DEPTH || !s->last->threads[thread].waiters || !*lines)
		return;
	count = find_kinds(s, thread, kinds, &left);
	for (size_t i = 0; i < count && *lines; i++) {
		(*lines)--;
		print_kind(s, &kinds[i], depth);
		/* Of several at one place, those that wait for the first one stand for all. */
		if (kinds[i].waiters)
			print_below(s, kinds[i].first, depth + 1, lines);
	}
	if (left)
		printf("%*sand %zu more elsewhere\n", 2 * (int)depth, "", left);
}

void tree_print_below(const struct threads_seen *s, size_t thread, unsigned depth)
{
	unsigned lines = MAX_LINES;

	print_below(s, thread, depth, &lines);
}

static void print_root(const struct threads_seen *s, size_t thread)
{
	const struct jfrec_dumped_thread *t = &s->last->threads[thread];

	fputs("  ", stdout);
	put_thread(stdout, t);
	if (t->state)
		printf(", %.20s", t->state);
	print_in(t);
	printf(": %zu thread%s for it\n", t->waiters, t->waiters == 1 ? " waits" : "s wait");
	tree_print_below(s, thread, 2);
}

/* The next one that most wait for, after that; its number, or JFREC_NO_THREAD. */
static size_t next_root(const struct threads_seen *s, size_t last)
{
	const struct jfrec_dumped_thread *all = s->last->threads;
	size_t best = JFREC_NO_THREAD;

	for (size_t i = 0; i < s->last->count; i++) {
		bool is_after = last == JFREC_NO_THREAD || all[i].waiters < all[last].waiters ||
				(all[i].waiters == all[last].waiters && i > last);

		if (all[i].waiters && all[i].holder == JFREC_NO_THREAD && is_after &&
		    !all[i].in_deadlock &&
		    (best == JFREC_NO_THREAD || all[i].waiters > all[best].waiters))
			best = i;
	}
	return best;
}

void tree_print(const struct threads_seen *s)
{
	size_t root = JFREC_NO_THREAD;

	for (unsigned i = 0; i < MAX_ROOTS; i++) {
		root = next_root(s, root);
		if (root == JFREC_NO_THREAD)
			break;
		if (!i)
			puts("\nWho waits for whom:");
		print_root(s, root);
	}
}
