/* SPDX-License-Identifier: MIT */
/*
 * find.c - find the JVMs of this host, and select some of them
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "process/cmdline.h"
#include "process/container.h"
#include "process/jvm.h"
#include "process/probe.h"
#include "process/user.h"

/* Of /proc/PID/cgroup. */
#define MAX_CGROUP (64u << 10)

/* Until this age a process may yet become what it is meant to be without looking different. */
#define SETTLED_MS 10000

/* How old a process that was named may be and not yet be what it is meant to be. */
#define MAX_BEGINNING_MS 200

/* A user of the last JVM seen: most belong to few. */
struct user {
	bool known;
	uint32_t uid;
	const char *name; /* NULL: the uid has none */
};

/* A process that was looked at, as it was then. */
struct seen {
	int pid;
	struct proc_look look;
	bool is_jvm, is_again; /* one that is meant; it was not looked at for this list */
	struct jfrec_jvm jvm;
};

struct jfrec_jvms {
	struct arena arena;
	struct jfrec_jvm *items;
	size_t count, room;
	struct user user;
	/* Of jvms_find_again(), by pid. */
	const struct jfrec_jvms *last;
	struct seen *seen;
	size_t seen_count, seen_room;
};

/* A query with its words understood. */
struct jvm_target {
	const struct jfrec_jvm_query *query;
	int pid; /* 0: the target is not a number */
	bool has_uid;
	uint32_t uid;
};

/* Understanding the query -------------------------------------------------------------------- */

/* A pid; false if the text is anything else. */
static bool parse_pid(const char *text, int *pid)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	n = strtoul(text, &end, 10);
	if (*end || errno || n == 0 || n > INT_MAX)
		return false;
	*pid = (int)n;
	return true;
}

/* A variable of a script that was never set. */
static bool is_empty(const char *word)
{
	return word && !*word;
}

static int understand(struct jvm_target *w, const struct jfrec_jvm_query *query,
		      struct jfrec_error *err)
{
	*w = (struct jvm_target){ .query = query };
	if (is_empty(query->target) || is_empty(query->container) || is_empty(query->user))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "an empty name would select every JVM; give a name, or omit it");
	if (query->target)
		parse_pid(query->target, &w->pid);
	w->has_uid = query->user != NULL;
	if (!w->has_uid || user_find(query->user, &w->uid))
		return 0;
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "no user is called %s on this host; give users of containers by number",
			  query->user);
}

/* One process -------------------------------------------------------------------------------- */

static const char *name_user(struct jfrec_jvms *list, uint32_t uid)
{
	struct user *u = &list->user;
	char *name;

	if (u->known && u->uid == uid)
		return u->name;
	*u = (struct user){ .known = true, .uid = uid };
	name = user_name(uid);
	if (name)
		u->name = arena_strndup(&list->arena, name, strlen(name));
	free(name);
	return u->name;
}

/* Its container, and whether that is the one that is wanted, or none is. */
static bool take_container(struct jfrec_jvms *list, struct jfrec_jvm *jvm, const struct process *p,
			   const char *wanted)
{
	char id[CONTAINER_ID_MAX];
	bool fits = !wanted;
	size_t len = 0;
	char *cgroup = process_read(p, "cgroup", MAX_CGROUP, &len);

	if (cgroup && container_find(cgroup, id))
		jvm->container = arena_strndup(&list->arena, id, strlen(id));
	if (wanted && jvm->container)
		fits = strncmp(jvm->container, wanted, strlen(wanted)) == 0;
	if (wanted && cgroup && !fits)
		fits = strstr(cgroup, wanted) != NULL;
	free(cgroup);
	return fits;
}

static int add(struct jfrec_jvms *list, const struct jfrec_jvm *jvm, struct jfrec_error *err)
{
	if (!array_push(list->items, list->count, list->room, *jvm))
		return jfrec_fail_memory(err);
	return 0;
}

/* 1: added; 0: no JVM, or not of the user or container that is meant; -1: *err is set. */
static int consider(struct jfrec_jvms *list, const struct jvm_target *w, const struct process *p,
		    struct jfrec_error *err)
{
	struct jfrec_jvm jvm;
	int ret;

	if (w->has_uid && p->status.euid != w->uid)
		return 0;
	ret = jvm_describe(&jvm, p, &list->arena, err);
	if (ret <= 0)
		return ret;
	if (!take_container(list, &jvm, p, w->query->container))
		return 0;
	if (!w->query->without_names)
		jvm.user = name_user(list, jvm.uid);
	return add(list, &jvm, err) < 0 ? -1 : 1;
}

/* The one with a pid ------------------------------------------------------------------------- */

static int fail_other(const struct process *p, const struct jvm_target *w, struct jfrec_error *err)
{
	size_t len = 0;
	char *comm = process_read(p, "comm", 64, &len);

	if (process_is_zombie(p))
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
			   "process %d has exited; its parent has not reaped it yet", p->pid);
	else if (w->has_uid && p->status.euid != w->uid)
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
			   "process %d belongs to uid %u, not to user %s", p->pid, p->status.euid,
			   w->query->user);
	else if (w->query->container)
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
			   "process %d is not a JVM in container %s", p->pid, w->query->container);
	else
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
			   "process %d (%.*s) is not a JVM: it has not loaded libjvm.so", p->pid,
			   comm ? (int)strcspn(comm, "\n") : 1, comm ? comm : "?");
	free(comm);
	return -1;
}

/* "java ... & jfrec start $!": a process that the shell has just made is not java yet. */
static int consider_patiently(struct jfrec_jvms *list, const struct jvm_target *w,
			      struct process *p, struct jfrec_error *err)
{
	int ret = consider(list, w, p, err);

	while (ret == 0 && probe_age_ms(p) < MAX_BEGINNING_MS && process_refresh(p, NULL) == 0) {
		usleep(10000);
		ret = consider(list, w, p, err);
	}
	return ret;
}

static int find_one(struct jfrec_jvms *list, const struct jvm_target *w, struct jfrec_error *err)
{
	struct process p;
	int ret;

	if (process_open(&p, w->pid, 0, err) < 0)
		return -1;
	ret = consider_patiently(list, w, &p, err);
	if (ret == 0) {
		process_refresh(&p, NULL);
		ret = fail_other(&p, w, err);
	}
	process_close(&p);
	return ret < 0 ? -1 : 0;
}

/* All ---------------------------------------------------------------------------------------- */

/* Processes come and go, and others' may be hidden; but without descriptors none is found. */
static bool is_fatal(const struct jfrec_error *err)
{
	return err->code == JFREC_ENOMEM ||
	       (err->code == JFREC_EIO && (err->sys == EMFILE || err->sys == ENFILE));
}

static int consider_pid(struct jfrec_jvms *list, const struct jvm_target *w, int pid,
			struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	struct process p;
	int ret = 0;

	if (process_open(&p, pid, 0, &why) < 0) {
		if (!is_fatal(&why))
			return 0;
		if (err)
			*err = why;
		return -1;
	}
	if (p.status.has_memory)
		ret = consider(list, w, &p, err);
	process_close(&p);
	return ret < 0 ? -1 : 0;
}

static int by_seen_pid(const void *pid, const void *seen)
{
	int a = *(const int *)pid, b = ((const struct seen *)seen)->pid;

	return (a > b) - (a < b);
}

static const struct seen *find_seen(const struct jfrec_jvms *list, int pid)
{
	if (!list->seen_count)
		return NULL;
	return bsearch(&pid, list->seen, list->seen_count, sizeof(*list->seen), by_seen_pid);
}

static bool look(int pid, struct proc_look *l)
{
	char path[32], text[1024];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	return proc_stat_look(text, l);
}

/* A program that is begun has another name, or a JVM that it loads has threads. */
static bool looks_the_same(const struct seen *s, const struct proc_look *now)
{
	return !now->has_ended && s->look.start_ticks == now->start_ticks &&
	       strcmp(s->look.name, now->name) == 0 &&
	       (s->is_jvm || now->threads <= s->look.threads);
}

static int remember(struct jfrec_jvms *list, const struct seen *s, struct jfrec_error *err)
{
	if (!array_push(list->seen, list->seen_count, list->seen_room, *s))
		return jfrec_fail_memory(err);
	return 0;
}

static int take_again(struct jfrec_jvms *list, const struct seen *before, struct jfrec_error *err)
{
	struct seen s = *before;

	s.is_again = true;
	if (s.is_jvm && !jvm_copy(&s.jvm, &before->jvm, &list->arena))
		return jfrec_fail_memory(err);
	if (s.is_jvm && add(list, &s.jvm, err) < 0)
		return -1;
	return remember(list, &s, err);
}

/* The same for who may have looked at it before. */
static int consider_again(struct jfrec_jvms *list, const struct jvm_target *w, int pid,
			  struct jfrec_error *err)
{
	const struct seen *before = find_seen(list->last, pid);
	struct seen s = { .pid = pid };
	size_t count = list->count;

	if (!look(pid, &s.look))
		return 0;
	if (before && looks_the_same(before, &s.look))
		return take_again(list, before, err);
	if (consider_pid(list, w, pid, err) < 0)
		return -1;
	s.is_jvm = list->count > count;
	if (s.is_jvm)
		s.jvm = list->items[count];
	if (probe_age_ms(&(struct process){ .start_ticks = s.look.start_ticks }) < SETTLED_MS)
		return 0;
	return remember(list, &s, err);
}

static int scan(struct jfrec_jvms *list, const struct jvm_target *w, struct jfrec_error *err)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	int pid, ret = 0;

	if (!dir || access("/proc/self/stat", F_OK) < 0) {
		jfrec_fail_sys(err, errno, "cannot use /proc");
		if (dir)
			closedir(dir);
		return -1;
	}
	while (ret == 0 && (entry = readdir(dir)) != NULL) {
		if (parse_pid(entry->d_name, &pid))
			ret = (list->last ? consider_again : consider_pid)(list, w, pid, err);
	}
	closedir(dir);
	return ret;
}

static int by_pid(const void *x, const void *y)
{
	const struct jfrec_jvm *a = x, *b = y;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* How well a name fits; only the JVMs that it fits best are meant. */
enum fit {
	FIT_NOT,
	FIT_COMMAND, /* a part of the arguments */
	FIT_PART,    /* a part of the main class or jar */
	FIT_EXACT,   /* all of it, or of its last part: Main of com.acme.Main */
};

static enum fit fit_of(const struct jfrec_jvm *jvm, const char *name)
{
	const char *last = base_name(jvm->main), *dot = strrchr(last, '.');

	if (strcmp(jvm->main, name) == 0 || strcmp(last, name) == 0 ||
	    (dot && strcmp(dot + 1, name) == 0 && strcmp(name, "jar") != 0))
		return FIT_EXACT;
	if (strstr(jvm->main, name))
		return FIT_PART;
	return strstr(jvm->command, name) ? FIT_COMMAND : FIT_NOT;
}

static void keep_fitting(struct jfrec_jvms *list, const char *name)
{
	enum fit best = FIT_COMMAND;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		enum fit fit = fit_of(&list->items[i], name);

		if (fit > best)
			best = fit;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (fit_of(&list->items[i], name) == best)
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

static int find_all(struct jfrec_jvms *list, const struct jvm_target *w, struct jfrec_error *err)
{
	if (scan(list, w, err) < 0)
		return -1;
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_pid);
	if (w->query->target)
		keep_fitting(list, w->query->target);
	return 0;
}

static struct jfrec_jvms *find(const struct jfrec_jvm_query *query, const struct jfrec_jvms *last,
			       struct jfrec_error *err)
{
	struct jfrec_jvm_query q;
	struct jfrec_jvms *list;
	struct jvm_target w;
	int ret;

	if (options_take(&q, sizeof(q), query, err) < 0)
		return NULL;
	list = calloc(1, sizeof(*list));
	if (!list) {
		jfrec_fail_memory(err);
		return NULL;
	}
	list->last = last;
	ret = understand(&w, &q, err);
	if (ret == 0)
		ret = w.pid ? find_one(list, &w, err) : find_all(list, &w, err);
	if (ret == 0)
		return list;
	jfrec_jvms_free(list);
	return NULL;
}

struct jfrec_jvms *jfrec_jvms_find(const struct jfrec_jvm_query *query, struct jfrec_error *err)
{
	return find(query, NULL, err);
}

struct jfrec_jvms *jvms_find_again(const struct jfrec_jvm_query *query, struct jfrec_jvms *last,
				   struct jfrec_error *err)
{
	const struct jfrec_jvms none = { 0 };
	struct jfrec_jvms *list = find(query, last ? last : &none, err);

	jfrec_jvms_free(last);
	if (list)
		list->last = NULL;
	return list;
}

bool jvms_is_again(const struct jfrec_jvms *list, const struct jfrec_jvm *jvm)
{
	const struct seen *s = find_seen(list, jvm->pid);

	return s && s->is_again;
}

void jfrec_jvms_free(struct jfrec_jvms *list)
{
	if (!list)
		return;
	free(list->seen);
	arena_fini(&list->arena);
	free(list->items);
	free(list);
}

size_t jfrec_jvms_count(const struct jfrec_jvms *list)
{
	return list->count;
}

const struct jfrec_jvm *jfrec_jvms_get(const struct jfrec_jvms *list, size_t i)
{
	return i < list->count ? &list->items[i] : NULL;
}
