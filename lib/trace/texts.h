/* SPDX-License-Identifier: MIT */
/*
 * texts.h - what fields of events say, in few words
 */
#ifndef JFREC_TRACE_TEXTS_H
#define JFREC_TRACE_TEXTS_H

#include "format/object.h"
#include "jfrec/tool/trace.h"
#include "trace/kinds.h"

/* What is kept of a text; "..." stands for the rest. */
#define TEXT_MOST 256

/*
 * The value of a field as `to` has room for, "" for none.  Returns its kind, as in struct
 * jfrec_trace_field; *number is set for numbers and times.
 */
enum jfrec_kind field_text(struct objects *o, struct object event, const struct jfrec_field *f,
			   char to[static TEXT_MOST], int64_t *number);

/* Does the field say something that is not said elsewhere: is it not the time, thread or stack? */
bool is_own_field(const struct jfrec_field *f);

/* What the event was about: what its row says, or its own first fields.  "": nothing. */
void detail_text(struct objects *o, const struct kind_row *row, struct object event,
		 char to[static TEXT_MOST]);

/* The name of a thread; "" if it has none. */
void thread_text(struct objects *o, struct object thread, char to[static TEXT_MOST]);

#endif
