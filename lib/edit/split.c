/* SPDX-License-Identifier: MIT */
/*
 * split.c - split a recording into several files at chunk boundaries
 *
 * Files end where chunks do: joined they are the recording again.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "edit/copy.h"
#include "read/chunk_source.h"

/* How much a file holds. */
struct amount {
	uint64_t chunks, bytes, events;
	int64_t start_ns, end_ns;
};

/* How many chunks each file gets. */
struct plan_of_files {
	uint64_t *chunks;
	size_t count, room;
	uint64_t bytes;   /* of all */
};

static bool add_file(struct plan_of_files *p)
{
	return array_push(p->chunks, p->count, p->room, 0);
}

static int count_events(struct recording *r, const struct extent *x, uint64_t *count,
			struct jfrec_error *err)
{
	struct jfrec_type *type;
	struct chunk_walk walk;
	struct raw_event e;
	struct chunk *c;
	int got = chunk_load(r, x, &c, err);

	*count = 0;
	if (got <= 0)
		return got;
	walk = chunk_walk(c);
	while (chunk_walk_next(&walk, &e, &type))
		++*count;
	chunk_unref(c);
	return 0;
}

/* Does the chunk still go into the file, be it alone? */
static bool goes_in(const struct amount *file, const struct amount *chunk,
		    const struct jfrec_split_limits *limits)
{
	if (file->chunks == 0)
		return true;
	if (limits->chunks && file->chunks + 1 > limits->chunks)
		return false;
	if (limits->bytes && file->bytes + chunk->bytes > limits->bytes)
		return false;
	if (limits->events && file->events + chunk->events > limits->events)
		return false;
	return !limits->duration_ns || chunk->end_ns - file->start_ns <= limits->duration_ns;
}

static int plan_chunk(struct recording *r, const struct extent *x,
		      const struct jfrec_split_limits *limits, struct plan_of_files *p,
		      struct amount *file, struct jfrec_error *err)
{
	struct amount chunk = { .bytes = x->size,
				.start_ns = x->header.start_ns,
				.end_ns = long_add(x->header.start_ns, x->header.duration_ns) };

	if (limits->events && count_events(r, x, &chunk.events, err) < 0)
		return -1;
	if (p->count == 0 || !goes_in(file, &chunk, limits)) {
		*file = (struct amount){ .start_ns = chunk.start_ns };
		if (!add_file(p))
			return jfrec_fail_memory(err);
	}
	file->chunks++;
	file->bytes += chunk.bytes;
	p->bytes += chunk.bytes;
	file->events += chunk.events;
	p->chunks[p->count - 1]++;
	return 0;
}

static int make_plan(const struct chunk_source *s, const struct jfrec_split_limits *limits,
		     struct plan_of_files *p, struct jfrec_error *err)
{
	struct recording again;
	struct extent x = { 0 };
	struct amount file = { 0 };
	int got;

	if (source_again(s, &again, err) < 0)
		return -1;
	again.is_copied = true;
	while ((got = recording_next(&again, &x, err)) > 0) {
		if (plan_chunk(&again, &x, limits, p, &file, err) < 0 ||
		    source_check_stop(s, err) < 0) {
			got = -1;
			break;
		}
	}
	recording_close(&again);
	return got;
}

static int write_chunks(struct chunk_source *s, struct jfrec_output *o, uint64_t chunks,
			struct jfrec_error *err)
{
	struct recording *rec = source_recording(s);
	struct extent x;

	rec->is_copied = true;
	output_stop_at(o, source_stop_flag(s));
	for (; chunks; chunks--) {
		int got = source_find(s, &x, err);

		if (got <= 0)
			return got; /* fewer than before: the files have changed */
		if (copy_chunk(rec, &x, o, err) < 0)
			return -1;
		source_progress(s, 0);
	}
	return jfrec_output_seal(o, err);
}

static int write_file(struct chunk_source *s, struct jfrec_output *o, uint64_t chunks,
		      struct jfrec_error *err)
{
	int ret = write_chunks(s, o, chunks, err);

	output_stop_at(o, NULL);
	return ret;
}

static int write_files(struct chunk_source *s, const struct plan_of_files *p, jfrec_split_fn *open,
		       void *ctx, struct jfrec_error *err)
{
	struct extent x;

	for (size_t i = 0; i < p->count; i++) {
		struct jfrec_output *o = open(ctx, i, p->count, err);

		if (!o || copy_check_inputs(source_recording(s), o, err) < 0 ||
		    write_file(s, o, p->chunks[i], err) < 0)
			return -1;
	}
	/* What follows the last chunk is in no file; looking for another one reports it. */
	return source_find(s, &x, err) < 0 ? -1 : 0;
}

void jfrec_split_free(struct jfrec_split *s)
{
	free(s);
}

struct jfrec_split *jfrec_write_split(struct jfrec_reader *r,
				      const struct jfrec_split_limits *given, jfrec_split_fn *open,
				      void *ctx, struct jfrec_error *err)
{
	struct jfrec_split_limits limits;
	struct plan_of_files p = { 0 };
	struct jfrec_split *report = NULL;
	struct chunk_source *s;

	if (options_take(&limits, sizeof(limits), given, err) < 0)
		return NULL;
	s = reader_source(r);
	if (source_spool(s, err) == 0 && make_plan(s, &limits, &p, err) == 0 &&
	    write_files(s, &p, open, ctx, err) == 0) {
		report = calloc(1, sizeof(*report));
		if (!report)
			jfrec_fail_memory(err);
	}
	if (report) {
		report->files = p.count;
		report->bytes = p.bytes;
		for (size_t i = 0; i < p.count; i++)
			report->chunks += p.chunks[i];
	}
	free(p.chunks);
	return report;
}
