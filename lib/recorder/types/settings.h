/* SPDX-License-Identifier: MIT */
/*
 * settings.h - what was set for types of events: a list in which later rows win
 */
#ifndef JFREC_RECORDER_TYPES_SETTINGS_H
#define JFREC_RECORDER_TYPES_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/ground/fail.h"

struct setting {
	char *event, *name, *value; /* event: "*" means all */
};

/* Zeros: none. */
struct settings {
	struct setting *rows;
	size_t count;
};

/* What the rows of a list come to for one type, which begins with its own. */
struct effect {
	bool is_enabled, has_stack;
	uint64_t threshold_ns, period_ns; /* UINT64_MAX: of each chunk */
};

/* Can it be a value of that setting?  Settings that the recorder does not have may be anything. */
bool setting_is_valid(const char *name, const char *value);

/* Is it one that the recorder has: enabled, threshold, period, stackTrace? */
bool setting_is_known(const char *name);

/* Add a row, which replaces those that it makes void.  0; -1: no memory, or too many rows. */
int settings_add(struct settings *s, const char *event, const char *name, const char *value);

void settings_apply(const struct settings *s, const char *event, struct effect *effect);

void settings_fini(struct settings *s);

#endif
