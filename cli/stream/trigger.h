/* SPDX-License-Identifier: MIT */
/*
 * trigger.h - run a command when an event occurs: --on, --exec, --cooldown
 */
#ifndef JFREC_CLI_STREAM_TRIGGER_H
#define JFREC_CLI_STREAM_TRIGGER_H

#include <sys/types.h>

#include "opts/event_opts.h"

struct trigger {
	char *events, *where; /* the parts of "EVENT[WHERE]"; where NULL: all of them */
	struct event_opts select; /* the same */
	const char *command;  /* for the shell */
	int64_t cooldown_ns;
	int64_t ran_at_ns; /* monotonic; 0: never */
	uint64_t passed;   /* events since then */
	pid_t pid;	   /* of the command that runs; 0: none does */
};

/* What the command learns of the event, besides its JSON. */
struct trigger_event {
	const char *source; /* the pid, or a path */
	const char *main;   /* the main class or jar; NULL: not a JVM */
	const char *type;   /* of the event; or the rule that turned */
	const char *change; /* what it turned to; NULL: it is an event */
};

/* Take it apart; the rest is zeroed.  An exit code, after saying what is wrong. */
int trigger_parse(struct trigger *t, const struct command *c, const char *text);
void trigger_fini(struct trigger *t);

/* An event has come: is the command to be run now?  Otherwise the event is counted. */
bool trigger_is_due(struct trigger *t);

/* Run it, with the event as a line of JSON for its input. A failure is reported. */
void trigger_run(struct trigger *t, const struct trigger_event *e, const char *json, size_t len);

/* Has the command ended?  A failure is reported. */
void trigger_look(struct trigger *t);

#endif
