/* SPDX-License-Identifier: MIT */
/*
 * summary_crew.c - several threads count the events of a recording's chunks
 *
 * Each thread has the files open on its own, and chunks are worked on in batches, after each of
 * which the results are handed on in order:
 *
 *	places --> batch of chunks --> threads --> what they found --> take()
 */
#include "read/summary_crew.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "read/chunk_crew.h"
#include "read/reader.h"

/* More share the work better, but what was found has to be kept till all are done. */
#define CHUNKS_PER_THREAD 8

struct chunk_place {
	struct extent extent;
	size_t path; /* of the recording's: the file that has it */
};

struct worker {
	struct crowd *crowd;
	struct recording view; /* the same files */
	bool is_open;
	pthread_t thread;
	struct chunk_count one;
};

struct crowd {
	struct recording view; /* to find the chunks */
	struct chunk_place *places;
	size_t count, room;
	struct found *found; /* of the batch */
	size_t first, end;   /* the batch */
	atomic_size_t next;
	atomic_bool has_failed;
	struct worker *workers[MAX_JOBS];
	unsigned jobs;
};

/* Working -------------------------------------------------------------------------------------- */

static bool count_one(struct worker *w, const struct chunk_place *place, struct found *f)
{
	const struct extent *x = &place->extent;

	if (recording_visit(&w->view, place->path, NULL) < 0 ||
	    chunk_count_sound(&w->one, x, NULL) <= 0)
		return false;
	f->rows = malloc((w->one.row_count + 1) * sizeof(*f->rows));
	if (!f->rows)
		return false;
	if (w->one.row_count)
		memcpy(f->rows, w->one.rows, w->one.row_count * sizeof(*f->rows));
	f->row_count = w->one.row_count;
	f->extent = x;
	f->metadata = metadata_ref(w->one.metadata);
	f->info = chunk_info(x, f->metadata);
	return true;
}

static void *work(void *worker)
{
	struct worker *w = worker;
	struct crowd *k = w->crowd;
	size_t i;

	while (!k->has_failed && (i = atomic_fetch_add(&k->next, 1)) < k->end) {
		if (!count_one(w, &k->places[i], &k->found[i - k->first]))
			k->has_failed = true;
	}
	return NULL;
}

static bool work_on_batch(struct crowd *k)
{
	bool has_thread[MAX_JOBS] = { false };

	k->next = k->first;
	for (unsigned i = 1; i < k->jobs && k->first + i < k->end; i++)
		has_thread[i] = crew_start_thread(&k->workers[i]->thread, work, k->workers[i]);
	work(k->workers[0]);
	for (unsigned i = 1; i < k->jobs; i++) {
		if (has_thread[i])
			pthread_join(k->workers[i]->thread, NULL);
	}
	return !k->has_failed;
}

static bool take_batch(struct crowd *k, take_found_fn *take, void *ctx)
{
	for (size_t i = 0; i < k->end - k->first; i++) {
		const struct found *f = &k->found[i];
		struct clock clock = recording_clock(&k->view, &f->extent->header);

		if (take(ctx, f, &clock) < 0)
			return false;
	}
	return true;
}

static void forget_batch(struct crowd *k)
{
	for (size_t i = 0; k->found && i < k->end - k->first; i++) {
		metadata_unref(k->found[i].metadata);
		free(k->found[i].rows);
		k->found[i] = (struct found){ 0 };
	}
}

/* ---------------------------------------------------------------------------------------------- */

/* Where the chunks are; false: they cannot be counted together. */
static bool find_chunks(struct crowd *k)
{
	struct chunk_place place;
	int got;

	while ((got = recording_next(&k->view, &place.extent, NULL)) > 0) {
		place.path = k->view.current;
		if (k->view.in.stream || place.extent.state != JFREC_FINISHED ||
		    !array_push(k->places, k->count, k->room, place))
			return false;
	}
	return got == 0 && k->view.problems.told == 0 && k->count > 1;
}

static bool add_worker(struct crowd *k, bool has_times)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return false;
	k->workers[k->jobs++] = w;
	w->crowd = k;
	/* Of what was found: archives are among its files by what is in them. */
	w->is_open = recording_again(&k->view, &w->view, NULL) == 0;
	w->one.recording = &w->view;
	w->one.has_times = has_times;
	return w->is_open;
}

static bool prepare(struct crowd *k, const struct chunk_source *s, bool has_times)
{
	unsigned jobs = crew_jobs(s);

	if (!find_chunks(k))
		return false;
	if (jobs > k->count)
		jobs = (unsigned)k->count;
	while (k->jobs < jobs) {
		if (!add_worker(k, has_times))
			return false;
	}
	k->found = calloc((size_t)jobs * CHUNKS_PER_THREAD, sizeof(*k->found));
	return k->found != NULL;
}

static void dismiss(struct crowd *k)
{
	for (unsigned i = 0; i < k->jobs; i++) {
		chunk_count_fini(&k->workers[i]->one);
		if (k->workers[i]->is_open)
			recording_close(&k->workers[i]->view);
		free(k->workers[i]);
	}
	forget_batch(k);
	free(k->found);
	free(k->places);
	recording_close(&k->view);
}

bool count_together(struct chunk_source *s, bool has_times, take_found_fn *take, void *ctx)
{
	struct crowd k = { 0 };
	bool ok;

	if (crew_jobs(s) == 1 || source_again(s, &k.view, NULL) < 0)
		return false;
	ok = prepare(&k, s, has_times);
	while (ok && k.first < k.count) {
		k.end = k.first + (size_t)k.jobs * CHUNKS_PER_THREAD;
		if (k.end > k.count)
			k.end = k.count;
		ok = work_on_batch(&k) && take_batch(&k, take, ctx);
		if (ok) {
			forget_batch(&k);
			k.first = k.end;
		}
	}
	dismiss(&k);
	return ok;
}
