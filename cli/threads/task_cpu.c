/* SPDX-License-Identifier: MIT */
/*
 * task_cpu.c - the CPU that the threads of a process have taken, as the system tells it
 *
 * /proc/PID/task/TID/schedstat has nanoseconds; a kernel without it has ticks, in stat. Of a
 * process in a pid namespace of its own, status has the number that the thread has there.
 */
#include "threads/task_cpu.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "jfrec.h"

/* A file of a thread, ended by NUL.  False: it is not there any more. */
static bool read_file(const char *task, const char *name, char *to, size_t size)
{
	char path[128];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", task, name);
	f = fopen(path, "re");
	if (!f)
		return false;
	len = fread(to, 1, size - 1, f);
	to[len] = '\0';
	fclose(f);
	return len > 0;
}

static int64_t cpu_by_ticks(const char *stat)
{
	const char *end = strrchr(stat, ')');
	uint64_t user, system;

	/* Behind the name: the state, and ten fields. */
	if (!end || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &user,
			   &system) != 2)
		return -1;
	return (int64_t)((user + system) * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK)));
}

static int64_t cpu_of(const char *task)
{
	char text[1024];
	int64_t ns;

	if (read_file(task, "schedstat", text, sizeof(text)) && sscanf(text, "%" SCNd64, &ns) == 1)
		return ns;
	return read_file(task, "stat", text, sizeof(text)) ? cpu_by_ticks(text) : -1;
}

/* The last number of "NSpid:\t4711\t17". */
static uint64_t inner_id(const char *task, uint64_t outer)
{
	char text[4096], *line, *at;

	line = read_file(task, "status", text, sizeof(text)) ? strstr(text, "\nNSpid:") : NULL;
	if (!line)
		return outer;
	line[1 + strcspn(line + 1, "\n")] = '\0';
	at = strrchr(line, '\t');
	return at ? strtoull(at, NULL, 10) : outer;
}

static int by_nid(const void *a, const void *b)
{
	const struct task_cpu *x = a, *y = b;

	return x->nid < y->nid ? -1 : x->nid > y->nid;
}

bool task_cpus_read(struct task_cpus *t, const struct jfrec_jvm *jvm)
{
	bool is_apart = jvm->ns_pid != jvm->pid, ok = true;
	char path[64], task[128];
	struct dirent *e;
	DIR *dir;

	*t = (struct task_cpus){ .at_ns = monotonic_now_ns() };
	snprintf(path, sizeof(path), "/proc/%d/task", jvm->pid);
	dir = opendir(path);
	while (ok && dir && (e = readdir(dir)) != NULL) {
		struct task_cpu c = { .nid = strtoull(e->d_name, NULL, 10) };

		if (!c.nid)
			continue;
		snprintf(task, sizeof(task), "%s/%" PRIu64, path, c.nid);
		c.cpu_ns = cpu_of(task);
		if (is_apart)
			c.nid = inner_id(task, c.nid);
		ok = c.cpu_ns < 0 || array_push(t->items, t->count, t->room, c);
	}
	if (dir)
		closedir(dir);
	if (t->count)
		qsort(t->items, t->count, sizeof(*t->items), by_nid);
	return ok;
}

void task_cpus_fini(struct task_cpus *t)
{
	free(t->items);
}

int64_t task_cpu_of(const struct task_cpus *t, uint64_t nid)
{
	const struct task_cpu key = { .nid = nid };
	const struct task_cpu *found =
		t->count ? bsearch(&key, t->items, t->count, sizeof(key), by_nid) : NULL;

	return found ? found->cpu_ns : -1;
}
