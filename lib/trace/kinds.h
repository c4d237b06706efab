/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - what events say about the time of a thread
 */
#ifndef JFREC_TRACE_KINDS_H
#define JFREC_TRACE_KINDS_H

#include "format/object.h"
#include "jfrec/tool/trace.h"

#define DETAIL_FIELDS 3

struct kind_row {
	const char *type;
	enum jfrec_trace_kind kind;
	bool is_global;	  /* it stops all threads of the JVM */
	const char *only; /* a boolean field that must be true; NULL */
	/* What it was about: fields, and what comes before their values. */
	struct {
		const char *field, *before;
	} details[DETAIL_FIELDS];
};

/* The row of a type by its name; of one that has none, that of spans.  Never NULL. */
const struct kind_row *kind_row_of(const char *type);

/* Does it say something else of this event than of others of its type? */
enum jfrec_trace_kind kind_of_event(const struct kind_row *row, struct objects *o,
				    struct object event);

/* How much a type looks like that of requests, by its name. */
enum likeness {
	IS_REQUEST, /* so it is called */
	IS_OF_APP,  /* it is the application's, or a library's */
	IS_OF_JVM,
};
enum likeness likeness_of(const char *type);

#endif
