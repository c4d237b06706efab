/* SPDX-License-Identifier: MIT */
/*
 * headroom.c - how many threads, descriptors and bytes a process may still take
 *
 * The rules are the kernel's (kernel/fork.c, kernel/cgroup/pids.c, fs/file.c; proc(5),
 * getrlimit(2)):
 *
 *    pids.max        of every group up to the root, for every user
 *    RLIMIT_NPROC    against all threads of the real user, unless that is root of the host, or the
 *                    process has CAP_SYS_RESOURCE or CAP_SYS_ADMIN there
 *    threads-max     against all threads of the host, for every user
 *    pid_max         of the pid namespace, since Linux 6.14, else of the host; once the numbers
 *                    have been used up, those below 300 are not given again
 *    RLIMIT_NOFILE   a descriptor's number must be lower
 */
#include "process/headroom.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "process/cgroup.h"

/* Of /proc/PID/limits, which has some 1.3 KB, and of what is read beside it. */
#define MAX_LIMITS 8192

/* Numbers of processes that the kernel keeps for those that it starts first. */
#define RESERVED_PIDS 300

/* The numbers of the first namespaces: include/linux/proc_ns.h. */
#define FIRST_USER_NS "user:[4026531837]"
#define FIRST_PID_NS  "pid:[4026531836]"

/* Of the name of a cgroup, its end: the beginning is the same for all containers. */
#define SHOWN_NAME 60

static void take_lower(struct headroom *h, const struct headroom *other)
{
	if (other->left < h->left)
		*h = *other;
}

static struct headroom none(void)
{
	return (struct headroom){ .left = HEADROOM_ANY };
}

static struct headroom bound(uint64_t used, uint64_t limit)
{
	return (struct headroom){
		.left = limit > used ? limit - used : 0,
		.used = used,
		.limit = limit,
	};
}

/* Limits of the process ------------------------------------------------------------------------ */

/* The soft limit of a line of /proc/PID/limits: "Max processes   95000   95000   processes". */
static bool limit_of(const struct process *p, const char *name, uint64_t *limit)
{
	size_t len = 0, name_len = strlen(name);
	char *text = process_read(p, "limits", MAX_LIMITS, &len), *rest = text, *line;
	bool found = false;

	while (!found && rest && (line = strsep(&rest, "\n")) != NULL) {
		if (strncmp(line, name, name_len) != 0)
			continue;
		line += name_len + strspn(line + name_len, " ");
		found = isdigit((unsigned char)*line);
		*limit = strtoull(line, NULL, 10);
	}
	free(text);
	return found;
}

static bool is_in_namespace(const struct process *p, const char *link, const char *number)
{
	char path[PATH_MAX];

	/* Where that is hidden, it is taken for the first, which is the rule. */
	return !process_link(p, link, path) || strcmp(path, number) == 0;
}

/* Does RLIMIT_NPROC count for it? */
static bool is_bound_by_processes(const struct process *p)
{
	const uint64_t exempt = UINT64_C(1) << CAP_SYS_RESOURCE | UINT64_C(1) << CAP_SYS_ADMIN;

	if (p->status.ruid == 0)
		return false;
	return !(p->status.capabilities & exempt) ||
	       !is_in_namespace(p, "ns/user", FIRST_USER_NS);
}

/* The host ------------------------------------------------------------------------------------- */

static char *read_host(const char *host, const char *name, char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/proc/%s", host, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[n < 0 ? 0 : n] = '\0';
	return n > 0 ? text : NULL;
}

static bool host_number(const char *host, const char *name, uint64_t *n)
{
	char text[32];

	if (!read_host(host, name, text, sizeof(text)) || !isdigit((unsigned char)*text))
		return false;
	*n = strtoull(text, NULL, 10);
	return true;
}

/* All threads of the host, of /proc/loadavg: "0.20 0.18 0.12 1/80 11206". */
static bool host_threads(const char *host, uint64_t *n)
{
	char text[128];

	return read_host(host, "loadavg", text, sizeof(text)) &&
	       sscanf(text, "%*s %*s %*s %*u/%" SCNu64, n) == 1;
}

/* The threads of those that can be seen here: of one real user, or (everybody) of all. */
static uint64_t count_threads(const char *host, uint32_t uid, bool everybody)
{
	char path[PATH_MAX], text[4096];
	struct proc_status status;
	const struct dirent *entry;
	uint64_t count = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc", host);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)) != NULL) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%.20s/status", entry->d_name);
		if (read_host(host, path, text, sizeof(text)) &&
		    proc_status_parse(&status, text) && (everybody || status.ruid == uid))
			count += (uint64_t)(status.threads > 0 ? status.threads : 1);
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Is pid_max that of our pid namespace, and not of the host?  Since Linux 6.14. */
static bool has_own_pid_max(void)
{
	struct utsname system;
	char ns[32] = "";
	int major = 0, minor = 0;

	if (uname(&system) < 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2 ||
	    readlink("/proc/self/ns/pid", ns, sizeof(ns) - 1) < 0)
		return false;
	return (major > 6 || (major == 6 && minor >= 14)) && strcmp(ns, FIRST_PID_NS) != 0;
}

static void look_at_threads_max(const char *host, struct headroom *h)
{
	uint64_t used, limit;
	struct headroom b;

	if (!host_threads(host, &used) || !host_number(host, "sys/kernel/threads-max", &limit))
		return;
	b = bound(used, limit);
	snprintf(b.what, sizeof(b.what), "kernel.threads-max of the host");
	take_lower(h, &b);
}

static void look_at_pid_max(const char *host, struct headroom *h)
{
	uint64_t used, limit;
	struct headroom b;

	if (!host_threads(host, &used) || !host_number(host, "sys/kernel/pid_max", &limit) ||
	    limit <= RESERVED_PIDS)
		return;
	limit -= RESERVED_PIDS;
	/* Then the host's threads are not what counts; a look at each takes time. */
	if (used + HEADROOM_SPARE_THREADS >= limit && has_own_pid_max())
		used = count_threads(host, 0, true);
	b = bound(used, limit);
	snprintf(b.what, sizeof(b.what), "kernel.pid_max, less the %d that are reserved",
		 RESERVED_PIDS);
	take_lower(h, &b);
}

static void look_at_processes(const struct process *p, const char *host, struct headroom *h)
{
	uint64_t limit, all;
	struct headroom b;

	if (!is_bound_by_processes(p) || !limit_of(p, "Max processes", &limit))
		return;
	/* No user can have more threads than there are; a look at each takes time. */
	if (host_threads(host, &all) && limit > all + 1000)
		return;
	b = bound(count_threads(host, p->status.ruid, false), limit);
	snprintf(b.what, sizeof(b.what), "RLIMIT_NPROC (ulimit -u) for uid %u", p->status.ruid);
	take_lower(h, &b);
}

/* Cgroups -------------------------------------------------------------------------------------- */

static void name_group(const struct cgroup *g, const char *file, struct headroom *h)
{
	const char *name = g->path + g->top;
	size_t len = strlen(name);

	if (len > SHOWN_NAME)
		name += len - SHOWN_NAME;
	snprintf(h->what, sizeof(h->what), "%s of its cgroup %s%.*s", file,
		 len > SHOWN_NAME ? "..." : "", SHOWN_NAME, *name ? name : "/");
}

static void look_at_pids(const struct process *p, const char *host, struct headroom *h)
{
	struct cgroup g;
	uint64_t used, limit;
	struct headroom b;

	if (!cgroup_find(&g, p, host, "pids"))
		return;
	do {
		if (!cgroup_number(&g, "pids.max", &limit) || limit == UINT64_MAX ||
		    !cgroup_number(&g, "pids.current", &used))
			continue;
		b = bound(used, limit);
		name_group(&g, "pids.max", &b);
		take_lower(h, &b);
	} while (cgroup_step_up(&g));
}

static uint64_t sum_of(const struct cgroup *g, const char *const *words)
{
	uint64_t sum = 0, n;

	for (; *words; words++) {
		if (cgroup_value(g, "memory.stat", *words, &n))
			sum += n;
	}
	return sum;
}

/* What the kernel gives back when memory is short. */
static uint64_t cache_of(const struct cgroup *g)
{
	static const char *const v1[] = { "total_active_file", "total_inactive_file", NULL };
	static const char *const v2[] = { "active_file", "inactive_file", "slab_reclaimable",
					  NULL };

	return sum_of(g, g->is_v2 ? v2 : v1);
}

static void look_at_group_memory(const struct process *p, const char *host, struct headroom *h)
{
	const char *limit_file, *used_file;
	uint64_t used, limit, cache;
	struct headroom b;
	struct cgroup g;

	if (!cgroup_find(&g, p, host, "memory"))
		return;
	limit_file = g.is_v2 ? "memory.max" : "memory.limit_in_bytes";
	used_file = g.is_v2 ? "memory.current" : "memory.usage_in_bytes";
	do {
		/* Version 1 writes the greatest number of pages for none. */
		if (!cgroup_number(&g, limit_file, &limit) || limit >= UINT64_C(1) << 60 ||
		    !cgroup_number(&g, used_file, &used))
			continue;
		cache = cache_of(&g);
		b = bound(used > cache ? used - cache : 0, limit);
		name_group(&g, limit_file, &b);
		take_lower(h, &b);
	} while (cgroup_step_up(&g));
}

/* A number of kilobytes of /proc/meminfo. */
static bool meminfo(const char *text, const char *name, uint64_t *bytes)
{
	const char *at = strstr(text, name);

	if (!at || sscanf(at + strlen(name), " %" SCNu64, bytes) != 1)
		return false;
	*bytes <<= 10;
	return true;
}

static void look_at_host_memory(const char *host, struct headroom *h)
{
	uint64_t total, available;
	struct headroom b;
	char text[4096];

	if (!read_host(host, "meminfo", text, sizeof(text)) ||
	    !meminfo(text, "MemTotal:", &total) || !meminfo(text, "MemAvailable:", &available))
		return;
	b = bound(total > available ? total - available : 0, total);
	snprintf(b.what, sizeof(b.what), "the memory of the host");
	take_lower(h, &b);
}

/* -------------------------------------------------------------------------------------------- */

void headroom_threads(const struct process *p, const char *host, struct headroom *h)
{
	*h = none();
	look_at_pids(p, host, h);
	look_at_threads_max(host, h);
	look_at_pid_max(host, h);
	look_at_processes(p, host, h);
}

/* Of a number that may be given. */
struct usable {
	uint64_t limit, used;
};

static int count_usable(void *ctx, int number, const char *link)
{
	struct usable *u = ctx;

	(void)link;
	u->used += (uint64_t)number < u->limit;
	return 0;
}

void headroom_descriptors(const struct process *p, struct headroom *h)
{
	struct usable u = { 0 };
	struct stat st;

	*h = none();
	if (!limit_of(p, "Max open files", &u.limit))
		return;
	/* Since Linux 6.2 the size of the directory is their number; to name each takes time. */
	if (fstatat(p->dir_fd, "fd", &st, 0) < 0)
		return;
	if (st.st_size > 0 && (uint64_t)st.st_size < u.limit / 2)
		u.used = (uint64_t)st.st_size;
	else if (process_each_descriptor(p, count_usable, &u) < 0)
		return;
	*h = bound(u.used, u.limit);
	snprintf(h->what, sizeof(h->what), "RLIMIT_NOFILE (ulimit -n)");
}

void headroom_memory(const struct process *p, const char *host, struct headroom *h)
{
	*h = none();
	look_at_group_memory(p, host, h);
	look_at_host_memory(host, h);
}

int headroom_fail(const struct process *p, const char *noun, const struct headroom *h,
		  struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EHARM, JFREC_NO_OFFSET,
			  "process %d has %" PRIu64 " of %" PRIu64
			  " %s (%s), and may end if it needs more to answer; raise the limit, or use "
			  "stream or dump --from-repository, which ask nothing of it "
			  "(--attach-anyway insists)",
			  p->pid, h->used, h->limit, noun, h->what);
}

static int fail_memory(const struct process *p, const struct headroom *h, const char *effect,
		       struct jfrec_error *err)
{
	jfrec_fail(err, JFREC_EHARM, JFREC_NO_OFFSET,
		   "process %d can get %" PRIu64 " MiB of memory more (%" PRIu64 " of %" PRIu64
		   " MiB are in use, less the cache: %s), %s",
		   p->pid, h->left >> 20, h->used >> 20, h->limit >> 20, h->what, effect);
	return -1;
}

static int check_memory(const struct process *p, const struct headroom_need *need,
			struct jfrec_error *err)
{
	struct headroom h;

	headroom_memory(p, "", &h);
	if (h.left >= need->memory)
		return 1;
	if (need->is_memory_vital)
		return fail_memory(p, &h,
				   "and may be killed if it does this; give it more, or insist with "
				   "--attach-anyway",
				   err);
	fail_memory(p, &h, "and what is asked takes some", err);
	return 0;
}

int headroom_check(const struct process *p, const struct headroom_need *need,
		   struct jfrec_error *err)
{
	struct headroom h;

	if (need->threads) {
		headroom_threads(p, "", &h);
		if (h.left < need->threads + HEADROOM_SPARE_THREADS)
			return headroom_fail(p, "threads", &h, err);
	}
	if (need->descriptors) {
		headroom_descriptors(p, &h);
		if (h.left < need->descriptors)
			return headroom_fail(p, "descriptors", &h, err);
	}
	return need->memory ? check_memory(p, need, err) : 1;
}
