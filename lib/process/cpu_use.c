/* SPDX-License-Identifier: MIT */
/*
 * cpu_use.c - which processes used the processors between two moments
 *
 * Of /proc/PID/stat (proc(5)); a name in it may hold any byte, blanks and parentheses included.
 */
#include "process/cpu_use.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/deadline.h"

/* More processes than these are not looked at. */
#define MOST (64u << 10)

/* Of /proc/stat its first lines: those of the processors. */
#define MAX_STAT (128u << 10)

static bool read_text(int dir, const char *path, char *text, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	size_t len = 0;
	ssize_t n = 0;

	while (fd >= 0 && len < size - 1 && (n = read(fd, text + len, size - 1 - len)) > 0)
		len += (size_t)n;
	if (fd >= 0)
		close(fd);
	text[len] = '\0';
	return len > 0;
}

/* "4711 (name) S 1 ...": the parent is field 4, times are 14 and 15, the start is 22. */
static bool parse_process(struct cpu_user *u, const char *text)
{
	const char *name = strchr(text, '('), *end = strrchr(text, ')');
	uint64_t user, system;

	if (!name || !end || end < name)
		return false;
	snprintf(u->name, sizeof(u->name), "%.*s", (int)(end - name - 1), name + 1);
	if (sscanf(end + 1,
		   " %*c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
		   " %*s %*s %*s %*s %*s %*s %" SCNu64,
		   &u->parent, &user, &system, &u->start_ticks) != 4)
		return false;
	u->ticks = user + system;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct cpu_user *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void read_processes(struct cpu_use *u, int proc)
{
	int fd = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	char path[48], text[1024];

	if (!dir && fd >= 0)
		close(fd);
	while (dir && u->count < MOST && (entry = readdir(dir)) != NULL) {
		struct cpu_user user = { .pid = atoi(entry->d_name) };

		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%.20s/stat", entry->d_name);
		if (!read_text(proc, path, text, sizeof(text)) || !parse_process(&user, text))
			continue;
		if (!array_push(u->list, u->count, u->room, user))
			break;
	}
	if (dir)
		closedir(dir);
	if (u->count)
		qsort(u->list, u->count, sizeof(*u->list), compare);
}

/* "cpu  user nice system idle iowait irq softirq steal": what another machine took is not idle. */
static void read_machine(struct cpu_use *u, int proc)
{
	char *text = malloc(MAX_STAT);
	uint64_t n[8] = { 0 };

	if (text && read_text(proc, "stat", text, MAX_STAT) &&
	    sscanf(text,
		   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7]) >= 4) {
		u->busy = n[0] + n[1] + n[2] + n[5] + n[6] + n[7];
		u->total = u->busy + n[3] + n[4];
		for (const char *line = text; (line = strstr(line, "\ncpu")) != NULL; line++)
			u->cpus += isdigit((unsigned char)line[4]) != 0;
	}
	free(text);
}

void cpu_use_read(struct cpu_use *u, const char *host)
{
	char path[PATH_MAX];
	int proc;

	*u = (struct cpu_use){ .at_ns = deadline_now() };
	snprintf(path, sizeof(path), "%s/proc", host);
	proc = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (proc < 0)
		return;
	read_machine(u, proc);
	read_processes(u, proc);
	close(proc);
}

void cpu_use_fini(struct cpu_use *u)
{
	free(u->list);
	*u = (struct cpu_use){ 0 };
}

const struct cpu_user *cpu_use_find(const struct cpu_use *u, int pid)
{
	const struct cpu_user key = { .pid = pid };

	return u->count ? bsearch(&key, u->list, u->count, sizeof(*u->list), compare) : NULL;
}

double cpu_use_of(const struct cpu_use *before, const struct cpu_use *after,
		  const struct cpu_user *u)
{
	const struct cpu_user *was = cpu_use_find(before, u->pid);
	double seconds = (double)(after->at_ns - before->at_ns) / 1e9;
	double hertz = (double)sysconf(_SC_CLK_TCK);
	uint64_t used = u->ticks;

	/* One of another start is another process, all of whose time is of these moments. */
	if (was && was->start_ticks == u->start_ticks)
		used = u->ticks > was->ticks ? u->ticks - was->ticks : 0;
	return seconds > 0 && hertz > 0 ? (double)used / hertz / seconds : 0;
}

double cpu_use_busy(const struct cpu_use *before, const struct cpu_use *after)
{
	uint64_t total = after->total - before->total;

	if (!before->total || after->total <= before->total || after->busy < before->busy ||
	    after->busy - before->busy > total || !after->cpus)
		return -1;
	return (double)(after->busy - before->busy) / (double)total * (double)after->cpus;
}
