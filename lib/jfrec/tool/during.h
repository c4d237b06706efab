/* SPDX-License-Identifier: MIT */
/* jfrec/tool/during.h - only what happened while certain events ran */
#ifndef JFREC_TOOL_DURING_H
#define JFREC_TOOL_DURING_H

#include "jfrec/reader.h"

/* Which events; the strings are looked at during the call only. */
struct jfrec_during {
	const char *events; /* globs separated by commas: events of these types, */
	const char *where;  /* of which this is true; NULL: all */
	/*
	 * A field that has the same value in events of other threads: what ran while these did
	 * is kept, too. NULL: only the threads of the events themselves.
	 */
	const char *by;
	bool all_threads; /* what other threads of the JVM did at the time is kept, too */
	bool outside;	  /* keep what did not happen then, instead */
	/*
	 * A field of these events, whose value profiles tell samples apart by: as a label in the
	 * format pprof, with the name of the field; or, label_is_frame, as the first frame. NULL:
	 * none.
	 */
	const char *label;
	bool label_is_frame;
};

/* What jfrec_reader_during() found. */
struct jfrec_during_found {
	uint64_t events;	 /* that match */
	uint64_t without_thread; /* of these; they say nothing of any thread */
	uint64_t without_key;	 /* of these, with .by: null, or empty */
	uint64_t began_before;	 /* the recording, so that their begin is not in it */
	uint64_t joined;	 /* with .by: events with such a key, those that match included */
	uint64_t threads;
};

/*
 * Of the events that are selected, keep those that happened while such events ran, in their
 * threads: that share a moment with one of them, those included. Two chunks have the same thread if
 * they are of one JVM. What has no thread is not kept, unless other threads are.
 *
 * The recording is read for that once, with `by` twice, so a pipe is stored first, as by
 * jfrec_reader_spool(). To be called once, before anything is read, with all inputs added.
 *
 * 0, or -1 with *err set: JFREC_ENOEVENT if there is no such type, or no such event, or its events
 * have no duration, no thread or no such
 * field, .label included; JFREC_EEXPRESSION, with the offset in .where; as
 * jfrec_reader_spool(); JFREC_ENOMEM; JFREC_ECANCELED.
 */
int jfrec_reader_during(struct jfrec_reader *r, const struct jfrec_during *d,
			struct jfrec_during_found *found, struct jfrec_error *err);

#endif
