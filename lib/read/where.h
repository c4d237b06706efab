/* SPDX-License-Identifier: MIT */
/*
 * where.h - select events by an expression over their fields
 *
 * Expressions (jfrec-where(7)) and filters, all of which must hold.  They are
 * parsed once, made into a program for each event type of a chunk's metadata,
 * and run on the slots of decoded events.
 */
#ifndef JFREC_READ_WHERE_H
#define JFREC_READ_WHERE_H

#include "format/chunk.h"
#include "jfrec.h"
#include "read/select.h"

struct where; /* NULL: all events pass */

/*
 * Add an expression, or globs for names; *w is made if it is NULL.  Returns 0,
 * or -1 with *err set (JFREC_EEXPRESSION, whose offset is that in the
 * expression, JFREC_ENOMEM) and *w as it was.
 */
int where_add(struct where **w, const char *expression, struct jfrec_error *err);
int where_add_filter(struct where **w, enum jfrec_filter by, bool exclude, const char *globs,
		     struct jfrec_error *err);

/* NULL is allowed. */
void where_free(struct where *w);

/* May it compare with times relative to the recording's start or end?  NULL is allowed. */
bool where_is_relative(const struct where *w);

/*
 * Enter a chunk of the recording: what queries is about its events.  Of its
 * types only those of the selection matter.
 *
 * Returns 0, or -1 with *err set: JFREC_ENOMEM; or JFREC_EEXPRESSION if a part
 * of an expression means nothing to any selected type, neither of this chunk
 * nor of the first ones of the recording.
 */
int where_enter(struct where *w, const struct chunk *c, const struct recording *recording,
		const struct selection *selection, struct jfrec_error *err);

/*
 * The same where all is about one event type of the chunk: a part of an expression that means
 * nothing to it is an error, whatever other chunks declare.
 */
int where_enter_type(struct where *w, const struct chunk *c, const struct recording *recording,
		     const struct jfrec_type *t, struct jfrec_error *err);

/*
 * Does each part mean something to this type, of a recording or of the dictionary?  0, or -1 with
 * *err set as by where_enter().
 */
int where_check_type(struct where *w, const struct jfrec_type *t, struct jfrec_error *err);

/*
 * What was entered, for another thread: it can be asked about this chunk's events, and is to be
 * freed before *w, which cannot be asked until it has entered another chunk.  NULL when memory is
 * gone.
 */
struct where *where_take(struct where *w);

/*
 * Take it for known that each name of the expression means something to some type, and when the
 * recording began, as `other` found out, which has the same expression.
 */
void where_trust(struct where *w, const struct where *other);

/* Was memory gone while events were looked at?  Then some may be missing. */
bool where_is_out_of_memory(const struct where *w);

/* Can events of the type pass at all? */
bool where_selects(const struct where *w, const struct jfrec_type *t);

/* Do they all? */
bool where_passes_all(const struct where *w, const struct jfrec_type *t);

/*
 * Does the event pass?  Its slots are used, of plan_of(t)->step_count, but not
 * all are set.  One that cannot be decoded is noted, and does not pass.
 */
bool where_passes(struct where *w, struct chunk *c, const struct jfrec_type *t,
		  const struct raw_event *e, uint64_t *slots);

#endif
