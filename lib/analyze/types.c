/* SPDX-License-Identifier: MIT */
/*
 * types.c - facts about event types: declared, enabled, thresholds, counts
 */
#include <stdlib.h>

#include "analyze/engine.h"
#include "base/array.h"
#include "base/timeparse.h"
#include "format/equivalents.h"

static const char *const setting_names[SETTING_COUNT] = {
	[SETTING_ENABLED] = "enabled",	   [SETTING_THRESHOLD] = "threshold",
	[SETTING_PERIOD] = "period",	   [SETTING_INTERVAL] = "interval",
	[SETTING_EVENT] = "event",
	[SETTING_THROTTLE] = "throttle",   [SETTING_STACK_TRACE] = "stackTrace",
	[SETTING_CUTOFF] = "cutoff",	   [SETTING_LEVEL] = "level",
};

struct type_fact *jvm_type(struct jvm *jvm, uint32_t name)
{
	uint32_t *place = idmap_put(&jvm->type_by_name, name, (uint32_t)jvm->type_count);

	if (!place)
		return NULL;
	if (*place < jvm->type_count)
		return &jvm->types[*place];
	if (!array_push(jvm->types, jvm->type_count, jvm->type_room,
			(struct type_fact){ .name = name }))
		return NULL;
	return &jvm->types[jvm->type_count - 1];
}

/* The run of equal values in which a time lies, or NULL. */
static struct setting_value *run_at(struct type_fact *t, unsigned setting, int64_t at_ns)
{
	struct setting_value *before = NULL;
	size_t newest = t->newest[setting];

	/* Most come in the order of their times. */
	if (newest && t->settings[newest - 1].from_ns <= at_ns)
		return &t->settings[newest - 1];
	for (size_t i = 0; i < t->setting_count; i++) {
		struct setting_value *v = &t->settings[i];

		if (v->setting == setting && v->from_ns <= at_ns &&
		    (!before || v->from_ns > before->from_ns))
			before = v;
	}
	return before;
}

static void push(struct type_fact *t, const struct event *e, unsigned setting, int64_t from_ns,
		 int64_t last_ns, uint32_t value)
{
	struct setting_value v = { (uint8_t)setting, from_ns, last_ns, value };
	uint32_t *newest = &t->newest[setting];

	if (t->setting_count >= 10000)
		return;
	if (!array_push(t->settings, t->setting_count, t->setting_room, v))
		event_no_memory(e);
	else if (!*newest || from_ns > t->settings[*newest - 1].from_ns)
		*newest = (uint32_t)t->setting_count;
}

/* Each chunk says all settings again: equal ones are one run, in whatever order chunks come. */
void type_note_setting(struct jvm *jvm, const struct event *e, uint32_t type, uint32_t name,
		       uint32_t value)
{
	const char *text = event_text_of(e, name);
	struct type_fact *t = jvm_type(jvm, type);
	struct setting_value *run;
	int64_t at = e->start_ns, last;
	uint32_t before;
	unsigned s = 0;

	while (s < SETTING_COUNT && strcmp(setting_names[s], text) != 0)
		s++;
	if (s == SETTING_COUNT)
		return;
	if (!t) {
		event_no_memory(e);
		return;
	}
	run = run_at(t, s, at);
	if (!run) {
		push(t, e, s, at, at, value);
	} else if (run->value == value) {
		if (at > run->last_ns)
			run->last_ns = at;
	} else if (at > run->last_ns) {
		push(t, e, s, at, at, value);
	} else {
		last = run->last_ns;
		before = run->value; /* push() may move the run */
		run->last_ns = at;
		push(t, e, s, at, at, value);
		if (last > at)
			push(t, e, s, last, last, before);
	}
}

/* What rules ask ------------------------------------------------------------------------------- */

const struct type_fact *type_fact(const struct judging *j, const char *type)
{
	const struct name_set *names = &j->analysis->names.book.names;

	for (size_t i = 0; i < j->jvm->type_count; i++) {
		if (strcmp(names->list[j->jvm->types[i].name].text, type) == 0)
			return &j->jvm->types[i];
	}
	return NULL;
}

size_t types_most_frequent(const struct judging *j, const struct type_fact **types, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < j->jvm->type_count; i++) {
		const struct type_fact *t = &j->jvm->types[i];
		size_t at = n;

		while (at > 0 && types[at - 1]->count < t->count)
			at--;
		if (at == room)
			continue;
		n += n < room;
		for (size_t k = n - 1; k > at; k--)
			types[k] = types[k - 1];
		types[at] = t;
	}
	return n;
}

uint64_t type_count(const struct judging *j, const char *type)
{
	const struct type_fact *t = type_fact(j, type);

	return t ? t->count : 0;
}

const struct equivalent *other_met(const struct judging *j, const char *type)
{
	const struct equivalent *e;

	for (size_t i = 0; (e = equivalent_at(i)) != NULL; i++) {
		if (strcmp(e->jdk, type) == 0 && type_count(j, e->type))
			return e;
	}
	return NULL;
}

static const struct setting_value *last_value(const struct judging *j, const char *type,
					      enum setting s)
{
	struct type_fact *t = (struct type_fact *)type_fact(j, type);

	return t ? run_at(t, s, INT64_MAX) : NULL;
}

const char *type_setting(const struct judging *j, const char *type, enum setting s)
{
	const struct setting_value *v = last_value(j, type, s);

	return v ? text_at(j, v->value) : NULL;
}

bool type_was_on(const struct judging *j, const char *type)
{
	const struct type_fact *t = type_fact(j, type);

	for (size_t i = 0; t && i < t->setting_count; i++) {
		if (t->settings[i].setting == SETTING_ENABLED &&
		    strcmp(text_at(j, t->settings[i].value), "true") == 0)
			return true;
	}
	return t && t->count > 0;
}

enum presence type_presence(const struct judging *j, const char *type)
{
	const struct type_fact *t = type_fact(j, type);

	if (t && t->count)
		return TYPE_HAS_EVENTS;
	if (!t || !t->is_declared)
		return TYPE_UNDECLARED;
	if (!last_value(j, type, SETTING_ENABLED))
		return TYPE_UNKNOWN;
	return type_was_on(j, type) ? TYPE_SILENT : TYPE_OFF;
}

int64_t setting_ns(const char *text)
{
	int64_t whole, billionths, ns;
	struct time_scale scale = { 1, 1000000000 };
	const char *unit = text ? parse_decimal(text, &whole, &billionths) : NULL;

	if (!unit)
		return -1;
	unit += strspn(unit, " ");
	if (*unit && !time_scale_named(unit, strlen(unit), &scale))
		return -1;
	return time_scale_ns(&scale, whole, billionths, &ns) ? ns : -1;
}

int64_t type_threshold_ns(const struct judging *j, const char *type)
{
	const struct type_fact *t = type_fact(j, type);
	int64_t most = 0, ns;

	for (size_t i = 0; t && i < t->setting_count; i++) {
		if (t->settings[i].setting != SETTING_THRESHOLD)
			continue;
		ns = setting_ns(text_at(j, t->settings[i].value));
		if (ns > most)
			most = ns;
	}
	return most;
}

int64_t type_period_ns(const struct judging *j, const char *type)
{
	const struct setting_value *v = last_value(j, type, SETTING_PERIOD);
	int64_t ns = v ? setting_ns(text_at(j, v->value)) : -1;

	return ns > 0 ? ns : 0;
}
