/* SPDX-License-Identifier: MIT */
/*
 * streams.c - many JVMs, directories and files followed at once
 *
 *	look-outs --> a JVM that is new --> source: the caller opens its streams, or refuses it
 *	                                       |
 *	repository --> stream --> turn of the source --> step --> the caller
 *	                             |
 *	                             +--> its end; a JVM that is started again is a new one
 *
 * In a round each source has its turn, from the last to the first, so that the current one may be
 * removed; between rounds JVMs are looked out for.  One whose turn took long has none for a while.
 */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/array.h"
#include "base/deadline.h"
#include "base/error.h"
#include "base/options.h"
#include "process/jvm.h"
#include "stream/followed.h"

/* Between two looks for JVMs that were started. */
#define LOOK_OUT_NS (2 * NS_PER_SECOND)

struct look_out {
	struct jfrec_jvm_query query; /* its strings are the caller's */
	bool takes_all;
	struct jfrec_jvms *last; /* what the last look has found */
};

/* A JVM that the caller does not want to follow. */
struct refused {
	int pid;
	uint64_t start_ticks;
};

struct jfrec_streams {
	struct jfrec_source **sources;
	size_t count, room;
	struct refused *refused;
	size_t refused_count, refused_room;
	struct look_out *look_outs;
	size_t look_out_count, look_out_room;
	int64_t looked_at_ns; /* monotonic; 0: never */
	/* The round. */
	bool in_round;
	size_t left; /* sources that have not had their turn yet are those before */
	bool is_busy; /* something came in it */
	/* Ending. */
	atomic_int stop;
	int stop_fd; /* readable once it is to stop */
	bool is_stopped; /* the streams know */
	struct pollfd *fds; /* to wait for */
	size_t fd_room;
};

struct jfrec_streams *jfrec_streams_new(struct jfrec_error *err)
{
	struct jfrec_streams *all = calloc(1, sizeof(*all));

	if (!all) {
		jfrec_fail_memory(err);
		return NULL;
	}
	all->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (all->stop_fd >= 0)
		return all;
	jfrec_fail_sys(err, errno, "cannot make an event descriptor");
	free(all);
	return NULL;
}

void jfrec_streams_free(struct jfrec_streams *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->count; i++)
		followed_free(all->sources[i]);
	free(all->sources);
	free(all->refused);
	for (size_t i = 0; i < all->look_out_count; i++)
		jfrec_jvms_free(all->look_outs[i].last);
	free(all->look_outs);
	free(all->fds);
	close(all->stop_fd);
	free(all);
}

/* Sources ------------------------------------------------------------------------------------- */

/* Takes the source over, also one that could not be made. */
static struct jfrec_source *add(struct jfrec_streams *all, struct jfrec_source *s,
				struct jfrec_error *err)
{
	if (s && array_push(all->sources, all->count, all->room, s)) {
		s->all = all;
		return s;
	}
	followed_free(s);
	jfrec_fail_memory(err);
	return NULL;
}

struct jfrec_source *jfrec_streams_add_path(struct jfrec_streams *all, const char *path,
					    struct jfrec_error *err)
{
	return add(all, followed_new_path(path), err);
}

struct jfrec_source *jfrec_streams_add_jvm(struct jfrec_streams *all, const struct jfrec_jvm *jvm,
					   int look_out, struct jfrec_error *err)
{
	struct jfrec_source *s = add(all, followed_new_jvm(jvm), err);

	if (s)
		s->look_out = look_out;
	return s;
}

bool jfrec_streams_has_jvm(const struct jfrec_streams *all, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < all->count; i++) {
		if (followed_is_jvm(all->sources[i], jvm))
			return true;
	}
	return false;
}

size_t jfrec_streams_count(const struct jfrec_streams *all)
{
	return all->count;
}

struct jfrec_source *jfrec_streams_get(const struct jfrec_streams *all, size_t i)
{
	return i < all->count ? all->sources[i] : NULL;
}

void jfrec_source_remove(struct jfrec_source *s)
{
	struct jfrec_streams *all = s->all;
	size_t i = 0;

	while (all->sources[i] != s)
		i++;
	all->count--;
	memmove(all->sources + i, all->sources + i + 1, (all->count - i) * sizeof(*all->sources));
	if (i < all->left)
		all->left--;
	followed_free(s);
}

void jfrec_source_refuse(struct jfrec_source *s)
{
	struct jfrec_streams *all = s->all;

	/* When memory is gone, it is found again: no harm. */
	if (s->is_jvm)
		(void)array_push(all->refused, all->refused_count, all->refused_room,
				 (struct refused){ s->jvm.pid, s->jvm.start_ticks });
	jfrec_source_remove(s);
}

/* Looking out --------------------------------------------------------------------------------- */

int jfrec_streams_look_out(struct jfrec_streams *all, const struct jfrec_jvm_query *query,
			   bool takes_all, struct jfrec_error *err)
{
	struct look_out l = { .takes_all = takes_all };

	if (options_take(&l.query, sizeof(l.query), query, err) < 0)
		return -1;
	l.query.struct_size = sizeof(l.query);
	if (all->look_out_count < INT_MAX &&
	    array_push(all->look_outs, all->look_out_count, all->look_out_room, l))
		return (int)all->look_out_count - 1;
	return jfrec_fail_memory(err);
}

static bool is_refused(const struct jfrec_streams *all, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < all->refused_count; i++) {
		const struct refused *r = &all->refused[i];

		if (r->pid == jvm->pid && r->start_ticks == jvm->start_ticks)
			return true;
	}
	return false;
}

static bool has_live(const struct jfrec_streams *all, int look_out)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct jfrec_source *s = all->sources[i];

		if (s->look_out == look_out && !jfrec_source_has_ended(s))
			return true;
	}
	return false;
}

/* What is known of it may be of an earlier look. */
static int add_found(struct jfrec_streams *all, int i, const struct jfrec_jvm *jvm,
		     struct jfrec_error *err)
{
	const struct look_out *l = &all->look_outs[i];
	struct jfrec_jvm_query query = l->query;
	struct jfrec_jvms *now = NULL;
	struct jfrec_source *s = NULL;
	char pid[16];

	if (jvms_is_again(l->last, jvm)) {
		snprintf(pid, sizeof(pid), "%d", jvm->pid);
		query.target = pid;
		now = jfrec_jvms_find(&query, NULL);
		jvm = now ? jfrec_jvms_get(now, 0) : NULL;
	}
	if (jvm)
		s = jfrec_streams_add_jvm(all, jvm, i, err);
	jfrec_jvms_free(now);
	if (s)
		s->is_new = true;
	return s || !jvm ? 0 : -1;
}

static int find_new(struct jfrec_streams *all, int i, struct jfrec_error *err)
{
	struct look_out *l = &all->look_outs[i];
	size_t count;
	int ret = 0;

	if (!l->takes_all && has_live(all, i))
		return 0;
	/* What keeps it from looking now may be over the next time. */
	l->last = jvms_find_again(&l->query, l->last, NULL);
	count = l->last ? jfrec_jvms_count(l->last) : 0;
	for (size_t k = 0; ret == 0 && k < count && (l->takes_all || count == 1); k++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(l->last, k);

		if (!jfrec_streams_has_jvm(all, jvm) && !is_refused(all, jvm))
			ret = add_found(all, i, jvm, err);
	}
	return ret;
}

static int look_out(struct jfrec_streams *all, struct jfrec_error *err)
{
	int64_t now = monotonic_now_ns();
	int ret = 0;

	if (all->looked_at_ns && now - all->looked_at_ns < LOOK_OUT_NS)
		return 0;
	all->looked_at_ns = now;
	for (size_t i = 0; ret == 0 && i < all->look_out_count; i++)
		ret = find_new(all, (int)i, err);
	return ret;
}

/* Rounds -------------------------------------------------------------------------------------- */

/* The streams end, and nothing is looked out for any more. */
static void stop_all(struct jfrec_streams *all)
{
	all->is_stopped = true;
	while (all->look_out_count)
		jfrec_jvms_free(all->look_outs[--all->look_out_count].last);
	for (size_t i = 0; i < all->count; i++)
		followed_stop(all->sources[i]);
}

static int begin_round(struct jfrec_streams *all, struct jfrec_error *err)
{
	if (all->stop && !all->is_stopped)
		stop_all(all);
	if (look_out(all, err) < 0)
		return -1;
	all->in_round = true;
	all->is_busy = false;
	all->left = all->count;
	return 0;
}

static size_t live_beside(const struct jfrec_streams *all, const struct jfrec_source *s)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += all->sources[i] != s && !jfrec_source_has_ended(all->sources[i]);
	return n;
}

/* 1: *step is set; 0: the round is over; -1: *err is set. */
static int go_round(struct jfrec_streams *all, struct jfrec_streams_step *step,
		    struct jfrec_error *err)
{
	if (!all->in_round && begin_round(all, err) < 0)
		return -1;
	while (all->left) {
		struct jfrec_source *s = all->sources[all->left - 1];

		if (!all->is_stopped && followed_rests(s)) {
			all->left--;
			continue;
		}
		if (s->is_new) {
			s->is_new = false;
			step->source = s;
			step->kind = JFREC_STREAMS_FOUND;
			return 1;
		}
		if (followed_step(s, step, err)) {
			all->is_busy |= step->kind == JFREC_STREAMS_STEP;
			return 1;
		}
		followed_rest(s, live_beside(all, s));
		all->left--;
	}
	all->in_round = false;
	return 0;
}

static bool is_over(const struct jfrec_streams *all)
{
	for (size_t i = 0; i < all->count; i++) {
		if (!jfrec_source_has_ended(all->sources[i]))
			return false;
	}
	return all->look_out_count == 0;
}

/* Waiting ------------------------------------------------------------------------------------- */

int jfrec_streams_pause_ms(const struct jfrec_streams *all)
{
	int least = INT_MAX;

	if (all->look_out_count)
		least = deadline_left_ms(all->looked_at_ns + LOOK_OUT_NS);
	for (size_t i = 0; i < all->count; i++) {
		int ms = followed_pause_ms(all->sources[i]);

		least = ms < least ? ms : least;
	}
	return least;
}

size_t jfrec_streams_fds(const struct jfrec_streams *all, struct pollfd *fds, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct jfrec_source *s = all->sources[i];

		for (size_t k = 0; k < s->stream_count && !followed_rests(s); k++) {
			int fd = jfrec_stream_fd(s->streams[k].stream);

			if (fd < 0)
				continue;
			if (n < room)
				fds[n] = (struct pollfd){ fd, POLLIN, 0 };
			n++;
		}
	}
	return n;
}

/* The descriptors to wait for, and the stop.  Without memory the pause will do. */
static size_t gather(struct jfrec_streams *all)
{
	size_t n = 1 + jfrec_streams_fds(all, NULL, 0);

	if (n > all->fd_room) {
		struct pollfd *fds = reallocarray(all->fds, n, sizeof(*fds));

		if (!fds)
			return 0;
		all->fds = fds;
		all->fd_room = n;
	}
	all->fds[0] = (struct pollfd){ all->stop_fd, POLLIN, 0 };
	jfrec_streams_fds(all, all->fds + 1, n - 1);
	return n;
}

/* Until there may be something; a signal ends it, too. */
static void wait_for_some(struct jfrec_streams *all, int ms)
{
	int pause = jfrec_streams_pause_ms(all);
	size_t n = gather(all);

	poll(all->fds, n, ms < pause ? ms : pause);
}

int jfrec_streams_next(struct jfrec_streams *all, int timeout_ms, struct jfrec_streams_step *step,
		       struct jfrec_error *err)
{
	int64_t deadline = timeout_ms < 0 ? INT64_MAX : deadline_in_ms(timeout_ms);

	for (;;) {
		int got, left;

		got = go_round(all, step, err);
		if (got)
			return got;
		*step = (struct jfrec_streams_step){ 0 };
		if (all->is_busy) {
			step->kind = JFREC_STREAMS_ROUND;
			return 1;
		}
		if (is_over(all))
			return 0;
		left = deadline_left_ms(deadline);
		if (left == 0)
			return 1; /* JFREC_STREAMS_NOTHING */
		wait_for_some(all, left);
	}
}

bool jfrec_streams_rest(const struct jfrec_streams *all)
{
	for (size_t i = 0; i < all->count; i++) {
		if (followed_rests(all->sources[i]))
			return true;
	}
	return false;
}

void jfrec_streams_stop(struct jfrec_streams *all)
{
	all->stop = 1;
	eventfd_write(all->stop_fd, 1);
}
