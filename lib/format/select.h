/* SPDX-License-Identifier: MIT */
/*
 * select.h - which event types are wanted
 */
#ifndef JFREC_FORMAT_SELECT_H
#define JFREC_FORMAT_SELECT_H

#include "format/metadata.h"

/* All zero wants every event type. */
struct selection {
	char *events, *categories; /* globs parted by commas, or NULL */
};

/* Copies the strings. 0, or -1 when memory is gone. */
int selection_set(struct selection *s, const char *events, const char *categories);
void selection_fini(struct selection *s);

static inline bool selection_is_all(const struct selection *s)
{
	return !s->events && !s->categories;
}

/* Is the event type wanted?  Both filters must agree, as in JDK 21 and later. */
bool selection_wants(const struct selection *s, const struct jfrec_type *t);

/* Does any glob of the list match the text, a name of the type, or its category? */
bool list_matches(const char *list, const char *text, size_t text_len);
bool list_has_event(const char *list, const struct jfrec_type *t);
bool list_has_category(const char *list, const struct jfrec_type *t);

/* Is it JVM for "Java Virtual Machine"? */
bool is_acronym(const char *word, const char *category);

#endif
