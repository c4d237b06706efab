/* SPDX-License-Identifier: MIT */
/*
 * filter.c - copy selected events into a new recording
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "edit/copy.h"
#include "edit/event_predicate.h"
#include "edit/report.h"
#include "edit/rewrite_crew.h"

/* Written when a recording or a chunk begins: they say which JVM it is, not what happened. */
static const char *const context_types[] = {
	"ActiveRecording",
	"ActiveSetting",
	"BooleanFlag",
	"CPUInformation",
	"CPUTimeStampCounter",
	"CodeCacheConfiguration",
	"CompilerConfiguration",
	"ContainerConfiguration",
	"DoubleFlag",
	"GCConfiguration",
	"GCHeapConfiguration",
	"GCSurvivorConfiguration",
	"GCTLABConfiguration",
	"InitialEnvironmentVariable",
	"InitialSecurityProperty",
	"InitialSystemProperty",
	"IntFlag",
	"JVMInformation",
	"LongFlag",
	"OSInformation",
	"StringFlag",
	"UnsignedIntFlag",
	"UnsignedLongFlag",
	"VirtualizationInformation",
	"YoungGenerationConfiguration",
};

struct filter {
	struct chunk_source *source;
	struct bounds bounds;
	struct tally tally;
	struct filtered *report;
};

/* What stays of a chunk. */
struct chunk_filter {
	struct event_predicate predicate;
	bool keeps_context;
};

static int compare_name(const void *name, const void *element)
{
	return strcmp(name, *(const char *const *)element);
}

static bool is_context(const struct jfrec_type *t)
{
	/* Of native programs: without it `jfrec symbolize` can do nothing. */
	if (strcmp(t->name, "jfrec.Module") == 0)
		return true;
	return strncmp(t->name, "jdk.", 4) == 0 &&
	       bsearch(t->name + 4, context_types, sizeof(context_types) / sizeof(*context_types),
		       sizeof(*context_types), compare_name);
}

static bool selects_type(void *ctx, const struct jfrec_type *t)
{
	const struct chunk_filter *f = ctx;

	return event_predicate_selects_type(&f->predicate, t) ||
	       (f->keeps_context && is_context(t));
}

static bool selects_all(void *ctx, const struct jfrec_type *t)
{
	const struct chunk_filter *f = ctx;

	return event_predicate_selects_all(&f->predicate, t) || (f->keeps_context && is_context(t));
}

static bool selects_raw(void *ctx, const struct jfrec_type *t, const struct raw_event *e,
			uint64_t *slots)
{
	return event_predicate_selects(&((const struct chunk_filter *)ctx)->predicate, t, e, slots);
}

static bool is_selected(const struct chunk_filter *f, const struct jfrec_type *t,
			const struct raw_event *e)
{
	const struct event_predicate *k = &f->predicate;

	return event_predicate_selects_type(k, t) &&
	       (event_predicate_selects_all(k, t) ||
		event_predicate_selects(k, t, e, source_room(k->source)->slots));
}

/*
 * Is there such an event in the chunk, context apart?  Nothing is noted of what is damaged: that is
 * done when the chunk is written, and after it there may be such an event.
 */
static bool has_selected(const struct chunk_filter *f)
{
	struct chunk *c = f->predicate.chunk;
	struct cursor at = chunk_from(c, CHUNK_HEADER_SIZE);
	struct raw_event e;
	int got;

	while ((got = walk_next(&at, &e)) > 0) {
		const struct jfrec_type *t = metadata_type(c->metadata, e.type_id);

		if (t && t->is_event && !is_context(t) && is_selected(f, t, &e))
			return true;
	}
	return got < 0;
}

static bool keeps_any(const struct tally *t)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->rows[i].kept)
			return true;
	}
	return false;
}

/*
 * The first chunk is written even without an event: the clock of the others is
 * read by it, times are relative to its start, and a recording has a chunk.
 */
static int filter_chunk(void *ctx, struct chunk_task *task, struct rewritten *r,
			struct jfrec_error *err)
{
	const struct filter *all = ctx;
	struct chunk_filter f = {
		.predicate = { task->source, all->bounds, task->chunk },
	};
	const struct rewrite how = {
		.selects_type = selects_type,
		.selects_all = selects_all,
		.selects_raw = selects_raw,
		.ctx = &f,
		.even_empty = r->is_first,
	};
	int written;

	f.keeps_context = source_keeps_context(all->source) && has_selected(&f);
	written = rewrite_chunk(task->source, task->chunk, &how, &r->writer, r->out, &r->tally,
				err);
	r->found = f.keeps_context || keeps_any(&r->tally);
	return written;
}

static int merge_chunk(void *ctx, struct rewritten *r, struct jfrec_error *err)
{
	struct filter *f = ctx;

	f->report->shown.found |= r->found;
	f->report->shown.chunks_kept += (uint64_t)r->written;
	f->report->shown.chunks_removed += !r->written;
	return tally_add(&f->tally, &r->tally) < 0 ? jfrec_fail_memory(err) : 0;
}

static int filter_all(struct filter *f, struct jfrec_output *o, struct jfrec_error *err)
{
	static const struct rewrite_work how = { .chunk = filter_chunk, .merge = merge_chunk };

	output_stop_at(o, source_stop_flag(f->source));
	if (copy_check_inputs(source_recording(f->source), o, err) < 0 ||
	    rewrite_all(f->source, o, &how, f, err) < 0 || source_check_stop(f->source, err) < 0)
		return -1;
	if (f->report->shown.chunks_kept == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return 0;
}

struct jfrec_filtered *jfrec_write_filtered(struct jfrec_reader *r, const int64_t *from_ns,
					    const int64_t *to_ns, struct jfrec_output *o,
					    struct jfrec_error *err)
{
	struct filter f = {
		.source = reader_source(r),
		.bounds = bounds_of(from_ns, to_ns),
		.report = calloc(1, sizeof(*f.report)),
	};
	int ret = f.report ? filter_all(&f, o, err) : jfrec_fail_memory(err);

	output_stop_at(o, NULL); /* the reader may be closed before the output is committed */
	tally_finish(&f.tally);
	if (f.report)
		filtered_take_rows(f.report, &f.tally);
	tally_fini(&f.tally);
	if (ret == 0)
		return &f.report->shown;
	if (f.report)
		filtered_fini(f.report);
	free(f.report);
	return NULL;
}

/* What was done -------------------------------------------------------------------------------- */

void filtered_take_rows(struct filtered *f, struct tally *t)
{
	f->rows = t->rows;
	f->row_count = t->count;
	*t = (struct tally){ .by_name = t->by_name };
}

void filtered_fini(struct filtered *f)
{
	for (size_t i = 0; i < f->row_count; i++)
		free((char *)f->rows[i].name);
	free(f->rows);
}

/* What the caller has a pointer to is the beginning of it. */
static const struct filtered *filtered_of(const struct jfrec_filtered *shown)
{
	return (const struct filtered *)shown;
}

size_t jfrec_filtered_row_count(const struct jfrec_filtered *f)
{
	return filtered_of(f)->row_count;
}

const struct jfrec_edit_row *jfrec_filtered_row_get(const struct jfrec_filtered *f, size_t i)
{
	return i < filtered_of(f)->row_count ? &filtered_of(f)->rows[i] : NULL;
}

void jfrec_filtered_free(struct jfrec_filtered *shown)
{
	struct filtered *f = (struct filtered *)shown;

	if (!f)
		return;
	filtered_fini(f);
	free(f);
}
