/* SPDX-License-Identifier: MIT */
/*
 * period.h - how much time or memory a sample stands for
 *
 * The settings of a recording say so: jdk.ActiveSetting has the id of an event type, a name and a
 * value. The JDK writes "period" as "20 ms"; async-profiler writes "interval" and "wall" as
 * nanoseconds, of which 0 means its default.
 */
#ifndef JFREC_STACKS_PERIOD_H
#define JFREC_STACKS_PERIOD_H

#include "format/object.h"

/* What the JDK and async-profiler do by default. */
#define JDK_PERIOD_NS	 20000000
#define ASYNC_PERIOD_NS	 10000000
#define ASYNC_WALL_NS	 50000000

struct period {
	uint64_t type_id;
	char name[16];
	int64_t ns;
};

struct periods {
	const struct chunk *chunk;
	const struct jfrec_type *type; /* jdk.ActiveSetting, or NULL */
	struct objects objects;
	struct period *list;
	size_t count, room;
};

void periods_init(struct periods *p, const struct chunk *c);
void periods_fini(struct periods *p);

static inline bool periods_need(const struct periods *p, const struct jfrec_type *t)
{
	return t == p->type;
}

/* Take an event of that type, decoded. 0, or -1 when memory is gone. */
int periods_add(struct periods *p, const struct jfrec_type *t, const uint64_t *slots);

/* The time that so many samples of an event type stand for, by the setting of that name. */
int64_t periods_value(const struct periods *p, const struct jfrec_type *t, const char *setting,
		      uint64_t samples);

/* A sum of values of a @Timespan field in ns. */
int64_t periods_span_ns(const struct clock *clock, const struct jfrec_field *f, int64_t value);

#endif
