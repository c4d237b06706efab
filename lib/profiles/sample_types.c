/* SPDX-License-Identifier: MIT */
/*
 * sample_types.c - what readers of pprof and OTLP call the numbers of a profile
 */
#include <string.h>

#include "profiles/sample_types.h"

static const struct {
	const char *profile;
	struct sample_types types;
} known[] = {
	{ "cpu", { "samples", "cpu" } },
	{ "wall", { "wall_samples", "wall" } },
	{ "native", { "native_samples", "native" } },
	{ "alloc", { "alloc_objects", "alloc_space" } },
	{ "live", { "inuse_objects", "inuse_space" } },
	{ "lock", { "contentions", "delay" } },
	{ "exceptions", { "exceptions", NULL } },
	{ "io", { "io", "io_time" } },
	{ "native-memory", { "native-memory", "native_space" } },
	{ "native-leaks", { "native-leaks", "leaked_space" } },
	{ "trace", { "trace", "trace_time" } },
};

struct sample_types sample_types_of(const struct profile_kind *k)
{
	/* That of a type which the caller named. Readers select by name: no two may be the same. */
	struct sample_types types = { *k->name ? k->name : "samples", "value" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(known[i].profile, k->name) == 0)
			types = known[i].types;
	}
	if (k->unit == UNIT_SAMPLES)
		types.value = NULL;
	return types;
}

const char *sample_unit(enum profile_unit unit)
{
	static const char *const units[] = { "count", "nanoseconds", "bytes" };

	return units[unit];
}
