/* SPDX-License-Identifier: MIT */
/*
 * chunk.h - write a chunk file that others read meanwhile
 *
 * What was appended counts from the commit on, which rewrites the header: until then readers do not
 * see it, and if something fails, the next append begins at the end of what was committed.
 */
#ifndef JFREC_RECORDER_FILES_CHUNK_H
#define JFREC_RECORDER_FILES_CHUNK_H

#include <stdbool.h>
#include <sys/uio.h>

#include "recorder/ground/bytes.h"
#include "recorder/ground/fail.h"
#include "recorder/ground/held.h"
#include "recorder/ground/region.h"

/* As many as one write takes: of whole buffers 2 MB, beyond which larger ones are not faster. */
#define CHUNK_PIECES 260u

/* A file system that gives none ahead. */
#define NEVER_RESERVE UINT64_MAX

struct chunk {
	struct held file; /* none: there is no chunk */
	char path[REGION_PATH];
	uint64_t size; /* committed */
	uint64_t at;   /* where the next append is written */
	uint64_t reserved; /* up to here the file system has given it blocks; or NEVER_RESERVE */
	uint64_t time_ns, start_ticks, end_ticks;
	uint64_t metadata_at, checkpoint_at; /* committed; 0: none */
	uint64_t next_metadata_at, next_checkpoint_at;
	uint8_t generation;
	int failed; /* errno of an append */
	bool is_plain; /* pieces are copied */
	/* What is not written yet: pieces, of which small ones are in stage. */
	size_t piece_count, waiting, staged;
	struct iovec pieces[CHUNK_PIECES];
	uint8_t stage[64 << 10];
};

/*
 * Create the file in its directory.  time_ns: since 1970, at start_ticks.  After a failure c is
 * what it was.
 */
int chunk_open(struct chunk *c, int directory, const char *path, uint64_t time_ns,
	       uint64_t start_ticks, struct jfrec_recorder_error *err);

/* The same with an empty file that is open, and becomes the chunk's in any case.  0 or errno. */
int chunk_take(struct chunk *c, struct held *file, const char *path, uint64_t time_ns,
	       uint64_t start_ticks);

/* If the program has closed its descriptor: open the file again.  -1: it is not there any more. */
int chunk_open_again(struct chunk *c, int directory, struct jfrec_recorder_error *err);

/* Forget what was appended since the last commit. */
void chunk_rewind(struct chunk *c);

void chunk_append(struct chunk *c, const void *data, size_t size);

/*
 * The same without a copy, if it is not small: data stays what it is until chunk_ready() or
 * chunk_rewind().
 */
void chunk_append_lasting(struct chunk *c, const void *data, size_t size);

/* Append it, as the metadata or checkpoint that readers begin with. */
void chunk_append_metadata(struct chunk *c, const struct bytes *b);
void chunk_append_checkpoint(struct chunk *c, const struct bytes *b);

/* Has everything been written?  Before the commit. */
int chunk_ready(struct chunk *c, struct jfrec_recorder_error *err);

enum chunk_end { CHUNK_CONTINUES, CHUNK_ENDS, CHUNK_IS_LAST };

/* Rewrite the header, so that readers see what was appended. */
int chunk_commit(struct chunk *c, uint64_t end_ticks, enum chunk_end end,
		 struct jfrec_recorder_error *err);

void chunk_close(struct chunk *c);

#endif
