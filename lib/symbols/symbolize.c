/* SPDX-License-Identifier: MIT */
/*
 * symbolize.c - name the frames of native programs by their debug information
 */
#include <stdlib.h>

#include "base/error.h"
#include "edit/copy.h"
#include "edit/rewrite_crew.h"
#include "symbols/code_frames.h"

struct symbolized {
	struct jfrec_symbolized shown; /* first: what the caller has a pointer to */
	struct code_modules modules;
	size_t module_count; /* of those the ones with places, which come first */
};

/* Chunks --------------------------------------------------------------------------------------- */

static int replace_constant(void *ctx, const struct jfrec_type *t, uint64_t key,
			    const uint8_t *value, size_t len, struct buffer *to,
			    struct jfrec_error *err)
{
	(void)key;
	return code_frames_replace(ctx, t, value, len, to, err);
}

static bool added(void *ctx, const struct jfrec_type *t, size_t i, struct added_constant *constant)
{
	return code_frames_added(ctx, t, i, constant);
}

static int write_chunk(struct code_frames *f, struct chunk_task *task, struct rewritten *r,
		       struct jfrec_error *err)
{
	const struct rewrite how = {
		.replace_constant = replace_constant,
		.added = added,
		.ctx = f,
		.even_empty = true,
	};

	if (code_frames_enter(f, task->chunk, err) < 0)
		return -1;
	r->found = f->has_modules;
	return rewrite_chunk(task->source, task->chunk, &how, &r->writer, r->out, &r->tally, err);
}

static int symbolize_chunk(void *ctx, struct chunk_task *task, struct rewritten *r,
			   struct jfrec_error *err)
{
	struct chunk_modules *modules = calloc(1, sizeof(*modules));
	struct code_frames frames = { .modules = modules };
	int written;

	r->more = modules;
	if (!modules)
		return jfrec_fail_memory(err);
	modules->all = &((struct symbolized *)ctx)->modules;
	written = write_chunk(&frames, task, r, err);
	code_frames_fini(&frames);
	return written;
}

static int merge_chunk(void *ctx, struct rewritten *r, struct jfrec_error *err)
{
	struct symbolized *s = ctx;

	(void)err;
	s->shown.chunks++;
	s->shown.chunks_without_modules += !r->found;
	chunk_modules_count(r->more);
	return 0;
}

static void drop_chunk(void *ctx, struct rewritten *r)
{
	(void)ctx;
	if (r->more)
		chunk_modules_fini(r->more);
	free(r->more);
}

static int symbolize_all(struct symbolized *s, struct chunk_source *source,
			 struct jfrec_output *out, struct jfrec_error *err)
{
	static const struct rewrite_work how = { symbolize_chunk, merge_chunk, drop_chunk };

	output_stop_at(out, source_stop_flag(source));
	if (copy_check_inputs(source_recording(source), out, err) < 0 ||
	    rewrite_all(source, out, &how, s, err) < 0 || source_check_stop(source, err) < 0)
		return -1;
	if (s->shown.chunks == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return 0;
}

/* What was done -------------------------------------------------------------------------------- */

/* Of those with as many, the one that the recording has first. */
static int by_places(const void *a, const void *b)
{
	const struct code_module *x = *(struct code_module *const *)a;
	const struct code_module *y = *(struct code_module *const *)b;

	if (x->shown.places != y->shown.places)
		return x->shown.places < y->shown.places ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

static void finish_report(struct symbolized *s)
{
	struct code_modules *m = &s->modules;

	if (m->count)
		qsort(m->all, m->count, sizeof(struct code_module *), by_places);
	for (size_t i = 0; i < m->count && m->all[i]->shown.places; i++) {
		s->shown.places += m->all[i]->shown.places;
		s->shown.named += m->all[i]->shown.named;
		s->shown.lines += m->all[i]->shown.lines;
		s->module_count++;
	}
}

struct jfrec_symbolized *jfrec_write_symbolized(struct jfrec_reader *r, struct jfrec_debug_files *f,
						struct jfrec_output *o, struct jfrec_error *err)
{
	struct symbolized *report = calloc(1, sizeof(*report));
	int ret;

	if (!report) {
		jfrec_fail_memory(err);
		return NULL;
	}
	code_modules_init(&report->modules, f);
	ret = symbolize_all(report, reader_source(r), o, err);
	output_stop_at(o, NULL); /* the reader may be closed before the output is committed */
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

	return i < all->module_count ? &all->modules.all[i]->shown : NULL;
}

void jfrec_symbolized_free(struct jfrec_symbolized *s)
{
	struct symbolized *all = (struct symbolized *)s;

	if (!all)
		return;
	code_modules_fini(&all->modules);
	free(all);
}
