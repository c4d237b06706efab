/* SPDX-License-Identifier: MIT */
/*
 * filter.c - a recording of some of another one's events
 */
#include <stdlib.h>

#include "base/error.h"
#include "edit/copy.h"
#include "edit/rewrite.h"
#include "format/when.h"

struct filter {
	struct jfrec_reader *reader;
	struct jfrec_output *out;
	struct bounds bounds;
	struct chunk *chunk;
	struct tally tally;
	struct chunk_writer writer;
	struct jfrec_filtered *report;
	uint64_t events; /* kept so far */
};

static bool keep_type(void *ctx, const struct jfrec_type *t)
{
	const struct filter *f = ctx;

	return reader_wants(f->reader, t);
}

static bool has_bounds(const struct bounds *b)
{
	return b->from_ns != INT64_MIN || b->to_ns != INT64_MAX;
}

static bool keep_raw(void *ctx, const struct jfrec_type *t, const struct raw_event *e,
		     uint64_t *slots)
{
	struct filter *f = ctx;
	struct where *w = f->reader->where;
	struct ticks ticks;

	if (has_bounds(&f->bounds) && (!event_ticks(f->chunk, t, e, slots, &ticks) ||
				       !ticks_touch(&ticks, &f->chunk->clock, &f->bounds)))
		return false;
	return !w || where_passes(w, f->chunk, t, e, slots);
}

static void tell_progress(const struct filter *f)
{
	const struct jfrec_reader *r = f->reader;

	if (r->progress)
		r->progress(r->progress_ctx, r->recording.before + r->recording.next, r->total,
			    f->events);
}

/*
 * The first chunk is written even without an event: the clock of the others is
 * read by it, times are relative to its start, and a recording has a chunk.
 */
static int filter_chunk(struct filter *f, struct jfrec_error *err)
{
	const struct rewrite how = {
		.keep_type = keep_type,
		.keep_raw = f->reader->where || has_bounds(&f->bounds) ? keep_raw : NULL,
		.ctx = f,
		.even_empty = f->report->chunks_kept == 0,
	};
	int written = rewrite_chunk(f->reader, f->chunk, &how, &f->writer, f->out, &f->tally, err);

	if (written < 0)
		return -1;
	f->report->chunks_kept += (uint64_t)written;
	f->report->chunks_removed += !written;
	tell_progress(f);
	return 0;
}

static int filter_all(struct filter *f, struct jfrec_error *err)
{
	int got = copy_check_inputs(&f->reader->recording, f->out, err) < 0 ? -1 : 1;

	output_stop_at(f->out, &f->reader->stop);
	while (got > 0 && (got = reader_next_chunk(f->reader, &f->chunk, err)) > 0) {
		if (filter_chunk(f, err) < 0)
			got = -1;
		chunk_unref(f->chunk);
	}
	if (got == 0 && f->reader->stop)
		return jfrec_fail(err, JFREC_ECANCELED, JFREC_NO_OFFSET, "interrupted");
	if (got == 0 && f->report->chunks_kept == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return got;
}

struct jfrec_filtered *jfrec_write_filtered(struct jfrec_reader *r, const int64_t *from_ns,
					    const int64_t *to_ns, struct jfrec_output *o,
					    struct jfrec_error *err)
{
	struct filter f = {
		.reader = r,
		.out = o,
		.bounds = bounds_of(from_ns, to_ns),
		.report = calloc(1, sizeof(*f.report)),
	};
	int ret = f.report ? filter_all(&f, err) : jfrec_fail_memory(err);

	output_stop_at(o, NULL); /* the reader may be closed before the output is committed */
	chunk_writer_fini(&f.writer);
	tally_finish(&f.tally);
	if (f.report) {
		f.report->rows = f.tally.rows;
		f.report->row_count = f.tally.count;
		f.tally = (struct tally){ .by_name = f.tally.by_name };
	}
	tally_fini(&f.tally);
	if (ret == 0)
		return f.report;
	jfrec_filtered_free(f.report);
	return NULL;
}

void jfrec_filtered_free(struct jfrec_filtered *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->row_count; i++)
		free((char *)f->rows[i].name);
	free(f->rows);
	free(f);
}
