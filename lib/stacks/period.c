/* SPDX-License-Identifier: MIT */
/*
 * period.c - how much time or memory a sample stands for
 */
#include "stacks/period.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/timeparse.h"
#include "format/slot.h"

void periods_init(struct periods *p, const struct chunk *c)
{
	struct jfrec_type *t = metadata_jdk_type_named(c->metadata, "jdk.ActiveSetting");

	*p = (struct periods){ .chunk = c, .objects = { .chunk = c } };
	if (t && t->is_event && !plan_of(t)->fault)
		p->type = t;
}

void periods_fini(struct periods *p)
{
	free(p->list);
	arena_fini(&p->objects.scratch);
}

/* "20 ms"; a number alone is nanoseconds, as async-profiler writes it. 0: it says nothing. */
static int64_t period_ns(const char *text)
{
	int64_t whole, billionths, ns;
	struct time_scale scale = { 1, 1000000000 };
	const char *unit = parse_decimal(text, &whole, &billionths);

	if (!unit)
		return 0;
	unit += strspn(unit, " ");
	if (*unit && !time_scale_named(unit, strlen(unit), &scale))
		return 0;
	return time_scale_ns(&scale, whole, billionths, &ns) && ns > 0 ? ns : 0;
}

static struct period *find(const struct periods *p, uint64_t type_id, const char *name)
{
	for (size_t i = 0; i < p->count; i++) {
		if (p->list[i].type_id == type_id && strcmp(p->list[i].name, name) == 0)
			return &p->list[i];
	}
	return NULL;
}

/* Of hundreds of settings only those of samples matter. */
static bool is_of_samples(const struct periods *p, uint64_t id)
{
	const struct jfrec_type *t = metadata_type(p->chunk->metadata, id);
	size_t len = t ? strlen(t->name) : 0;

	return len >= 6 && strcmp(t->name + len - 6, "Sample") == 0;
}

int periods_add(struct periods *p, const struct jfrec_type *t, const uint64_t *slots)
{
	struct object setting = { t, slots };
	uint64_t id = (uint64_t)object_number(setting, "id", -1);
	struct period new = { .type_id = id }, *known;
	const char *name, *value;
	int ret = 0;

	if (!is_of_samples(p, id))
		return 0;
	name = object_text(&p->objects, setting, "name", NULL);
	value = object_text(&p->objects, setting, "value", NULL);
	/* async-profiler says -1 of what is off. */
	if (name && value && *value != '-' && strlen(name) < sizeof(new.name) &&
	    (strcmp(name, "period") == 0 || strcmp(name, "interval") == 0 ||
	     strcmp(name, "wall") == 0)) {
		strcpy(new.name, name);
		new.ns = period_ns(value);
		known = find(p, id, name);
		if (known)
			*known = new;
		else if (!array_push(p->list, p->count, p->room, new))
			ret = -1;
	}
	arena_recycle(&p->objects.scratch);
	return ret;
}

static int64_t default_period(const char *setting)
{
	if (strcmp(setting, "period") == 0)
		return JDK_PERIOD_NS;
	return strcmp(setting, "wall") == 0 ? ASYNC_WALL_NS : ASYNC_PERIOD_NS;
}

/* async-profiler gives its settings for wall-clock samples under the id of execution samples. */
static const struct period *set_period(const struct periods *p, const struct jfrec_type *t,
				       const char *setting)
{
	const struct period *own = find(p, t->id, setting);
	const struct jfrec_type *sample;

	if (own)
		return own;
	sample = metadata_jdk_type_named(p->chunk->metadata, "jdk.ExecutionSample");
	return sample ? find(p, sample->id, setting) : NULL;
}

/* Its option event=wall goes by the interval; wall is set where it samples both. */
static const struct period *period_of(const struct periods *p, const struct jfrec_type *t,
				      const char *setting)
{
	const struct period *found = set_period(p, t, setting);

	return found || strcmp(setting, "wall") != 0 ? found : set_period(p, t, "interval");
}

int64_t periods_value(const struct periods *p, const struct jfrec_type *t, const char *setting,
		      uint64_t samples)
{
	const struct period *period = period_of(p, t, setting);
	int64_t ns = period && period->ns ? period->ns : default_period(setting), value;

	return __builtin_mul_overflow(samples, ns, &value) ? INT64_MAX : value;
}

int64_t periods_span_ns(const struct clock *clock, const struct jfrec_field *f, int64_t value)
{
	return span_in_ns(f, clock, value);
}
