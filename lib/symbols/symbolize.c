/* SPDX-License-Identifier: MIT */
/*
 * symbolize.c - name the frames of native programs by their debug information
 */
#include <stdlib.h>

#include "base/error.h"
#include "edit/copy.h"
#include "symbols/code_frames.h"

struct symbolized {
	struct jfrec_symbolized shown; /* first: what the caller has a pointer to */
	struct code_modules modules;
	size_t module_count; /* of those the ones with frames, which come first */
};

struct job {
	struct chunk_source *source;
	struct jfrec_output *out;
	struct code_frames frames;
	struct tally tally;
	struct chunk_writer writer;
	struct symbolized *report;
};

static int replace_constant(void *ctx, const struct jfrec_type *t, uint64_t key,
			    const uint8_t *value, size_t len, struct buffer *to,
			    struct jfrec_error *err)
{
	(void)key;
	return code_frames_replace(&((struct job *)ctx)->frames, t, value, len, to, err);
}

static bool added(void *ctx, const struct jfrec_type *t, size_t i, struct added_constant *constant)
{
	return code_frames_added(&((struct job *)ctx)->frames, t, i, constant);
}

static int symbolize_chunk(struct job *j, struct chunk *c, struct jfrec_error *err)
{
	const struct rewrite how = {
		.replace_constant = replace_constant,
		.added = added,
		.ctx = j,
		.even_empty = true,
	};

	if (code_frames_enter(&j->frames, c, err) < 0 ||
	    rewrite_chunk(j->source, c, &how, &j->writer, j->out, &j->tally, err) < 0)
		return -1;
	j->report->shown.chunks++;
	j->report->shown.chunks_without_modules += !j->frames.has_modules;
	source_progress(j->source, j->report->shown.chunks);
	return 0;
}

static int symbolize_all(struct job *j, struct jfrec_error *err)
{
	int got = copy_check_inputs(source_recording(j->source), j->out, err) < 0 ? -1 : 1;
	struct chunk *c;

	output_stop_at(j->out, source_stop_flag(j->source));
	while (got > 0 && (got = source_next(j->source, &c, err)) > 0) {
		if (symbolize_chunk(j, c, err) < 0)
			got = -1;
		chunk_unref(c);
	}
	if (got == 0 && source_check_stop(j->source, err) < 0)
		return -1;
	if (got == 0 && j->report->shown.chunks == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return got;
}

static int by_places(const void *a, const void *b)
{
	uint64_t x = ((const struct code_module *)a)->shown.places;
	uint64_t y = ((const struct code_module *)b)->shown.places;

	return (x < y) - (x > y);
}

static void finish_report(struct symbolized *s)
{
	struct code_modules *m = &s->modules;

	if (m->count)
		qsort(m->all, m->count, sizeof(*m->all), by_places);
	for (size_t i = 0; i < m->count && m->all[i].shown.places; i++) {
		s->shown.places += m->all[i].shown.places;
		s->shown.named += m->all[i].shown.named;
		s->shown.lines += m->all[i].shown.lines;
		s->module_count++;
	}
}

struct jfrec_symbolized *jfrec_write_symbolized(struct jfrec_reader *r, struct jfrec_debug_files *f,
						struct jfrec_output *o, struct jfrec_error *err)
{
	struct symbolized *report = calloc(1, sizeof(*report));
	struct job j = { .source = reader_source(r), .out = o, .report = report };
	int ret;

	if (!report) {
		jfrec_fail_memory(err);
		return NULL;
	}
	report->modules.files = f;
	j.frames.modules = &report->modules;
	ret = symbolize_all(&j, err);
	output_stop_at(o, NULL); /* the reader may be closed before the output is committed */
	chunk_writer_fini(&j.writer);
	code_frames_fini(&j.frames);
	tally_fini(&j.tally);
	finish_report(report);
	if (ret == 0)
		return &report->shown;
	jfrec_symbolized_free(&report->shown);
	return NULL;
}

size_t jfrec_symbolized_module_count(const struct jfrec_symbolized *s)
{
	return ((const struct symbolized *)s)->module_count;
}

const struct jfrec_symbolized_module *jfrec_symbolized_module_get(const struct jfrec_symbolized *s,
								  size_t i)
{
	const struct symbolized *all = (const struct symbolized *)s;

	return i < all->module_count ? &all->modules.all[i].shown : NULL;
}

void jfrec_symbolized_free(struct jfrec_symbolized *s)
{
	struct symbolized *all = (struct symbolized *)s;

	if (!all)
		return;
	code_modules_fini(&all->modules);
	free(all);
}
