/* SPDX-License-Identifier: MIT */
/*
 * sources.h - which events make which profile, and what they weigh
 */
#ifndef JFREC_STACKS_SOURCES_H
#define JFREC_STACKS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "format/equivalents.h"

enum profile_unit {
	UNIT_SAMPLES,
	UNIT_NS,
	UNIT_BYTES,
};

/* What the value of an event is, besides that it counts. */
enum value_from {
	VALUE_NONE,
	VALUE_FIELD,	/* a field: bytes, or a time */
	VALUE_DURATION, /* how long it took */
	VALUE_TICKS,	/* the same, as the clock of the chunk counts */
	VALUE_PERIOD,	/* the setting that says how often samples are taken */
};

/* Of events with the state of a thread: which states. */
enum state_filter {
	STATE_ANY,
	STATE_CPU,  /* STATE_DEFAULT: async-profiler's samples of CPU time */
	STATE_WALL, /* all others */
	STATE_NAMED, /* those that were asked for: runnable, sleeping */
};

/* Whose recordings: the same event type may mean another thing in theirs. */
enum producer {
	BY_ANYONE,
	BY_JDK,
	BY_ASYNC_PROFILER,
};

struct stack_source {
	const char *type;   /* of events */
	const char *thread; /* field */
	/*
	 * Field of a class that is shown as the last frame, of an object of that class, or of the
	 * name of a class; or NULL
	 */
	const char *leaf;
	const char *count;  /* field with how many samples the event stands for, or NULL */
	enum value_from value_from;
	const char *value;   /* the field, or the setting */
	const char *factor;  /* field of how many such values it stands for, or NULL */
	const char *instead; /* the field if `value` is 0 or missing, or NULL */
	/* constant that also tells jfrconv's groups apart (coarsen.h), or NULL */
	const char *group;
	enum state_filter states;
	enum producer producer;
	/* Of a profile's sources, those of the lowest rank that has events are the profile. */
	unsigned rank;
	/*
	 * Not the stack trace is shown, but what keeps this object alive (chains.h), a field; or
	 * NULL.
	 */
	const char *kept;
	bool frees; /* the event says that a block of memory was freed */
	/* The first of a thread may weigh what came before the recording (first_samples.h). */
	bool first_is_heavy;
};

/*
 * Is the event type one of the source's? Of a source that the caller made the type may be named
 * without its package; JDK 9 and 10 have names of their own for the JDK's.
 */
bool source_takes(const struct stack_source *s, const char *type_name);

struct profile_kind {
	const char *name, *label;
	enum profile_unit unit;
	const struct stack_source *sources;
	size_t source_count;
	bool has_unit_of_field; /* the unit is that of the field that is the value */
	bool is_leaks;		/* only what was not freed (leaks.h) */
};

/*
 * The source that an event type of another producer is to the profile. False: it is none; jfrconv
 * knows none.
 */
bool source_of_equivalent(const struct profile_kind *kind, const struct equivalent *e,
			  struct stack_source *source);

/* The type that other producers' sources of the profile are of; NULL: it has none of that rank. */
const char *equivalent_of_rank(const struct profile_kind *kind, unsigned rank);

/* The profiles, by their names; NULL after the last. */
const struct profile_kind *profile_kind_at(size_t i);
const struct profile_kind *profile_kind_named(const char *name);

/* jfrconv's kinds, by its options: "cpu", "alloc"; "" is what it converts without one. */
const struct profile_kind *jfrconv_kind_named(const char *name);

#endif
