/* SPDX-License-Identifier: MIT */
/*
 * loads.c - what the JVMs of this host use of it, at an interval
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "base/error.h"
#include "load/watched.h"
#include "process/jvm.h"

/* How often new JVMs are looked out for: that reads a file of each process of the host. */
#define LOOK_OUT_NS (8 * NS_PER_SECOND)

struct jfrec_loads {
	struct jfrec_jvms *jvms;
	int64_t looked_out_ns; /* monotonic; 0: never */
	bool is_one;	       /* that was named by its pid: nothing new is looked out for */
	struct watched **items; /* by pid */
	size_t count, room;
};

static struct watched *find(struct jfrec_loads *all, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < all->count; i++) {
		struct watched *w = all->items[i];

		if (w->jvm.pid == jvm->pid && w->jvm.start_ticks == jvm->start_ticks)
			return w;
	}
	return NULL;
}

static void remove_item(struct jfrec_loads *all, size_t i)
{
	watched_free(all->items[i]);
	for (all->count--; i < all->count; i++)
		all->items[i] = all->items[i + 1];
}

static bool is_listed(const struct jfrec_jvms *jvms, const struct watched *w)
{
	const struct jfrec_jvm *jvm;

	for (size_t i = 0; (jvm = jfrec_jvms_get(jvms, i)) != NULL; i++) {
		if (jvm->pid == w->jvm.pid && jvm->start_ticks == w->jvm.start_ticks)
			return true;
	}
	return false;
}

/* The one that ended since it was listed is not taken. */
static int take_jvm(struct jfrec_loads *all, const struct jfrec_jvm *jvm, struct jfrec_error *err)
{
	struct watched *w = find(all, jvm);
	struct jfrec_error why = { 0 };

	if (w) {
		w->jvm = *jvm; /* with the strings of this list */
		return 0;
	}
	w = watched_new(jvm, &why);
	if (w ? array_push(all->items, all->count, all->room, w) : why.code != JFREC_ENOMEM)
		return 0;
	watched_free(w);
	return jfrec_fail_memory(err);
}

static int by_pid(const void *a, const void *b)
{
	const struct watched *const *x = a, *const *y = b;

	return ((*x)->jvm.pid > (*y)->jvm.pid) - ((*x)->jvm.pid < (*y)->jvm.pid);
}

/*
 * The list before is freed with the strings of its JVMs, so what is watched gets those of the new
 * one, or goes.
 */
static int take_list(struct jfrec_loads *all, struct jfrec_jvms *jvms, struct jfrec_error *err)
{
	const struct jfrec_jvm *jvm;
	int ret = 0;

	all->jvms = jvms;
	for (size_t i = all->count; i-- > 0;) {
		if (!is_listed(jvms, all->items[i]))
			remove_item(all, i);
	}
	for (size_t i = 0; ret == 0 && (jvm = jfrec_jvms_get(jvms, i)) != NULL; i++)
		ret = take_jvm(all, jvm, err);
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_pid);
	return ret;
}

/* No JVM is left: what is watched refers to strings of the list, which is freed in any case. */
static int fail(struct jfrec_loads *all)
{
	while (all->count)
		remove_item(all, all->count - 1);
	all->jvms = NULL;
	return -1;
}

static bool is_pid(const char *target)
{
	return target && *target && strspn(target, "0123456789") == strlen(target);
}

static int look_out(struct jfrec_loads *all, const struct jfrec_jvm_query *query,
		    struct jfrec_error *err)
{
	int64_t now_ns = monotonic_now_ns();
	struct jfrec_jvms *jvms;

	if (all->looked_out_ns && (all->is_one || now_ns - all->looked_out_ns < LOOK_OUT_NS))
		return 0;
	all->looked_out_ns = now_ns;
	all->is_one = query && is_pid(query->target);
	jvms = jvms_find_again(query, all->jvms, err);
	return jvms ? take_list(all, jvms, err) : fail(all);
}

int jfrec_loads_look(struct jfrec_loads **all, const struct jfrec_jvm_query *query,
		     struct jfrec_error *err)
{
	struct jfrec_loads *l = *all ? *all : calloc(1, sizeof(*l));

	if (!l)
		return jfrec_fail_memory(err);
	if (look_out(l, query, err) < 0) {
		if (!*all)
			jfrec_loads_free(l);
		return -1;
	}
	for (size_t i = l->count; i-- > 0;) {
		if (!watched_look(l->items[i]))
			remove_item(l, i);
	}
	*all = l;
	return 0;
}

const struct jfrec_load *jfrec_loads_get(const struct jfrec_loads *all, size_t i)
{
	return all && i < all->count ? &all->items[i]->load : NULL;
}

size_t jfrec_loads_threads(struct jfrec_loads *all, size_t i, struct jfrec_thread_load *list,
			   size_t most, size_t *total)
{
	*total = 0;
	return all && i < all->count ? watched_threads(all->items[i], list, most, total) : 0;
}

void jfrec_loads_free(struct jfrec_loads *all)
{
	if (!all)
		return;
	while (all->count)
		remove_item(all, all->count - 1);
	free(all->items);
	jfrec_jvms_free(all->jvms);
	free(all);
}
