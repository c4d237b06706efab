/* SPDX-License-Identifier: MIT */
/*
 * counters.c - print a JVM's performance counters, as PerfCounter.print does
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/out.h"
#include "process/hsperf.h"
#include "process/jvm_root.h"

struct counters {
	struct hsperf_entry *items;
	size_t count, room;
	bool no_memory;
};

static void take(void *ctx, const struct hsperf_entry *entry)
{
	struct counters *c = ctx;

	if (!array_push(c->items, c->count, c->room, *entry))
		c->no_memory = true;
}

static int by_name(const void *a, const void *b)
{
	const struct hsperf_entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void print_entry(struct out *o, const struct hsperf_entry *e)
{
	char number[32];

	out_put(o, e->name, strlen(e->name));
	if (e->text) {
		out_put(o, "=\"", 2);
		out_put(o, e->text, strlen(e->text));
		out_put(o, "\"\n", 2);
		return;
	}
	snprintf(number, sizeof(number), "=%" PRId64 "\n", e->number);
	out_put(o, number, strlen(number));
}

static int print(const struct counters *c, jfrec_write_fn *write, void *ctx,
		 struct jfrec_error *err)
{
	struct out o;
	int result = 0;

	if (out_init(&o, write, ctx, err) < 0)
		return -1;
	for (size_t i = 0; i < c->count; i++)
		print_entry(&o, &c->items[i]);
	out_flush(&o);
	if (o.error)
		result = out_fail(&o, err);
	out_fini(&o);
	return result;
}

/* As the JDK does: by name. */
static int print_sorted(const void *bytes, size_t len, jfrec_write_fn *write, void *ctx,
			struct jfrec_error *err)
{
	struct counters c = { 0 };
	int result;

	hsperf_each(bytes, len, take, &c);
	if (c.count)
		qsort(c.items, c.count, sizeof(*c.items), by_name);
	result = c.no_memory ? jfrec_fail_memory(err) : print(&c, write, ctx, err);
	free(c.items);
	return result;
}

int jfrec_jvm_counters(const struct jfrec_jvm *jvm, jfrec_write_fn *write, void *ctx,
		       struct jfrec_error *err)
{
	struct jvm_root r;
	struct hsperf h;
	void *bytes;
	int result;

	if (jvm_root_open(&r, jvm->pid, jvm->start_ticks, jvm->tmp, err) < 0)
		return -1;
	bytes = hsperf_read(&h, &r.process, &r.opener, r.tmp_fd);
	if (bytes)
		result = print_sorted(bytes, h.len, write, ctx, err);
	else
		result =
			jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				   "process %d has no performance data that this user can read; "
				   "a JVM has none with -XX:-UsePerfData, or if its user has no "
				   "name",
				   jvm->pid);
	free(bytes);
	jvm_root_close(&r);
	return result;
}
