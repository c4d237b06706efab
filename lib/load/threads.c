/* SPDX-License-Identifier: MIT */
/*
 * threads.c - the threads of a JVM, by what they use
 *
 * Of /proc/PID/task/TID/stat. A thread is the same as before if it has the same number and start.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "load/watched.h"

/* More threads than these are not looked at. */
#define MOST_THREADS (32u << 10)

#define MAX_STATUS (16u << 10)

struct task {
	int tid;
	struct stat_line stat;
	double cpus; /* -1: it was not there */
};

struct tasks {
	struct task *list;
	size_t count, room, total;
};

/* "task", to be listed. */
static DIR *open_tasks(const struct watched *w)
{
	int fd = openat(w->process.dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static void read_tasks(struct tasks *t, const struct watched *w)
{
	DIR *dir = open_tasks(w);
	const struct dirent *entry;
	char path[32];

	while (dir && (entry = readdir(dir)) != NULL) {
		struct task one = { .tid = atoi(entry->d_name), .cpus = -1 };

		if (!isdigit((unsigned char)*entry->d_name) || ++t->total > MOST_THREADS)
			continue;
		snprintf(path, sizeof(path), "%.20s/stat", entry->d_name);
		if (stat_read(&one.stat, dirfd(dir), path) &&
		    !array_push(t->list, t->count, t->room, one))
			break;
	}
	if (dir)
		closedir(dir);
}

static int by_tid(const void *a, const void *b)
{
	const struct thread_seen *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static double cpus_of(const struct watched *w, const struct task *t, double seconds)
{
	const struct thread_seen key = { .tid = t->tid }, *was = NULL;

	if (w->thread_count)
		was = bsearch(&key, w->threads, w->thread_count, sizeof(key), by_tid);
	if (!was || was->start_ticks != t->stat.start_ticks || seconds <= 0)
		return -1;
	return t->stat.ticks > was->ticks ? stat_seconds(t->stat.ticks - was->ticks) / seconds : 0;
}

/* What they have used so far, for the next time. */
static void remember(struct watched *w, const struct tasks *t, int64_t now_ns)
{
	free(w->threads);
	w->threads = calloc(t->count + 1, sizeof(*w->threads));
	w->thread_count = w->threads ? t->count : 0;
	w->threads_at_ns = now_ns;
	for (size_t i = 0; i < w->thread_count; i++)
		w->threads[i] = (struct thread_seen){ t->list[i].tid, t->list[i].stat.start_ticks,
						      t->list[i].stat.ticks };
	if (w->thread_count)
		qsort(w->threads, w->thread_count, sizeof(*w->threads), by_tid);
}

static int by_use(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->cpus != y->cpus)
		return x->cpus > y->cpus ? -1 : 1;
	if (x->stat.ticks != y->stat.ticks)
		return x->stat.ticks > y->stat.ticks ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* In the pid namespace of the JVM, as its thread dumps have it. */
static int ns_tid(const struct process *p, int tid)
{
	char path[48], *text;
	struct proc_status s;
	size_t len = 0;

	if (p->status.ns_depth < 2)
		return tid;
	snprintf(path, sizeof(path), "task/%d/status", tid);
	text = process_read(p, path, MAX_STATUS, &len);
	if (!text || !proc_status_parse(&s, text))
		s.ns_pid = 0;
	free(text);
	return s.ns_pid;
}

static void show(struct jfrec_thread_load *to, const struct task *t, const struct process *p)
{
	*to = (struct jfrec_thread_load){
		.tid = t->tid,
		.ns_tid = ns_tid(p, t->tid),
		.state = t->stat.state,
		.cpus = t->cpus,
		.seconds = stat_seconds(t->stat.ticks),
	};
	memcpy(to->name, t->stat.name, sizeof(to->name));
}

size_t watched_threads(struct watched *w, struct jfrec_thread_load *list, size_t most,
		       size_t *total)
{
	int64_t now_ns = monotonic_now_ns();
	double seconds = (double)(now_ns - w->threads_at_ns) / NS_PER_SECOND;
	struct tasks t = { 0 };

	read_tasks(&t, w);
	for (size_t i = 0; i < t.count; i++)
		t.list[i].cpus = cpus_of(w, &t.list[i], seconds);
	remember(w, &t, now_ns);
	if (t.count)
		qsort(t.list, t.count, sizeof(*t.list), by_use);
	if (most > t.count)
		most = t.count;
	for (size_t i = 0; i < most; i++)
		show(&list[i], &t.list[i], &w->process);
	*total = t.total;
	free(t.list);
	return most;
}
