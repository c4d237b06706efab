/* SPDX-License-Identifier: MIT */
/*
 * state.h - remember what has been collected
 *
 * A chunk is known by what it says of itself and where its JVM kept it: the start by the clock
 * and in ticks, the repository, whose name is a time and a pid, and the file.  It stays known as
 * long as it is seen, and some days more.
 *
 * A file is written under another name first.  Then the state says of its chunks that they have
 * been collected, and of the file that it is to be named; then it is named.  A collector that is
 * killed in between leaves either nothing, or a file that only needs its name.
 */
#ifndef JFREC_CLI_COLLECT_STATE_H
#define JFREC_CLI_COLLECT_STATE_H

#include "jfrec.h"

struct state_chunk {
	int64_t start_ns, start_ticks;
	int64_t seen_s; /* since 1970 */
	char *name;	/* "2026_11_20_09_46_59_4711/2026_11_20_09_47_05.jfr" */
};

enum file_step {
	FILE_WRITTEN, /* under its first name */
	FILE_NAMED,   /* a report is to be written on it, then the same as: */
	FILE_DONE,
	FILE_REPORTED, /* its tables are to be written, then the same as: */
	FILE_PAGE,     /* a report, under its first name */
	FILE_EXPORTED, /* the command is to be run for it */
};

/* Files of before owners were noted. */
#define NO_OWNER INT64_C(-1)

struct state_file {
	char *name;    /* without the directory */
	int64_t owner; /* the uid of its JVM, or NO_OWNER */
	uint64_t bytes;
	int64_t end_ns; /* of what is in it */
	enum file_step step;
};

/* All zero is empty. */
struct state {
	struct state_chunk *chunks; /* by start, ticks and name */
	size_t chunk_count, chunk_room;
	struct state_file *files; /* as they were written */
	size_t file_count, file_room;
	bool changed; /* since it was saved */
	/* Lines that made no sense when it was read, and the number of the first. */
	size_t bad_lines, first_bad;
};

void state_fini(struct state *s);

/*
 * Read the text of a state.  Lines that make no sense are left out and counted (bad_lines).  0, or
 * -1 with *err set and *s empty: JFREC_EINVAL, with the line, if not a state file or breaks off.
 */
int state_parse(struct state *s, const char *text, size_t len, struct jfrec_error *err);

/* The text, to be freed; NULL when memory is gone. */
char *state_text(const struct state *s, size_t *len);

/* Of a directory: no file is an empty state.  0, or -1 with *err set. */
int state_load(struct state *s, int dir, struct jfrec_error *err);

/* Have it on the disk, whole.  0, or -1 with *err set: JFREC_EIO; the old one is as it was. */
int state_save(struct state *s, int dir, struct jfrec_error *err);

/* Was it collected?  Then it is also seen, now. */
bool state_knows(struct state *s, int64_t start_ns, int64_t start_ticks, const char *name,
		 int64_t now_s);

/*
 * It is collected from now on.  0, or -1 with *err set: JFREC_EINVAL for a name with control
 * characters, JFREC_ENOMEM.
 */
int state_add_chunk(struct state *s, int64_t start_ns, int64_t start_ticks, const char *name,
		    int64_t now_s, struct jfrec_error *err);

/* The same; JFREC_EINVAL as well for a name that leads out of the directory. */
int state_add_file(struct state *s, const char *name, int64_t owner, uint64_t bytes,
		   int64_t end_ns, enum file_step step, struct jfrec_error *err);

/* The file of that name, or NULL. */
struct state_file *state_file(const struct state *s, const char *name);

void state_drop_file(struct state *s, size_t i);

/* Forget chunks that have not been seen for long. */
void state_forget(struct state *s, int64_t now_s);

#endif
