/* SPDX-License-Identifier: MIT */
/*
 * cost_scenario.c - compute the size of a chunk without the events that changes drop
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/near.h"
#include "cost/cost.h"

/* More is not readable, and no recording of a JVM has this many types. */
#define MAX_OFFERS 10000

/* Lists ---------------------------------------------------------------------------------------- */

int cost_add_scenario(struct cost *k, const struct scenario *s)
{
	if (!array_push(k->scenarios, k->scenario_count, k->scenario_room, *s))
		return jfrec_fail_memory(k->err);
	return 0;
}

/* Add a scenario of one change. */
static int add_change(struct cost *k, const char *text, bool is_offer, size_t row)
{
	struct scenario s = { .count = 1, .is_offer = is_offer, .row = row };

	s.changes = calloc(1, sizeof(*s.changes));
	if (s.changes)
		s.changes[0] = calloc(1, sizeof(**s.changes));
	if (!s.changes || !s.changes[0]) {
		jfrec_fail_memory(k->err);
	} else if (change_init(s.changes[0], text, k->err) == 0) {
		s.told = &s.changes[0]->told;
		if (cost_add_scenario(k, &s) == 0)
			return 0;
		change_fini(s.changes[0]);
	}
	free(s.changes ? s.changes[0] : NULL);
	free(s.changes);
	return -1;
}

/* All changes as one scenario. */
static int add_together(struct cost *k)
{
	struct scenario s = { .count = k->scenario_count, .told = &k->together };

	s.changes = calloc(s.count, sizeof(*s.changes));
	if (!s.changes)
		return jfrec_fail_memory(k->err);
	for (size_t i = 0; i < s.count; i++)
		s.changes[i] = k->scenarios[i].changes[0];
	if (cost_add_scenario(k, &s) == 0)
		return 0;
	free(s.changes);
	return -1;
}

int cost_add_changes(struct cost *k, const char *const *changes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (add_change(k, changes[i], false, 0) < 0)
			return -1;
	}
	return count > 1 ? add_together(k) : 0;
}

void cost_free_scenarios(struct cost *k)
{
	for (size_t i = 0; i < k->scenario_count; i++) {
		struct scenario *s = &k->scenarios[i];

		if (s->told != &k->together) {
			change_fini(s->changes[0]);
			free(s->changes[0]);
		}
		free(s->changes);
	}
	free(k->scenarios);
}

/* Offers --------------------------------------------------------------------------------------- */

static const struct {
	int64_t ns;
	const char *text;
} steps[] = {
	{ 1000000, "1 ms" },	 { 10000000, "10 ms" },	  { 20000000, "20 ms" },
	{ 50000000, "50 ms" },	 { 100000000, "100 ms" }, { 200000000, "200 ms" },
	{ 500000000, "500 ms" }, { 1000000000, "1 s" },	  { 5000000000, "5 s" },
	{ 10000000000, "10 s" }, { 60000000000, "60 s" }, { 600000000000, "10 m" },
};

#define STEP_COUNT (sizeof(steps) / sizeof(*steps))

static int offer(struct cost *k, size_t row, const char *setting, const char *value)
{
	char *text;
	int ret;

	if (k->scenario_count >= MAX_OFFERS)
		return 0;
	if (asprintf(&text, "%s#%s=%s", k->rows[row].name, setting, value) < 0)
		return jfrec_fail_memory(k->err);
	ret = add_change(k, text, true, row);
	free(text);
	return ret;
}

/* The next `count` steps from `factor` times the value on. */
static int offer_steps(struct cost *k, size_t row, const char *setting, int64_t ns, int64_t factor,
		       unsigned count)
{
	for (size_t i = 0; i < STEP_COUNT && count; i++) {
		if (steps[i].ns / factor < ns || steps[i].ns == ns)
			continue;
		if (offer(k, row, setting, steps[i].text) < 0)
			return -1;
		count--;
	}
	return 0;
}

int cost_add_offers(struct cost *k, size_t row, const struct jfrec_type *t)
{
	const struct active *a = &k->active;
	const char *threshold = active_value(a, t->name, "threshold");
	const char *period = active_value(a, t->name, "period");
	const char *stacks = active_value(a, t->name, "stackTrace");
	const char *enabled = active_value(a, t->name, "enabled");
	struct period p;
	int64_t ns;

	if (k->rows[row].has_offers)
		return 0;
	k->rows[row].has_offers = true;
	if (threshold && setting_span(threshold, &ns) &&
	    offer_steps(k, row, "threshold", ns, 2, 2) < 0)
		return -1;
	if (period && setting_period(period, &p) && p.ns &&
	    offer_steps(k, row, "period", p.ns, 5, 1) < 0)
		return -1;
	if (stacks && strcmp(stacks, "true") == 0 && offer(k, row, "stackTrace", "false") < 0)
		return -1;
	return enabled && strcmp(enabled, "true") == 0 ? offer(k, row, "enabled", "false") : 0;
}

/* Effects -------------------------------------------------------------------------------------- */

static uint16_t stack_step(const struct jfrec_type *t)
{
	for (unsigned i = 0; i < t->field_count && !plan_of(t)->fault; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (f->constant && !f->array && strcmp(f->name, "stackTrace") == 0)
			return plan_of(t)->first_step[i];
	}
	return PLAN_NO_STEP;
}

/* What is lost of a slice. */
struct loss_of {
	double events, bytes;
};

/* Mark what an event needs without its stack trace; returns how many bytes it gets shorter. */
static unsigned mark_without_stack(struct cost *k, const struct jfrec_type *t,
				   const struct raw_event *e, uint16_t step)
{
	uint64_t *slots = k->event.slots;
	unsigned saved = 0;

	if (!chunk_decode(k->chunk, t, e, slots))
		return 0;
	if (step != PLAN_NO_STEP) {
		saved = varint_size(slots[step]) - 1;
		slots[step] = 0; /* no stack trace */
	}
	marks_event(&k->needs.marks, t, slots, e->start + e->size);
	return saved;
}

static bool stays(struct cost *k, const struct jfrec_type *t, const struct raw_event *e,
		  const struct effect *effect, struct effect_state *state)
{
	const struct clock *clock = &k->chunk->clock;
	struct ticks ticks;

	if (effect->drops_all || !event_ticks(k->chunk, t, e, k->event.slots, &ticks))
		return !effect->drops_all;
	return effect_keeps(effect, state, clock_time_ns(clock, ticks.start),
			    clock_span_ns(clock, long_subtract(ticks.end, ticks.start)));
}

/* Mark what those events of a slice need that stay. */
static struct loss_of mark_rest(struct cost *k, const struct slice *s, const struct effect *effect)
{
	const struct jfrec_type *t = &k->chunk->metadata->types[k->rows[s->row].type];
	struct effect_state state = { .origin_ns = k->rows[s->row].origin_ns };
	uint16_t step = stack_step(t);
	struct loss_of lost = { 0 };
	struct raw_event e;

	for (size_t i = 0; slice_next(k, s, &i, &e);) {
		if (!stays(k, t, &e, effect, &state)) {
			lost.events++;
			lost.bytes += (double)e.size;
		} else if (effect->drops_stacks) {
			lost.bytes += mark_without_stack(k, t, &e, step);
		} else {
			needs_event(&k->needs, t, &e, k->event.slots);
		}
	}
	idmap_fini(&state.windows);
	lost.events += ((double)s->count - lost.events) * (1 - effect->times);
	lost.bytes += ((double)s->bytes - lost.bytes) * (1 - effect->times);
	return lost;
}

/* Scenarios ------------------------------------------------------------------------------------ */

/* A scenario on the chunk at hand, and the types of the chunk that it touches. */
struct trial {
	struct cost *cost;
	struct scenario *scenario;
	const struct slice **slices;
	struct effect *effects;
	size_t count;
	bool over_time; /* one of them is not made once a chunk */
};

/* Apply the changes that are for a type. Returns whether there is one. */
static bool apply(struct trial *try, const struct jfrec_type *t, double rush, struct effect *effect)
{
	const struct cost *k = try->cost;
	int64_t duration = k->chunk->extent.header.duration_ns;
	struct seen seen = { &k->active, t, duration > 0 ? duration : 1, rush };
	bool any = false;

	*effect = EFFECT_NONE;
	for (size_t i = 0; i < try->scenario->count; i++) {
		struct change *c = try->scenario->changes[i];

		if (!change_is_for(c, t))
			continue;
		c->found_event = true;
		if (!type_has_setting(t, c->told.setting))
			continue;
		c->found_setting = any = true;
		change_apply(c, &seen, effect);
	}
	return any;
}

static void touch(struct trial *try, uint32_t type)
{
	struct cost *k = try->cost;
	struct slice *s = &k->slices[type];
	const struct jfrec_type *t = &k->chunk->metadata->types[type];
	struct effect effect;

	if (!apply(try, t, s->count ? k->rows[s->row].rush : 0, &effect) || !s->count)
		return;
	try->slices[try->count] = s;
	try->effects[try->count++] = effect;
	try->over_time |= !k->rows[s->row].told.once_a_chunk;
	cost_mark(k, s);
	needs_add_to_group(&k->needs);
}

static void note_loss(struct trial *try, const struct slice *s, struct loss_of lost)
{
	struct scenario *scenario = try->scenario;
	const struct cost_row *row = &try->cost->rows[s->row];

	scenario->told->events += s->count;
	scenario->told->event_bytes += (double)s->bytes;
	scenario->told->events_saved += lost.events;
	*(row->told.once_a_chunk ? &scenario->per_chunk : &scenario->over_time) += lost.bytes;
	sizes_add(&scenario->saved, cost_sizes(try->cost, row, lost.bytes), 1);
}

static void note_lost_constants(struct trial *try, double bytes)
{
	struct scenario *scenario = try->scenario;

	*(try->over_time ? &scenario->over_time : &scenario->per_chunk) += bytes;
	sizes_add(&scenario->saved, squeeze_sizes(&try->cost->constants, bytes), 1);
}

static void run_trial(struct trial *try)
{
	struct cost *k = try->cost;
	uint64_t group = k->needs.only_inside;

	needs_clear(&k->needs);
	for (size_t i = 0; i < try->count; i++)
		note_loss(try, try->slices[i], mark_rest(k, try->slices[i], &try->effects[i]));
	needs_spread(&k->needs);
	try->scenario->told->event_bytes += (double)group;
	note_lost_constants(try, (double)(group - needs_left_of_group(&k->needs)));
}

static int try_scenario(struct cost *k, struct scenario *s)
{
	uint32_t types = k->chunk->metadata->type_count;
	size_t room = s->is_offer ? 1 : (size_t)types + 1;
	struct trial try = {
		.cost = k,
		.scenario = s,
		.slices = calloc(room, sizeof(*try.slices)),
		.effects = calloc(room, sizeof(*try.effects)),
	};
	bool failed;

	if (try.slices && try.effects) {
		needs_begin_group(&k->needs);
		for (uint32_t i = 0; !s->is_offer && i < types; i++)
			touch(&try, i);
		if (s->is_offer && cost_slice(k, s->row))
			touch(&try, k->rows[s->row].type);
		if (try.count)
			run_trial(&try);
	}
	failed = !try.slices || !try.effects || k->needs.marks.failed;
	free(try.slices);
	free(try.effects);
	return failed ? jfrec_fail_memory(k->err) : 0;
}

int cost_try_scenarios(struct cost *k)
{
	for (size_t i = 0; i < k->scenario_count; i++) {
		if (source_check_stop(k->source, k->err) < 0 ||
		    try_scenario(k, &k->scenarios[i]) < 0)
			return -1;
	}
	return 0;
}

/* Changes that cannot be ----------------------------------------------------------------------- */

static int fail_event(struct cost *k, const struct change *c)
{
	const struct metadata *m = source_recording(k->source)->metadata; /* the last chunk's */
	struct near near = { .name = c->told.event };
	char list[NEAR_LIST_MAX];

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (m->types[i].is_event)
			near_offer(&near, m->types[i].name);
	}
	return jfrec_fail(k->err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "the recording declares no event %.100s%s", c->told.event,
			  near_list(&near, list));
}

int cost_check_changes(struct cost *k)
{
	for (size_t i = 0; i < k->scenario_count; i++) {
		const struct change *c = k->scenarios[i].changes[0];

		if (k->scenarios[i].is_offer || c->found_setting)
			continue;
		if (!c->found_event)
			return fail_event(k, c);
		return jfrec_fail(k->err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "%.100s has no setting %.60s", c->told.event, c->told.setting);
	}
	return 0;
}
