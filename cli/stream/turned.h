/* SPDX-License-Identifier: MIT */
/*
 * turned.h - run a command for each rule that turned, one after another
 */
#ifndef JFREC_CLI_STREAM_TURNED_H
#define JFREC_CLI_STREAM_TURNED_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/trigger.h"

struct change;

/* All zero, but for the command: nothing waits. */
struct turned {
	struct trigger trigger; /* .command NULL: there is none to run */
	struct change *first, *last;
	size_t count;
};

/*
 * Have the command run for a change, with the line of JSON as its input; the texts are copied. If
 * too many wait already, it is dropped, which is reported.
 */
void turned_add(struct turned *c, const struct trigger_event *e, const char *json, size_t len);

/* Begin the next one, if none runs. True: one runs. */
bool turned_look(struct turned *c);

void turned_fini(struct turned *c);

#endif
