/* SPDX-License-Identifier: MIT */
/*
 * sample_types.h - what readers of pprof and OTLP call the numbers of a profile
 */
#ifndef JFREC_PROFILES_SAMPLE_TYPES_H
#define JFREC_PROFILES_SAMPLE_TYPES_H

#include "stacks/sources.h"

struct sample_types {
	const char *count; /* how many samples: "alloc_objects" */
	const char *value; /* their time or bytes: "alloc_space"; NULL: they only count */
};

struct sample_types sample_types_of(const struct profile_kind *k);

/* "count", "nanoseconds", "bytes" */
const char *sample_unit(enum profile_unit unit);

#endif
