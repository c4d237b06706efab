/* SPDX-License-Identifier: MIT */
/*
 * cost.c - measure the space that each event type takes in a recording
 *
 * A chunk is read once; where the events of each type are is kept, and its constants are
 * marked for each type in turn, once to know how many types share a constant, and once to
 * share its bytes out.
 */
#include "cost/cost.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "jfrec-tool.h"

/* So many bytes are compressed to know how small the recording becomes. */
#define WHOLE_SAMPLE (UINT64_C(32) << 20)

/* And so many of each event type, of the constants, of the metadata. */
#define PART_SAMPLE (UINT64_C(256) << 10)

/* A type that has less in a chunk is not worth a sample. */
#define LEAST_SAMPLE (UINT64_C(2) << 10)

/* How many events go by between two looks at the stop flag. */
#define STEP 65536

/* Rows ----------------------------------------------------------------------------------------- */

static bool add_row(struct cost *k, const struct jfrec_type *t)
{
	struct cost_row *row;

	if (!array_reserve(k->rows, k->row_count, k->row_room))
		return false;
	row = &k->rows[k->row_count];
	*row = (struct cost_row){ .name = strdup(t->name) };
	row->label = t->label ? strdup(t->label) : NULL;
	row->told.name = row->name;
	row->told.label = row->label;
	k->row_count++;
	return row->name && (row->label || !t->label);
}

/* Find the row of the type, by its name: other chunks may have other ids. */
static int find_row(struct cost *k, const struct jfrec_type *t, size_t *row)
{
	struct digest d = DIGEST_INIT;
	uint64_t *at;

	digest_bytes(&d, t->name, strlen(t->name));
	at = digest_map_put(&k->by_name, d);
	if (!at || (!*at && !add_row(k, t)))
		return jfrec_fail_memory(k->err);
	if (!*at)
		*at = k->row_count;
	*row = (size_t)*at - 1;
	k->rows[*row].type = t->index;
	k->rows[*row].chunk = k->told.chunks;
	return 0;
}

/* Reading a chunk ------------------------------------------------------------------------------ */

static int add_sample(struct cost *k, struct squeeze *s, const void *data, uint64_t len)
{
	if (s->raw >= PART_SAMPLE)
		return 0;
	return squeeze_add(s, data, len) < 0 ? jfrec_fail_memory(k->err) : 0;
}

static int note_active(struct cost *k, struct jfrec_type *t, const struct raw_event *e)
{
	k->event.type = t;
	k->event.raw = *e;
	if (!chunk_decode(k->chunk, t, e, k->event.slots))
		return 0;
	if (active_note(&k->active, &k->event, k->err) < 0)
		return -1;
	event_room_clear(source_room(k->source));
	return 0;
}

static int add_event(struct cost *k, struct slice *s, const struct raw_event *e)
{
	if (!array_push(s->events, s->count, s->room, e->start))
		return jfrec_fail_memory(k->err);
	s->bytes += e->size;
	return 0;
}

static int take_event(struct cost *k, const struct raw_event *e)
{
	struct jfrec_type *t = metadata_type(k->chunk->metadata, e->type_id);

	if (e->type_id == TYPE_METADATA) {
		k->told.metadata_bytes += e->size;
		return add_sample(k, &k->metadata, e->start, e->size);
	}
	if (e->type_id == TYPE_CHECKPOINT) {
		needs_checkpoint(&k->needs, e);
		return add_sample(k, &k->constants, e->start, e->size);
	}
	if (!t || !t->is_event) {
		chunk_note_undeclared(k->chunk, e);
		return 0;
	}
	if (active_needs(t) && note_active(k, t, e) < 0)
		return -1;
	return add_event(k, &k->slices[t->index], e);
}

static int take_events(struct cost *k)
{
	struct chunk_walk walk = chunk_walk(k->chunk);
	struct raw_event e;
	unsigned n = 0;

	while (chunk_walk_any(&walk, &e)) {
		if (++n % STEP == 0 && source_check_stop(k->source, k->err) < 0)
			return -1;
		if (take_event(k, &e) < 0)
			return -1;
	}
	return 0;
}

/* Types ---------------------------------------------------------------------------------------- */

static bool is_once_a_chunk(const struct cost *k, const struct jfrec_type *t)
{
	const char *text = active_value(&k->active, t->name, "period");
	struct period p;

	/* These two have no period, but their JVM makes them so. */
	return active_needs(t) || (text && setting_period(text, &p) && p.a_chunk);
}

/* The first of a slice by time, and the most in a window of its throttle. */
static void look_at_times(struct cost *k, struct cost_row *row, const struct jfrec_type *t,
			  const struct slice *s)
{
	const char *text = active_value(&k->active, t->name, "throttle");
	bool is_first = row->told.events == 0;
	struct idmap windows = { 0 };
	struct throttle throttle;
	struct raw_event e;
	struct ticks ticks;

	if (!text || !setting_throttle(text, &throttle))
		throttle.limit = HUGE_VAL;
	for (size_t i = 0; (is_first || throttle.limit < HUGE_VAL) && slice_next(k, s, &i, &e);) {
		int64_t ns;
		uint32_t *n;

		if (!event_ticks(k->chunk, t, &e, k->event.slots, &ticks))
			continue;
		ns = clock_time_ns(&k->chunk->clock, ticks.start);
		if (is_first && (i == 1 || ns < row->origin_ns))
			row->origin_ns = ns;
		if (throttle.limit == HUGE_VAL)
			continue;
		n = idmap_put(&windows, (uint64_t)(ns / throttle.window_ns), 0);
		if (n && ++*n > row->rush * throttle.limit)
			row->rush = *n / throttle.limit;
	}
	idmap_fini(&windows);
}

struct jfrec_sizes cost_sizes(const struct cost *k, const struct cost_row *row, double bytes)
{
	return squeeze_sizes(row->sample.raw ? &row->sample : &k->constants, bytes);
}

static int sample_events(struct cost *k, struct cost_row *row, const struct slice *s)
{
	struct raw_event e;

	if (s->bytes < LEAST_SAMPLE)
		return 0;
	for (size_t i = 0; row->sample.raw < PART_SAMPLE && slice_next(k, s, &i, &e);) {
		if (add_sample(k, &row->sample, e.start, e.size) < 0)
			return -1;
	}
	return squeeze_end(&row->sample) < 0 ? jfrec_fail_memory(k->err) : 0;
}

void cost_mark(struct cost *k, const struct slice *s)
{
	const struct jfrec_type *t = &k->chunk->metadata->types[k->rows[s->row].type];
	struct raw_event e;

	needs_clear(&k->needs);
	for (size_t i = 0; slice_next(k, s, &i, &e);)
		needs_event(&k->needs, t, &e, k->event.slots);
	needs_spread(&k->needs);
}

static int take_type(struct cost *k, const struct jfrec_type *t, struct slice *s)
{
	struct cost_row *row;

	if (find_row(k, t, &s->row) < 0)
		return -1;
	row = &k->rows[s->row];
	row->told.once_a_chunk = is_once_a_chunk(k, t);
	look_at_times(k, row, t, s);
	row->told.events += s->count;
	row->told.event_bytes += s->bytes;
	cost_mark(k, s);
	needs_add_type(&k->needs);
	if (sample_events(k, row, s) < 0)
		return -1;
	return k->offers ? cost_add_offers(k, s->row, t) : 0;
}

static void share_constants(struct cost *k, const struct slice *s)
{
	struct jfrec_cost_type *told = &k->rows[s->row].told;

	cost_mark(k, s);
	needs_share(&k->needs, &told->constant_bytes, &told->own_bytes);
}

static int take_types(struct cost *k)
{
	const struct metadata *m = k->chunk->metadata;

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (k->slices[i].count && take_type(k, &m->types[i], &k->slices[i]) < 0)
			return -1;
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (k->slices[i].count)
			share_constants(k, &k->slices[i]);
	}
	k->constant_bytes += k->needs.bytes;
	k->told.spare_bytes += needs_spare(&k->needs);
	return k->needs.marks.failed ? jfrec_fail_memory(k->err) : 0;
}

/* Chunks --------------------------------------------------------------------------------------- */

static int sample_chunk(struct cost *k)
{
	uint64_t left = WHOLE_SAMPLE - k->whole.raw,
		 len = (uint64_t)(k->chunk->end - k->chunk->bytes);

	if (squeeze_end(&k->constants) < 0 || squeeze_end(&k->metadata) < 0 ||
	    squeeze_add(&k->whole, k->chunk->bytes, len < left ? len : left) < 0)
		return jfrec_fail_memory(k->err);
	return 0;
}

/* All but the last tell whether chunks end when they have a size. */
static void note_size(struct cost *k, uint64_t bytes)
{
	uint64_t before = k->last_chunk;

	if (k->told.chunks && (!k->least_chunk || before < k->least_chunk))
		k->least_chunk = before;
	if (k->told.chunks && before > k->greatest_chunk)
		k->greatest_chunk = before;
	k->last_chunk = bytes;
}

static bool note_chunk(struct cost *k)
{
	const struct extent *x = &k->chunk->extent;

	note_size(k, x->size);
	k->told.chunks++;
	k->told.bytes += x->size;
	k->told.metadata_bytes += CHUNK_HEADER_SIZE;
	return covered_add(&k->time, x->header.start_ns,
			   long_add(x->header.start_ns, x->header.duration_ns));
}

static int take_chunk(struct cost *k)
{
	uint32_t types = k->chunk->metadata->type_count;
	int ret = -1;

	k->slices = calloc((size_t)types + 1, sizeof(*k->slices));
	if (!k->slices || needs_init(&k->needs, k->chunk) < 0 || !note_chunk(k)) {
		jfrec_fail_memory(k->err);
		goto out;
	}
	k->event.chunk = k->chunk;
	ret = take_events(k) < 0 || take_types(k) < 0 || sample_chunk(k) < 0 ||
			      cost_try_scenarios(k) < 0
		      ? -1
		      : 0;
	chunk_tell_end(k->chunk);
out:
	for (uint32_t i = 0; k->slices && i < types; i++)
		free(k->slices[i].events);
	free(k->slices);
	k->slices = NULL;
	needs_fini(&k->needs);
	return ret;
}

static int take_chunks(struct cost *k)
{
	int got;

	while ((got = source_next(k->source, &k->chunk, k->err)) > 0) {
		int taken = take_chunk(k);

		chunk_unref(k->chunk);
		if (taken < 0)
			return -1;
		source_progress(k->source, 0);
	}
	if (got == 0 && k->told.chunks == 0)
		return jfrec_fail(k->err, JFREC_EFORMAT, JFREC_NO_OFFSET, "no chunk can be read");
	return got;
}

/* ---------------------------------------------------------------------------------------------- */

struct jfrec_cost *jfrec_cost_read(struct jfrec_reader *r, const char *const *changes, size_t count,
				   struct jfrec_error *err)
{
	struct cost *k = calloc(1, sizeof(*k));

	if (!k) {
		jfrec_fail_memory(err);
		return NULL;
	}
	k->source = reader_source(r);
	k->err = err;
	k->offers = count == 0;
	k->event = event_in(source_room(k->source), NULL);
	if (cost_add_changes(k, changes, count) == 0 && take_chunks(k) == 0 &&
	    cost_check_changes(k) == 0 && cost_finish(k) == 0)
		return &k->told;
	jfrec_cost_free(&k->told);
	return NULL;
}

void jfrec_cost_free(struct jfrec_cost *told)
{
	struct cost *k = (struct cost *)told; /* its first member */

	if (!k)
		return;
	for (size_t i = 0; i < k->row_count; i++) {
		free(k->rows[i].name);
		free(k->rows[i].label);
		squeeze_fini(&k->rows[i].sample);
	}
	free(k->rows);
	digest_map_fini(&k->by_name);
	cost_free_scenarios(k);
	squeeze_fini(&k->whole);
	squeeze_fini(&k->constants);
	squeeze_fini(&k->metadata);
	active_fini(&k->active);
	covered_fini(&k->time);
	free(k->types);
	free(k->changes);
	free(k);
}

/* The caller's pointer is to the first member. */
static const struct cost *cost_of(const struct jfrec_cost *told)
{
	return (const struct cost *)told;
}

size_t jfrec_cost_type_count(const struct jfrec_cost *c)
{
	return cost_of(c)->row_count;
}

const struct jfrec_cost_type *jfrec_cost_type_get(const struct jfrec_cost *c, size_t i)
{
	return i < cost_of(c)->row_count ? &cost_of(c)->types[i] : NULL;
}

size_t jfrec_cost_change_count(const struct jfrec_cost *c)
{
	return cost_of(c)->change_count;
}

const struct jfrec_cost_change *jfrec_cost_change_get(const struct jfrec_cost *c, size_t i)
{
	return i < cost_of(c)->change_count ? &cost_of(c)->changes[i] : NULL;
}
