/* SPDX-License-Identifier: MIT */
/*
 * count.c - the number of events that are selected, and nothing else
 *
 * Chunk by chunk, so that it can end early; or by several threads, where it need not.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "print/print.h"
#include "print/selected.h"
#include "read/chunk_crew.h"

static int count_in_turn(struct render *r, uint64_t *count, struct jfrec_error *err)
{
	int got = 0;

	while (*count < r->left && !is_finished(r) && (got = print_next_chunk(r, err)) > 0) {
		struct chunk_render *v = r->current;
		struct chunk_walk w = chunk_walk(v->chunk);
		struct jfrec_type *t;
		struct raw_event e;
		struct ticks ticks;

		while (*count < r->left && !is_finished(r) && chunk_walk_next(&w, &e, &t))
			*count += is_selected(r, v, t, &e, &ticks);
		chunk_render_unref(r, v);
	}
	return got;
}

/* By several threads --------------------------------------------------------------------------- */

/* What all threads share; only merging changes it. */
struct counting {
	const struct bounds *bounds;
	uint64_t *count;
};

struct counted {
	uint64_t count;
	uint64_t slots[PLAN_MAX_STEPS];
};

static void count_chunk(const struct counting *k, const struct chunk_task *task,
			const bool *selected, struct counted *to)
{
	struct chunk *c = task->chunk;
	struct chunk_walk w = chunk_walk(c);
	struct jfrec_type *t;
	struct raw_event e;
	struct ticks ticks;

	while (!*source_stop_flag(task->source) && chunk_walk_next(&w, &e, &t))
		to->count += selected[t->index] && event_ticks(c, t, &e, to->slots, &ticks) &&
			     ticks_touch(&ticks, &c->clock, k->bounds) &&
			     source_passes(task->source, c, t, &e, to->slots);
	chunk_tell_end(c);
}

static void *work(void *ctx, struct chunk_task *task)
{
	bool *selected = source_selected(task->source, task->chunk->metadata);
	struct counted *to = malloc(sizeof(*to));

	if (to && selected) {
		to->count = 0;
		count_chunk(ctx, task, selected, to);
		task->events = to->count;
	}
	if (!selected) {
		free(to);
		to = NULL;
	}
	free(selected);
	return to;
}

static int merge(void *ctx, const struct chunk_task *task, void *found, struct jfrec_error *err)
{
	const struct counting *k = ctx;
	const struct counted *from = found;

	(void)task;
	(void)err;
	*k->count += from->count;
	return 0;
}

static void drop(void *ctx, void *found)
{
	(void)ctx;
	free(found);
}

/* Counting ------------------------------------------------------------------------------------- */

int print_count(struct render *r, struct jfrec_error *err)
{
	static const struct chunk_work how = { work, merge, drop };
	uint64_t count = 0;
	struct counting k = { &r->bounds, &count };
	int got;

	if (r->left == UINT64_MAX && crew_jobs(r->source) > 1)
		got = source_each_chunk(r->source, NULL, &how, &k, err);
	else
		got = count_in_turn(r, &count, err);
	r->printed = count;
	out_end(&r->out, put_u64(out_room(&r->out), count));
	out_char(&r->out, '\n');
	return got;
}
