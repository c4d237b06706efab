/* SPDX-License-Identifier: MIT */
/*
 * watched.c - the public view of what the host shows of a JVM while it is recorded
 *
 * Control groups, processes and disks are looked at from outside, the disks with the rights of the
 * JVM's user, and by a process that may be given up: a file system may never answer.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "process/cpu_use.h"
#include "process/headroom.h"
#include "process/pressure.h"
#include "process/probe.h"
#include "process/root.h"
#include "repository/owner.h"

/* A process is named that uses as much of a processor as that. */
#define WORTH_NAMING 0.05

/* Less than this apart, two readings say nothing. */
#define LEAST_NS NS_PER_SECOND

struct jfrec_host {
	struct jfrec_host_facts facts;
	int pid;
	uint64_t start_ticks;
	char tmp[PATH_MAX];
	struct pressure pressure;
	struct cpu_use first, last;
	struct headroom memory;
	char cpu_file[PATH_MAX], kills_file[PATH_MAX];
	char paths[JFREC_HOST_DISKS][PATH_MAX];
	dev_t devices[JFREC_HOST_DISKS];
};

/* Disks ---------------------------------------------------------------------------------------- */

static bool is_known(const struct jfrec_host *h, dev_t device)
{
	for (size_t i = 0; i < h->facts.disk_count; i++) {
		if (h->devices[i] == device)
			return true;
	}
	return false;
}

/* One that cannot be written to is always full, as is expected. */
static void add_disk(struct jfrec_host *h, struct jvm_root *r, int dir, const char *what,
		     const char *path)
{
	size_t i = h->facts.disk_count;
	struct opener_space s;

	if (dir < 0 || opener_space(&r->opener, dir, &s, NULL) < 0 || s.is_read_only || !s.size ||
	    is_known(h, s.dev))
		return;
	snprintf(h->paths[i], sizeof(h->paths[i]), "%s", path);
	h->devices[i] = s.dev;
	h->facts.disks[i] = (struct jfrec_host_disk){
		.what = what,
		.path = h->paths[i],
		.free_bytes = s.free < s.size ? s.free : s.size,
		.size = s.size,
		.has_no_inodes = s.has_no_inodes,
	};
	h->facts.disk_count++;
}

static void add_repository(struct jfrec_host *h, struct jvm_root *r)
{
	struct owned_repository repository = { 0 };
	int fd;

	owner_find_repository(&repository, &r->process);
	if (!*repository.path || repository.denied || repository.deleted)
		return;
	fd = opener_open_directory(&r->opener, r->root_fd, repository.path, 0, NULL, NULL);
	add_disk(h, r, fd, "repository", repository.path);
	if (fd >= 0)
		close(fd);
}

/* The directory of -Djava.io.tmpdir, or /tmp. */
static void add_tmp(struct jfrec_host *h, struct jvm_root *r)
{
	struct probe v;
	const char *path = r->tmp;
	char full[PATH_MAX + 4];
	int fd = -1;

	if (probe_init(&v, &r->process, NULL) == 0) {
		if (v.cmdline.tmpdir && *v.cmdline.tmpdir == '/')
			path = v.cmdline.tmpdir;
		snprintf(full, sizeof(full), "%s/.", path);
		fd = opener_open_directory(&r->opener, r->root_fd, full, OPENER_ANYBODYS, NULL,
					   NULL);
		add_disk(h, r, fd, "temporary files", path);
		probe_fini(&v);
	}
	if (fd >= 0)
		close(fd);
}

static void look_at_disks(struct jfrec_host *h)
{
	struct jvm_root r;
	char cwd[PATH_MAX];

	if (jvm_root_open(&r, h->pid, h->start_ticks, *h->tmp ? h->tmp : NULL, NULL) < 0)
		return;
	h->facts.disk_count = 0;
	add_repository(h, &r);
	if (!r.cwd_deleted && process_link(&r.process, "cwd", cwd))
		add_disk(h, &r, r.cwd_fd, "working directory", root_name(&r.process, cwd));
	add_tmp(h, &r);
	jvm_root_close(&r);
}

/* Memory and processors ------------------------------------------------------------------------ */

static void take_memory(struct jfrec_host *h, const struct process *p)
{
	headroom_memory(p, "", &h->memory);
	if (h->memory.left == HEADROOM_ANY)
		return;
	h->facts.memory_limit_name = h->memory.what;
	h->facts.memory_used = h->memory.used;
	h->facts.memory_limit = h->memory.limit;
}

static void take_pressure(struct jfrec_host *h)
{
	struct jfrec_host_facts *f = &h->facts;
	struct throttling worst;

	f->has_cpu_group = h->pressure.has_cpu;
	if (pressure_worst(&h->pressure, &worst, h->cpu_file)) {
		f->cpu_file = h->cpu_file;
		f->periods = worst.periods;
		f->throttled = worst.throttled;
		f->throttled_ns = worst.ns > 0 ? worst.ns : 0;
	} else {
		f->cpu_file = NULL;
	}
	f->kills_file = pressure_kills(&h->pressure, &f->kills, &f->kills_before, h->kills_file)
				? h->kills_file
				: NULL;
}

/* Put one in its place among those that used most. */
static void add_other(struct jfrec_host *h, const struct cpu_user *u, double cpus)
{
	size_t i = h->facts.other_count;

	if (i == JFREC_HOST_OTHERS && h->facts.others[i - 1].cpus >= cpus)
		return;
	if (i < JFREC_HOST_OTHERS)
		h->facts.other_count++;
	else
		i--;
	for (; i > 0 && h->facts.others[i - 1].cpus < cpus; i--)
		h->facts.others[i] = h->facts.others[i - 1];
	h->facts.others[i] = (struct jfrec_host_process){ u->pid, u->name, cpus };
}

/* What this program and its children did was for the sake of the recording. */
static bool is_ours(const struct cpu_user *u)
{
	return u->pid == getpid() || u->parent == getpid();
}

static void take_processors(struct jfrec_host *h)
{
	struct jfrec_host_facts *f = &h->facts;
	double busy = cpu_use_busy(&h->first, &h->last);

	f->other_count = 0;
	f->machine_cpus = 0;
	if (busy < 0 || h->last.at_ns - h->first.at_ns < LEAST_NS)
		return;
	f->machine_cpus = h->last.cpus;
	f->busy_cpus = busy;
	f->own_cpus = 0;
	for (size_t i = 0; i < h->last.count; i++) {
		const struct cpu_user *u = &h->last.list[i];
		double cpus = cpu_use_of(&h->first, &h->last, u);

		if (u->pid == h->pid && u->start_ticks == h->start_ticks)
			f->own_cpus = cpus;
		else if (cpus >= WORTH_NAMING && !is_ours(u))
			add_other(h, u, cpus);
	}
}

/* ---------------------------------------------------------------------------------------------- */

struct jfrec_host *jfrec_host_watch(const struct jfrec_jvm *jvm, struct jfrec_error *err)
{
	struct jfrec_host *h = calloc(1, sizeof(*h));
	struct process p;

	if (!h) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (process_open(&p, jvm->pid, jvm->start_ticks, err) < 0) {
		free(h);
		return NULL;
	}
	h->pid = jvm->pid;
	h->start_ticks = p.start_ticks;
	snprintf(h->tmp, sizeof(h->tmp), "%s", jvm->tmp ? jvm->tmp : "");
	h->facts.pid = jvm->pid;
	h->facts.ns_pid = p.status.ns_pid;
	h->facts.from_ns = h->facts.to_ns = real_now_ns();
	pressure_begin(&h->pressure, &p, "");
	take_pressure(h);
	take_memory(h, &p);
	process_close(&p);
	look_at_disks(h);
	cpu_use_read(&h->first, "");
	return h;
}

void jfrec_host_look(struct jfrec_host *h)
{
	struct process p;

	if (!h)
		return;
	h->facts.to_ns = real_now_ns();
	pressure_again(&h->pressure);
	take_pressure(h);
	cpu_use_fini(&h->last);
	cpu_use_read(&h->last, "");
	take_processors(h);
	/* Of one that has ended, what was last seen. */
	if (process_open(&p, h->pid, h->start_ticks, NULL) < 0)
		return;
	take_memory(h, &p);
	process_close(&p);
	look_at_disks(h);
}

const struct jfrec_host_facts *jfrec_host_get(const struct jfrec_host *h)
{
	return h ? &h->facts : NULL;
}

void jfrec_host_free(struct jfrec_host *h)
{
	if (!h)
		return;
	cpu_use_fini(&h->first);
	cpu_use_fini(&h->last);
	free(h);
}
