/* SPDX-License-Identifier: MIT */
/*
 * reader.c - the public reader: an iterator over events
 */
#include "read/reader.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

void jfrec_reader_close(struct jfrec_reader *r)
{
	if (!r)
		return;
	chunk_unref(r->chunk);
	free(r->selected);
	arena_fini(&r->source.room.scratch);
	for (size_t i = 0; i < r->metadata_count; i++)
		metadata_unref(r->all_metadata[i]);
	free(r->all_metadata);
	free(r->types.items);
	selection_fini(&r->source.selection);
	where_free(r->source.where);
	during_leave(&r->source.view);
	during_free(r->source.during);
	recording_close(&r->source.recording);
	free(r);
}

void jfrec_reader_on_problem(struct jfrec_reader *r, jfrec_problem_fn *fn, void *ctx)
{
	r->source.recording.problems.fn = fn;
	r->source.recording.problems.ctx = ctx;
}

void jfrec_reader_on_progress(struct jfrec_reader *r, jfrec_progress_fn *fn, void *ctx)
{
	r->source.progress = fn;
	r->source.progress_ctx = ctx;
	r->source.total = recording_total(&r->source.recording);
}

void jfrec_reader_stop(struct jfrec_reader *r)
{
	r->source.stop = 1;
}

uint64_t jfrec_reader_damage(const struct jfrec_reader *r)
{
	return r->source.recording.problems.damage;
}

int jfrec_reader_select(struct jfrec_reader *r, const char *events, const char *categories,
			struct jfrec_error *err)
{
	return selection_set(&r->source.selection, events, categories) < 0 ? jfrec_fail_memory(err)
									   : 0;
}

int jfrec_reader_where(struct jfrec_reader *r, const char *expression, struct jfrec_error *err)
{
	if (where_add(&r->source.where, expression, err) < 0)
		return -1;
	return where_is_relative(r->source.where) ? jfrec_reader_spool(r, err) : 0;
}

int jfrec_reader_filter(struct jfrec_reader *r, enum jfrec_filter by, bool exclude,
			const char *globs, struct jfrec_error *err)
{
	return where_add_filter(&r->source.where, by, exclude, globs, err);
}

void jfrec_reader_keep_context(struct jfrec_reader *r)
{
	r->source.keeps_context = true;
}

void jfrec_reader_tell_overlaps(struct jfrec_reader *r)
{
	r->source.tells_overlaps = true;
}

const char *jfrec_reader_input(const struct jfrec_reader *r)
{
	return r->source.recording.problems.input;
}

int jfrec_reader_span(const struct jfrec_reader *r, int64_t *start_ns, int64_t *end_ns,
		      struct jfrec_error *err)
{
	return recording_span(&r->source.recording, start_ns, end_ns, err);
}

int jfrec_reader_count_chunks(const struct jfrec_reader *r, uint64_t *count,
			      struct jfrec_error *err)
{
	return recording_count(&r->source.recording, count, err);
}

struct jfrec_chunk_place *jfrec_reader_chunks(const struct jfrec_reader *r, size_t *count,
					      struct jfrec_error *err)
{
	struct jfrec_chunk_place *places = calloc(1, sizeof(*places));
	struct recording again;
	struct extent x = { 0 };
	size_t room = 1;
	int got = -1;

	*count = 0;
	if (!places)
		jfrec_fail_memory(err);
	if (!places || recording_again(&r->source.recording, &again, err) < 0) {
		free(places);
		return NULL;
	}
	while ((got = recording_next(&again, &x, err)) > 0) {
		const struct jfrec_chunk_place p = { x.offset, x.size, x.header.start_ns,
						     x.header.duration_ns };

		if (!array_push(places, *count, room, p)) {
			got = jfrec_fail_memory(err);
			break;
		}
	}
	recording_close(&again);
	if (got == 0)
		return places;
	free(places);
	return NULL;
}

int jfrec_reader_zone(const struct jfrec_reader *r, int32_t *utc_offset_s, struct jfrec_error *err)
{
	struct metadata *first = NULL;
	struct recording again;
	struct extent x = { 0 };
	int got = 1;

	*utc_offset_s = 0;
	if (recording_again(&r->source.recording, &again, err) < 0)
		return -1;
	/* Most often the first chunk has the types of the last that was read. */
	if (r->source.recording.metadata)
		again.metadata = metadata_ref(r->source.recording.metadata);
	while (!first && (got = recording_next(&again, &x, err)) > 0)
		first = source_types_of(&again, &x);
	if (first)
		*utc_offset_s = first->utc_offset_s;
	metadata_unref(first);
	recording_close(&again);
	return got < 0 ? -1 : 0;
}

static void leave_chunk(struct jfrec_reader *r)
{
	if (r->chunk)
		chunk_tell_end(r->chunk);
	chunk_unref(r->chunk);
	free(r->selected);
	r->chunk = NULL;
	r->selected = NULL;
}

static int enter_chunk(struct jfrec_reader *r, struct jfrec_error *err)
{
	int got;

	leave_chunk(r);
	got = source_next(&r->source, &r->chunk, err);
	if (got <= 0)
		return got;
	r->walk = chunk_walk(r->chunk);
	r->selected = source_selected(&r->source, r->chunk->metadata);
	return r->selected ? 1 : jfrec_fail_memory(err);
}

int jfrec_reader_next(struct jfrec_reader *r, const struct jfrec_event **ev,
		      struct jfrec_error *err)
{
	struct jfrec_event *e = &r->event;

	event_room_clear(&r->source.room);
	for (;;) {
		int got;

		while (r->chunk && chunk_walk_next(&r->walk, &e->raw, &e->type)) {
			if (!r->selected[e->type->index])
				continue;
			if (!source_passes(&r->source, r->chunk, e->type, &e->raw, e->slots))
				continue;
			if (!chunk_decode(r->chunk, e->type, &e->raw, e->slots))
				continue; /* told when the chunk is done */
			*ev = e;
			return 1;
		}
		got = enter_chunk(r, err);
		if (got <= 0)
			return got;
		*e = event_in(&r->source.room, r->chunk);
	}
}
