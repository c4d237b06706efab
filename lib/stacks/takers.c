/* SPDX-License-Identifier: MIT */
/*
 * takers.c - which fields of which types of events are gathered
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/content.h"
#include "stacks/gather_parts.h"

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

static void find_ways(struct taker *k, const struct gathering *g)
{
	const struct stack_source *s = k->source;

	k->is_filtered = s->states != STATE_ANY || asks_for_states(g) ||
			 g->threads != JFREC_STACK_ALL_THREADS || g->from_ns || g->to_ns ||
			 g->within;
	/* jfrconv adds up weights as they are. */
	k->is_duration = s->value_from == VALUE_DURATION && !g->naming.is_jfrconv;
	k->is_leaks = g->kinds[k->kind]->is_leaks;
	k->tells_outside = g->naming.is_jfrconv && k->instead != NO_STEP;
	k->key_thread = g->with_threads ? k->thread : NO_STEP;
	k->keeps_firsts = s->first_is_heavy && k->thread != NO_STEP && k->time != NO_STEP &&
			  !g->naming.is_jfrconv;
}

static struct taker taker_of(const struct gathering *g, const struct stack_source *s, uint32_t kind,
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
	find_ways(&k, g);
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
		k = taker_of(g->gathering, s, kind, t);
		if (k.stack == NO_STEP)
			continue;
		k.number = g->taker_count;
		k.next = g->uses[t->index].first_taker;
		if (!array_push(g->takers, g->taker_count, g->taker_room, k))
			return -1;
		g->uses[t->index].first_taker = g->taker_count - 1;
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

/* Uses ----------------------------------------------------------------------------------------- */

static void look_at(uint16_t step, uint16_t *slots)
{
	if (step != NO_STEP && step >= *slots)
		*slots = step + 1;
}

static uint16_t slots_of_taker(const struct taker *k)
{
	const uint16_t steps[] = { k->stack, k->thread, k->leaf,   k->count, k->value,	k->instead,
				   k->factor, k->state, k->failed, k->time,  k->address };
	uint16_t slots = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		look_at(steps[i], &slots);
	return slots;
}

static struct type_use use_of(const struct gather *g, const struct jfrec_type *t)
{
	uint32_t first = g->uses[t->index].first_taker;
	bool is_lost = t == g->lost_type || t == g->loss_type;
	bool is_whole = periods_need(&g->periods, t) || marking_needs(&g->marking, t);
	struct type_use use = {
		.first_taker = first,
		.is_needed = first != UINT32_MAX || is_lost || is_whole,
		.is_setting = periods_need(&g->periods, t) && first == UINT32_MAX,
		.is_special = is_lost || is_whole,
	};

	if (t == g->lost_type)
		look_at(g->lost, &use.slots);
	if (t == g->loss_type) {
		look_at(g->loss_bytes, &use.slots);
		look_at(g->loss_most, &use.slots);
	}
	for (uint32_t i = first; i != UINT32_MAX; i = g->takers[i].next) {
		uint16_t slots = slots_of_taker(&g->takers[i]);

		use.slots = slots > use.slots ? slots : use.slots;
	}
	if (is_whole)
		use.slots = (uint16_t)plan_of(t)->step_count;
	return use;
}

void takers_find_uses(struct gather *g)
{
	const struct metadata *m = g->chunk->metadata;

	for (uint32_t i = 0; i < m->type_count; i++)
		g->uses[i] = use_of(g, &m->types[i]);
}

static bool needs_periods(const struct gather *g)
{
	for (uint32_t i = 0; i < g->taker_count; i++) {
		if (g->takers[i].source->value_from == VALUE_PERIOD)
			return true;
	}
	return false;
}

int takers_find(struct gather *g)
{
	uint32_t types = g->chunk->metadata->type_count;

	g->uses = calloc((size_t)types + 1, sizeof(*g->uses));
	for (uint32_t i = 0; g->uses && i < types; i++)
		g->uses[i].first_taker = UINT32_MAX;
	if (!g->uses || add_sources(g) < 0 || find_units(g) < 0)
		return -1;
	for (uint32_t i = 0; i < g->taker_count; i++) {
		struct taker *k = &g->takers[i];

		k->weighs_samples = g->gathering->counts || g->units[k->kind] == UNIT_SAMPLES ||
				    k->source->value_from == VALUE_PERIOD;
	}
	if (needs_periods(g))
		periods_init(&g->periods, g->chunk);
	find_lost(g);
	takers_find_uses(g);
	return 0;
}
