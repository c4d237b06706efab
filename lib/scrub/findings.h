/* SPDX-License-Identifier: MIT */
/*
 * findings.h - count what was redacted, by event type, field and rule
 */
#ifndef JFREC_SCRUB_FINDINGS_H
#define JFREC_SCRUB_FINDINGS_H

#include "base/digest.h"
#include "jfrec.h"

/* All zero is empty. */
struct findings {
	struct jfrec_redaction *all;
	size_t count, room;
	struct digest_map known; /* index + 1 */
	bool failed;		 /* memory is gone */
};

/* Count a text, and keep the first ones of a kind as they are now. */
void findings_add(struct findings *f, const char *type, const char *field, const char *rule,
		  const void *sample, size_t len);

/* Add those of the other one, which come later.  *f has failed when memory is gone. */
void findings_merge(struct findings *f, const struct findings *other);

/* By type, field and rule. */
void findings_sort(struct findings *f);
void findings_fini(struct findings *f);

#endif
