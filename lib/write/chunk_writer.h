/* SPDX-License-Identifier: MIT */
/*
 * chunk_writer.h - write one chunk from start to end
 *
 *	chunk_writer_begin(w, output, &header);
 *	chunk_writer_event(w, bytes, len);             any number, in any order
 *	chunk_writer_constant(w, type_id, key, value, len);
 *	chunk_writer_metadata(w, ticks, content, len); once
 *	ret = chunk_writer_end(w, err);
 *
 * The header is written last, since it says where things are.  Where the output
 * takes no changes (a pipe, a compressed file) the whole chunk is kept in
 * memory until its end; without an output it stays there, in .held.  Failures
 * stick, and chunk_writer_end() tells them.
 */
#ifndef JFREC_WRITE_CHUNK_WRITER_H
#define JFREC_WRITE_CHUNK_WRITER_H

#include "base/buffer.h"
#include "format/chunk_header.h"
#include "output/output.h"

/* All zero at first; may be used for one chunk after the other. */
struct chunk_writer {
	struct jfrec_output *out; /* NULL: none */
	struct chunk_header header;
	uint64_t start; /* of the chunk in the output */
	uint64_t size;	/* of the chunk so far */
	struct buffer held;
	bool holds; /* the chunk is kept in memory: in `held` */
	/* The checkpoint at hand: its pools, and the one that is being filled. */
	struct buffer pools, pool;
	uint64_t pool_count, pool_type, constant_count;
	uint64_t string_type; /* chunk_writer_strings(); 0: none */
};

/*
 * Begin a chunk with the version, times and flags of *h; the rest of it is found out.  If its
 * clock cannot be one, it gets that by which its ticks were read: of nanoseconds.
 */
void chunk_writer_begin(struct chunk_writer *w, struct jfrec_output *out,
			const struct chunk_header *h);

/*
 * To be called after _begin(): the id of the type of strings.  Their constants end a
 * checkpoint: async-profiler's reader takes them for structs without fields, and reads
 * on in the midst of them, up to the checkpoint's end.
 */
static inline void chunk_writer_strings(struct chunk_writer *w, uint64_t type_id)
{
	w->string_type = type_id;
}

/* Where in the chunk the next event will be. */
static inline uint64_t chunk_writer_at(const struct chunk_writer *w)
{
	return w->size;
}

/* An event, or several, whose bytes begin with their size. */
void chunk_writer_event(struct chunk_writer *w, const void *bytes, size_t len);

/*
 * A constant.  Those of one type should come one after the other, and no key of
 * a type twice.  They gather in checkpoints of about a megabyte.
 */
void chunk_writer_constant(struct chunk_writer *w, uint64_t type_id, uint64_t key,
			   const void *value, size_t len);

/* The metadata event; content is all of it from the metadata id on. */
void chunk_writer_metadata(struct chunk_writer *w, int64_t ticks, const void *content, size_t len);

/* Write what is left and the header.  0, or -1 with *err set. */
int chunk_writer_end(struct chunk_writer *w, struct jfrec_error *err);

void chunk_writer_fini(struct chunk_writer *w);

#endif
