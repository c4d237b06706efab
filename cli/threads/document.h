/* SPDX-License-Identifier: MIT */
/*
 * document.h - what thread dumps show, for programs
 */
#ifndef JFREC_CLI_THREADS_DOCUMENT_H
#define JFREC_CLI_THREADS_DOCUMENT_H

#include <jansson.h>

#include "threads/seen.h"

/* Add it to an object, as settings/schema/threads.json says. */
void threads_to_json(const struct threads_seen *s, json_t *to);

#endif
