/* SPDX-License-Identifier: MIT */
/*
 * running_jvms.c - collect the finished chunks of running JVMs
 *
 * All are asked for their recordings side by side (recorders.h), while chunks are taken, for which
 * no JVM is asked.  Users take turns.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "collect/pass.h"
#include "jfrec-tool.h"

/* What is being written ------------------------------------------------------------------------ */

void held_chunk_fini(struct held_chunk *h)
{
	jfrec_repository_close(h->repository);
	free(h->main);
}

static bool hold_one(struct collector *c, const struct jfrec_jvm *jvm, struct jfrec_repository *r,
		     size_t i)
{
	struct held_chunk h = { .pid = jvm->pid, .start_ticks = jvm->start_ticks, .uid = jvm->uid };

	if (!array_reserve(c->held, c->held_count, c->held_room))
		return false;
	h.repository = jfrec_repository_copy(r, i, 1, NULL);
	h.main = strdup(jvm->main);
	if (h.repository && h.main && jfrec_repository_count(h.repository) == 1) {
		c->held[c->held_count++] = h;
		return true;
	}
	held_chunk_fini(&h);
	return false;
}

/* A JVM that ends removes what it was writing; until the next pass it is kept.  Best effort. */
static void hold(struct pass *p, const struct jfrec_jvm *jvm, struct jfrec_repository *r)
{
	for (size_t i = 0; i < jfrec_repository_count(r) && !p->c->dry; i++) {
		const struct jfrec_repository_chunk *c = jfrec_repository_get(r, i);

		if (c->is_open && c->is_jvms)
			hold_one(p->c, jvm, r, i);
	}
}

/* Keep it if its name was removed; else the next pass finds it in its directory. */
static void take_held(struct pass *p, struct held_chunk *h)
{
	struct jfrec_jvm jvm = {
		.pid = h->pid, .start_ticks = h->start_ticks, .main = h->main, .uid = h->uid
	};
	const struct jfrec_repository_chunk *c;

	if (!jfrec_repository_was_removed(h->repository, 0))
		return;
	jfrec_repository_refresh(h->repository);
	c = jfrec_repository_get(h->repository, 0);
	if ((!c->is_open || jfrec_jvm_has_ended(&jvm)) && pass_is_new(p, h->repository, c))
		pass_take(p, h->repository, &jvm, true);
}

void pass_take_held(struct pass *p)
{
	for (size_t i = 0; i < p->c->held_count; i++) {
		if (!pass_is_over(p))
			take_held(p, &p->c->held[i]);
		held_chunk_fini(&p->c->held[i]);
	}
	p->c->held_count = 0;
}

/* Recordings ----------------------------------------------------------------------------------- */

static void on_recorder(void *ctx, const struct jfrec_jvm *jvm, int ret, uint64_t id,
			const struct jfrec_error *err)
{
	struct collected_news news = {
		.what = COLLECTED_STARTED, .pid = jvm->pid, .main = jvm->main, .recording = id
	};
	struct pass *p = ctx;

	if (ret >= 0) /* it records now */
		idle_jvms_note(&p->c->idle_jvms, jvm, false);
	if (ret < 0)
		pass_tell_failure(p, jvm, NULL, err);
	else if (ret > 0)
		pass_tell(p, &news);
}

static void on_left(void *ctx, uint32_t uid, size_t count)
{
	pass_complain_of(ctx, uid,
			 ": %zu of their JVMs are left for a later pass, since others do not reply",
			 count);
}

/* Chunks --------------------------------------------------------------------------------------- */

static bool is_finished(void *ctx, const struct jfrec_repository *r,
			const struct jfrec_repository_chunk *c)
{
	return c->is_jvms && !c->is_open && pass_is_new(ctx, r, c);
}

/* Leftovers of others are where it has its own repository. */
static void look_beside(struct pass *p, const struct jfrec_jvm *jvm,
			const struct jfrec_repository *r, size_t jvms)
{
	if (p->leftovers && !p->c->config.repositories)
		jfrec_leftovers_add_beside(p->leftovers, jvm, r, jvms);
}

static void visit(struct pass *p, const struct jfrec_jvm *jvm, size_t jvms)
{
	struct jfrec_error err = { 0 };
	struct jfrec_repository *r = jfrec_repository_of_jvm(jvm, &err);

	idle_jvms_note(&p->c->idle_jvms, jvm, !r || jfrec_repository_count(r) == 0);
	if (!r) {
		/* That it records nothing, or has ended meanwhile, is its own affair. */
		if (err.code != JFREC_EREFUSED && err.code != JFREC_ENOJVM)
			pass_tell_failure(p, jvm, NULL, &err);
		return;
	}
	look_beside(p, jvm, r, jvms);
	hold(p, jvm, r);
	jfrec_repository_select(r, is_finished, p);
	pass_take(p, r, jvm, false);
	jfrec_repository_close(r);
}

/* All of them ---------------------------------------------------------------------------------- */

static int by_number(const void *x, const void *y)
{
	int a = *(const int *)x, b = *(const int *)y;

	return a < b ? -1 : a > b;
}

/* JVMs that had their turn, in order. */
struct pids {
	int *items;
	size_t count, room;
};

static bool make_room(struct pids *seen, size_t more)
{
	int *items = reallocarray(seen->items, seen->count + more + 1, sizeof(*items));

	if (items)
		seen->items = items;
	return items;
}

/* An entry of the configuration: those of its JVMs that no entry before has. */
static void queue(struct pass *p, size_t entry, struct pids *seen, struct fair_share *t)
{
	const struct collect_jvms *wish = &p->c->config.jvms[entry];
	const struct jfrec_jvms *list = p->lists[entry];
	size_t before = seen->count;

	if (!make_room(seen, jfrec_jvms_count(list)))
		return;
	for (size_t k = 0; k < jfrec_jvms_count(list); k++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, k);

		if (before &&
		    bsearch(&jvm->pid, seen->items, before, sizeof(*seen->items), by_number))
			continue;
		seen->items[seen->count++] = jvm->pid;
		if (wish->settings)
			recorders_add(&p->c->recorders, jvm, wish);
		if (!idle_jvms_skips(&p->c->idle_jvms, jvm))
			fair_share_add(t, jvm->uid, jvm, entry);
	}
	qsort(seen->items, seen->count, sizeof(*seen->items), by_number);
}

static void queue_all(struct pass *p, struct fair_share *t)
{
	const struct collect_config *config = &p->c->config;
	struct pids seen = { .items = NULL };

	for (size_t i = 0; i < config->jvm_count && !pass_is_over(p); i++) {
		struct jfrec_error err;

		p->lists[i] = jfrec_jvms_find(&config->jvms[i].query, &err);
		if (p->lists[i])
			queue(p, i, &seen, t);
		else if (err.code != JFREC_ENOJVM)
			pass_tell_failure(p, NULL, NULL, &err);
	}
	free(seen.items);
}

static void take_turns(struct pass *p, struct fair_share *t)
{
	const struct turn *turn;

	while (!pass_is_over(p) && (turn = fair_share_next(t)) != NULL) {
		int64_t began = monotonic_now_ns();

		visit(p, turn->what, turn->number);
		fair_share_charge(t, turn, monotonic_now_ns() - began);
		pass_cut_turns(p, t, PASS_USER_NS, "JVMs");
		recorders_step(&p->c->recorders, on_recorder, p);
	}
}

void pass_visit_running_jvms(struct pass *p)
{
	struct recorders *r = &p->c->recorders;
	struct fair_share t = { .items = NULL };

	p->lists = calloc(p->c->config.jvm_count, sizeof(*p->lists));
	if (!p->lists)
		return;
	r->dry = p->c->dry;
	idle_jvms_begin(&p->c->idle_jvms);
	queue_all(p, &t);
	idle_jvms_end(&p->c->idle_jvms);
	recorders_step(r, on_recorder, p);
	take_turns(p, &t);
	if (p->options->is_last)
		recorders_end(r, &p->c->stop, on_recorder, on_left, p);
	else
		recorders_leave(r, &p->c->stop, on_recorder, on_left, p);
	fair_share_fini(&t);
}
