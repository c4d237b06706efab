/* SPDX-License-Identifier: MIT */
/*
 * watched.c - one JVM that is observed
 *
 * A look costs a read of /proc/PID/stat, one of the performance data, whose file stays open, and
 * one of cpu.stat for each quota.  What seldom changes, and costs more, is found at an interval.
 */
#include "load/watched.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "process/hsperf.h"
#include "process/jvm_root.h"
#include "process/loaded.h"
#include "repository/owner.h"

/* How often its groups are found again, which reads all mounts, and whether it records. */
#define QUOTAS_NS    (60 * NS_PER_SECOND)
#define RECORDING_NS (10 * NS_PER_SECOND)

/* A JVM makes its performance data soon after it was started. */
#define MOST_TRIES 3

/* Performance data ----------------------------------------------------------------------------- */

static void fail_kind(struct watched *w)
{
	bool may_keep = w->jvm.kind == JFREC_JVM_HOTSPOT || w->jvm.kind == JFREC_JVM_MAYBE;

	jfrec_fail(&w->counters_error, JFREC_EATTACH, JFREC_NO_OFFSET, "%s",
		   may_keep ? "it keeps no readable performance data (-XX:-UsePerfData)"
			    : "only HotSpot keeps performance data");
}

/* What it has mapped is known to be its own; where that is hidden, the file of its pid must do. */
static int open_in_root(struct jvm_root *r)
{
	struct loaded l = { 0 };
	int fd = -1;

	if (loaded_read(&l, &r->process) == 0 && (l.perf || l.denied))
		fd = hsperf_open(&r->process, &r->opener, r->tmp_fd, l.perf);
	loaded_fini(&l);
	return fd;
}

static void open_counters(struct watched *w)
{
	struct jvm_root r;

	if (w->counters_fd >= 0 || w->counters_tries >= MOST_TRIES)
		return;
	w->counters_tries++;
	if (jvm_root_open(&r, w->jvm.pid, w->jvm.start_ticks, w->jvm.tmp, &w->counters_error) < 0)
		return;
	w->counters_fd = open_in_root(&r);
	if (w->counters_fd < 0)
		fail_kind(w);
	jvm_root_close(&r);
}

static bool read_counters(const struct watched *w, struct counters *c)
{
	struct hsperf h;
	int fd = w->counters_fd;
	void *bytes = fd >= 0 ? hsperf_read_open(&h, &w->process, fd) : NULL;
	bool good = bytes && counters_parse(c, bytes, h.len);

	free(bytes);
	return good;
}

/* -------------------------------------------------------------------------------------------- */

static enum jfrec_load_recording recording_of(const struct process *p)
{
	struct owned_repository r;

	owner_find_repository(&r, p);
	if (r.denied)
		return JFREC_LOAD_UNKNOWN;
	return *r.path ? JFREC_LOAD_RECORDS : JFREC_LOAD_NO_RECORDING;
}

/* Is it time again?  Then *at_ns is now. */
static bool is_due(int64_t *at_ns, int64_t now_ns, int64_t interval_ns)
{
	if (*at_ns && now_ns - *at_ns < interval_ns)
		return false;
	*at_ns = now_ns;
	return true;
}

static void find(struct watched *w, int64_t now_ns)
{
	if (is_due(&w->recording_at_ns, now_ns, RECORDING_NS)) {
		open_counters(w);
		w->load.recording = recording_of(&w->process);
	}
	if (is_due(&w->quotas_at_ns, now_ns, QUOTAS_NS)) {
		quotas_find(&w->quotas, &w->process, "");
		w->load.memory_limit = w->quotas.memory_limit;
	}
}

struct watched *watched_new(const struct jfrec_jvm *jvm, struct jfrec_error *err)
{
	struct watched *w = calloc(1, sizeof(*w));

	if (!w) {
		jfrec_fail_memory(err);
		return NULL;
	}
	w->jvm = *jvm;
	w->counters_fd = -1;
	if (process_open(&w->process, jvm->pid, jvm->start_ticks, err) == 0)
		return w;
	free(w);
	return NULL;
}

void watched_free(struct watched *w)
{
	if (!w)
		return;
	if (w->counters_fd >= 0)
		close(w->counters_fd);
	process_close(&w->process);
	quotas_fini(&w->quotas);
	free(w->threads);
	free(w);
}

/* Where there is no reading before, what is per time is not known. */
static void take_rates(struct jfrec_load *l, const struct reading *before,
		       const struct reading *now)
{
	double seconds = (double)(now->at_ns - before->at_ns) / NS_PER_SECOND;
	uint64_t ticks = now->stat.ticks - before->stat.ticks;

	l->cpus = l->gc_share = l->gc_rate = -1;
	if (!before->at_ns || seconds <= 0)
		return;
	l->cpus = now->stat.ticks > before->stat.ticks ? stat_seconds(ticks) / seconds : 0;
	if (!before->has_counters || !now->has_counters)
		return;
	l->gc_share = counters_share(&before->counters, &now->counters, seconds);
	l->gc_rate = counters_rate(&before->counters, &now->counters, seconds);
}

static void take_heap(struct watched *w, const struct reading *now)
{
	bool has_heap = now->has_counters && now->counters.has_heap;

	w->load.heap_used = has_heap ? now->counters.used : -1;
	w->load.heap_committed = has_heap ? now->counters.committed : -1;
}

static const char *why_missing(const struct watched *w, const struct reading *now)
{
	if (w->counters_fd < 0)
		return w->counters_error.text;
	if (!now->has_counters || !now->counters.has_heap)
		return "its performance data has no figures of the heap";
	return now->counters.has_concurrent
		       ? "Shenandoah counts its concurrent phases, too"
		       : NULL;
}

/* One that used its processors is not frozen. */
static enum jfrec_load_state state_of(const struct watched *w, const struct stat_line *s)
{
	if (s->state == 'T' || s->state == 't')
		return JFREC_LOAD_STOPPED;
	if (s->ticks != w->last.stat.ticks || !quotas_is_frozen(&w->quotas))
		return JFREC_LOAD_RUNS;
	return JFREC_LOAD_FROZEN;
}

bool watched_look(struct watched *w)
{
	struct reading now = { .at_ns = monotonic_now_ns() };

	if (!stat_read(&now.stat, w->process.dir_fd, "stat") || now.stat.state == 'Z' ||
	    now.stat.state == 'X')
		return false;
	find(w, now.at_ns);
	now.has_counters = read_counters(w, &now.counters);
	w->load.jvm = &w->jvm;
	w->load.threads = now.stat.threads;
	w->load.resident_bytes = now.stat.resident;
	w->load.throttled = quotas_throttled(&w->quotas);
	w->load.state = state_of(w, &now.stat);
	take_rates(&w->load, &w->last, &now);
	take_heap(w, &now);
	w->load.no_counters = why_missing(w, &now);
	w->last = now;
	return true;
}
