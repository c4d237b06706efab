/* SPDX-License-Identifier: MIT */
/*
 * shown_secrets.h - texts of a recording as people are shown them, without what is secret
 */
#ifndef JFREC_SCRUB_SHOWN_SECRETS_H
#define JFREC_SCRUB_SHOWN_SECRETS_H

#include "base/buffer.h"
#include "base/digest.h"
#include "jfrec/scrub.h"
#include "scrub/text_set.h"

/* All zero: nothing is redacted. */
struct secrets {
	struct jfrec_scrub_rules *rules;
	struct buffer room[3];
	/* What was found, and its other forms: it is taken away wherever else it is. */
	struct text_set found;
	struct digest_map known; /* texts that were looked at for it */
	bool has_new;
};

/* 0, or -1 with *err set. */
int secrets_init(struct secrets *s, struct jfrec_error *err);
void secrets_fini(struct secrets *s);

/* A text that is known to be in a field of an event, perhaps as the value of a name. */
struct text_spot {
	const char *event, *field, *name; /* NULL: not known */
};

/* Note what is secret in a text, before others are redacted.  False when memory is gone. */
bool secrets_learn(struct secrets *s, const struct text_spot *spot, const char *text);

/* The text without what is secret; itself, if nothing is. Until the next call. */
const char *secrets_redact(struct secrets *s, const struct text_spot *spot, const char *text);

#endif
