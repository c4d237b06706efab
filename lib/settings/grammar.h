/* SPDX-License-Identifier: MIT */
/*
 * grammar.h - the elements and attributes that settings consist of
 */
#ifndef JFREC_SETTINGS_GRAMMAR_H
#define JFREC_SETTINGS_GRAMMAR_H

#include "settings/element.h"

/* By any spelling of the name, upper or lower case. */
enum element_kind grammar_kind(const char *name);

/* "event"; NULL for ELEMENT_OTHER. */
const char *grammar_name(enum element_kind kind);

/* May such an element stand there?  parent NULL: as the root. */
bool grammar_takes(const struct element *parent, enum element_kind kind);

/*
 * Is the tree of a file one that the JDK's tool takes?  0, or -1 with *err set
 * (JFREC_EINVAL): the place, then the JDK's own sentence.
 */
int grammar_check(const struct element *root, struct jfrec_error *err);

/* Fill *err: the place of the element, if it was read, and a sentence.  Returns -1. */
int element_fail(const struct element *e, struct jfrec_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
