/* SPDX-License-Identifier: MIT */
/*
 * secrets.h - texts of a report without what is secret
 */
#ifndef JFREC_REPORT_SECRETS_H
#define JFREC_REPORT_SECRETS_H

#include "base/buffer.h"
#include "jfrec/scrub.h"

/* All zero: nothing is redacted. */
struct secrets {
	struct jfrec_rules *rules;
	struct buffer room[2];
};

/* 0, or -1 with *err set. */
int secrets_init(struct secrets *s, struct jfrec_error *err);
void secrets_fini(struct secrets *s);

/* A text that is known to be in a field of an event, perhaps as the value of a name. */
struct text_spot {
	const char *event, *field, *name; /* NULL: not known */
};

/* The text without what is secret; itself, if nothing is. Until the next call. */
const char *secrets_redact(struct secrets *s, const struct text_spot *spot, const char *text);

#endif
