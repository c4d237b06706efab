/* SPDX-License-Identifier: MIT */
/*
 * chunk_source.c - the chunks of a recording, for all that consumes them
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "format/event_time.h"
#include "format/spool.h"
#include "read/reader.h"

struct chunk_source *reader_source(struct jfrec_reader *r)
{
	return &r->source;
}

/* Chunks --------------------------------------------------------------------------------------- */

int source_enter(struct chunk_source *s, const struct chunk *c, struct jfrec_error *err)
{
	if (s->where && where_is_out_of_memory(s->where))
		return jfrec_fail_memory(err);
	if (s->where && where_enter(s->where, c, &s->recording, &s->selection, err) < 0)
		return -1;
	return s->during && during_enter(s->during, &s->view, c) < 0 ? jfrec_fail_memory(err) : 0;
}

void source_note_span(struct chunk_source *s, const struct metadata *m,
		      const struct jfrec_chunk_info *info)
{
	if (s->tells_overlaps)
		chunk_overlaps_add(&s->overlaps, m, info->start_ns,
				   long_add(info->start_ns, info->duration_ns));
}

void source_tell_overlaps(struct chunk_source *s)
{
	const struct chunk_overlaps *o = &s->overlaps;
	char others[48] = "";

	if (!s->tells_overlaps || !o->count)
		return;
	s->tells_overlaps = false;
	if (o->count > 1)
		snprintf(others, sizeof(others), ", and %" PRIu64 " more overlap others", o->count - 1);
	if (o->is_again)
		problem_notice(&s->recording.problems, 0, 0,
			       "chunks %" PRIu64 " and %" PRIu64 " are the same%s: their events are read "
			       "twice (dumps of one JVM overlap; jfrec merge keeps one of them)",
			       o->first, o->second, others);
	else
		problem_notice(&s->recording.problems, 0, 0,
			       "chunks %" PRIu64 " and %" PRIu64 " overlap by %.1f s%s: events are in the "
			       "order of the chunks, not in the order of time (recordings of several "
			       "JVMs, or a clock that was set back?)",
			       o->first, o->second, (double)o->shared_ns / 1e9, others);
}

/* Hand out a chunk that was loaded. */
static int enter_loaded(struct chunk_source *s, struct chunk *c, struct chunk **chunk,
			struct jfrec_error *err)
{
	if (source_enter(s, c, err) < 0) {
		chunk_unref(c);
		return -1;
	}
	if (!s->is_second)
		chunk_measure(c);
	selection_look(&s->selection, c->metadata);
	source_note_span(s, c->metadata, &c->info);
	*chunk = c;
	return 1;
}

int source_next(struct chunk_source *s, struct chunk **chunk, struct jfrec_error *err)
{
	struct chunk *c;
	int found;

	if (s->where && where_is_out_of_memory(s->where))
		return jfrec_fail_memory(err);
	while ((found = recording_next(&s->recording, &s->extent, err)) > 0) {
		int loaded = chunk_load(&s->recording, &s->extent, &c, err);

		if (loaded)
			return loaded < 0 ? loaded : enter_loaded(s, c, chunk, err);
	}
	if (found == 0)
		selection_tell(&s->selection, s->recording.metadata, &s->recording.problems, "");
	if (found == 0)
		source_tell_overlaps(s);
	return found;
}

int source_find(struct chunk_source *s, struct extent *x, struct jfrec_error *err)
{
	int found = recording_next(&s->recording, &s->extent, err);

	*x = s->extent;
	return found;
}

struct recording *source_recording(struct chunk_source *s)
{
	return &s->recording;
}

int source_again(const struct chunk_source *s, struct recording *again, struct jfrec_error *err)
{
	return recording_again(&s->recording, again, err);
}

int source_spool(struct chunk_source *s, struct jfrec_error *err)
{
	return spool_pipes(&s->recording, err);
}

struct metadata *source_types_of(struct recording *again, const struct extent *x)
{
	struct metadata *m = recording_metadata(again, x);
	struct chunk *c;

	if (m && !m->doubt)
		return m;
	metadata_unref(m);
	if (chunk_load(again, x, &c, NULL) <= 0)
		return NULL;
	m = metadata_ref(c->metadata);
	chunk_unref(c);
	return m;
}

int source_each_metadata(struct chunk_source *s, int (*fn)(void *ctx, const struct metadata *m),
			 void *ctx, struct jfrec_error *err)
{
	struct recording again;
	struct extent x = { 0 };
	struct metadata *last = NULL;
	int got = 0;

	if (source_again(s, &again, err) < 0)
		return -1;
	while (got >= 0 && (got = recording_next(&again, &x, err)) > 0) {
		struct metadata *m = source_types_of(&again, &x);

		if (m && m != last) {
			selection_look(&s->selection, m);
			if (fn(ctx, m) < 0)
				got = jfrec_fail_memory(err);
		}
		if (!m)
			continue;
		metadata_unref(last);
		last = m;
		/* The next chunk's is most often the same, and then this one is returned again. */
		metadata_unref(again.metadata);
		again.metadata = metadata_ref(m);
	}
	if (got == 0)
		selection_tell(&s->selection, last, &s->recording.problems, "");
	metadata_unref(last);
	recording_close(&again);
	return got;
}

/* Which events --------------------------------------------------------------------------------- */

bool source_names(const struct chunk_source *s, const struct jfrec_type *t)
{
	return selection_has(&s->selection, t);
}

bool source_selects(const struct chunk_source *s, const struct jfrec_type *t)
{
	return selection_has(&s->selection, t) && (!s->where || where_selects(s->where, t)) &&
	       (!s->during || during_selects(s->during, &s->view, t));
}

bool *source_selected(const struct chunk_source *s, const struct metadata *m)
{
	bool *selected = calloc((size_t)m->type_count + 1, sizeof(*selected));

	for (uint32_t i = 0; selected && i < m->type_count; i++)
		selected[i] = source_selects(s, &m->types[i]);
	return selected;
}

bool source_passes_all(const struct chunk_source *s, const struct jfrec_type *t)
{
	return (!s->where || where_passes_all(s->where, t)) && !s->during;
}

bool source_passes(struct chunk_source *s, struct chunk *c, const struct jfrec_type *t,
		   const struct raw_event *e, uint64_t *slots)
{
	return (!s->where || where_passes(s->where, c, t, e, slots)) &&
	       (!s->during || during_passes(s->during, &s->view, c, t, e, slots));
}

const char *source_label_name(const struct chunk_source *s, bool *is_frame)
{
	*is_frame = s->during && s->during->label_is_frame;
	return s->during ? s->during->label : NULL;
}

uint32_t source_label(const struct chunk_source *s)
{
	return s->view.label;
}

const char *source_label_text(const struct chunk_source *s, uint32_t label)
{
	return s->during->labels.texts[label];
}

void source_look_at_names(struct chunk_source *s, const struct metadata *m, bool tell)
{
	selection_look(&s->selection, m);
	if (tell)
		selection_tell(&s->selection, m, &s->recording.problems, " as yet");
}

bool source_keeps_context(const struct chunk_source *s)
{
	return s->keeps_context;
}

/* Problems ------------------------------------------------------------------------------------- */

struct problems *source_problems(struct chunk_source *s)
{
	return &s->recording.problems;
}

uint64_t source_problem_count(const struct chunk_source *s)
{
	return s->recording.problems.told;
}

struct source_quiet source_quiet(struct chunk_source *s)
{
	struct problems *p = &s->recording.problems;
	struct source_quiet before = { p->fn, p->damage, p->told };

	p->fn = NULL;
	return before;
}

void source_loud(struct chunk_source *s, const struct source_quiet *before)
{
	struct problems *p = &s->recording.problems;

	p->fn = before->fn;
	p->damage = before->damage;
	p->told = before->told;
}

/* The caller ----------------------------------------------------------------------------------- */

const atomic_int *source_stop_flag(const struct chunk_source *s)
{
	while (s->task_of)
		s = s->task_of;
	return &s->stop;
}

int source_check_stop(const struct chunk_source *s, struct jfrec_error *err)
{
	return *source_stop_flag(s)
		       ? jfrec_fail(err, JFREC_ECANCELED, JFREC_NO_OFFSET, "interrupted")
		       : 0;
}

void source_progress(const struct chunk_source *s, uint64_t events)
{
	const struct recording *r = &s->recording;

	source_progress_of(s, r->before + r->next, s->total, events);
}

void source_progress_of(const struct chunk_source *s, uint64_t done, uint64_t total,
			uint64_t events)
{
	if (s->progress)
		s->progress(s->progress_ctx, done, total, events);
}

void source_before_wait(struct chunk_source *s, void (*before)(void *ctx), void *ctx)
{
	s->waiting.before = before;
	s->waiting.ctx = ctx;
}

struct event_room *source_room(struct chunk_source *s)
{
	return &s->room;
}
