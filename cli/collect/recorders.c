/* SPDX-License-Identifier: MIT */
/*
 * recorders.c - keep recordings running in many JVMs at once
 */
#include "collect/recorders.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock_now.h"

/* At a time; and of one user. */
#define MAX_RUNNING	 16
#define MAX_RUNNING_USER 4

/* All that a JVM may take for its answers; each of them has a shorter time of its own. */
#define MAX_NS INT64_C(60000000000)

/* Who took so long for nothing does not answer. */
#define SILENT_NS NS_PER_SECOND

/* A pass that is not the last one waits no longer than that for those that it asks. */
#define SOON_NS (2 * NS_PER_SECOND)

/* A user whose JVMs have cost so much for nothing has no others asked in this pass. */
#define BUDGET_NS INT64_C(20000000000)

/* A silent JVM is asked again after a minute, then after two, up to an hour. */
#define FIRST_PAUSE_NS INT64_C(60000000000)
#define MOST_DOUBLED   6

struct answer {
	int ret;
	uint64_t id;
	struct jfrec_error err;
};

static const struct jfrec_jvm *jvm_of(const struct recorders_job *job)
{
	return job->jvm ? job->jvm : &job->ours;
}

/* Silence -------------------------------------------------------------------------------------- */

static struct recorders_silent *find_silent(struct recorders *r, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < r->silent_count; i++) {
		struct recorders_silent *s = &r->silent[i];

		if (s->pid == jvm->pid && s->start_ticks == jvm->start_ticks)
			return s;
	}
	return NULL;
}

/* Best effort: without memory it is asked again in the next pass. */
static void note_silent(struct recorders *r, const struct jfrec_jvm *jvm)
{
	struct recorders_silent *s = find_silent(r, jvm);

	if (!s && !array_reserve(r->silent, r->silent_count, r->silent_room))
		return;
	if (!s) {
		s = &r->silent[r->silent_count++];
		*s = (struct recorders_silent){ .pid = jvm->pid, .start_ticks = jvm->start_ticks };
	}
	s->is_seen = true;
	s->until_ns = monotonic_now_ns() +
		      (FIRST_PAUSE_NS << (s->times < MOST_DOUBLED ? s->times : MOST_DOUBLED));
	s->times++;
}

static void forget_silent(struct recorders *r, const struct jfrec_jvm *jvm)
{
	struct recorders_silent *s = find_silent(r, jvm);

	if (s)
		*s = r->silent[--r->silent_count];
}

/* Those that were not there in this pass have ended. */
static void forget_ended(struct recorders *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->silent_count; i++) {
		struct recorders_silent *s = &r->silent[i];

		if (!s->is_seen)
			continue;
		s->is_seen = false;
		r->silent[kept++] = *s;
	}
	r->silent_count = kept;
}

/* Since a pass before. */
static bool is_being_asked(const struct recorders *r, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < r->job_count && !r->jobs[i].jvm; i++) {
		if (r->jobs[i].ours.pid == jvm->pid &&
		    r->jobs[i].ours.start_ticks == jvm->start_ticks)
			return true;
	}
	return false;
}

bool recorders_add(struct recorders *r, const struct jfrec_jvm *jvm,
		   const struct collect_jvms *wish)
{
	struct recorders_silent *s = find_silent(r, jvm);

	if (s)
		s->is_seen = true;
	if ((s && monotonic_now_ns() < s->until_ns) || is_being_asked(r, jvm))
		return true;
	return array_push(r->jobs, r->job_count, r->job_room,
			  (struct recorders_job){ .jvm = jvm, .wish = wish });
}

/* One child ------------------------------------------------------------------------------------ */

/* It ends with us: no other process would take its reply. */
static void serve(const struct recorders_job *job, int to, bool dry)
{
	struct answer a = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	a.ret = recorder_ensure(job->jvm, job->wish, dry, &a.id, &a.err);
	_exit(write(to, &a, sizeof(a)) == (ssize_t)sizeof(a) ? 0 : 1);
}

static int begin(struct recorders *r, struct recorders_job *job, struct jfrec_error *err)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return jfrec_fail_sys(err, errno, "cannot create a pipe");
	pid = fork();
	if (pid == 0)
		serve(job, ends[1], r->dry);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return jfrec_fail_sys(err, errno, "cannot start a helper process");
	}
	job->child = pid;
	job->result = ends[0];
	job->began_ns = monotonic_now_ns();
	r->running++;
	return 0;
}

/* Has it answered, or ended? */
static bool is_ready(const struct recorders_job *job)
{
	struct pollfd p = { .fd = job->result, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

static void take_answer(struct recorders *r, struct recorders_job *job, recorders_fn *fn, void *ctx)
{
	struct answer a;
	int64_t took = monotonic_now_ns() - job->began_ns;

	if (!is_ready(job) || read(job->result, &a, sizeof(a)) != (ssize_t)sizeof(a)) {
		a.ret = jfrec_fail(&a.err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				   "process %d did not reply", jvm_of(job)->pid);
		kill(job->child, SIGKILL);
	}
	close(job->result);
	waitpid(job->child, NULL, 0);
	job->child = -1;
	r->running--;
	if (a.ret < 0 && took >= SILENT_NS) {
		job->cost_ns = job->jvm ? took : 0;
		note_silent(r, jvm_of(job));
	} else {
		forget_silent(r, jvm_of(job));
	}
	fn(ctx, jvm_of(job), a.ret, a.id, &a.err);
}

/* All ------------------------------------------------------------------------------------------ */

/* What the user's JVMs have cost for nothing, those that are being asked included. */
static int64_t cost_of(const struct recorders *r, uint32_t uid, size_t *running)
{
	int64_t cost = 0, now = monotonic_now_ns();

	*running = 0;
	for (size_t i = 0; i < r->job_count; i++) {
		const struct recorders_job *job = &r->jobs[i];

		if (jvm_of(job)->uid != uid)
			continue;
		*running += job->child > 0;
		/* Since an earlier pass: it takes a place, but this pass has not waited for it. */
		if (job->jvm)
			cost += job->child > 0 ? now - job->began_ns : job->cost_ns;
	}
	return cost;
}

static bool may_begin(const struct recorders *r, const struct recorders_job *job)
{
	size_t running;

	return job->child == 0 && cost_of(r, jvm_of(job)->uid, &running) < BUDGET_NS &&
	       running < MAX_RUNNING_USER;
}

void recorders_step(struct recorders *r, recorders_fn *fn, void *ctx)
{
	for (size_t i = r->first; i < r->job_count; i++) {
		struct recorders_job *job = &r->jobs[i];
		struct jfrec_error err;

		if (job->child > 0 &&
		    (is_ready(job) || monotonic_now_ns() - job->began_ns > MAX_NS))
			take_answer(r, job, fn, ctx);
		if (r->running < MAX_RUNNING && may_begin(r, job) && begin(r, job, &err) < 0) {
			job->child = -1;
			fn(ctx, jvm_of(job), -1, 0, &err);
		}
	}
	while (r->first < r->job_count && r->jobs[r->first].child < 0)
		r->first++;
}

/* Until one of those that are being asked has answered. */
static void wait_for_one(const struct recorders *r)
{
	struct pollfd fds[MAX_RUNNING];
	nfds_t count = 0;

	for (size_t i = r->first; i < r->job_count && count < MAX_RUNNING; i++) {
		if (r->jobs[i].child > 0)
			fds[count++] = (struct pollfd){ .fd = r->jobs[i].result, .events = POLLIN };
	}
	poll(fds, count, 200);
}

/* Those of a user that were not begun, told of together. */
static void leave_rest(struct recorders *r, recorders_left_fn *left, void *ctx)
{
	for (size_t i = r->first; i < r->job_count; i++) {
		uint32_t uid = jvm_of(&r->jobs[i])->uid;
		size_t count = 0;

		for (size_t k = i; r->jobs[i].child == 0 && k < r->job_count; k++) {
			if (r->jobs[k].child != 0 || jvm_of(&r->jobs[k])->uid != uid)
				continue;
			count++;
			if (k > i)
				r->jobs[k].child = -1;
		}
		if (count)
			left(ctx, uid, count);
	}
}

static void give_up(struct recorders_job *job)
{
	if (job->child > 0) {
		kill(job->child, SIGKILL);
		waitpid(job->child, NULL, 0);
		close(job->result);
	}
	job->child = -1;
}

static void forget_job(struct recorders_job *job)
{
	give_up(job);
	free((char *)job->ours.main);
}

/* The list of JVMs goes with the pass. */
static bool keep_jvm(struct recorders_job *job)
{
	const struct jfrec_jvm *jvm = job->jvm;

	if (!jvm)
		return true;
	job->ours = (struct jfrec_jvm){ .pid = jvm->pid,
					.start_ticks = jvm->start_ticks,
					.uid = jvm->uid,
					.main = strdup(jvm->main) };
	job->jvm = NULL;
	return job->ours.main;
}

/* Only those that are being asked stay, in front. */
static void drop_done(struct recorders *r)
{
	size_t kept = 0;

	r->running = 0;
	for (size_t i = 0; i < r->job_count; i++) {
		struct recorders_job *job = &r->jobs[i];

		if (job->child > 0 && keep_jvm(job)) {
			r->running++;
			r->jobs[kept++] = *job;
		} else {
			forget_job(job);
		}
	}
	r->job_count = kept;
	r->first = 0;
	forget_ended(r);
}

/* Is there one that was asked just now? */
static bool may_answer_soon(const struct recorders *r)
{
	int64_t now = monotonic_now_ns();

	for (size_t i = r->first; i < r->job_count; i++) {
		if (r->jobs[i].child > 0 && now - r->jobs[i].began_ns < SOON_NS)
			return true;
	}
	return false;
}

static void finish(struct recorders *r, const volatile sig_atomic_t *stop, bool waits,
		   recorders_fn *fn, recorders_left_fn *left, void *ctx)
{
	recorders_step(r, fn, ctx);
	while (r->running && !*stop && (waits || may_answer_soon(r))) {
		wait_for_one(r);
		recorders_step(r, fn, ctx);
	}
	if (!*stop)
		leave_rest(r, left, ctx);
	for (size_t i = 0; i < r->job_count && (waits || *stop); i++)
		give_up(&r->jobs[i]);
	drop_done(r);
}

void recorders_leave(struct recorders *r, const volatile sig_atomic_t *stop, recorders_fn *fn,
		     recorders_left_fn *left, void *ctx)
{
	finish(r, stop, false, fn, left, ctx);
}

void recorders_end(struct recorders *r, const volatile sig_atomic_t *stop, recorders_fn *fn,
		   recorders_left_fn *left, void *ctx)
{
	finish(r, stop, true, fn, left, ctx);
}

void recorders_fini(struct recorders *r)
{
	for (size_t i = 0; i < r->job_count; i++)
		forget_job(&r->jobs[i]);
	free(r->silent);
	free(r->jobs);
	*r = (struct recorders){ 0 };
}
