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
#include "edit/rewrite.h"

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
	struct event_predicate predicate;
	bool keeps_context; /* of this chunk */
	struct jfrec_output *out;
	struct tally tally;
	struct chunk_writer writer;
	struct filtered *report;
	uint64_t events; /* kept so far */
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
	const struct filter *f = ctx;

	return event_predicate_selects_type(&f->predicate, t) ||
	       (f->keeps_context && is_context(t));
}

static bool selects_all(void *ctx, const struct jfrec_type *t)
{
	const struct filter *f = ctx;

	return event_predicate_selects_all(&f->predicate, t) || (f->keeps_context && is_context(t));
}

static bool selects_raw(void *ctx, const struct jfrec_type *t, const struct raw_event *e,
			uint64_t *slots)
{
	return event_predicate_selects(&((const struct filter *)ctx)->predicate, t, e, slots);
}

static bool is_selected(const struct filter *f, const struct jfrec_type *t,
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
static bool has_selected(const struct filter *f)
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

static uint64_t kept_so_far(const struct filter *f)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->tally.count; i++)
		sum += f->tally.rows[i].kept;
	return sum;
}

/*
 * The first chunk is written even without an event: the clock of the others is
 * read by it, times are relative to its start, and a recording has a chunk.
 */
static int filter_chunk(struct filter *f, struct jfrec_error *err)
{
	const struct rewrite how = {
		.selects_type = selects_type,
		.selects_all = selects_all,
		.selects_raw = selects_raw,
		.ctx = f,
		.even_empty = f->report->shown.chunks_kept == 0,
	};
	struct chunk_source *s = f->predicate.source;
	uint64_t before = kept_so_far(f);
	int written;

	f->keeps_context = source_keeps_context(s) && has_selected(f);
	written = rewrite_chunk(s, f->predicate.chunk, &how, &f->writer, f->out, &f->tally, err);
	if (written < 0)
		return -1;
	f->report->shown.found |= f->keeps_context || kept_so_far(f) > before;
	f->report->shown.chunks_kept += (uint64_t)written;
	f->report->shown.chunks_removed += !written;
	source_progress(s, f->events);
	return 0;
}

static int filter_all(struct filter *f, struct jfrec_error *err)
{
	struct chunk_source *s = f->predicate.source;
	int got = copy_check_inputs(source_recording(s), f->out, err) < 0 ? -1 : 1;

	output_stop_at(f->out, source_stop_flag(s));
	while (got > 0 && (got = source_next(s, &f->predicate.chunk, err)) > 0) {
		if (filter_chunk(f, err) < 0)
			got = -1;
		chunk_unref(f->predicate.chunk);
	}
	if (got == 0 && source_check_stop(s, err) < 0)
		return -1;
	if (got == 0 && f->report->shown.chunks_kept == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return got;
}

struct jfrec_filtered *jfrec_write_filtered(struct jfrec_reader *r, const int64_t *from_ns,
					    const int64_t *to_ns, struct jfrec_output *o,
					    struct jfrec_error *err)
{
	struct filter f = {
		.predicate = { .source = reader_source(r), .bounds = bounds_of(from_ns, to_ns) },
		.out = o,
		.report = calloc(1, sizeof(*f.report)),
	};
	int ret = f.report ? filter_all(&f, err) : jfrec_fail_memory(err);

	output_stop_at(o, NULL); /* the reader may be closed before the output is committed */
	chunk_writer_fini(&f.writer);
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
