/* SPDX-License-Identifier: MIT */
/*
 * scrub.c - remove secrets from a recording
 *
 * Twice through the input: what is secret in its last chunk may be in its first.
 * Then once through the output, to see that nothing is left.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "edit/copy.h"
#include "edit/event_predicate.h"
#include "edit/report.h"
#include "edit/rewrite_crew.h"
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
	struct chunk_source *source;
	struct bounds bounds;
	struct redaction redaction;
	struct redacted redacted;
	struct tally tally;
	struct scrubbed *report;
};

/* The first pass ------------------------------------------------------------------------------- */

/* What the first pass found of a chunk is kept where all is; this is only how it went. */
struct collected {
	int ret;
	struct jfrec_error err;
};

static int collect_chunk(struct scrub *s, struct chunk_task *task, struct jfrec_error *err)
{
	struct redactor *r = redactor_take(&s->redaction, task->chunk, task->number, err);
	int ret = r ? redact_collect(r, task->source, err) : -1;

	if (r)
		redactor_give_back(r);
	return ret;
}

static void *collect_work(void *ctx, struct chunk_task *task)
{
	struct collected *c = calloc(1, sizeof(*c));

	if (c)
		c->ret = collect_chunk(ctx, task, &c->err);
	return c;
}

static int collect_merge(void *ctx, const struct chunk_task *task, void *found,
			 struct jfrec_error *err)
{
	struct scrub *s = ctx;
	struct collected *c = found;
	struct redactor *r;
	int ret;

	if (c->ret < 0) {
		if (err)
			*err = c->err;
		return -1;
	}
	r = redactor_take(&s->redaction, task->chunk, task->number, err);
	ret = r ? redact_collect_metadata(r, err) : -1;
	if (r)
		redactor_give_back(r);
	return ret;
}

static void collect_drop(void *ctx, void *found)
{
	(void)ctx;
	free(found);
}

/* All events are looked at, those that do not stay as well: their secrets may be elsewhere, too. */
static int collect_all(struct scrub *s, struct jfrec_error *err)
{
	static const struct chunk_work how = { collect_work, collect_merge, collect_drop };
	static const struct second_look look = { .tell = NULL };

	if (s->redaction.rules->count == 0)
		return 0;
	if (source_each_chunk_again(s->source, &look, &how, s, err) < 0)
		return -1;
	return redact_ready(&s->redaction, err);
}

/* The second pass ------------------------------------------------------------------------------ */

/* A chunk that is scrubbed. */
struct chunk_scrub {
	struct event_predicate predicate; /* which events stay */
	struct redactor *redactor;
};

static bool selects_type(void *ctx, const struct jfrec_type *t)
{
	return event_predicate_selects_type(&((struct chunk_scrub *)ctx)->predicate, t);
}

static bool selects_all(void *ctx, const struct jfrec_type *t)
{
	return event_predicate_selects_all(&((struct chunk_scrub *)ctx)->predicate, t);
}

static bool selects_raw(void *ctx, const struct jfrec_type *t, const struct raw_event *e,
			uint64_t *slots)
{
	return event_predicate_selects(&((struct chunk_scrub *)ctx)->predicate, t, e, slots);
}

static bool replaces_type(void *ctx, const struct jfrec_type *t)
{
	return redact_touches(((struct chunk_scrub *)ctx)->redactor, t);
}

static bool leaves(void *ctx, const struct jfrec_type *t, const struct raw_event *e)
{
	return redact_leaves(((struct chunk_scrub *)ctx)->redactor, t, e);
}

static int replace(void *ctx, const struct jfrec_event *ev, struct buffer *to,
		   struct jfrec_error *err)
{
	return redact_event(((struct chunk_scrub *)ctx)->redactor, ev, to, err);
}

static int replace_constant(void *ctx, const struct jfrec_type *t, uint64_t key,
			    const uint8_t *value, size_t len, struct buffer *to,
			    struct jfrec_error *err)
{
	return redact_constant(((struct chunk_scrub *)ctx)->redactor, t, key, value, len, to, err);
}

static int replace_metadata(void *ctx, const struct metadata *m, struct buffer *to,
			    struct jfrec_error *err)
{
	return redact_metadata(((struct chunk_scrub *)ctx)->redactor, m, to, err);
}

/* Without rules events are only removed, and what stays is copied as it is. */
static struct rewrite rewrite_of(struct chunk_scrub *c, bool is_first)
{
	struct rewrite how = {
		.selects_type = selects_type,
		.selects_all = selects_all,
		.selects_raw = selects_raw,
		.ctx = c,
		.even_empty = is_first,
	};

	if (c->redactor->rules->count) {
		how.replaces_type = replaces_type;
		how.leaves = leaves;
		how.replace = replace;
		how.replace_constant = replace_constant;
		how.replace_metadata = replace_metadata;
		how.no_tails = true;
	}
	return how;
}

/* What was redacted in the chunk is the caller's from here on. */
static int hand_over(struct redactor *r, struct rewritten *to, struct jfrec_error *err)
{
	struct redacted *mine = malloc(sizeof(*mine));

	to->more = mine;
	if (!mine)
		return jfrec_fail_memory(err);
	*mine = r->redacted;
	r->redacted = (struct redacted){ 0 };
	return 0;
}

static int scrub_chunk(void *ctx, struct chunk_task *task, struct rewritten *r,
		       struct jfrec_error *err)
{
	struct scrub *s = ctx;
	struct chunk_scrub c = {
		.predicate = { task->source, s->bounds, task->chunk },
		.redactor = redactor_take(&s->redaction, task->chunk, task->number, err),
	};
	int written = -1;

	if (c.redactor) {
		const struct rewrite how = rewrite_of(&c, r->is_first);

		written = rewrite_chunk(task->source, task->chunk, &how, &r->writer, r->out,
					&r->tally, err);
		if (written >= 0 && hand_over(c.redactor, r, err) < 0)
			written = -1;
		redactor_give_back(c.redactor);
	}
	return written;
}

static int merge_chunk(void *ctx, struct rewritten *r, struct jfrec_error *err)
{
	struct scrub *s = ctx;
	struct jfrec_filtered *shown = &s->report->filtered.shown;
	const struct redacted *from = r->more;

	shown->chunks_kept += (uint64_t)r->written;
	shown->chunks_removed += !r->written;
	findings_merge(&s->redacted.findings, &from->findings);
	s->redacted.arrays_unread += from->arrays_unread;
	s->redacted.tails += from->tails;
	s->redacted.tail_bytes += from->tail_bytes;
	s->redacted.unknown_metadata += from->unknown_metadata;
	return s->redacted.findings.failed || tally_add(&s->tally, &r->tally) < 0
		       ? jfrec_fail_memory(err)
		       : 0;
}

static void drop_chunk(void *ctx, struct rewritten *r)
{
	struct redacted *more = r->more;

	(void)ctx;
	if (more)
		findings_fini(&more->findings);
	free(more);
}

static int write_all(struct scrub *s, struct jfrec_output *o, struct jfrec_error *err)
{
	static const struct rewrite_work how = { scrub_chunk, merge_chunk, drop_chunk };

	output_stop_at(o, source_stop_flag(s->source));
	if (rewrite_all(s->source, o, &how, s, err) < 0 || source_check_stop(s->source, err) < 0)
		return -1;
	if (s->report->filtered.shown.chunks_kept == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return 0;
}

/* All together --------------------------------------------------------------------------------- */

static int scrub_into(struct scrub *s, struct jfrec_output *o, struct jfrec_error *err)
{
	struct recording *rec = source_recording(s->source);

	if (spool_streams(rec, o->path, err) < 0 || collect_all(s, err) < 0)
		return -1;
	return write_all(s, o, err);
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
		ret = verify_file(&s->redaction.secrets, path, err);
	if (ret == 0) {
		output_stop_at(pipe, source_stop_flag(s->source));
		output_copy(pipe, fd, 0, output_at(aside));
		ret = output_failed(pipe) ? output_fail(pipe, err) : 0;
	}
	jfrec_output_close(aside);
	return ret;
}

static int scrub_to_file(struct scrub *s, struct jfrec_output *o, struct jfrec_error *err)
{
	char room[OUTPUT_PATH_MAX];

	if (copy_check_inputs(source_recording(s->source), o, err) < 0 ||
	    scrub_into(s, o, err) < 0 || jfrec_output_seal(o, err) < 0)
		return -1;
	return verify_file(&s->redaction.secrets, output_sealed_path(o, room), err);
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
	findings_sort(&s->redacted.findings);
	filtered_take_rows(&all->filtered, &s->tally);
	report->filtered = &all->filtered.shown;
	all->findings = s->redacted.findings.all;
	all->finding_count = s->redacted.findings.count;
	report->secret_count = s->redaction.secret_count;
	report->short_secret_count = s->redaction.common_secret_count;
	report->unencoded_count = s->redaction.unencoded_count;
	report->unread_arrays = s->redacted.arrays_unread;
	report->tails = s->redacted.tails;
	report->tail_bytes = s->redacted.tail_bytes;
	report->unknown_metadata = s->redacted.unknown_metadata;
	s->redacted.findings = (struct findings){ .known = s->redacted.findings.known };
}

struct jfrec_scrubbed *jfrec_write_scrubbed(struct jfrec_reader *r,
					    const struct jfrec_scrub_rules *rules,
					    const int64_t *from_ns, const int64_t *to_ns,
					    struct jfrec_output *o, struct jfrec_error *err)
{
	struct scrub s = {
		.source = reader_source(r),
		.bounds = bounds_of(from_ns, to_ns),
		.report = calloc(1, sizeof(*s.report)),
	};
	int ret;

	redaction_init(&s.redaction, rules);
	ret = !s.report		   ? jfrec_fail_memory(err)
	      : !o		   ? scrub_nowhere(&s, err)
	      : output_is_named(o) ? scrub_to_file(&s, o, err)
				   : scrub_to_pipe(&s, o, err);
	if (o)
		output_stop_at(o, NULL);
	if (s.report)
		finish_report(&s);
	tally_fini(&s.tally);
	findings_fini(&s.redacted.findings);
	redaction_fini(&s.redaction);
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
