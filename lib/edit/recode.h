/* SPDX-License-Identifier: MIT */
/*
 * recode.h - re-encode values with new constant ids and a new clock
 */
#ifndef JFREC_EDIT_RECODE_H
#define JFREC_EDIT_RECODE_H

#include "base/buffer.h"
#include "format/clock.h"
#include "format/plan.h"

struct recoder {
	/* The key of the same constant in the output. */
	uint64_t (*key)(void *ctx, const struct jfrec_type *t, uint64_t key);
	void *ctx;
	const struct jfrec_type *string; /* java.lang.String, or NULL */
	/* Ticks of one clock become those of the other; both NULL: they stay. */
	const struct clock *from, *to;
};

/* Append the value at *c in its new form. */
void recode_value(const struct recoder *r, const struct plan *plan, struct cursor *c,
		  struct buffer *to);

/* The tick of the second clock at which it shows the same time in ns. */
int64_t rebase_time(const struct clock *from, const struct clock *to, int64_t ticks);

/* The same for spans of time; those that mean none or forever stay. */
int64_t rebase_span(const struct clock *from, const struct clock *to, int64_t ticks);

#endif
