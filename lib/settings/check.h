/* SPDX-License-Identifier: MIT */
/*
 * check.h - check the values in settings for mistakes, without a dictionary
 */
#ifndef JFREC_SETTINGS_CHECK_H
#define JFREC_SETTINGS_CHECK_H

#include "settings/model.h"

/* Findings, and the texts that they need. */
struct check {
	struct jfrec_settings *s;
	struct jfrec_settings_finding *findings;
	size_t count, room;
	struct arena arena;
	bool failed; /* no memory */
};

/*
 * Add a finding about an element: its event and setting if it is one, a sentence and (or NULL) what
 * would fix it, which both live as long as the check.
 */
void check_add(struct check *c, bool wrong, const struct element *e, const char *text,
	       const char *remedy);

/* A text that lives as long as the check; "" when memory is gone. */
const char *check_text(struct check *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Find what shows without knowing a JDK: values, units, controls, contradictions. */
void check_inside(struct check *c);

void check_fini(struct check *c);

#endif
