/* SPDX-License-Identifier: MIT */
/*
 * reader.c - the public reader: an iterator over events
 */
#include "read/reader.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

struct jfrec_reader *reader_without_input(struct jfrec_error *err)
{
	struct jfrec_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		jfrec_fail_memory(err);
		return NULL;
	}
	r->recording.in.fd = -1;
	r->waiting.stop = &r->stop;
	r->recording.waiting = &r->waiting;
	return r;
}

/* Whoever opened its recording has begun it anew.  Waiting for a pipe ends when it is stopped. */
static struct jfrec_reader *opened(struct jfrec_reader *r)
{
	r->recording.waiting = &r->waiting;
	input_set_waiting(&r->recording.in, &r->waiting);
	return r;
}

static struct jfrec_reader *reader_new(int (*open)(struct recording *, const char *,
						   struct jfrec_error *),
				       const char *path, struct jfrec_error *err)
{
	struct jfrec_reader *r = reader_without_input(err);

	if (!r)
		return NULL;
	if (open(&r->recording, path, err) == 0)
		return opened(r);
	free(r);
	return NULL;
}

struct jfrec_reader *reader_of_files(const struct recording_file *files, size_t count,
				     struct jfrec_error *err)
{
	struct jfrec_reader *r = reader_without_input(err);

	if (!r) {
		for (size_t i = 0; i < count; i++)
			close(files[i].fd);
		return NULL;
	}
	if (recording_open_files(&r->recording, files, count, err) == 0)
		return opened(r);
	free(r);
	return NULL;
}

struct jfrec_reader *jfrec_reader_open(const char *path, struct jfrec_error *err)
{
	return reader_new(recording_open, path, err);
}

struct jfrec_reader *jfrec_reader_rescue(const char *path, struct jfrec_error *err)
{
	return reader_new(recording_rescue, path, err);
}

void jfrec_reader_close(struct jfrec_reader *r)
{
	if (!r)
		return;
	chunk_unref(r->chunk);
	free(r->wanted);
	arena_fini(&r->scratch);
	for (size_t i = 0; i < r->metadata_count; i++)
		metadata_unref(r->all_metadata[i]);
	free(r->all_metadata);
	free(r->types);
	selection_fini(&r->selection);
	where_free(r->where);
	recording_close(&r->recording);
	free(r);
}

void jfrec_reader_on_problem(struct jfrec_reader *r, jfrec_problem_fn *fn, void *ctx)
{
	r->recording.problems.fn = fn;
	r->recording.problems.ctx = ctx;
}

void jfrec_reader_on_progress(struct jfrec_reader *r, jfrec_progress_fn *fn, void *ctx)
{
	r->progress = fn;
	r->progress_ctx = ctx;
	r->total = recording_total(&r->recording);
}

void jfrec_reader_stop(struct jfrec_reader *r)
{
	r->stop = 1;
}

uint64_t jfrec_reader_damage(const struct jfrec_reader *r)
{
	return r->recording.problems.damage;
}

int jfrec_reader_select(struct jfrec_reader *r, const char *events, const char *categories,
			struct jfrec_error *err)
{
	return selection_set(&r->selection, events, categories) < 0 ? jfrec_fail_memory(err) : 0;
}

int jfrec_reader_where(struct jfrec_reader *r, const char *expression, struct jfrec_error *err)
{
	return where_add(&r->where, expression, err);
}

int jfrec_reader_filter(struct jfrec_reader *r, enum jfrec_filter by, bool exclude,
			const char *globs, struct jfrec_error *err)
{
	return where_add_filter(&r->where, by, exclude, globs, err);
}

/* Hand out a chunk that was loaded. */
static int enter_loaded(struct jfrec_reader *r, struct chunk *c, struct chunk **chunk,
			struct jfrec_error *err)
{
	if (r->where && where_enter(r->where, c, &r->recording, &r->selection, err) < 0) {
		chunk_unref(c);
		return -1;
	}
	selection_look(&r->selection, c->metadata);
	*chunk = c;
	return 1;
}

int reader_next_chunk(struct jfrec_reader *r, struct chunk **chunk, struct jfrec_error *err)
{
	struct chunk *c;
	int found;

	if (r->where && where_is_out_of_memory(r->where))
		return jfrec_fail_memory(err);
	while ((found = recording_next(&r->recording, &r->extent, err)) > 0) {
		int loaded = chunk_load(&r->recording, &r->extent, &c, err);

		if (loaded)
			return loaded < 0 ? loaded : enter_loaded(r, c, chunk, err);
	}
	if (found == 0)
		selection_tell(&r->selection, r->recording.metadata, &r->recording.problems, "");
	return found;
}

bool *reader_wanted(const struct jfrec_reader *r, const struct metadata *m)
{
	bool *wanted = calloc((size_t)m->type_count + 1, sizeof(*wanted));

	for (uint32_t i = 0; wanted && i < m->type_count; i++)
		wanted[i] = reader_wants(r, &m->types[i]);
	return wanted;
}

int jfrec_reader_add(struct jfrec_reader *r, const char *path, struct jfrec_error *err)
{
	return recording_add(&r->recording, path, err);
}

int jfrec_reader_types_from(struct jfrec_reader *r, const char *path, struct jfrec_error *err)
{
	return recording_types_from(&r->recording, path, err);
}

const char *jfrec_reader_input(const struct jfrec_reader *r)
{
	return r->recording.problems.input;
}

int jfrec_reader_span(const struct jfrec_reader *r, int64_t *start_ns, int64_t *end_ns,
		      struct jfrec_error *err)
{
	return recording_span(&r->recording, start_ns, end_ns, err);
}

int jfrec_reader_count_chunks(const struct jfrec_reader *r, uint64_t *count,
			      struct jfrec_error *err)
{
	return recording_count(&r->recording, count, err);
}

int jfrec_reader_zone(const struct jfrec_reader *r, int32_t *utc_offset_s, struct jfrec_error *err)
{
	struct recording again;
	struct extent x = { 0 };
	struct chunk *c;
	int got, loaded = 0;

	*utc_offset_s = 0;
	if (recording_again(&r->recording, &again, err) < 0)
		return -1;
	while (!loaded && (got = recording_next(&again, &x, err)) > 0)
		loaded = chunk_load(&again, &x, &c, err);
	if (loaded > 0) {
		*utc_offset_s = c->info.utc_offset_s;
		chunk_unref(c);
	}
	recording_close(&again);
	return loaded < 0 || (!loaded && got < 0) ? -1 : 0;
}

static void leave_chunk(struct jfrec_reader *r)
{
	if (r->chunk)
		chunk_tell_end(r->chunk);
	chunk_unref(r->chunk);
	free(r->wanted);
	r->chunk = NULL;
	r->wanted = NULL;
}

static int enter_chunk(struct jfrec_reader *r, struct jfrec_error *err)
{
	int got;

	leave_chunk(r);
	got = reader_next_chunk(r, &r->chunk, err);
	if (got <= 0)
		return got;
	r->walk = chunk_walk(r->chunk);
	r->wanted = reader_wanted(r, r->chunk->metadata);
	return r->wanted ? 1 : jfrec_fail_memory(err);
}

int jfrec_reader_next(struct jfrec_reader *r, const struct jfrec_event **ev,
		      struct jfrec_error *err)
{
	struct jfrec_event *e = &r->event;

	if (r->scratch.total)
		arena_fini(&r->scratch);
	for (;;) {
		int got;

		while (r->chunk && chunk_walk_next(&r->walk, &e->raw, &e->type)) {
			if (!r->wanted[e->type->index])
				continue;
			e->reader = r;
			e->chunk = r->chunk;
			e->slots = r->slots;
			if (r->where &&
			    !where_passes(r->where, r->chunk, e->type, &e->raw, r->slots))
				continue;
			if (!chunk_decode(r->chunk, e->type, &e->raw, r->slots))
				continue; /* told when the chunk is done */
			*ev = e;
			return 1;
		}
		got = enter_chunk(r, err);
		if (got <= 0)
			return got;
	}
}
