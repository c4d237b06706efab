/* SPDX-License-Identifier: MIT */
/*
 * gather.c - the events of one chunk, added up by stack, thread and class
 */
#include "stacks/gather_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/content.h"
#include "format/slot.h"

/* Which fields of a type ----------------------------------------------------------------------- */

static uint16_t step_of(const struct jfrec_type *t, const char *name, bool is_constant,
			const struct jfrec_type **type)
{
	const struct jfrec_field *f = name ? object_field(t, name) : NULL;

	if (!f || f->constant != is_constant)
		return NO_STEP;
	if (!is_constant && (f->type->wire < WIRE_BOOLEAN || f->type->wire > WIRE_LONG))
		return NO_STEP;
	if (type)
		*type = f->type;
	return plan_of(t)->first_step[f->index];
}

/* A number, whole or not, that values are multiplied by. */
static void find_factor(struct taker *k)
{
	const struct jfrec_field *f = k->source->factor ? object_field(k->type, k->source->factor)
							: NULL;

	k->factor = NO_STEP;
	if (!f || f->constant || f->type->wire < WIRE_BOOLEAN || f->type->wire > WIRE_DOUBLE)
		return;
	k->factor = plan_of(k->type)->first_step[f->index];
	k->factor_field = f;
}

static void find_leaf(struct taker *k)
{
	const char *name = k->source->leaf ? k->source->leaf : k->source->group;
	const struct jfrec_field *f = name ? object_field(k->type, name) : NULL;

	k->leaf = step_of(k->type, name, true, &k->leaf_type);
	if (k->leaf != NO_STEP || !f || f->constant || f->type->wire != WIRE_STRING)
		return;
	k->leaf = plan_of(k->type)->first_step[f->index];
	k->leaf_is_text = true;
}

/* How many samples an event stands for: also of a type that the caller named. */
static const char *count_field(const struct stack_source *s, const struct jfrec_type *t)
{
	const struct equivalent *e = s->count ? NULL : equivalent_of(t->name);

	return e ? e->samples : s->count;
}

static struct taker taker_of(const struct stack_source *s, uint32_t kind,
			     const struct jfrec_type *t)
{
	bool is_span = s->value_from == VALUE_DURATION || s->value_from == VALUE_TICKS;
	const char *value = is_span ? "duration" : s->value_from == VALUE_FIELD ? s->value : NULL;
	struct taker k = { .source = s, .kind = kind, .type = t };

	k.stack = step_of(t, s->kept ? s->kept : "stackTrace", true, &k.stack_type);
	k.thread = step_of(t, s->thread, true, &k.thread_type);
	if (s->kept)
		k.leaf = step_of(t, "root", true, &k.root_type);
	else
		find_leaf(&k);
	find_factor(&k);
	k.count = step_of(t, count_field(s, t), false, NULL);
	k.value = step_of(t, value, false, NULL);
	k.instead = step_of(t, s->instead, false, NULL);
	k.state = step_of(t, "state", true, &k.state_type);
	k.failed = step_of(t, "failed", false, NULL);
	k.time = step_of(t, "startTime", false, NULL);
	k.address = step_of(t, "address", false, NULL);
	k.timespan = s->value_from == VALUE_FIELD && s->value ? object_field(t, s->value) : NULL;
	if (k.timespan && !k.timespan->timespan)
		k.timespan = NULL;
	return k;
}

static bool fits_producer(const struct gather *g, enum producer producer)
{
	return producer == BY_ANYONE ||
	       (producer == BY_ASYNC_PROFILER) == g->traces.is_async_profiler;
}

static int add_source(struct gather *g, const struct stack_source *s, uint32_t kind)
{
	struct metadata *m = g->chunk->metadata;

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];
		struct taker k;

		if (!t->is_event || !source_takes(s, t->name) || plan_of(t)->fault)
			continue;
		k = taker_of(s, kind, t);
		if (k.stack == NO_STEP)
			continue;
		k.next = g->first_taker[t->index];
		if (!array_push(g->takers, g->taker_count, g->taker_room, k))
			return -1;
		g->first_taker[t->index] = g->taker_count - 1;
	}
	return 0;
}

/* What other producers have for the profile, of types that the chunk declares. */
static int add_others(struct gather *g, uint32_t kind)
{
	const struct equivalent *e;
	struct stack_source *s;

	for (size_t i = 0; (e = equivalent_at(i)) != NULL; i++) {
		s = &g->others[g->other_count];
		if (!source_of_equivalent(g->gathering->kinds[kind], e, s))
			continue;
		g->other_count++;
		if (add_source(g, s, kind) < 0)
			return -1;
	}
	return 0;
}

/* Each row of the table is of one profile, and no profile is asked for twice. */
static int make_room_for_others(struct gather *g)
{
	size_t rows = 0;

	while (equivalent_at(rows))
		rows++;
	g->others = calloc(g->gathering->kind_count + 1, rows * sizeof(*g->others));
	return g->others ? 0 : -1;
}

static int add_sources(struct gather *g)
{
	if (make_room_for_others(g) < 0)
		return -1;
	for (uint32_t i = 0; i < g->gathering->kind_count; i++) {
		const struct profile_kind *kind = g->gathering->kinds[i];

		for (size_t j = 0; j < kind->source_count; j++) {
			const struct stack_source *s = &kind->sources[j];

			if (fits_producer(g, s->producer) && add_source(g, s, i) < 0)
				return -1;
		}
		if (add_others(g, i) < 0)
			return -1;
	}
	return 0;
}

static int find_units(struct gather *g)
{
	g->units = calloc(g->gathering->kind_count + 1, sizeof(*g->units));
	g->has_unit = calloc(g->gathering->kind_count + 1, sizeof(*g->has_unit));
	if (!g->units || !g->has_unit)
		return -1;
	for (uint32_t i = 0; i < g->gathering->kind_count; i++)
		g->units[i] = g->gathering->kinds[i]->unit;
	for (uint32_t i = 0; i < g->taker_count; i++) {
		const struct taker *k = &g->takers[i];
		const struct jfrec_field *f =
			object_field(k->type, k->source->value ? k->source->value : "");

		if (!g->gathering->kinds[k->kind]->has_unit_of_field || !f || g->has_unit[k->kind])
			continue;
		g->has_unit[k->kind] = true;
		g->units[k->kind] = f->timespan ? UNIT_NS
				    : content_of((enum jfrec_unit)f->unit)->is_amount
					    ? UNIT_BYTES
					    : UNIT_SAMPLES;
	}
	return 0;
}

static const struct jfrec_type *event_named(const struct gather *g, const char *name)
{
	const struct jfrec_type *t = metadata_jdk_type_named(g->chunk->metadata, name);

	return t && t->is_event && !plan_of(t)->fault ? t : NULL;
}

static void find_lost(struct gather *g)
{
	static const struct {
		const char *type, *field, *samples;
	} losses[] = {
		{ "jdk.CPUTimeSamplesLost", "lostSamples", "jdk.CPUTimeSample" },
		{ "jfrec.SamplesLost", "lost", "jdk.ExecutionSample" }, /* of native programs */
	};

	g->lost = NO_STEP;
	for (size_t i = 0; !g->lost_type && i < sizeof(losses) / sizeof(losses[0]); i++) {
		g->lost_type = event_named(g, losses[i].type);
		g->lost = g->lost_type ? step_of(g->lost_type, losses[i].field, false, NULL)
				       : NO_STEP;
		g->lost_samples = losses[i].samples;
	}
	g->loss_type = event_named(g, "jdk.DataLoss");
	g->loss_bytes = g->loss_type ? step_of(g->loss_type, "amount", false, NULL) : NO_STEP;
	g->loss_most = g->loss_type ? step_of(g->loss_type, "total", false, NULL) : NO_STEP;
}

static bool needs_periods(const struct gather *g)
{
	for (uint32_t i = 0; i < g->taker_count; i++) {
		if (g->takers[i].source->value_from == VALUE_PERIOD)
			return true;
	}
	return false;
}

struct gather *gather_new(const struct gathering *gathering, const struct chunk *c,
			  struct book *book)
{
	struct gather *g = calloc(1, sizeof(*g));
	uint32_t types = c->metadata->type_count;

	if (!g)
		return NULL;
	g->gathering = gathering;
	g->chunk = c;
	traces_init(&g->traces, c, book, &gathering->naming);
	g->traces.with_lines = gathering->with_lines;
	g->traces.with_bci = gathering->with_bci;
	g->first_taker = malloc((types + 1) * sizeof(*g->first_taker));
	if (g->first_taker)
		memset(g->first_taker, 0xff, (types + 1) * sizeof(*g->first_taker));
	if (!g->first_taker || add_sources(g) < 0 || find_units(g) < 0 ||
	    (gathering->with_markers && marking_init(&g->marking, &g->traces) < 0)) {
		gather_free(g);
		return NULL;
	}
	if (needs_periods(g))
		periods_init(&g->periods, c);
	find_lost(g);
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
	free(g->first_taker);
	free(g->rows);
	sample_list_fini(&g->moments);
	free(g->units);
	free(g->has_unit);
	idmap_fini(&g->virtual);
	free(g->table);
	times_fini(&g->times);
	block_list_fini(&g->blocks);
	first_samples_fini(&g->firsts);
	free(g);
}

bool gather_needs(const struct gather *g, const struct jfrec_type *t)
{
	return g->first_taker[t->index] != UINT32_MAX || t == g->lost_type || t == g->loss_type ||
	       periods_need(&g->periods, t) || marking_needs(&g->marking, t);
}

struct type_set gather_types(const struct gather *g)
{
	const struct metadata *m = g->chunk->metadata;
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (gather_needs(g, &m->types[i]))
			type_set_add(&set, m->types[i].id);
	}
	return set;
}

bool gather_is_setting(const struct gather *g, const struct jfrec_type *t)
{
	return periods_need(&g->periods, t) && g->first_taker[t->index] == UINT32_MAX;
}

bool gather_turn_to(struct gather *g, uint32_t kind)
{
	bool has_taker = false;

	memset(g->first_taker, 0xff,
	       (g->chunk->metadata->type_count + 1) * sizeof(*g->first_taker));
	for (uint32_t i = 0; i < g->taker_count; i++) {
		struct taker *k = &g->takers[i];

		if (k->kind != kind)
			continue;
		k->next = g->first_taker[k->type->index];
		g->first_taker[k->type->index] = i;
		has_taker = true;
	}
	/* What the first walk adds up must not be added up twice. */
	if (has_taker && g->has_turned) {
		g->lost_type = g->loss_type = NULL;
		g->periods.type = NULL;
	}
	g->has_turned |= has_taker;
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

/* Rows ----------------------------------------------------------------------------------------- */

static uint64_t hash(const struct row_key *k)
{
	uint64_t h = k->stack * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 29 ^ k->thread) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 32 ^ k->leaf) * 0x94d049bb133111ebu;
	return h ^ h >> 31 ^ (uint64_t)k->taker << 1 ^ k->is_failed ^
	       (uint64_t)k->is_outside << 32;
}

static bool is_same(const struct row_key *a, const struct row_key *b)
{
	return a->stack == b->stack && a->thread == b->thread && a->leaf == b->leaf &&
	       a->taker == b->taker && a->is_failed == b->is_failed &&
	       a->is_outside == b->is_outside;
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

/* The row of that key, with the weight added; NULL when memory is gone. */
static struct row *add_weight(struct gather *g, const struct row_key *key, struct weight w)
{
	uint32_t *place;

	if ((!g->table || g->row_count * 2 > g->table_mask) && grow_table(g) < 0)
		return NULL;
	place = place_of(g, key);
	if (*place) {
		weight_add(&g->rows[*place - 1].weight, w);
		return &g->rows[*place - 1];
	}
	if (!array_push(g->rows, g->row_count, g->row_room, (struct row){ *key, w }))
		return NULL;
	*place = g->row_count;
	return &g->rows[g->row_count - 1];
}

/* In ticks: the event has no time. */
#define NO_TIME INT64_MIN

static int add_moment(struct gather *g, uint32_t row, struct weight w, int64_t at)
{
	struct sample m = { at == NO_TIME ? g->chunk->clock.start_ticks : at, w, row };

	return sample_list_add(&g->moments, m);
}

/* Does only the number of samples say what they weigh? */
static bool weighs_samples(const struct gather *g, const struct taker *k)
{
	return g->gathering->counts || g->units[k->kind] == UNIT_SAMPLES ||
	       k->source->value_from == VALUE_PERIOD;
}

static int add_time(struct gather *g, const struct taker *k, uint32_t row, struct weight w,
		    int64_t at)
{
	if (at == NO_TIME)
		return 0;
	return times_add(&g->times, clock_time_ns(&g->chunk->clock, at), row,
			 weighs_samples(g, k) ? (int64_t)w.samples : w.value);
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

/* jfrconv knows states of samples only, as a profile of their own. */
static bool asks_for_states(const struct gather *g)
{
	return g->gathering->states && !g->gathering->naming.is_jfrconv;
}

static bool state_fits(struct gather *g, const struct taker *k, uint64_t key)
{
	const struct object state = object_constant(&g->traces.objects, k->state_type, key);
	const char *name = object_text(&g->traces.objects, state, "name", NULL);
	bool fits = false;

	if (name && (k->source->states == STATE_NAMED || asks_for_states(g)))
		fits = is_listed(g->gathering->states, name, g->gathering->naming.is_jfrconv);
	if (name && (k->source->states == STATE_CPU || k->source->states == STATE_WALL))
		fits = (fits || !asks_for_states(g)) &&
		       (strcmp(name, "STATE_DEFAULT") == 0) == (k->source->states == STATE_CPU);
	arena_recycle(&g->traces.objects.scratch);
	return fits;
}

/* A sample without a state, such as jdk.CPUTimeSample, has none of those that are asked for. */
static bool has_state(struct gather *g, uint32_t taker, const uint64_t *slots)
{
	const struct taker *k = &g->takers[taker];
	uint32_t *place;
	uint64_t key;

	if (k->source->states == STATE_ANY && !asks_for_states(g))
		return true;
	if (k->state == NO_STEP)
		return false;
	/* Few states, few takers: one map, keyed by both. */
	key = slots[k->state] * 64 + taker % 64;
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
static int64_t event_value(const struct gather *g, const struct taker *k, int64_t value)
{
	const struct jfrec_field *f = k->timespan;

	if (g->gathering->naming.is_jfrconv)
		return value;
	if (k->source->value_from == VALUE_DURATION)
		return clock_span_ns(&g->chunk->clock, value);
	return f ? periods_span_ns(&g->chunk->clock, f, value) : value;
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

/* A call of malloc or free: what it weighs is known at the end. row: NULL for free. */
static int take_call(struct gather *g, const struct taker *k, const struct row *row,
		     const uint64_t *slots)
{
	struct block b = {
		.address = k->address != NO_STEP ? slots[k->address] : 0,
		.size = value_of(k, slots),
		.at = k->time != NO_STEP ? (int64_t)slots[k->time] : 0,
		.stack = (int32_t)slots[k->stack],
		.thread = k->thread != NO_STEP ? (int32_t)slots[k->thread] : 0,
		.row = row ? (uint32_t)(row - g->rows) : NODE_NONE,
	};

	b.is_live = row && b.size > 0;
	b.at_ns = clock_time_ns(&g->chunk->clock, b.at);
	if (!g->gathering->naming.is_jfrconv)
		b.at = b.at_ns;
	return block_list_add(&g->blocks, b);
}

static int take_leak(struct gather *g, const struct taker *k, const struct row_key *key,
		     const uint64_t *slots)
{
	const struct row *r = NULL;

	if (!k->source->frees) {
		r = add_weight(g, key, (struct weight){ 0 });
		if (!r)
			return -1;
	}
	return take_call(g, k, r, slots);
}

/* Add what a sample weighs to its row, at its time. */
static int weigh(struct gather *g, const struct taker *k, uint32_t row, int64_t at, struct weight w)
{
	if (g->gathering->packs_times && add_time(g, k, row, w, at) < 0)
		return -1;
	return g->gathering->with_times ? add_moment(g, row, w, at) : 0;
}

/* jfrconv adds up weights as they are. */
static bool keeps_firsts(const struct gather *g, const struct taker *k)
{
	return k->source->first_is_heavy && k->thread != NO_STEP && k->time != NO_STEP &&
	       !g->gathering->naming.is_jfrconv;
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

static int take(struct gather *g, uint32_t taker, const uint64_t *slots)
{
	const struct taker *k = &g->takers[taker];
	struct row_key key = { .stack = slots[k->stack], .taker = taker };
	struct weight w = { 1, event_value(g, k, value_of(k, slots)) };
	bool is_apart = keeps_firsts(g, k);
	const struct row *r;

	if (!has_state(g, taker, slots) || !has_thread(g, k, slots))
		return 0;
	if ((g->gathering->from_ns || g->gathering->to_ns) && !begins_in_time(g, k, slots))
		return 0;
	if (g->gathering->within && !is_within(g, k, slots))
		return 0;
	if (g->gathering->with_threads && k->thread != NO_STEP)
		key.thread = slots[k->thread];
	if (k->factor != NO_STEP)
		w.value = multiplied(k, slots, w.value);
	if (k->leaf != NO_STEP)
		key.leaf = k->leaf_is_text ? text_leaf(g, k, slots) : slots[k->leaf];
	if (k->failed != NO_STEP)
		key.is_failed = slots[k->failed] != 0;
	if (k->count != NO_STEP)
		w.samples = slots[k->count];
	if (g->gathering->naming.is_jfrconv && k->instead != NO_STEP)
		key.is_outside = k->value == NO_STEP || !slots[k->value];
	if (g->gathering->kinds[k->kind]->is_leaks)
		return take_leak(g, k, &key, slots);
	r = add_weight(g, &key, is_apart ? (struct weight){ w.samples, 0 } : w);
	if (!r)
		return -1;
	if (is_apart)
		return take_allocation(g, k, (uint32_t)(r - g->rows), w.value, slots);
	return weigh(g, k, (uint32_t)(r - g->rows),
		     k->time != NO_STEP ? (int64_t)slots[k->time] : NO_TIME, w);
}

static void add_data_loss(struct gather *g, const uint64_t *slots)
{
	data_loss_add(&g->data_loss,
		      (struct data_loss){
			      .bytes = g->loss_bytes != NO_STEP ? slots[g->loss_bytes] : 0,
			      .most = g->loss_most != NO_STEP ? slots[g->loss_most] : 0,
		      });
}

int gather_add(struct gather *g, const struct jfrec_type *t, const uint64_t *slots)
{
	if (t == g->lost_type && g->lost != NO_STEP)
		g->lost_count += slots[g->lost];
	if (t == g->loss_type)
		add_data_loss(g, slots);
	if (periods_need(&g->periods, t) && periods_add(&g->periods, t, slots) < 0)
		return -1;
	if (marking_needs(&g->marking, t) && marking_add(&g->marking, t, slots) < 0)
		return -1;
	for (uint32_t i = g->first_taker[t->index]; i != UINT32_MAX; i = g->takers[i].next) {
		if (take(g, i, slots) < 0)
			return -1;
	}
	return 0;
}
