/* SPDX-License-Identifier: MIT */
/*
 * filter.c - a recording of some of another one's events
 */
#include <stdlib.h>

#include "base/error.h"
#include "edit/copy.h"
#include "edit/keep.h"
#include "edit/rewrite.h"

struct filter {
	struct keep keep;
	struct jfrec_output *out;
	struct tally tally;
	struct chunk_writer writer;
	struct jfrec_filtered *report;
	uint64_t events; /* kept so far */
};

static bool keep_type(void *ctx, const struct jfrec_type *t)
{
	return keeps_type(&((const struct filter *)ctx)->keep, t);
}

static bool keep_all(void *ctx, const struct jfrec_type *t)
{
	return keeps_all(&((const struct filter *)ctx)->keep, t);
}

static bool keep_raw(void *ctx, const struct jfrec_type *t, const struct raw_event *e,
		     uint64_t *slots)
{
	return keeps_event(&((const struct filter *)ctx)->keep, t, e, slots);
}

static void tell_progress(const struct filter *f)
{
	const struct jfrec_reader *r = f->keep.reader;

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
		.keep_all = keep_all,
		.keep_raw = keep_raw,
		.ctx = f,
		.even_empty = f->report->chunks_kept == 0,
	};
	int written = rewrite_chunk(f->keep.reader, f->keep.chunk, &how, &f->writer, f->out,
				    &f->tally, err);

	if (written < 0)
		return -1;
	f->report->chunks_kept += (uint64_t)written;
	f->report->chunks_removed += !written;
	tell_progress(f);
	return 0;
}

static int filter_all(struct filter *f, struct jfrec_error *err)
{
	struct jfrec_reader *r = f->keep.reader;
	int got = copy_check_inputs(&r->recording, f->out, err) < 0 ? -1 : 1;

	output_stop_at(f->out, &r->stop);
	while (got > 0 && (got = reader_next_chunk(r, &f->keep.chunk, err)) > 0) {
		if (filter_chunk(f, err) < 0)
			got = -1;
		chunk_unref(f->keep.chunk);
	}
	if (got == 0 && r->stop)
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
		.keep = { .reader = r, .bounds = bounds_of(from_ns, to_ns) },
		.out = o,
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
