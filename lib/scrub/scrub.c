/* SPDX-License-Identifier: MIT */
/*
 * scrub.c - remove secrets from a recording
 *
 * Twice through the input: what is secret in its last chunk may be in its first.
 * Then once through the output, to see that nothing is left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "edit/copy.h"
#include "edit/event_predicate.h"
#include "edit/report.h"
#include "edit/rewrite.h"
#include "format/spool.h"
#include "scrub/redact.h"
#include "scrub/verify.h"

struct scrubbed {
	struct jfrec_scrubbed shown; /* first: what the caller has a pointer to */
	struct filtered filtered;
	size_t finding_count;
	struct jfrec_redaction *findings;
};

struct scrub {
	struct event_predicate predicate; /* which events stay */
	struct redactor redactor;
	struct jfrec_output *out;
	struct tally tally;
	struct chunk_writer writer;
	struct scrubbed *report;
	uint64_t chunks_done;
};

/* The first pass ------------------------------------------------------------------------------- */

static int collect_chunk(struct scrub *s, struct recording *again, const struct extent *x,
			 struct jfrec_error *err)
{
	struct chunk *c;
	int ret = chunk_load(again, x, &c, err);

	if (ret <= 0)
		return ret;
	ret = redact_begin(&s->redactor, c, err);
	if (ret == 0)
		ret = redact_collect(&s->redactor, s->predicate.source, err);
	chunk_unref(c);
	return ret;
}

/* All events are looked at, those that do not stay as well: their secrets may be elsewhere, too. */
static int collect_all(struct scrub *s, struct jfrec_error *err)
{
	struct recording again;
	struct extent x;
	int got;

	if (s->redactor.rules->count == 0)
		return 0;
	if (source_again(s->predicate.source, &again, err) < 0)
		return -1;
	s->redactor.collecting = true;
	while ((got = recording_next(&again, &x, err)) > 0) {
		if (collect_chunk(s, &again, &x, err) < 0) {
			got = -1;
			break;
		}
	}
	recording_close(&again);
	return got < 0 ? -1 : redact_ready(&s->redactor, err);
}

/* The second pass ------------------------------------------------------------------------------ */

static bool selects_type(void *ctx, const struct jfrec_type *t)
{
	return event_predicate_selects_type(&((struct scrub *)ctx)->predicate, t);
}

static bool selects_all(void *ctx, const struct jfrec_type *t)
{
	return event_predicate_selects_all(&((struct scrub *)ctx)->predicate, t);
}

static bool selects_raw(void *ctx, const struct jfrec_type *t, const struct raw_event *e,
			uint64_t *slots)
{
	return event_predicate_selects(&((struct scrub *)ctx)->predicate, t, e, slots);
}

static bool replaces_type(void *ctx, const struct jfrec_type *t)
{
	return redact_touches(&((struct scrub *)ctx)->redactor, t);
}

static bool leaves(void *ctx, const struct jfrec_type *t, const struct raw_event *e)
{
	return redact_leaves(&((struct scrub *)ctx)->redactor, t, e);
}

static int replace(void *ctx, const struct jfrec_event *ev, struct buffer *to,
		   struct jfrec_error *err)
{
	return redact_event(&((struct scrub *)ctx)->redactor, ev, to, err);
}

static int replace_constant(void *ctx, const struct jfrec_type *t, uint64_t key,
			    const uint8_t *value, size_t len, struct buffer *to,
			    struct jfrec_error *err)
{
	return redact_constant(&((struct scrub *)ctx)->redactor, t, key, value, len, to, err);
}

static int replace_metadata(void *ctx, const struct metadata *m, struct buffer *to,
			    struct jfrec_error *err)
{
	return redact_metadata(&((struct scrub *)ctx)->redactor, m, to, err);
}

/* Without rules events are only removed, and what stays is copied as it is. */
static struct rewrite rewrite_of(struct scrub *s)
{
	struct rewrite how = {
		.selects_type = selects_type,
		.selects_all = selects_all,
		.selects_raw = selects_raw,
		.ctx = s,
		.even_empty = s->report->filtered.shown.chunks_kept == 0,
	};

	if (s->redactor.rules->count) {
		how.replaces_type = replaces_type;
		how.leaves = leaves;
		how.replace = replace;
		how.replace_constant = replace_constant;
		how.replace_metadata = replace_metadata;
		how.no_tails = true;
	}
	return how;
}

static int scrub_chunk(struct scrub *s, struct jfrec_error *err)
{
	const struct rewrite how = rewrite_of(s);
	int written = redact_begin(&s->redactor, s->predicate.chunk, err);

	if (written == 0)
		written = rewrite_chunk(s->predicate.source, s->predicate.chunk, &how, &s->writer,
					s->out, &s->tally, err);
	if (written < 0)
		return -1;
	s->report->filtered.shown.chunks_kept += (uint64_t)written;
	s->report->filtered.shown.chunks_removed += !written;
	source_progress(s->predicate.source, ++s->chunks_done);
	return 0;
}

static int write_all(struct scrub *s, struct jfrec_error *err)
{
	struct chunk_source *source = s->predicate.source;
	int got;

	output_stop_at(s->out, source_stop_flag(source));
	while ((got = source_next(source, &s->predicate.chunk, err)) > 0) {
		int ret = scrub_chunk(s, err);

		chunk_unref(s->predicate.chunk);
		if (ret < 0)
			return -1;
	}
	if (got == 0 && source_check_stop(source, err) < 0)
		return -1;
	if (got == 0 && s->report->filtered.shown.chunks_kept == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return got;
}

/* All together --------------------------------------------------------------------------------- */

static int scrub_into(struct scrub *s, struct jfrec_output *o, struct jfrec_error *err)
{
	struct recording *rec = source_recording(s->predicate.source);

	s->out = o;
	if (spool_streams(rec, o->path, err) < 0 || collect_all(s, err) < 0)
		return -1;
	return write_all(s, err);
}

/* What a pipe has cannot be taken back: it is written when it has been looked at. */
static int scrub_to_pipe(struct scrub *s, struct jfrec_output *pipe, struct jfrec_error *err)
{
	int fd = spool_file(pipe->path, err);
	struct jfrec_output *aside = fd < 0 ? NULL : output_open_fd(fd, err);
	char path[32];
	int ret = aside ? scrub_into(s, aside, err) : -1;

	if (ret == 0)
		out_flush(&aside->out);
	if (ret == 0 && output_failed(aside))
		ret = output_fail(aside, err);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (ret == 0)
		ret = verify_file(&s->redactor.secrets, path, err);
	if (ret == 0) {
		output_stop_at(pipe, source_stop_flag(s->predicate.source));
		output_copy(pipe, fd, 0, output_at(aside));
		ret = output_failed(pipe) ? output_fail(pipe, err) : 0;
	}
	jfrec_output_close(aside);
	return ret;
}

static int scrub_to_file(struct scrub *s, struct jfrec_output *o, struct jfrec_error *err)
{
	char room[OUTPUT_PATH_MAX];

	if (copy_check_inputs(source_recording(s->predicate.source), o, err) < 0 ||
	    scrub_into(s, o, err) < 0 || jfrec_output_seal(o, err) < 0)
		return -1;
	return verify_file(&s->redactor.secrets, output_sealed_path(o, room), err);
}

static int scrub_nowhere(struct scrub *s, struct jfrec_error *err)
{
	struct jfrec_output *nowhere = output_open_fd(-1, err);
	int ret = nowhere ? scrub_into(s, nowhere, err) : -1;

	jfrec_output_close(nowhere);
	return ret;
}

static void finish_report(struct scrub *s)
{
	struct scrubbed *all = s->report;
	struct jfrec_scrubbed *report = &all->shown;

	tally_finish(&s->tally);
	findings_sort(&s->redactor.findings);
	filtered_take_rows(&all->filtered, &s->tally);
	report->filtered = &all->filtered.shown;
	all->findings = s->redactor.findings.all;
	all->finding_count = s->redactor.findings.count;
	report->secret_count = s->redactor.secret_count;
	report->short_secret_count = s->redactor.common_secret_count;
	report->unencoded_count = s->redactor.unencoded_count;
	report->unread_arrays = s->redactor.arrays_unread;
	report->tails = s->redactor.tails;
	report->tail_bytes = s->redactor.tail_bytes;
	report->unknown_metadata = s->redactor.unknown_metadata;
	s->redactor.findings = (struct findings){ .known = s->redactor.findings.known };
}

struct jfrec_scrubbed *jfrec_write_scrubbed(struct jfrec_reader *r,
					    const struct jfrec_scrub_rules *rules,
					    const int64_t *from_ns, const int64_t *to_ns,
					    struct jfrec_output *o, struct jfrec_error *err)
{
	struct scrub s = {
		.predicate = { .source = reader_source(r), .bounds = bounds_of(from_ns, to_ns) },
		.redactor = { .rules = rules },
		.report = calloc(1, sizeof(*s.report)),
	};
	int ret = !s.report	       ? jfrec_fail_memory(err)
		  : !o		       ? scrub_nowhere(&s, err)
		  : output_is_named(o) ? scrub_to_file(&s, o, err)
				       : scrub_to_pipe(&s, o, err);

	if (o)
		output_stop_at(o, NULL);
	chunk_writer_fini(&s.writer);
	if (s.report)
		finish_report(&s);
	tally_fini(&s.tally);
	redact_fini(&s.redactor);
	if (ret == 0)
		return &s.report->shown;
	jfrec_scrubbed_free(s.report ? &s.report->shown : NULL);
	return NULL;
}

void jfrec_scrubbed_free(struct jfrec_scrubbed *shown)
{
	struct scrubbed *s = (struct scrubbed *)shown;
	struct findings f;

	if (!s)
		return;
	filtered_fini(&s->filtered);
	f = (struct findings){ .all = s->findings, .count = s->finding_count };
	findings_fini(&f);
	free(s);
}

size_t jfrec_scrubbed_finding_count(const struct jfrec_scrubbed *s)
{
	return ((const struct scrubbed *)s)->finding_count;
}

const struct jfrec_redaction *jfrec_scrubbed_finding_get(const struct jfrec_scrubbed *s, size_t i)
{
	const struct scrubbed *all = (const struct scrubbed *)s;

	return i < all->finding_count ? &all->findings[i] : NULL;
}
