/* SPDX-License-Identifier: MIT */
/*
 * window.h - what a JVM has recorded in the last seconds, read by a confined child
 */
#ifndef JFREC_CLI_TOP_WINDOW_H
#define JFREC_CLI_TOP_WINDOW_H

#include <jansson.h>

#include "jfrec.h"

/* The last part of a recording. */
struct window {
	int64_t from_ns; /* since 1970 */
	struct jfrec_reader *reader;
};

/*
 * Open what is in the repository of the JVM from `length` before now on, without attaching, and
 * give up all rights but that to read it: so this is for a child.  NULL, or why there is nothing
 * to read: an answer for the parent. The reader stays open until the process ends.
 */
json_t *window_open(struct window *w, const struct jfrec_jvm *jvm, int64_t length_ns);

/* "error": the sentence of *err, as an answer. */
json_t *window_failure(const struct jfrec_error *err);

#endif
