/* SPDX-License-Identifier: MIT */
/*
 * control.h - start, dump and stop recordings: for programs, clients and the exit
 *
 * One after the other: a lock of its own covers each from its begin to its end.
 */
#ifndef JFREC_RECORDER_CONTROL_CONTROL_H
#define JFREC_RECORDER_CONTROL_CONTROL_H

#include "recorder/control/engine.h"
#include "recorder/control/recordings.h"

/* What a recording shall be; 0 or NULL: none, or the default. */
struct recording_options {
	const char *name, *filename;
	bool is_left_at_exit; /* the end of the process does not write it to its file */
	uint64_t max_age_ns, max_size, duration_ns, delay_ns, flush_ns;
	const struct settings *settings;
	const struct engine_options *engine; /* of the program's own: what the engine shall be */
};

/* Start a recording, now or later; *id: its number. */
int control_start(const struct recording_options *options, uint64_t *id,
		  struct jfrec_recorder_error *err);

/* What of which recording is written where. */
struct dump_options {
	const char *name; /* NULL: of all */
	const char *path;
	struct chosen chosen;
	bool in_place; /* write the file that is there, as JVMs do */
};

/* *size: what was written; 0 and no file: nothing of it is there any more. */
int control_dump(const struct dump_options *options, uint64_t *size,
		 struct jfrec_recorder_error *err);

/*
 * End a recording that a client started, or the program's.  path: where it is written before; NULL:
 * to its own file, if it has one.  -1: it could not be written, and continues.
 */
int control_stop(const char *name, const char *path, uint64_t *size,
		 struct jfrec_recorder_error *err);

/*
 * Begin a thread that starts and ends recordings when it is time; it ends with the last that is
 * due.
 */
void control_keep_time(void);

/*
 * End the program's own, or give it up if it has not begun; if that is the last one, all.  -1: as
 * jfrec_recorder_stop() says.
 */
int control_stop_program(struct jfrec_recorder_error *err);

/* The process ends: all recordings do, and are written if they have a file. */
int control_exit(struct jfrec_recorder_error *err);

/* Start and end those whose time has come; how many nanoseconds until the next, at most 10 s. */
uint64_t control_tick(void);

#endif
