/* SPDX-License-Identifier: MIT */
/*
 * select.h - select event types by --events and --categories
 */
#ifndef JFREC_READ_SELECT_H
#define JFREC_READ_SELECT_H

#include "format/metadata.h"
#include "format/problem.h"

/* All zero selects every event type. */
struct selection {
	char *events, *categories; /* globs separated by commas, or NULL */
	uint64_t matched;	   /* the first 64 of .events that a type matched, a bit for each */
	bool has_looked;
};

/* Copies the strings. 0, or -1 when memory is gone. */
int selection_set(struct selection *s, const char *events, const char *categories);
void selection_fini(struct selection *s);

static inline bool selection_is_all(const struct selection *s)
{
	return !s->events && !s->categories;
}

/* Is the event type selected?  Both filters must agree, as in JDK 21 and later. */
bool selection_has(const struct selection *s, const struct jfrec_type *t);

/* Note which of .events match a type of these. */
void selection_look(struct selection *s, const struct metadata *m);

/* Tell which of them matched none so far, and what may have been meant.  `when`: as " as yet". */
void selection_tell(const struct selection *s, const struct metadata *m, struct problems *p,
		    const char *when);

/* Does any glob of the list match the text, a name of the type, or its category? */
bool list_matches(const char *list, const char *text, size_t text_len);
bool list_has_event(const char *list, const struct jfrec_type *t);
bool list_has_category(const char *list, const struct jfrec_type *t);

/* Is it JVM for "Java Virtual Machine"? */
bool is_acronym(const char *word, const char *category);

#endif
