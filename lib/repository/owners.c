/* SPDX-License-Identifier: MIT */
/*
 * owners.c - find the processes that may still write to a repository
 */
#include "repository/owners.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "base/error.h"
#include "process/loaded.h"
#include "process/probe.h"
#include "repository/owner.h"

/* The number that Linux gives the first pid namespace, in which all processes are seen. */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"

/* More than looking at one process takes at a time. */
#define RESERVED 16

/* The kernel's clock of starts has steps of 10 ms, and file systems' some more. */
#define SLACK_NS NS_PER_SECOND

static bool sees_all(void)
{
	char link[64];
	ssize_t len = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	if (len <= 0 || geteuid() != 0)
		return false;
	link[len] = '\0';
	return strcmp(link, FIRST_PID_NAMESPACE) == 0;
}

static int64_t started_ns(const struct process *p)
{
	return real_now_ns() - probe_age_ms(p) * NS_PER_MS;
}

/* What a process has open ---------------------------------------------------------------------- */

struct scan {
	struct owners *owners;
	bool records;
};

static int take_open_file(void *ctx, int fd, const char *path, struct jfrec_error *err)
{
	struct scan *scan = ctx;
	struct owners *w = scan->owners;
	struct stat st;
	bool good = fstat(fd, &st) == 0;

	(void)path;
	close(fd);
	if (!good)
		return 0;
	if (!array_reserve(w->files, w->file_count, w->file_room))
		return jfrec_fail_memory(err);
	w->files[w->file_count].dev = st.st_dev;
	w->files[w->file_count++].ino = st.st_ino;
	scan->records = true;
	return 0;
}

/* Has it loaded a JVM, or may we not know? */
static bool is_jvm(const struct process *p, bool *is_hidden)
{
	struct loaded l;
	bool is;

	if (loaded_read(&l, p) < 0)
		return true;
	*is_hidden = l.denied;
	is = l.denied || l.kind != JFREC_JVM_MAYBE;
	loaded_fini(&l);
	return is;
}

/* May we see what it has open?  0, or -1 with *err set if that could not be found out. */
static int look_at_files(const struct process *p, bool *is_hidden, struct jfrec_error *err)
{
	int fd = openat(p->dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	else if (errno == EACCES || errno == EPERM)
		*is_hidden = true;
	else if (errno != ENOENT && errno != ESRCH)
		return jfrec_fail_sys(err, errno, "cannot read the list of open files of process "
						  "%d", p->pid);
	return 0;
}

static int take_process(struct owners *w, const struct process *p, struct jfrec_error *err)
{
	struct owner j = { .ns_pid = p->status.ns_pid, .started_ns = started_ns(p) };
	struct scan scan = { .owners = w };

	if (!p->status.has_memory || process_is_zombie(p) || !is_jvm(p, &j.is_hidden))
		return 0;
	if (look_at_files(p, &j.is_hidden, err) < 0 ||
	    owner_each_open_file(p, take_open_file, &scan, err) < 0)
		return -1;
	j.records = scan.records;
	if (!array_reserve(w->items, w->count, w->room))
		return jfrec_fail_memory(err);
	w->items[w->count++] = j;
	return 0;
}

/* It has ended, or is none: nothing else means that nobody is there. */
static bool is_gone(const struct jfrec_error *err)
{
	return err->code == JFREC_ENOJVM || err->code == JFREC_EDIED;
}

static int take_pid(struct owners *w, const char *name, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	struct process p;
	int ret;

	if (*name < '0' || *name > '9')
		return 0;
	if (process_open(&p, atoi(name), 0, &why) < 0) {
		if (why.code == JFREC_EPERMISSION)
			w->sees_all = false;
		else if (!is_gone(&why))
			return jfrec_fail(err, why.code, JFREC_NO_OFFSET,
					  "cannot find out which JVMs are still writing: "
					  "%.200s", why.text);
		return 0;
	}
	ret = take_process(w, &p, err);
	process_close(&p);
	return ret;
}

/* Descriptors that looking at a process takes at most; with less of them all would look dead. */
static int reserve(struct jfrec_error *err)
{
	int fds[RESERVED], count = 0, error = 0;

	while (count < RESERVED && !error) {
		fds[count] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		if (fds[count] < 0)
			fds[count] = open("/", O_PATH | O_CLOEXEC);
		if (fds[count] < 0)
			error = errno;
		else
			count++;
	}
	while (count > 0)
		close(fds[--count]);
	return error ? jfrec_fail_sys(err, error, "cannot find out which JVMs are still "
						  "writing") : 0;
}

static int look_at_all(struct owners *w, DIR *dir, struct jfrec_error *err)
{
	const struct dirent *entry;
	int ret = 0;

	while (ret == 0) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return errno ? jfrec_fail_sys(err, errno, "cannot list /proc") : 0;
		ret = take_pid(w, entry->d_name, err);
	}
	return ret;
}

int owners_find(struct owners *w, struct jfrec_error *err)
{
	DIR *dir;
	int ret;

	*w = (struct owners){ .sees_all = sees_all() };
	if (reserve(err) < 0)
		return -1;
	dir = opendir("/proc");
	if (!dir)
		return jfrec_fail_sys(err, errno, "cannot use /proc");
	ret = look_at_all(w, dir, err);
	closedir(dir);
	if (ret < 0)
		owners_fini(w);
	return ret;
}

void owners_fini(struct owners *w)
{
	free(w->items);
	free(w->files);
	*w = (struct owners){ 0 };
}

bool owners_have(const struct owners *w, dev_t dev, ino_t ino)
{
	for (size_t i = 0; i < w->file_count; i++) {
		if (w->files[i].ino == ino && w->files[i].dev == dev)
			return true;
	}
	return false;
}

bool owners_may_live(const struct owners *w, int ns_pid, int64_t at_ns, bool idle)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct owner *j = &w->items[i];

		if (j->ns_pid == ns_pid && j->started_ns < at_ns + SLACK_NS &&
		    (idle || j->is_hidden || !j->records))
			return true;
	}
	return false;
}
