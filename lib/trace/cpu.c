/* SPDX-License-Identifier: MIT */
/*
 * cpu.c - the samples of a chunk that say that a thread ran
 *
 * They are those of the profile cpu: sources.h says which types these are, and what they weigh.
 */
#include "trace/cpu.h"

#include <string.h>

#include "format/slot.h"

static uint16_t slot_of(const struct jfrec_type *t, const char *name, bool is_constant)
{
	const struct jfrec_field *f = name ? object_field(t, name) : NULL;

	if (!f || f->constant != is_constant)
		return NO_SLOT;
	if (!is_constant && (f->type->wire < WIRE_BOOLEAN || f->type->wire > WIRE_LONG))
		return NO_SLOT;
	return plan_of(t)->first_step[f->index];
}

static bool find_source(const struct jfrec_type *t, bool is_async_profiler, struct stack_source *s)
{
	const struct profile_kind *cpu = profile_kind_named("cpu");
	enum producer producer = is_async_profiler ? BY_ASYNC_PROFILER : BY_JDK;
	const struct equivalent *e = equivalent_of(t->name);

	for (size_t i = 0; i < cpu->source_count; i++) {
		const struct stack_source *source = &cpu->sources[i];

		if (source_takes(source, t->name) &&
		    (source->producer == BY_ANYONE || source->producer == producer)) {
			*s = *source;
			return true;
		}
	}
	return e && source_of_equivalent(cpu, e, s);
}

bool cpu_type_of(const struct jfrec_type *t, bool is_async_profiler, struct cpu_type *c)
{
	const struct jfrec_field *stack = object_field(t, "stackTrace");
	const struct jfrec_field *state = object_field(t, "state");

	*c = (struct cpu_type){ 0 };
	if (!find_source(t, is_async_profiler, &c->source))
		return false;
	c->stack = slot_of(t, "stackTrace", true);
	c->stack_type = c->stack != NO_SLOT ? stack->type : NULL;
	c->state = slot_of(t, "state", true);
	c->state_type = c->state != NO_SLOT ? state->type : NULL;
	c->count = slot_of(t, c->source.count, false);
	c->factor = slot_of(t, c->source.factor, false);
	c->value = c->source.value_from == VALUE_FIELD ? slot_of(t, c->source.value, false)
						       : NO_SLOT;
	if (c->value != NO_SLOT)
		c->span = object_field(t, c->source.value);
	return true;
}

bool cpu_is_running(const struct cpu_type *c, struct objects *o, const uint64_t *slots)
{
	const char *name;

	if (c->source.states != STATE_CPU || c->state == NO_SLOT)
		return true;
	name = object_text(o, object_constant(o, c->state_type, slots[c->state]), "name", NULL);
	return name && strcmp(name, "STATE_DEFAULT") == 0;
}

uint64_t cpu_samples(const struct cpu_type *c, const uint64_t *slots)
{
	int64_t count = c->count == NO_SLOT ? 1 : (int64_t)slots[c->count];

	return count > 0 ? (uint64_t)count : 0;
}

int64_t cpu_value_ns(const struct cpu_type *c, const struct clock *clock, const uint64_t *slots)
{
	int64_t value, times = c->factor == NO_SLOT ? 1 : (int64_t)slots[c->factor];

	if (c->value == NO_SLOT)
		return -1;
	value = (int64_t)slots[c->value];
	if (c->span->timespan)
		value = span_in_ns(c->span, clock, value);
	return value > 0 && times > 0 ? scaled(value, times) : 0;
}

int64_t cpu_period_ns(const struct cpu_type *c, const struct periods *p, const struct jfrec_type *t,
		      uint64_t samples)
{
	if (c->source.value_from != VALUE_PERIOD)
		return 0;
	return periods_value(p, t, c->source.value, samples);
}
