/* SPDX-License-Identifier: MIT */
/*
 * event_texts.h - the descriptions of events, written for this project
 */
#ifndef JFREC_DICTIONARY_EVENT_TEXTS_H
#define JFREC_DICTIONARY_EVENT_TEXTS_H

#include "jfrec.h"

struct event_texts;

/* Of YAML, a map of maps of texts.  NULL with *err set. */
struct event_texts *event_texts_new(const char *yaml, struct jfrec_error *err);

/* NULL is allowed. */
void event_texts_free(struct event_texts *t);

/* NULL: there is no such text. */
const char *event_texts_get(const struct event_texts *t, const char *event, const char *what);

#endif
