/* SPDX-License-Identifier: MIT */
/*
 * field.h - a field of an event type, by its name in a query
 *
 * Besides what the metadata has there are
 *
 *	eventType.label, eventType.name
 *	stackTrace.topFrame, .topApplicationFrame, .topNotInitFrame, and what is in that frame
 *	id of jdk.ActiveSetting: the label of the type with that id
 */
#ifndef JFREC_QUERY_FIELD_H
#define JFREC_QUERY_FIELD_H

#include "query/parse.h"
#include "query/schema.h"

enum pseudo {
	PSEUDO_NONE,
	PSEUDO_LABEL,
	PSEUDO_NAME,
	PSEUDO_SETTING, /* the label of a type */
	PSEUDO_FRAME,	/* in the stack trace */
};

/* What the metadata decides about a column. */
struct look {
	const char *type; /* by which sources must be alike: "long", "instant" */
	bool is_left, sorts_as_text, may_grow, is_descending;
	bool is_span, is_time, is_percentage, is_amount, is_bits, is_frequency, is_address;
};

struct field {
	const struct jfrec_type *event;
	const char *path; /* in the event */
	uint8_t pseudo;	  /* enum pseudo */
	const struct jfrec_field *last; /* the last of the path; NULL of PSEUDO_LABEL and _NAME */
};

/* Is there such a field? */
bool field_find(const struct jfrec_type *event, const char *path, struct field *f);

struct look field_look(const struct field *f);

/*
 * Its label, with what the item's aggregator (item NULL: nothing) puts around it.  NULL: no
 * memory.
 */
const char *field_label(struct arena *a, const struct field *f, const struct select_item *item);

/* The same for a function of a calculation: "Total a + b".  NULL: no memory. */
const char *calculation_label(struct arena *a, const struct select_item *item);

/* What a simple type stands for. */
const struct jfrec_type *real_type(const struct jfrec_type *t);

/* "topFrame", "topApplicationFrame", "topNotInitFrame", at the beginning of the path. */
enum top_frame { TOP_NONE, TOP_FRAME, TOP_APPLICATION_FRAME, TOP_NOT_INIT_FRAME };

/* *rest: what follows the dot after it, or NULL. */
enum top_frame top_frame_of(const char *path, const char **rest);

/* The field of that name, which ends at NUL or a dot, or NULL. *rest as above. */
const struct jfrec_field *field_of_path(const struct jfrec_type *t, const char *path,
					const char **rest);

#endif
