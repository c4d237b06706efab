/* SPDX-License-Identifier: MIT */
/*
 * pressure.c - how often the kernel stopped or killed what a control group holds
 *
 * The files are those of Documentation/admin-guide/cgroup-v2.rst and cgroup-v1:
 *
 *    version 2	cpu.stat: nr_periods, nr_throttled, throttled_usec; memory.events: oom_kill
 *    version 1	cpu.stat: nr_periods, nr_throttled, throttled_time (ns);
 *		memory.oom_control: oom_kill
 *
 * A quota of a group stops all that is below it, so those around a process's own count, too; but
 * the kills of a group around it are mostly of its neighbours.
 */
#include "process/pressure.h"

#include <stdio.h>
#include <string.h>

#define CPU_FILE "cpu.stat"

static int64_t value_of(const struct cgroup *g, const char *file, const char *word)
{
	uint64_t n;

	return cgroup_value(g, file, word, &n) && n < INT64_MAX ? (int64_t)n : -1;
}

struct throttling throttling_of(const struct cgroup *g)
{
	struct throttling t = {
		.periods = value_of(g, CPU_FILE, "nr_periods"),
		.throttled = value_of(g, CPU_FILE, "nr_throttled"),
		.ns = value_of(g, CPU_FILE, "throttled_time"),
	};
	int64_t us = t.ns < 0 ? value_of(g, CPU_FILE, "throttled_usec") : -1;

	if (us >= 0 && us < INT64_MAX / 1000)
		t.ns = us * 1000;
	return t;
}

static void read_cpu(const struct cgroup *own, struct throttling *list)
{
	struct cgroup g = *own;

	for (size_t i = 0; i < PRESSURE_DEPTH; i++) {
		list[i] = throttling_of(&g);
		if (!cgroup_step_up(&g))
			break;
	}
}

static const char *kills_file(const struct cgroup *g)
{
	return g->is_v2 ? "memory.events" : "memory.oom_control";
}

void pressure_begin(struct pressure *p, const struct process *of, const char *host)
{
	memset(p, 0, sizeof(*p));
	memset(p->first, -1, sizeof(p->first));
	memset(p->last, -1, sizeof(p->last));
	p->first_kills = p->last_kills = -1;
	p->has_cpu = cgroup_find(&p->cpu, of, host, "cpu");
	p->has_memory = cgroup_find(&p->memory, of, host, "memory");
	if (p->has_cpu)
		read_cpu(&p->cpu, p->first);
	if (p->has_memory)
		p->first_kills = value_of(&p->memory, kills_file(&p->memory), "oom_kill");
}

void pressure_again(struct pressure *p)
{
	p->has_two = true;
	memset(p->last, -1, sizeof(p->last));
	if (p->has_cpu)
		read_cpu(&p->cpu, p->last);
	if (p->has_memory)
		p->last_kills = value_of(&p->memory, kills_file(&p->memory), "oom_kill");
}

struct throttling throttling_between(const struct throttling *a, const struct throttling *b)
{
	struct throttling t = { b->periods - a->periods, b->throttled - a->throttled, -1 };

	if (a->periods < 0 || a->throttled < 0 || b->throttled < a->throttled ||
	    b->periods < a->periods || t.throttled > t.periods)
		return (struct throttling){ -1, -1, -1 };
	if (a->ns >= 0 && b->ns >= a->ns)
		t.ns = b->ns - a->ns;
	return t;
}

static double share_of(const struct throttling *t)
{
	return t->periods > 0 ? (double)t->throttled / (double)t->periods : -1;
}

bool pressure_worst(const struct pressure *p, struct throttling *worst, char *file)
{
	static const struct throttling none = { 0, 0, 0 };
	struct cgroup g = p->cpu;

	*worst = (struct throttling){ -1, -1, -1 };
	for (size_t i = 0; p->has_cpu && i < PRESSURE_DEPTH; i++) {
		struct throttling t = p->has_two ? throttling_between(&p->first[i], &p->last[i])
						 : throttling_between(&none, &p->first[i]);

		if (share_of(&t) > share_of(worst)) {
			*worst = t;
			snprintf(file, PATH_MAX, "%.*s/%s", (int)(PATH_MAX - sizeof(CPU_FILE) - 1),
				 g.path, CPU_FILE);
		}
		if (!cgroup_step_up(&g))
			break;
	}
	return worst->periods > 0;
}

bool pressure_kills(const struct pressure *p, int64_t *kills, int64_t *before, char *file)
{
	int64_t last = p->has_two ? p->last_kills : p->first_kills;

	if (!p->has_memory || p->first_kills < 0 || last < p->first_kills)
		return false;
	/* The root group has what is in no other: what it counted is of anybody, since the boot. */
	*before = strlen(p->memory.path) > p->memory.top ? p->first_kills : 0;
	*kills = last - p->first_kills;
	snprintf(file, PATH_MAX, "%.*s/%s", PATH_MAX - 32, p->memory.path, kills_file(&p->memory));
	return true;
}
