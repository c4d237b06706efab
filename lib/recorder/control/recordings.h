/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - the recordings of this process, and what each of them keeps
 *
 * The program has one, and who attaches may start others.  All share the chunks: what one needs is
 * kept, and each type is recorded as the one that asks for most of it wants it.  The engine's lock
 * covers all of this.
 */
#ifndef JFREC_RECORDER_CONTROL_RECORDINGS_H
#define JFREC_RECORDER_CONTROL_RECORDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/files/repository.h"
#include "recorder/types/settings.h"
#include "recorder/types/types.h"

enum recording_state { RECORDING_NEW, RECORDING_DELAYED, RECORDING_RUNNING };

struct recording {
	uint64_t id; /* 0: this place is free */
	enum recording_state state;
	bool is_programs, is_left_at_exit;
	char *name, *filename; /* filename: NULL or where it is written at its end */
	uint64_t max_age_ns, max_size, duration_ns, flush_ns; /* 0: none */
	/* of the monotonic clock: when it starts, if it is delayed, or ends; 0: never */
	uint64_t due_ns;
	bool is_reported;   /* that it could not start when it was due */
	uint64_t start_ns;  /* since 1970: what ended before is not in it */
	struct settings settings;
};

/* A place for a new one, with its id; NULL: there are too many. */
struct recording *recordings_add(void);
void recordings_remove(struct recording *r);

/* In the child of a fork(): there are none. */
void recordings_forget(void);

/* Places from 0 on, of which some are free; NULL: beyond the last. */
struct recording *recordings_at(size_t place);

/* By its number or its name; NULL: there is none. */
struct recording *recordings_find(const char *name);
struct recording *recordings_of_program(void);

size_t recordings_running(void);

/* The shortest interval that one of them asks for. */
uint64_t recordings_flush_ns(void);

/* What the largest of them may take on disk. */
uint64_t recordings_most_bytes(void);

/* Tell the types what the ones that run have set. */
void recordings_use_settings(void);

/* Delete the chunks that none of them needs; now_ns: since 1970. */
void recordings_purge(struct repository *repository, uint64_t now_ns);

#endif
