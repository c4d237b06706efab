/* SPDX-License-Identifier: MIT */
/*
 * cost_rates.c - extrapolate the size of one recording to an hour or a day
 *
 * Of a chunk, a part is there however long it takes: header, metadata, the constants that a
 * JVM writes in any case, events that it makes once a chunk.  The rest grows with time.  A JVM
 * ends a chunk when it has a size (12 MB, unless told otherwise), so
 *
 *    chunks an hour = growing bytes an hour / (size of a chunk - the part that is always there)
 *
 * The same holds for what a change leaves of a recording whose chunks ended for their size:
 * what grows less fills fewer chunks.
 */
#include <stdlib.h>

#include "base/error.h"
#include "cost/cost.h"
#include "jfrec-tool.h"

#define DEFAULT_CHUNK (12.0 * 1024 * 1024)

/* Chunks that ended for their size differ by what is written in a second. */
#define ALIKE 1.25

/* Of two changes of an event, the milder is as good if it saves so much of the other. */
#define HARDLY 0.95

#define HOUR_NS 3600e9

struct model {
	double over_time, per_chunk; /* bytes of the recording, of both kinds */
	double hours;
	double chunk_size;
	double zstd, gzip; /* compressed bytes for one that the samples have */
};

static double type_bytes(const struct jfrec_cost_type *t)
{
	return (double)t->event_bytes + t->constant_bytes;
}

static struct model make_model(struct cost *k)
{
	double chunks = (double)k->told.chunks;
	struct model m = { 0 };

	k->told.duration_ns = covered_ns(&k->time);
	m.hours = (double)k->told.duration_ns / HOUR_NS;
	for (size_t i = 0; i < k->row_count; i++) {
		if (!k->rows[i].told.once_a_chunk)
			m.over_time += type_bytes(&k->rows[i].told);
	}
	m.per_chunk = (double)k->told.bytes - m.over_time;
	k->told.by_size =
		k->told.chunks > 2 && (double)k->greatest_chunk <= ALIKE * (double)k->least_chunk;
	m.chunk_size = k->told.by_size ? (double)k->told.bytes / chunks : DEFAULT_CHUNK;
	/* A chunk that is always full of itself would never end. */
	if (m.per_chunk / chunks > m.chunk_size / 2)
		m.chunk_size = 2 * m.per_chunk / chunks;
	return m;
}

/* Chunks, and their bytes, for so many bytes that grow. */
static double chunks_for(const struct model *m, double over_time, double each)
{
	return over_time / (m->chunk_size - each);
}

/* Sizes ---------------------------------------------------------------------------------------- */

/* What the samples promise, as it would be if they were right for the whole recording. */
static struct jfrec_sizes corrected(const struct model *m, struct jfrec_sizes s)
{
	return (struct jfrec_sizes){ s.raw, s.zstd * m->zstd, s.gzip * m->gzip };
}

/* What the samples promise for all of it, and so how far they are wrong. */
static void compare_samples(const struct cost *k, struct model *m)
{
	struct jfrec_sizes all = { 0 };

	sizes_add(&all, squeeze_sizes(&k->constants, (double)k->constant_bytes), 1);
	sizes_add(&all, squeeze_sizes(&k->metadata, (double)k->told.metadata_bytes), 1);
	for (size_t i = 0; i < k->row_count; i++)
		sizes_add(&all, cost_sizes(k, &k->rows[i], (double)k->rows[i].told.event_bytes), 1);
	m->zstd = all.zstd > 0 ? k->told.sizes.zstd / all.zstd : 1;
	m->gzip = all.gzip > 0 ? k->told.sizes.gzip / all.gzip : 1;
}

static int measure_whole(struct cost *k)
{
	if (squeeze_end(&k->whole) < 0)
		return jfrec_fail_memory(k->err);
	k->told.measured = k->whole.raw;
	k->told.sizes = squeeze_sizes(&k->whole, (double)k->told.bytes);
	return 0;
}

/* Types ---------------------------------------------------------------------------------------- */

static void finish_type(const struct cost *k, const struct model *m, struct cost_row *row)
{
	struct jfrec_cost_type *t = &row->told;
	double an_hour = t->once_a_chunk ? k->told.chunks_per_hour / (double)k->told.chunks
			 : m->hours > 0	 ? 1 / m->hours
					 : 0;

	t->sizes = cost_sizes(k, row, (double)t->event_bytes);
	sizes_add(&t->sizes, squeeze_sizes(&k->constants, t->constant_bytes), 1);
	t->sizes = corrected(m, t->sizes);
	sizes_add(&t->per_hour, t->sizes, an_hour);
	t->events_per_hour = (double)t->events * an_hour;
}

static int by_rate(const void *a, const void *b)
{
	const struct jfrec_cost_type *x = a, *y = b;

	return x->per_hour.raw < y->per_hour.raw ? 1 : -(x->per_hour.raw > y->per_hour.raw);
}

static int finish_types(struct cost *k, const struct model *m)
{
	k->types = calloc(k->row_count + 1, sizeof(*k->types));
	if (!k->types)
		return jfrec_fail_memory(k->err);
	for (size_t i = 0; i < k->row_count; i++) {
		finish_type(k, m, &k->rows[i]);
		k->types[i] = k->rows[i].told;
	}
	qsort(k->types, k->row_count, sizeof(*k->types), by_rate);
	return 0;
}

/* Changes -------------------------------------------------------------------------------------- */

/* All changes are as certain together as the least certain of them is. */
static void doubt_together(struct cost *k)
{
	struct jfrec_cost_change *all = &k->together;

	for (size_t i = 0; i < k->scenario_count; i++) {
		const struct jfrec_cost_change *c = k->scenarios[i].told;

		if (c == all || c->certainty <= all->certainty)
			continue;
		all->certainty = c->certainty;
		all->why = c->why;
	}
}

/* What an hour has, of which so many bytes grow. */
static double hour_bytes(const struct model *m, double over_time, double each)
{
	double an_hour = m->hours > 0 ? over_time / m->hours : 0;

	return an_hour + each * chunks_for(m, an_hour, each);
}

static void finish_change(const struct cost *k, const struct model *m, const struct scenario *s)
{
	struct jfrec_cost_change *c = s->told;
	double over_time = m->over_time - s->over_time, per_chunk = m->per_chunk - s->per_chunk;
	double each = per_chunk / (double)k->told.chunks, saved = s->over_time + s->per_chunk;
	double less = saved, hour;

	if (c->certainty == JFREC_COST_UNKNOWN) {
		c->events_saved = 0;
		return;
	}
	c->sizes = k->told.sizes;
	c->per_hour = k->told.per_hour;
	c->bytes_saved = saved;
	if (saved == 0)
		return;
	if (k->told.by_size)
		less = (double)k->told.bytes - over_time - each * chunks_for(m, over_time, each);
	hour = c->per_hour.raw - hour_bytes(m, over_time, each);
	sizes_add(&c->sizes, corrected(m, s->saved), -less / saved);
	sizes_add(&c->per_hour, corrected(m, s->saved), -hour / saved);
}

/* An offer that saves nothing, or hardly more than a milder one of the same event. */
static bool is_pointless(const struct cost *k, size_t i)
{
	const struct scenario *s = &k->scenarios[i];

	if (!s->is_offer)
		return false;
	if (s->told->bytes_saved <= 0)
		return true;
	for (size_t j = i; j-- && k->scenarios[j].row == s->row;) {
		if (k->scenarios[j].told->bytes_saved >= HARDLY * s->told->bytes_saved)
			return true;
	}
	return false;
}

static int by_saving(const void *a, const void *b)
{
	const struct jfrec_cost_change *x = a, *y = b;

	return x->per_hour.raw > y->per_hour.raw ? 1 : -(x->per_hour.raw < y->per_hour.raw);
}

static int finish_changes(struct cost *k, const struct model *m)
{
	k->changes = calloc(k->scenario_count + 1, sizeof(*k->changes));
	if (!k->changes)
		return jfrec_fail_memory(k->err);
	doubt_together(k);
	for (size_t i = 0; i < k->scenario_count; i++) {
		const struct scenario *s = &k->scenarios[i];

		finish_change(k, m, s);
		if (s->told == &k->together)
			k->told.together = &k->together;
		else if (!is_pointless(k, i))
			k->changes[k->change_count++] = *s->told;
	}
	if (k->offers)
		qsort(k->changes, k->change_count, sizeof(*k->changes), by_saving);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

/* What is left when all types are taken off, and the sum of an hour. */
static void finish_chunks(struct cost *k, const struct model *m)
{
	struct jfrec_cost *told = &k->told;
	struct jfrec_sizes rest = squeeze_sizes(&k->constants, (double)told->spare_bytes);

	sizes_add(&rest, squeeze_sizes(&k->metadata, (double)told->metadata_bytes), 1);
	rest.raw = (double)told->bytes;
	for (size_t i = 0; i < k->row_count; i++)
		rest.raw -= k->types[i].sizes.raw;
	sizes_add(&told->each_chunk, corrected(m, rest), 1 / (double)told->chunks);
	sizes_add(&told->per_hour, told->each_chunk, told->chunks_per_hour);
	for (size_t i = 0; i < k->row_count; i++)
		sizes_add(&told->per_hour, k->types[i].per_hour, 1);
}

int cost_finish(struct cost *k)
{
	struct model m = make_model(k);
	double an_hour = m.hours > 0 ? m.over_time / m.hours : 0;

	if (measure_whole(k) < 0)
		return -1;
	compare_samples(k, &m);
	k->told.chunks_per_hour = chunks_for(&m, an_hour, m.per_chunk / (double)k->told.chunks);
	active_finish(&k->active);
	k->told.active = &k->active.told;
	if (finish_types(k, &m) < 0)
		return -1;
	finish_chunks(k, &m);
	return finish_changes(k, &m);
}
