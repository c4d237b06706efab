/* SPDX-License-Identifier: MIT */
/*
 * text.c - what thread dumps show, for people
 *
 * First what is wrong, then what is: who waits for whom, what takes CPU, pools, and threads that
 * stand together.
 */
#include "threads/text.h"

#include <stdio.h>

#include "base/human.h"
#include "threads/findings.h"
#include "threads/phrases.h"
#include "threads/tree.h"

#define MAX_MEMBERS 20
#define MAX_HOT	    10
#define MAX_POOLS   10
#define MAX_GROUPS  20

/* So much of one processor is worth a line. */
#define HOT_SHARE 0.05

/* Findings --------------------------------------------------------------------------------------
 */

/* What the JVM reports need not be in the dump. */
static void print_thread(const struct jfrec_dumped_thread *t, const char *name)
{
	if (t)
		put_thread(stdout, t);
	else
		put_short_name(stdout, name);
}

static void print_member(const struct threads_seen *s, const struct jfrec_deadlocked *m)
{
	const struct jfrec_dumped_thread *t =
		m->thread == JFREC_NO_THREAD ? NULL : &s->last->threads[m->thread];

	fputs("  ", stdout);
	print_thread(t, m->name);
	if (t && *t->name && t->id)
		printf(" #%llu", (unsigned long long)t->id);
	fputs(": ", stdout);
	put_wait(stdout, m->wait, &m->lock);
	if (m->holder) {
		fputs(m->wait == JFREC_WAIT_CLASS ? ", by " : ", held by ", stdout);
		print_thread(t && t->holder != JFREC_NO_THREAD ? &s->last->threads[t->holder]
							       : NULL,
			     m->holder);
	}
	putchar('\n');
	if (t && place_of_thread(t)) {
		fputs("      in ", stdout);
		put_frame(stdout, place_of_thread(t));
		putchar('\n');
	}
	if (t)
		tree_print_below(s, m->thread, 2);
}

static void print_deadlock(const struct threads_seen *s, const struct jfrec_deadlock *d)
{
	for (size_t i = 0; i < d->count && i < MAX_MEMBERS; i++)
		print_member(s, &d->threads[i]);
	if (d->count > MAX_MEMBERS)
		printf("  and %zu more\n", d->count - MAX_MEMBERS);
	if (d->is_reported)
		return;
	puts(s->last->is_json ? "  The stacks show it, one after the other: look at a second dump, too."
			      : "  The JVM does not report it, since it looks for monitors and locks of "
				"platform threads only.");
}

static void print_findings(const struct threads_seen *s)
{
	for (size_t i = 0; i < s->finding_count; i++) {
		const struct thread_finding *f = &s->findings[i];

		finding_put(stdout, s, f);
		putchar('\n');
		if (f->kind == FINDING_DEADLOCK)
			print_deadlock(s, &s->last->deadlocks[f->number]);
	}
	if (threads_seen_deadlock(s))
		puts("  Only a restart of the JVM helps; then have all code take what it holds in one order.");
}

/* Facts -----------------------------------------------------------------------------------------
 */

/* Does it say of each thread that waits for another which one that is? */
static bool tells_all(const struct threads_seen *s)
{
	for (size_t i = 0; i < s->last->count; i++) {
		const struct jfrec_dumped_thread *t = &s->last->threads[i];
		bool is_for_thread = t->wait == JFREC_WAIT_MONITOR || t->wait == JFREC_WAIT_LOCK ||
				     t->wait == JFREC_WAIT_CLASS;

		if ((is_for_thread && t->holder == JFREC_NO_THREAD) ||
		    (s->last->is_json && !t->state))
			return false;
	}
	return !s->last->is_cut;
}

static bool has_states(const struct threads_seen *s)
{
	for (size_t i = 0; i < s->last->count; i++) {
		if (s->last->threads[i].state)
			return true;
	}
	return false;
}

static void print_headline(const struct threads_seen *s)
{
	size_t virtual = 0, dumps = jfrec_thread_dumps_count(s->dumps);

	for (size_t i = 0; i < s->last->count; i++)
		virtual += s->last->threads[i].is_virtual;
	if (!threads_seen_deadlock(s))
		fputs(tells_all(s) ? "No deadlock: " : "No deadlock that the dump tells of: ", stdout);
	printf("%zu thread%s", s->last->count, s->last->count == 1 ? "" : "s");
	if (virtual)
		printf(", %zu of them virtual", virtual);
	if (dumps > 1)
		printf(", in the last of %zu dumps", dumps);
	if (s->last->time) {
		fputs(", at ", stdout);
		put_short_name(stdout, s->last->time);
	}
	putchar('\n');
	if (s->last->is_json && !has_states(s))
		puts("It has stacks only, as of JDK 21 to 23: neither states nor locks.");
	if (s->last->is_cut)
		puts("The dump is cut short, so there may be more threads and deadlocks.");
}

/* Waits whose other end is not in the dump. */
static void print_untold(const struct threads_seen *s, bool can_ask)
{
	size_t monitors = 0, locks = 0;

	for (size_t i = 0; i < s->last->count; i++) {
		const struct jfrec_dumped_thread *t = &s->last->threads[i];

		monitors += t->wait == JFREC_WAIT_MONITOR && t->holder == JFREC_NO_THREAD;
		locks += t->wait == JFREC_WAIT_LOCK && t->holder == JFREC_NO_THREAD;
	}
	if (monitors)
		printf("\n%zu thread%s for monitors that no thread of the dump holds: a virtual thread may.\n",
		       monitors, monitors == 1 ? " waits" : "s wait");
	if (!locks)
		return;
	printf("\n%zu thread%s for locks of java.util.concurrent, and the dump does not tell who holds "
	       "them%s.\n",
	       locks, locks == 1 ? " waits" : "s wait",
	       can_ask && !s->last->has_owners ? "; --locks asks for that" : "");
}

static void print_hot(const struct threads_seen *s)
{
	char span[HUMAN_MAX], share[HUMAN_MAX];
	size_t i;

	if (!s->window_ns || !s->hot)
		return;
	printf("\nCPU, of %s:\n", human_span(span, (double)s->window_ns));
	for (i = 0; i < s->hot_count && i < MAX_HOT; i++) {
		const struct jfrec_dumped_thread *t = &s->last->threads[s->hot[i].thread];
		double part = (double)s->hot[i].cpu_ns / (double)s->window_ns;

		if (part < HOT_SHARE)
			break;
		printf("  %7s  ", human_part(share, part, 1));
		put_thread(stdout, t);
		if (place_of_thread(t)) {
			fputs("  ", stdout);
			put_frame(stdout, place_of_thread(t));
		}
		putchar('\n');
	}
	if (!i)
		puts("  no thread took 5 % of a processor");
}

static void print_pool(const struct jfrec_thread_pool *p)
{
	fputs("  ", stdout);
	put_short_name(stdout, p->name);
	printf(": %zu threads, ", p->count);
	if (p->idle == p->count)
		fputs("all idle", stdout);
	else if (p->is_one_call)
		fputs("all in ", stdout);
	else
		printf("%zu busy", p->count - p->idle);
	if (p->is_one_call)
		put_frame(stdout, p->site);
	putchar('\n');
}

static void print_pools(const struct threads_seen *s)
{
	unsigned shown = 0;
	size_t left = 0;

	for (size_t i = 0; i < s->last->pool_count; i++) {
		const struct jfrec_thread_pool *p = &s->last->pools[i];

		if (p->count < 2)
			continue;
		if (shown == MAX_POOLS) {
			left++;
			continue;
		}
		if (!shown++)
			puts("\nPools:");
		print_pool(p);
	}
	if (left)
		printf("  and %zu more\n", left);
	if (shown && s->last->caller_count)
		printf("  %zu thread%s outside of pools for results\n", s->last->caller_count,
		       s->last->caller_count == 1 ? " waits" : "s wait");
}

static void print_group(const struct threads_seen *s, const struct jfrec_thread_group *g)
{
	const struct jfrec_dumped_thread *t = &s->last->threads[g->threads[0]];
	const char *place = place_of_thread(t), *call = call_of_thread(t);

	printf("  %6zu  ", g->count);
	if (g->count == 1)
		put_thread(stdout, t);
	else
		put_short_name(stdout, *g->name ? g->name : "virtual threads");
	if (t->state)
		printf("  %.20s", t->state);
	if (place) {
		fputs("  ", stdout);
		put_frame(stdout, t->site == SIZE_MAX && call ? call : place);
	}
	if (call && t->site != SIZE_MAX) {
		fputs(" → ", stdout);
		put_frame(stdout, call);
	}
	putchar('\n');
}

/* Those of several threads, and others that are in the application. */
static void print_groups(const struct threads_seen *s)
{
	size_t shown = 0, threads = 0;

	puts("\nThreads with the same stack:");
	for (size_t i = 0; i < s->last->group_count; i++) {
		const struct jfrec_thread_group *g = &s->last->groups[i];

		if (shown == MAX_GROUPS ||
		    (g->count == 1 && s->last->threads[g->threads[0]].site == SIZE_MAX))
			continue;
		shown++;
		threads += g->count;
		print_group(s, g);
	}
	if (threads < s->last->count)
		printf("  %6zu  others\n", s->last->count - threads);
}

void threads_print(const struct threads_seen *s, bool can_ask)
{
	print_findings(s);
	print_headline(s);
	tree_print(s);
	print_untold(s, can_ask);
	print_hot(s);
	print_pools(s);
	print_groups(s);
}
