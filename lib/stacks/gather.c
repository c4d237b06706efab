/* SPDX-License-Identifier: MIT */
/*
 * gather.c - the events of one chunk, added up by stack, thread and class
 */
#include "stacks/gather_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/slot.h"

struct gather *gather_new(const struct gathering *gathering, const struct chunk *c,
			  struct book *book)
{
	struct gather *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->gathering = gathering;
	g->chunk = c;
	traces_init(&g->traces, c, book, &gathering->naming);
	g->traces.with_lines = gathering->with_lines;
	g->traces.with_bci = gathering->with_bci;
	if ((gathering->with_markers && marking_init(&g->marking, &g->traces) < 0) ||
	    takers_find(g) < 0) {
		gather_free(g);
		return NULL;
	}
	return g;
}

void gather_free(struct gather *g)
{
	if (!g)
		return;
	marking_fini(&g->marking);
	traces_fini(&g->traces);
	periods_fini(&g->periods);
	idmap_fini(&g->states);
	free(g->takers);
	free(g->others);
	free(g->uses);
	free(g->rows);
	sample_list_fini(&g->moments);
	free(g->units);
	free(g->has_unit);
	idmap_fini(&g->virtual);
	idmap_fini(&g->ends);
	free(g->table);
	times_fini(&g->times);
	block_list_fini(&g->blocks);
	first_samples_fini(&g->firsts);
	free(g);
}

struct type_set gather_types(const struct gather *g)
{
	const struct metadata *m = g->chunk->metadata;
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (g->uses[i].is_needed)
			type_set_add(&set, m->types[i].id);
	}
	return set;
}

bool gather_turn_to(struct gather *g, uint32_t kind)
{
	bool has_taker = false;

	for (uint32_t i = 0; i < g->chunk->metadata->type_count; i++)
		g->uses[i].first_taker = UINT32_MAX;
	for (uint32_t i = 0; i < g->taker_count; i++) {
		struct taker *k = &g->takers[i];

		if (k->kind != kind)
			continue;
		k->next = g->uses[k->type->index].first_taker;
		g->uses[k->type->index].first_taker = i;
		has_taker = true;
	}
	/* What the first walk adds up must not be added up twice. */
	if (has_taker && g->has_turned) {
		g->lost_type = g->loss_type = NULL;
		g->periods.type = NULL;
	}
	g->has_turned |= has_taker;
	takers_find_uses(g);
	return has_taker;
}

bool gather_has_samples(const struct gather *g)
{
	uint64_t samples = 0;

	/* As a tree adds them up: hostile counts may come to nothing. */
	for (uint32_t i = 0; i < g->row_count; i++)
		samples += g->rows[i].weight.samples;
	return samples;
}

void gather_by_label(struct gather *g, const struct chunk_source *source)
{
	g->source = source;
}

/* Rows ----------------------------------------------------------------------------------------- */

static uint64_t hash(const struct row_key *k)
{
	uint64_t h = k->stack * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 29 ^ k->thread) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 32 ^ k->leaf) * 0x94d049bb133111ebu;
	/* Its upper half is the label: all of it has to count in the lower bits. */
	h ^= k->what * 0x9e3779b97f4a7c15u;
	return h ^ h >> 31;
}

static bool is_same(const struct row_key *a, const struct row_key *b)
{
	return a->stack == b->stack && a->thread == b->thread && a->leaf == b->leaf &&
	       a->what == b->what;
}

/* Where the row of that key is, or would be. */
static uint32_t *place_of(struct gather *g, const struct row_key *key)
{
	uint32_t i = (uint32_t)hash(key) & g->table_mask;

	while (g->table[i] && !is_same(&g->rows[g->table[i] - 1].key, key))
		i = (i + 1) & g->table_mask;
	return &g->table[i];
}

static int grow_table(struct gather *g)
{
	uint32_t size = g->table ? (g->table_mask + 1) * 2 : 1024;
	uint32_t *table = size ? calloc(size, sizeof(*table)) : NULL;

	if (!table)
		return -1;
	free(g->table);
	g->table = table;
	g->table_mask = size - 1;
	for (uint32_t i = 0; i < g->row_count; i++)
		*place_of(g, &g->rows[i].key) = i + 1;
	return 0;
}

/* The number of the row of that key; NODE_NONE when memory is gone. */
static __attribute__((noinline)) uint32_t find_row(struct gather *g, const struct row_key *key)
{
	uint32_t *place;

	if ((!g->table || g->row_count * 2 > g->table_mask) && grow_table(g) < 0)
		return NODE_NONE;
	place = place_of(g, key);
	if (!*place) {
		if (!array_push(g->rows, g->row_count, g->row_room, (struct row){ *key, { 0 } }))
			return NODE_NONE;
		*place = g->row_count;
	}
	return *place - 1;
}

/* The same: most events of a type are of the row of the one before. */
static inline uint32_t row_of(struct gather *g, struct taker *k, const struct row_key *key)
{
	uint32_t row;

	if (k->last_row && is_same(&g->rows[k->last_row - 1].key, key))
		return k->last_row - 1;
	row = find_row(g, key);
	k->last_row = row + 1;
	return row;
}

/* In ticks: the event has no time. */
#define NO_TIME INT64_MIN

static int add_moment(struct gather *g, uint32_t row, struct weight w, int64_t at)
{
	struct sample m = { at == NO_TIME ? g->chunk->clock.start_ticks : at, w, row };

	return sample_list_add(&g->moments, m);
}

static int add_time(struct gather *g, const struct taker *k, uint32_t row, struct weight w,
		    int64_t at)
{
	if (at == NO_TIME)
		return 0;
	return times_add(&g->times, clock_time_ns(&g->chunk->clock, at), row,
			 k->weighs_samples ? (int64_t)w.samples : w.value);
}

/* Events --------------------------------------------------------------------------------------- */

/* Does the list of beginnings, separated by commas, have one of the state's name? */
static bool is_listed(const char *list, const char *state, bool needs_prefix)
{
	static const char prefix[] = "STATE_";

	if (strncmp(state, prefix, sizeof(prefix) - 1) == 0)
		state += sizeof(prefix) - 1;
	else if (needs_prefix)
		return false;
	for (const char *at = list; at && *at;) {
		size_t len = strcspn(at, ",");

		if (len && strncmp(at, state, len) == 0)
			return true;
		at += len + (at[len] == ',');
	}
	return false;
}

static bool state_fits(struct gather *g, const struct taker *k, uint64_t key)
{
	const struct object state = object_constant(&g->traces.objects, k->state_type, key);
	const char *name = object_text(&g->traces.objects, state, "name", NULL);
	bool fits = false;

	if (name && (k->source->states == STATE_NAMED || asks_for_states(g->gathering)))
		fits = is_listed(g->gathering->states, name, g->gathering->naming.is_jfrconv);
	if (name && (k->source->states == STATE_CPU || k->source->states == STATE_WALL))
		fits = (fits || !asks_for_states(g->gathering)) &&
		       (strcmp(name, "STATE_DEFAULT") == 0) == (k->source->states == STATE_CPU);
	arena_recycle(&g->traces.objects.scratch);
	return fits;
}

/* A sample without a state, such as jdk.CPUTimeSample, has none of those that are asked for. */
static bool has_state(struct gather *g, const struct taker *k, const uint64_t *slots)
{
	uint32_t *place;
	uint64_t key;

	if (k->source->states == STATE_ANY && !asks_for_states(g->gathering))
		return true;
	if (k->state == NO_STEP)
		return false;
	/* Few states, few takers: one map, keyed by both. */
	key = slots[k->state] * 64 + (uint64_t)(k - g->takers) % 64;
	if (g->last_state.is_known && g->last_state.key == key)
		return g->last_state.fits;
	place = idmap_put(&g->states, key, 2);
	if (!place)
		return false;
	if (*place == 2)
		*place = state_fits(g, k, slots[k->state]);
	g->last_state.key = key;
	g->last_state.is_known = true;
	g->last_state.fits = *place;
	return *place;
}

static bool is_virtual(struct gather *g, const struct taker *k, uint64_t thread)
{
	uint32_t *place = idmap_put(&g->virtual, thread, 2);

	if (!place)
		return false;
	if (*place == 2) {
		*place = object_number(object_constant(&g->traces.objects, k->thread_type, thread),
				       "virtual", 0) != 0;
		arena_recycle(&g->traces.objects.scratch);
	}
	return *place;
}

/* Is it a sample of such threads as are asked for? */
static bool has_thread(struct gather *g, const struct taker *k, const uint64_t *slots)
{
	if (g->gathering->threads == JFREC_STACK_ALL_THREADS)
		return true;
	if (k->thread == NO_STEP)
		return false;
	return is_virtual(g, k, slots[k->thread]) ==
	       (g->gathering->threads == JFREC_STACK_VIRTUAL_THREADS);
}

static int64_t value_of(const struct taker *k, const uint64_t *slots)
{
	int64_t value = k->value != NO_STEP ? (int64_t)slots[k->value] : 0;

	return value || k->instead == NO_STEP ? value : (int64_t)slots[k->instead];
}

/* A value as often as the event says that it stands for. */
static int64_t multiplied(const struct taker *k, const uint64_t *slots, int64_t value)
{
	uint64_t slot = slots[k->factor];
	double factor = (double)(int64_t)slot;

	if (k->factor_field->type->wire == WIRE_DOUBLE)
		factor = slot_double(slot);
	if (k->factor_field->type->wire == WIRE_FLOAT)
		factor = (double)slot_float(slot);
	/* What is not a number has no weight. */
	return factor > 0 ? double_to_long((double)value * factor + 0.5) : 0;
}

/*
 * jfrconv adds up ticks and converts the sums. We convert each event, as it is printed, so that
 * sums do not depend on how stacks are told apart.
 */
static int64_t event_value(const struct gather *g, const struct taker *k, const uint64_t *slots)
{
	int64_t value = value_of(k, slots);

	if (k->is_duration)
		value = clock_span_ns(&g->chunk->clock, value);
	else if (k->timespan && !g->gathering->naming.is_jfrconv)
		value = periods_span_ns(&g->chunk->clock, k->timespan, value);
	return k->factor != NO_STEP ? multiplied(k, slots, value) : value;
}

/* A bound in ticks of the chunk, as jfrconv works it out. */
static int64_t bound_ticks(const struct chunk_header *h, int64_t ns)
{
	double rate = (double)h->ticks_per_second / 1e9;

	return long_add(double_to_long((double)long_subtract(ns, h->start_ns) * rate),
			h->start_ticks);
}

/* jfrconv looks at when events begin; both bounds are part of the time. */
static bool begins_in_time(const struct gather *g, const struct taker *k, const uint64_t *slots)
{
	const struct chunk_header *h = &g->chunk->extent.header;
	int64_t at = k->time != NO_STEP ? (int64_t)slots[k->time] : 0;

	return (!g->gathering->from_ns || at >= bound_ticks(h, *g->gathering->from_ns)) &&
	       (!g->gathering->to_ns || at <= bound_ticks(h, *g->gathering->to_ns));
}

static bool is_within(const struct gather *g, const struct taker *k, const uint64_t *slots)
{
	const struct chunk_header *h = &g->chunk->extent.header;

	return k->thread != NO_STEP && k->time != NO_STEP &&
	       within_has(g->gathering->within, (int32_t)slots[k->thread],
			  within_time_ns(h, (int64_t)slots[k->time]));
}

/* A call of malloc or free: what it weighs is known at the end. row: NODE_NONE for free. */
static int take_call(struct gather *g, const struct taker *k, uint32_t row, const uint64_t *slots)
{
	struct block b = {
		.address = k->address != NO_STEP ? slots[k->address] : 0,
		.size = value_of(k, slots),
		.at = k->time != NO_STEP ? (int64_t)slots[k->time] : 0,
		.stack = (int32_t)slots[k->stack],
		.thread = k->thread != NO_STEP ? (int32_t)slots[k->thread] : 0,
		.row = row,
	};

	b.is_live = row != NODE_NONE && b.size > 0;
	b.at_ns = clock_time_ns(&g->chunk->clock, b.at);
	if (!g->gathering->naming.is_jfrconv)
		b.at = b.at_ns;
	return block_list_add(&g->blocks, b);
}

static int take_leak(struct gather *g, struct taker *k, const struct row_key *key,
		     const uint64_t *slots)
{
	uint32_t row = NODE_NONE;

	if (!k->source->frees && (row = row_of(g, k, key)) == NODE_NONE)
		return -1;
	return take_call(g, k, row, slots);
}

/* Add what a sample weighs to its row, at its time. */
static int weigh(struct gather *g, const struct taker *k, uint32_t row, int64_t at, struct weight w)
{
	if (g->gathering->packs_times && add_time(g, k, row, w, at) < 0)
		return -1;
	return g->gathering->with_times ? add_moment(g, row, w, at) : 0;
}

/* A sample whose row has been given all but its value. */
static int take_allocation(struct gather *g, const struct taker *k, uint32_t row, int64_t weight,
			   const uint64_t *slots)
{
	struct first_sample one = {
		.thread = slots[k->thread],
		.at = (int64_t)slots[k->time],
		.weight = weight,
		.place = row,
		.is_virtual = is_virtual(g, k, slots[k->thread]),
	};
	bool has_displaced;
	int kept = first_samples_offer(&g->firsts, &one, &has_displaced);

	if (kept < 0 || (kept > 0 && !has_displaced))
		return kept < 0 ? -1 : 0;
	weight_add(&g->rows[one.place].weight, (struct weight){ 0, one.weight });
	return weigh(g, k, one.place, one.at, (struct weight){ 1, one.weight });
}

/* The name of a class as a frame, + 1; 0: there is none. */
static uint64_t text_leaf(struct gather *g, const struct taker *k, const uint64_t *slots)
{
	struct objects *o = &g->traces.objects;
	const char *name = object_text(o, (struct object){ k->type, slots }, k->source->leaf, NULL);
	uint32_t frame = name ? traces_text_frame(&g->traces, name, FRAME_CLASS) : FRAME_NONE;

	arena_recycle(&o->scratch);
	return frame == FRAME_NONE ? 0 : (uint64_t)frame + 1;
}

/* Is it one of those events of the source that are asked for? */
static bool is_wanted(struct gather *g, const struct taker *k, const uint64_t *slots)
{
	return has_state(g, k, slots) && has_thread(g, k, slots) &&
	       ((!g->gathering->from_ns && !g->gathering->to_ns) || begins_in_time(g, k, slots)) &&
	       (!g->gathering->within || is_within(g, k, slots));
}

static struct row_key key_of(struct gather *g, const struct taker *k, const uint64_t *slots)
{
	struct row_key key = { .stack = slots[k->stack] };
	uint64_t what = (uint64_t)k->number << ROW_TAKER_SHIFT;

	if (k->key_thread != NO_STEP)
		key.thread = slots[k->key_thread];
	if (k->leaf != NO_STEP)
		key.leaf = k->leaf_is_text ? text_leaf(g, k, slots) : slots[k->leaf];
	if (k->failed != NO_STEP && slots[k->failed])
		what |= ROW_IS_FAILED;
	if (k->tells_outside && (k->value == NO_STEP || !slots[k->value]))
		what |= ROW_IS_OUTSIDE;
	if (g->source)
		what |= (uint64_t)(source_label(g->source) + 1) << ROW_LABEL_SHIFT;
	key.what = what;
	return key;
}

static int take(struct gather *g, struct taker *k, const uint64_t *slots)
{
	struct weight w = { 1, 0 };
	struct row_key key;
	uint32_t row;

	if (k->is_filtered && !is_wanted(g, k, slots))
		return 0;
	key = key_of(g, k, slots);
	if (k->is_leaks)
		return take_leak(g, k, &key, slots);
	w.value = event_value(g, k, slots);
	if (k->count != NO_STEP)
		w.samples = slots[k->count];
	row = row_of(g, k, &key);
	if (row == NODE_NONE)
		return -1;
	if (k->keeps_firsts) {
		g->rows[row].weight.samples += w.samples;
		return take_allocation(g, k, row, w.value, slots);
	}
	weight_add(&g->rows[row].weight, w);
	return weigh(g, k, row, k->time != NO_STEP ? (int64_t)slots[k->time] : NO_TIME, w);
}

static void add_data_loss(struct gather *g, const uint64_t *slots)
{
	data_loss_add(&g->data_loss,
		      (struct data_loss){
			      .bytes = g->loss_bytes != NO_STEP ? slots[g->loss_bytes] : 0,
			      .most = g->loss_most != NO_STEP ? slots[g->loss_most] : 0,
		      });
}

/* What is not the takers': what was lost, settings, what lasts a while. */
static int add_special(struct gather *g, const struct jfrec_type *t, const uint64_t *slots)
{
	if (t == g->lost_type && g->lost != NO_STEP)
		g->lost_count += slots[g->lost];
	if (t == g->loss_type)
		add_data_loss(g, slots);
	if (periods_need(&g->periods, t) && periods_add(&g->periods, t, slots) < 0)
		return -1;
	return marking_needs(&g->marking, t) ? marking_add(&g->marking, t, slots) : 0;
}

int gather_add(struct gather *g, const struct jfrec_type *t, const uint64_t *slots)
{
	const struct type_use *use = &g->uses[t->index];

	if (use->is_special && add_special(g, t, slots) < 0)
		return -1;
	for (uint32_t i = use->first_taker; i != UINT32_MAX; i = g->takers[i].next) {
		if (take(g, &g->takers[i], slots) < 0)
			return -1;
	}
	return 0;
}
