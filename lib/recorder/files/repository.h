/* SPDX-License-Identifier: MIT */
/*
 * repository.h - the directory of chunk files: names, limits, dumps
 */
#ifndef JFREC_RECORDER_FILES_REPOSITORY_H
#define JFREC_RECORDER_FILES_REPOSITORY_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/ground/fail.h"
#include "recorder/ground/held.h"
#include "recorder/ground/region.h"

/* A finished chunk. */
struct closed {
	char *path;
	uint64_t start_ns, end_ns; /* since 1970 */
	uint64_t size;
};

struct repository {
	char path[256];
	/* it is reached by that, too, where the path is of no use: after chroot() */
	struct held directory;
	struct held last; /* of the last finished chunk, which is read where its path cannot be */
	struct closed *chunks; /* the oldest first */
	size_t count, room;
	uint64_t bytes;
};

/* Name a directory for this process in base, where it could be made. */
int repository_plan(struct repository *r, const char *base, struct jfrec_recorder_error *err);

/*
 * Make it.  memory: the file of the process's buffers, which a file there names for those who read
 * it after a crash; NULL: there is none.
 */
int repository_make(struct repository *r, const char *memory, struct jfrec_recorder_error *err);
bool repository_is_made(const struct repository *r);

/* Now, in local time, as 2026_11_22_19_20_38: readers look for names of this form. */
void repository_stamp(char text[static 32]);

/* The path of the next chunk, after those that are there. */
void repository_name(struct repository *r, char path[REGION_PATH]);

/* There is none. */
#define REPOSITORY_NONE { .directory = { .fd = -1 }, .last = { .fd = -1 } }

/* A descriptor of the directory, which stays the repository's.  -1: it is not there any more. */
int repository_directory(struct repository *r);

/* Was it deleted?  It may also be where this process may not look. */
bool repository_is_removed(const struct repository *r);

/*
 * Another chunk is finished; file: its descriptor, which becomes the repository's.  False: no
 * memory; it is there, but is not deleted by limits.
 */
bool repository_add(struct repository *r, const char *path, struct held *file, uint64_t start_ns,
		    uint64_t end_ns, uint64_t size);

/* The last one goes on, after all: forget that it was added.  None: its descriptor is gone. */
struct held repository_take_back(struct repository *r);

/* Delete a file of it, by the path that it had in it. */
void repository_unlink(struct repository *r, const char *path);

/* Delete the oldest one.  False: there is none. */
bool repository_drop_oldest(struct repository *r);

/* Which chunks: those that overlap [from_ns, to_ns), of these the last max_size bytes; 0: all. */
struct chosen {
	uint64_t from_ns, to_ns, max_size; /* to_ns: 0 is never */
};

/* Open files of chunks: zeros are none. */
struct opened_chunk {
	struct held file;
	uint64_t size; /* it may grow while it is copied, and its header may change */
	uint8_t header[CHUNK_HEADER];
};
struct opened {
	struct opened_chunk *chunks;
	size_t count;
	uint64_t size; /* of all */
};

/*
 * Open the chunks that are chosen; there may be none.  What others have deleted is left out, if
 * anything is left.  -1: failed, and nothing is open.
 */
int repository_open_chunks(struct repository *r, const struct chosen *chosen,
			   struct opened *opened, struct jfrec_recorder_error *err);
void repository_close_chunks(struct opened *opened);

/* A file that has its name when it is whole, and until then another one beside it. */
struct whole {
	struct held file;
	int place;
	char made[NAME_MAX + 1];
};

/* Begin one that will be at this path.  -1: errno. */
int whole_open(struct whole *w, const char *path);

/* It is whole.  -1 and errno: it is closed, but still has its other name. */
int whole_close(struct whole *w, const char *path);

/* Delete it. */
void whole_drop(struct whole *w);

/* Is what there is at path, if anything, to be replaced?  A device is written to. */
bool repository_is_replaced(const char *path);

/* Write the chunks into one file, completely or not at all.  Needs no lock. */
int repository_copy(const struct opened *opened, const char *path,
		    struct jfrec_recorder_error *err);

/* The same into the file that is there, or a new one; after a failure a part of it is there. */
int repository_copy_into(const struct opened *opened, const char *path,
			 struct jfrec_recorder_error *err);

/* The process ends in order: the buffers are empty. */
void repository_settle(struct repository *r);

/* Delete all chunks and the directory; or forget about them. */
void repository_remove(struct repository *r);
void repository_fini(struct repository *r);

/*
 * Delete what a process that is gone had recorded, or with keep only the name of its memory, which
 * will be that of another program.  chunk: a file of its directory.
 */
void repository_leave_former(const char *chunk, uint32_t pid, bool keep);

#endif
