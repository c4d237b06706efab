/* SPDX-License-Identifier: MIT */
/* jfrec/tool/cost.h - which settings a recording was made with, and the space that events take */
#ifndef JFREC_TOOL_COST_H
#define JFREC_TOOL_COST_H

#include "jfrec/reader.h"

/* A setting that was in force (jdk.ActiveSetting). */
struct jfrec_active_setting {
	const char *event; /* "jdk.SocketRead"; "123 (missing event metadata)" if undeclared */
	const char *label; /* of the event, or NULL */
	uint64_t type_id;
	const char *name, *value; /* "threshold", "20 ms" */
	int64_t since_ns;	  /* when the JVM first said so, since 1970 */
	int64_t until_ns;	  /* when it first said another; 0: never */
};

/* A recording that was running (jdk.ActiveRecording). */
struct jfrec_active_recording {
	uint64_t id;
	const char *name;
	const char *destination;	 /* or NULL */
	int64_t max_age_ns, duration_ns; /* INT64_MAX: forever, or INT64_MIN */
	uint64_t max_size;		 /* 0: none */
	int64_t start_ns;
	int64_t first_ns, last_ns; /* when the JVM first and last said so */
};

/* The settings that were in force, and the recordings that were running. */
struct jfrec_active;

/*
 * What the rest of the recording says about the settings that its JVM applied: those of all
 * recordings that ran in it, together.  A value has a row from when it was first said to when
 * another was.
 *
 * Returns it, to be freed with jfrec_active_free(), or NULL with *err set.  The reader can
 * then only be closed.
 */
struct jfrec_active *jfrec_active_read(struct jfrec_reader *r, struct jfrec_error *err);

/* How many settings there are: values of settings, each with its time. */
size_t jfrec_active_setting_count(const struct jfrec_active *a);

/* Setting number i, by event, name and time; NULL beyond the last. */
const struct jfrec_active_setting *jfrec_active_setting_get(const struct jfrec_active *a, size_t i);

/* How many recordings there are. */
size_t jfrec_active_recording_count(const struct jfrec_active *a);

/* Recording number i, by its first time; NULL beyond the last. */
const struct jfrec_active_recording *jfrec_active_recording_get(const struct jfrec_active *a,
								size_t i);

/* Free what jfrec_active_read() returned. */
void jfrec_active_free(struct jfrec_active *a);

/* How many bytes something takes, as it is and compressed. */
struct jfrec_sizes {
	double raw, zstd, gzip;
};

/* What the events of one type take. */
struct jfrec_cost_type {
	const char *name;
	const char *label; /* or NULL */
	uint64_t events, event_bytes;
	/* Of the constants that they refer to: each is shared equally by the types that do. */
	double constant_bytes;
	uint64_t own_bytes;	  /* of constants that no other type refers to */
	struct jfrec_sizes sizes; /* events and constants; compressed: estimated by samples */
	bool once_a_chunk;	  /* and not after a certain time */
	double events_per_hour;
	struct jfrec_sizes per_hour;
};

enum jfrec_certainty {
	JFREC_COST_EXACT = 0,	 /* the recording has the events that would stay */
	JFREC_COST_ESTIMATE = 1, /* they would be others, or their number is not certain */
	JFREC_COST_UNKNOWN = 2,	 /* the recording cannot tell */
};

/* What would be if a setting were another. */
struct jfrec_cost_change {
	const char *event, *setting; /* the event as asked for */
	const char *from;	     /* NULL: not known, or several */
	const char *to;
	enum jfrec_certainty certainty;
	const char *why;    /* one sentence; NULL for JFREC_COST_EXACT without more to say */
	uint64_t events;    /* of all types that the change touches, as recorded */
	double event_bytes; /* the same, with their constants */
	/* The rest is 0 for JFREC_COST_UNKNOWN. */
	double events_saved, bytes_saved;
	struct jfrec_sizes sizes; /* that the recording would have */
	struct jfrec_sizes per_hour;
};

struct jfrec_cost {
	uint64_t bytes; /* of all chunks */
	struct jfrec_sizes sizes;
	uint64_t measured; /* bytes that were compressed to measure this; the rest is inferred */
	size_t chunks;
	int64_t duration_ns; /* that chunks cover; where they overlap, once */
	bool by_size;	     /* chunks end at a certain size; else when a command requests it */
	/* What each chunk has, whatever was recorded. */
	uint64_t metadata_bytes; /* and headers */
	uint64_t spare_bytes;	 /* constants to which no event refers */
	struct jfrec_sizes each_chunk; /* these, headers, and bytes that are not events of a known
	                                * type */
	double chunks_per_hour;
	struct jfrec_sizes per_hour;
	const struct jfrec_cost_change *together; /* all of them; NULL: fewer than two */
	const struct jfrec_active *active;	  /* the settings that were in force */
};

/*
 * What the events of the recording take, and what changes of its settings would save.
 *
 * changes: "EVENT#SETTING=VALUE" each, EVENT a name or a glob as for jfrec_reader_select();
 * count 0: changes that save something are offered, each on its own.
 *
 * Chunks are read one after the other, each as a whole.  Returns the cost, to be freed with
 * jfrec_cost_free(), or NULL with *err set: JFREC_EINVAL for a change that cannot be made,
 * because it is invalid, or the recording knows no such event or setting; as
 * jfrec_reader_next(); JFREC_EFORMAT if no chunk could be read; JFREC_ECANCELED.
 * The reader can then only be closed.
 */
struct jfrec_cost *jfrec_cost_read(struct jfrec_reader *r, const char *const *changes, size_t count,
				   struct jfrec_error *err);

/* How many event types there are. */
size_t jfrec_cost_type_count(const struct jfrec_cost *c);

/* Event type number i, by .per_hour.raw, the greatest first; NULL beyond the last. */
const struct jfrec_cost_type *jfrec_cost_type_get(const struct jfrec_cost *c, size_t i);

/* How many changes there are. */
size_t jfrec_cost_change_count(const struct jfrec_cost *c);

/* Change number i, as asked for; of offered ones what saves most first.  NULL beyond the last. */
const struct jfrec_cost_change *jfrec_cost_change_get(const struct jfrec_cost *c, size_t i);

/* Free what jfrec_cost_read() returned. */
void jfrec_cost_free(struct jfrec_cost *c);

#endif
