/* SPDX-License-Identifier: MIT */
/*
 * chunk_riders.c - several who look at the chunks of a source ride in one pass
 */
#include "read/chunk_riders.h"

#include <stdlib.h>

#include "base/error.h"

struct ride {
	const struct chunk_rider *riders;
	size_t count;
};

/* What each found in a chunk. */
struct found_by {
	void *of[MAX_RIDERS];
};

static void drop(void *ctx, void *found)
{
	const struct ride *r = ctx;
	struct found_by *f = found;

	for (size_t i = 0; i < r->count; i++) {
		if (f->of[i])
			r->riders[i].how->drop(r->riders[i].ctx, f->of[i]);
	}
	free(f);
}

static void *work(void *ctx, struct chunk_task *task)
{
	struct ride *r = ctx;
	struct found_by *f = calloc(1, sizeof(*f));

	for (size_t i = 0; f && i < r->count; i++) {
		const struct chunk_rider *one = &r->riders[i];

		if (!one->how->work)
			continue;
		f->of[i] = one->how->work(one->ctx, task);
		/* What the others meet is what the first one met, and has told. */
		task->chunk->problems->fn = NULL;
		if (!f->of[i]) {
			drop(r, f);
			f = NULL;
		}
	}
	return f;
}

static int merge(void *ctx, const struct chunk_task *task, void *found, struct jfrec_error *err)
{
	const struct ride *r = ctx;
	struct found_by *f = found;

	for (size_t i = 0; i < r->count; i++) {
		if (r->riders[i].how->merge(r->riders[i].ctx, task, f->of[i], err) < 0)
			return -1;
	}
	return 0;
}

int source_each_chunk_of(struct chunk_source *s, struct chunk_task *first,
			 const struct chunk_rider *riders, size_t count, struct jfrec_error *err)
{
	static const struct chunk_work how = { work, merge, drop };
	struct ride r = { riders, count };

	return source_each_chunk(s, first, &how, &r, err);
}
