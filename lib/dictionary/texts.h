/* SPDX-License-Identifier: MIT */
/*
 * texts.h - the descriptions of events, written for this project
 */
#ifndef JFREC_DICTIONARY_TEXTS_H
#define JFREC_DICTIONARY_TEXTS_H

#include "jfrec.h"

struct texts;

/* Of YAML, a map of maps of texts.  NULL with *err set. */
struct texts *texts_new(const char *yaml, struct jfrec_error *err);

/* NULL is allowed. */
void texts_free(struct texts *t);

/* NULL: nobody has said that. */
const char *texts_get(const struct texts *t, const char *event, const char *what);

#endif
