/* SPDX-License-Identifier: MIT */
/*
 * side_facts.h - events, pauses, settings and flags of a recording, for comparing two
 */
#ifndef JFREC_CLI_RECORDING_SIDE_FACTS_H
#define JFREC_CLI_RECORDING_SIDE_FACTS_H

#include "opts/event_opts.h"

/* How many events of a type. */
struct fact_count {
	char *name;
	uint64_t count;
};

/* "jdk.SocketRead#threshold" and "20 ms", or a flag and its value. */
struct fact_value {
	char *name, *value;
};

struct side_facts {
	struct fact_count *events; /* by name */
	size_t event_count, event_room;
	struct fact_value *settings, *flags; /* by name */
	size_t setting_count, setting_room, flag_count, flag_room;
	int64_t collections, pause_ns, longest_ns; /* of garbage collections */
	double seconds; /* that were recorded */
};

/*
 * Read them from the recording of a reader, which is not read further, of events that touch a time:
 * from and to. Returns an exit code, after saying why; *f is to be given to side_facts_fini() in
 * any case. What is damaged is not reported.
 */
int side_facts_read(struct side_facts *f, const struct command *self,
		    const struct event_opts *select, const struct jfrec_reader *of,
		    const int64_t time[2]);
void side_facts_fini(struct side_facts *f);

/* Print how they differ, with at most `top` lines of each kind. */
void side_facts_print(const struct side_facts *before, const struct side_facts *after,
		      unsigned top);

/* Add all of it to a document, as jfrec-diff(1) describes. */
void side_facts_json(json_t *to, const struct side_facts *before, const struct side_facts *after);

#endif
