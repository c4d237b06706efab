/* SPDX-License-Identifier: MIT */
/*
 * living.c - collect the finished chunks of running JVMs
 *
 * All are asked for their recordings side by side (recorders.h), while chunks are taken, for which
 * no JVM is asked.  Users take turns.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/deadline.h"
#include "collect/pass.h"
#include "process/process.h"
#include "repository/name.h"

/* What is being written ------------------------------------------------------------------------ */

void held_chunk_fini(struct held_chunk *h)
{
	jfrec_repository_close(h->repository);
	free(h->main);
}

static bool hold_one(struct jfrec_collector *c, const struct jfrec_jvm *jvm,
		     const struct jfrec_repository *r, const struct repository_chunk *chunk)
{
	struct held_chunk h = { .pid = jvm->pid, .start_ticks = jvm->start_ticks, .uid = jvm->uid };

	if (!array_reserve(c->held, c->held_count, c->held_room))
		return false;
	h.repository = repository_of_chunk(r, chunk, NULL);
	h.main = strdup(jvm->main);
	if (h.repository && h.main && h.repository->count == 1) {
		c->held[c->held_count++] = h;
		return true;
	}
	held_chunk_fini(&h);
	return false;
}

/* A JVM that ends removes what it was writing; until the next pass it is kept.  Best effort. */
static void hold(struct pass *p, const struct jfrec_jvm *jvm, const struct jfrec_repository *r)
{
	for (size_t i = 0; i < r->count && !p->c->dry; i++) {
		if (repository_chunk_is_open(&r->chunks[i]) &&
		    name_is_own_chunk(r->chunks[i].name))
			hold_one(p->c, jvm, r, &r->chunks[i]);
	}
}

static bool is_gone(const struct held_chunk *h)
{
	struct process process;
	struct jfrec_error why = { 0 };

	/* Only if that is known: out of descriptors nobody is dead. */
	if (process_open(&process, h->pid, h->start_ticks, &why) < 0)
		return why.code == JFREC_ENOJVM || why.code == JFREC_EDIED;
	process_close(&process);
	return false;
}

/* Take it if it lost its name; else whoever finds it there will. */
static void take_held(struct pass *p, struct held_chunk *h)
{
	struct repository_chunk *c = &h->repository->chunks[0];
	struct jfrec_jvm jvm = { .pid = h->pid, .main = h->main, .uid = h->uid };
	struct stat st;

	if (fstat(c->fd, &st) < 0 || st.st_nlink > 0)
		return;
	repository_chunk_refresh(c);
	if ((!repository_chunk_is_open(c) || is_gone(h)) && pass_is_new(p, h->repository, c))
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
	struct jfrec_collected_news news = { .what = JFREC_COLLECTED_STARTED,
					     .pid = jvm->pid,
					     .main = jvm->main,
					     .recording = id };

	if (ret < 0)
		pass_tell_failure(ctx, jvm, NULL, err);
	else if (ret > 0)
		pass_tell(ctx, &news);
}

static void on_left(void *ctx, uint32_t uid, size_t count)
{
	pass_complain(ctx, NULL, NULL,
		      "user %u: %zu of their JVMs are asked for their recordings in a later "
		      "pass, since others do not reply",
		      uid, count);
}

/* Chunks --------------------------------------------------------------------------------------- */

static bool is_finished(void *ctx, const struct jfrec_repository *r,
			const struct repository_chunk *c)
{
	return name_is_own_chunk(c->name) && !repository_chunk_is_open(c) && pass_is_new(ctx, r, c);
}

/* Leftovers of others are where it has its own repository. */
static void look_beside(struct pass *p, const struct jfrec_jvm *jvm,
			const struct jfrec_repository *r, size_t jvms)
{
	if (p->c->config.leftovers && !p->c->config.repositories && r->dir_fd >= 0)
		leftovers_add_base_of(&p->leftovers, jvm, r->path, jvms);
}

static void visit(struct pass *p, const struct jfrec_jvm *jvm, size_t jvms)
{
	struct jfrec_error err = { 0 };
	struct jfrec_repository *r = jfrec_repository_of_jvm(jvm, &err);

	if (!r) {
		/* That it records nothing, or has ended meanwhile, is its own affair. */
		if (err.code != JFREC_EREFUSED && err.code != JFREC_ENOJVM)
			pass_tell_failure(p, jvm, NULL, &err);
		return;
	}
	look_beside(p, jvm, r, jvms);
	hold(p, jvm, r);
	repository_keep(r, is_finished, p);
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
static void queue(struct pass *p, size_t entry, struct pids *seen, struct turns *t)
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
		turns_add(t, jvm->uid, jvm, entry);
	}
	qsort(seen->items, seen->count, sizeof(*seen->items), by_number);
}

static void queue_all(struct pass *p, struct turns *t)
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

static void take_turns(struct pass *p, struct turns *t)
{
	const struct turn *turn;

	while (!pass_is_over(p) && (turn = turns_next(t)) != NULL) {
		int64_t began = deadline_now();

		visit(p, turn->what, turn->number);
		turns_charge(t, turn, deadline_now() - began);
		pass_cut_turns(p, t, "JVMs");
		recorders_step(&p->c->recorders, on_recorder, p);
	}
}

void pass_visit_living(struct pass *p)
{
	struct recorders *r = &p->c->recorders;
	struct turns t = { .items = NULL };

	p->lists = calloc(p->c->config.jvm_count, sizeof(*p->lists));
	if (!p->lists)
		return;
	r->dry = p->c->dry;
	queue_all(p, &t);
	recorders_step(r, on_recorder, p);
	take_turns(p, &t);
	recorders_end(r, &p->c->stop, on_recorder, on_left, p);
	turns_fini(&t);
}
