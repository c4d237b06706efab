/* SPDX-License-Identifier: MIT */
/*
 * repository.h - the directory of chunk files: names, limits, dumps
 */
#ifndef JFREC_NATIVE_REPOSITORY_H
#define JFREC_NATIVE_REPOSITORY_H

#include <stdbool.h>
#include <stdint.h>

#include "native/fail.h"
#include "native/region.h"

/* A finished chunk. */
struct closed {
	char *path;
	uint64_t end_ns, size; /* since 1970 */
};

/* Zeros: none. */
struct repository {
	char path[256];
	struct closed *chunks; /* the oldest first */
	size_t count, room;
	uint64_t bytes;
};

/*
 * Make a directory for this process in base.  memory: the file of its buffers, which a file there
 * names for those who read it after a crash; NULL: there is none.
 */
int repository_open(struct repository *r, const char *base, const char *memory,
		    struct jfrec_recorder_error *err);

/* The path of the next chunk, after those that are there. */
void repository_name(const struct repository *r, char path[REGION_PATH]);

/* Another chunk is finished.  False: no memory; it is there, but is not deleted by limits. */
bool repository_add(struct repository *r, const char *path, uint64_t end_ns, uint64_t size);

/* Delete the oldest chunks beyond the limits, of which 0 is none. */
void repository_purge(struct repository *r, uint64_t max_size, uint64_t oldest_ns);

/* Delete the oldest one.  False: there is none. */
bool repository_drop_oldest(struct repository *r);

/* Descriptors of all chunks, which the caller closes, in memory that the caller frees; NULL: failed. */
int *repository_open_chunks(const struct repository *r, struct jfrec_recorder_error *err);

/* Write count chunks into one file, completely or not at all.  Needs no lock. */
int repository_copy(const int *fds, size_t count, const char *path, struct jfrec_recorder_error *err);

/* The process ends in order: the buffers are empty. */
void repository_settle(struct repository *r);

/* Delete all chunks and the directory; or forget about them. */
void repository_remove(struct repository *r);
void repository_fini(struct repository *r);

#endif
