/* SPDX-License-Identifier: MIT */
/*
 * outside.c - what the host shows of a JVM, as texts to keep
 *
 * Files of /proc and of control groups, each below a line with its name.  Everything is read
 * through the directory of the process (process.h), so that all of it is of one and the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "jfrec-tool.h"
#include "process/cgroup.h"
#include "process/cmdline.h"

/* Of a file of /proc or of a control group. */
#define MOST_BYTES (256u << 10)

/* Of a command line or an environment, as the kernel lets them be. */
#define MOST_WORDS (2u << 20)

/* Threads and descriptors that have a line. */
#define MOST_LINES 50000

struct outside {
	struct process process;
	jfrec_write_fn *write;
	void *ctx;
	int sys;    /* of the first write that failed */
	int denied; /* errno value for which there is nothing to write */
};

/* Writing -------------------------------------------------------------------------------------- */

static void put(struct outside *o, const void *data, size_t len)
{
	if (!o->sys && len)
		o->sys = o->write(o->ctx, data, len);
}

static void put_text(struct outside *o, const char *text)
{
	put(o, text, strlen(text));
}

/* In one line, whatever is in it. */
static void put_in_line(struct outside *o, const char *text)
{
	size_t len;

	for (; *text; text += len) {
		len = strcspn(text, "\n\r");
		put(o, text, len);
		if (text[len])
			put_text(o, text[len++] == '\n' ? "\\n" : "\\r");
	}
}

static void put_head(struct outside *o, const char *name)
{
	put_text(o, "== ");
	put_text(o, name);
	put_text(o, " ==\n");
}

static void put_failure(struct outside *o, int sys)
{
	put_text(o, "(cannot be read: ");
	put_text(o, strerror(sys));
	put_text(o, ")\n");
}

/* A file's text below its name; frees it.  NULL: it failed with errno. */
static void put_file(struct outside *o, const char *name, char *text, size_t len)
{
	int sys = errno;

	put_head(o, name);
	if (!text)
		put_failure(o, sys);
	put(o, text, len);
	if (text && len && text[len - 1] != '\n')
		put_text(o, "\n");
	free(text);
}

/* A file of the kernel's; its size is not known before.  NULL with errno set. */
static char *read_kernel(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	char *text = fd < 0 ? NULL : malloc(MOST_BYTES);
	ssize_t n = 1;

	for (*len = 0; text && n > 0 && *len < MOST_BYTES; *len += n > 0 ? (size_t)n : 0)
		n = read(fd, text + *len, MOST_BYTES - *len);
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

/* The process ---------------------------------------------------------------------------------- */

/* Not smaps: the kernel walks all pages for it, and the process may have to wait. */
static void write_process(struct outside *o)
{
	static const char *const names[] = {
		"status",   "stat",	 "schedstat",	  "limits", "io",
		"cgroup",   "oom_score", "oom_score_adj", "wchan",  "statm", "net/sockstat",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t len = 0;
		char *text = process_read(&o->process, names[i], MOST_BYTES, &len);

		put_file(o, names[i], text, len);
	}
}

/* "4711 (GC Thread#0) S 1 ..." as its fields from the third on; NULL: it is not such a text. */
static char *fields_of_stat(char *stat)
{
	char *end = strrchr(stat, ')');

	return end && end[1] == ' ' ? end + 2 : NULL;
}

/* Of stat, counted from its third field: state, and times in ticks. */
enum { STATE = 0, USER_TIME = 11, SYSTEM_TIME = 12, LAST_FIELD = 12 };

static void write_task(struct outside *o, const char *task)
{
	char name[64], line[320], *at, *stat, *wait, *words[LAST_FIELD + 1];
	const char *called = "";
	size_t len = 0, count = 0;

	snprintf(name, sizeof(name), "task/%.20s/stat", task);
	stat = process_read(&o->process, name, 4096, &len);
	snprintf(name, sizeof(name), "task/%.20s/wchan", task);
	wait = process_read(&o->process, name, 256, &len);
	at = stat ? fields_of_stat(stat) : NULL;
	if (at) {
		called = strchr(stat, '(') + 1;
		at[-2] = '\0';
	}
	while (at && count <= LAST_FIELD && (words[count] = strsep(&at, " ")) != NULL)
		count++;
	if (count > LAST_FIELD) {
		snprintf(line, sizeof(line), "%8.20s %5.1s %10.20s %10.20s  %-24.60s ", task,
			 words[STATE], words[USER_TIME], words[SYSTEM_TIME],
			 wait && *wait && strcmp(wait, "0") != 0 ? wait : "-");
		put_text(o, line);
		put_in_line(o, called);
		put_text(o, "\n");
	}
	free(stat);
	free(wait);
}

static void write_tasks(struct outside *o)
{
	int fd = openat(o->process.dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *tasks = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t count = 0;
	char line[80];

	if (!tasks) {
		o->denied = errno;
		if (fd >= 0)
			close(fd);
		return;
	}
	snprintf(line, sizeof(line), "%8s %5s %10s %10s  %-24s %s\n", "tid", "state", "user", "system",
		 "waits in", "name");
	put_text(o, line);
	while (count < MOST_LINES && (entry = readdir(tasks)) != NULL) {
		if (*entry->d_name == '.')
			continue;
		write_task(o, entry->d_name);
		count++;
	}
	snprintf(line, sizeof(line), "%zu threads%s; times in ticks of 1/%ld s\n", count,
		 count == MOST_LINES ? " or more" : "", sysconf(_SC_CLK_TCK));
	put_text(o, line);
	closedir(tasks);
}

struct descriptors {
	struct outside *o;
	size_t count;
};

static int write_descriptor(void *ctx, int number, const char *link)
{
	struct descriptors *d = ctx;
	char text[24];

	if (d->count++ >= MOST_LINES)
		return 0;
	snprintf(text, sizeof(text), "%6d ", number);
	put_text(d->o, text);
	put_in_line(d->o, link);
	put_text(d->o, "\n");
	return d->o->sys ? -1 : 0;
}

static void write_descriptors(struct outside *o)
{
	struct descriptors d = { o, 0 };
	char line[80];

	if (process_each_descriptor(&o->process, write_descriptor, &d) < 0)
		o->denied = errno;
	snprintf(line, sizeof(line), "%zu descriptors%s\n", d.count,
		 d.count > MOST_LINES ? ", of which the first are listed" : "");
	put_text(o, line);
}

/* Words ---------------------------------------------------------------------------------------- */

static void write_words(struct outside *o, const char *head, const char *from, const char *to)
{
	put_text(o, head);
	for (; from < to; from += strlen(from) + 1) {
		put_in_line(o, from);
		put_text(o, from + strlen(from) + 1 < to ? " " : "");
	}
	put_text(o, "\n");
}

static void write_command_line(struct outside *o)
{
	size_t len = 0;
	char *bytes = process_read(&o->process, "cmdline", MOST_WORDS, &len);
	const char *first, *main;
	struct cmdline c;

	if (!bytes) {
		o->denied = errno;
		return;
	}
	cmdline_parse(&c, bytes, len);
	first = len ? bytes + strlen(bytes) + 1 : bytes;
	main = c.main ? c.main : bytes + len;
	write_words(o, "program: ", bytes, len ? first : bytes);
	write_words(o, "jvm_args: ", first < main ? first : main, main);
	write_words(o, "java_command: ", main, bytes + len);
	free(bytes);
}

static void write_environment(struct outside *o)
{
	size_t len = 0;
	char *bytes = process_read(&o->process, "environ", MOST_WORDS, &len);

	if (!bytes) {
		o->denied = errno;
		return;
	}
	for (const char *at = bytes; at < bytes + len; at += strlen(at) + 1) {
		put_in_line(o, at);
		put_text(o, "\n");
	}
	free(bytes);
}

/* Groups and the machine ----------------------------------------------------------------------- */

static const char *const group_files[] = {
	"cpu.max", "cpu.weight", "cpu.stat", "cpu.pressure", "cpu.cfs_quota_us",
	"cpu.cfs_period_us", "cpu.shares", "cpuset.cpus.effective", "memory.max", "memory.high",
	"memory.current", "memory.peak", "memory.swap.max", "memory.swap.current", "memory.events",
	"memory.stat", "memory.pressure", "memory.limit_in_bytes", "memory.usage_in_bytes",
	"memory.max_usage_in_bytes", "memory.failcnt", "memory.oom_control", "pids.max",
	"pids.current", "pids.events", "io.stat", "io.pressure", "cgroup.freeze", "cgroup.events",
};

static void write_group(struct outside *o, const struct cgroup *g)
{
	char path[PATH_MAX + 32];

	for (size_t i = 0; i < sizeof(group_files) / sizeof(*group_files); i++) {
		size_t len = 0;
		char *text;

		snprintf(path, sizeof(path), "%s/%s", g->path, group_files[i]);
		text = read_kernel(path, &len);
		if (text)
			put_file(o, path, text, len);
	}
}

/* The groups of all controllers, each once, with those around them. */
static void write_cgroups(struct outside *o)
{
	static const char *const controllers[] = { "cpu", "memory", "pids", "cpuset" };
	char seen[4][PATH_MAX] = { "" };
	bool found = false;

	for (size_t i = 0; i < 4; i++) {
		struct cgroup g;
		bool is_new = cgroup_find(&g, &o->process, "", controllers[i]);

		for (size_t k = 0; k < i && is_new; k++)
			is_new = strcmp(seen[k], g.path) != 0;
		if (!is_new)
			continue;
		found = true;
		memcpy(seen[i], g.path, sizeof(seen[i]));
		do {
			write_group(o, &g);
		} while (cgroup_step_up(&g));
	}
	if (!found)
		put_text(o, "(no control group of the process can be seen from here)\n");
}

static void write_host(struct outside *o)
{
	static const char *const paths[] = {
		"/proc/version",      "/proc/uptime",	       "/proc/loadavg", "/proc/meminfo",
		"/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io", "/proc/stat",
		"/proc/vmstat",
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		size_t len = 0;
		char *text = read_kernel(paths[i], &len);

		put_file(o, paths[i], text, len);
	}
}

/* ---------------------------------------------------------------------------------------------- */

int jfrec_outside_write(const struct jfrec_jvm *jvm, enum jfrec_outside what,
			jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	static void (*const writers[])(struct outside *o) = {
		[JFREC_OUTSIDE_PROCESS] = write_process,
		[JFREC_OUTSIDE_TASKS] = write_tasks,
		[JFREC_OUTSIDE_DESCRIPTORS] = write_descriptors,
		[JFREC_OUTSIDE_CGROUPS] = write_cgroups,
		[JFREC_OUTSIDE_HOST] = write_host,
		[JFREC_OUTSIDE_COMMAND_LINE] = write_command_line,
		[JFREC_OUTSIDE_ENVIRONMENT] = write_environment,
	};
	struct outside o = { .write = write, .ctx = ctx };
	int ret = 0;

	if (process_open(&o.process, jvm->pid, jvm->start_ticks, err) < 0)
		return -1;
	writers[what](&o);
	if (o.sys)
		ret = jfrec_fail_output(err, o.sys);
	else if (process_has_exited(&o.process))
		ret = jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended", jvm->pid);
	else if (o.denied == EACCES || o.denied == EPERM)
		ret = jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				 "process %d belongs to uid %u; run jfrec as that user or as root",
				 jvm->pid, jvm->uid);
	else if (o.denied)
		ret = jfrec_fail_sys(err, o.denied, "process %d cannot be examined", jvm->pid);
	process_close(&o.process);
	return ret;
}
