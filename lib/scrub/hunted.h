/* SPDX-License-Identifier: MIT */
/*
 * hunted.h - what of a text that a rule takes away is searched for elsewhere
 */
#ifndef JFREC_SCRUB_HUNTED_H
#define JFREC_SCRUB_HUNTED_H

#include "base/buffer.h"
#include "scrub/rules.h"
#include "scrub/text_set.h"

struct hunted {
	struct text_set *texts;
	struct buffer *decoded; /* room */
	uint64_t too_common;	/* texts that are not searched for */
};

/* Add what is worth it of a piece that the rule took away: for rule_piece_fn, ctx is the struct. */
void hunted_add(void *ctx, const struct rule *rule, const char *piece, size_t len);

#endif
