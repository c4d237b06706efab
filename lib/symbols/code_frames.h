/* SPDX-License-Identifier: MIT */
/*
 * code_frames.h - stack traces of native programs, written again with names and lines
 */
#ifndef JFREC_SYMBOLS_CODE_FRAMES_H
#define JFREC_SYMBOLS_CODE_FRAMES_H

#include "edit/rewrite.h"
#include "symbols/code_modules.h"

/* A place in code, as a frame has it, and what takes its place. */
struct code_spot {
	uint32_t first, count; /* in code_frames.written; 0: it stays */
};

/* A frame to be written. */
struct code_written {
	uint64_t method;
	uint32_t line;
};

/* Constants of a type that the chunk did not have, from a key that is free. */
struct code_constants {
	const struct jfrec_type *type;
	uint64_t first_key;
	struct buffer values;
	size_t *ends; /* of each value in `values` */
	size_t count, room;
	struct digest_map known; /* their numbers, from 1 on */
};

/* Of one chunk; all zero at first, but for the modules. */
struct code_frames {
	struct chunk_modules *modules;
	struct objects objects;
	const struct jfrec_type *trace, *frame;
	struct digest_map spots; /* by method and address: their number, from 1 on */
	struct code_spot *spot;
	uint32_t spot_count, spot_room;
	struct code_written *written;
	uint32_t written_count, written_room;
	struct code_constants methods, symbols;
	bool has_modules; /* the chunk */
};

/* The chunk, once.  0, or -1 with *err set. */
int code_frames_enter(struct code_frames *f, struct chunk *c, struct jfrec_error *err);
void code_frames_fini(struct code_frames *f);

/* For struct rewrite: .replace_constant and .added. */
int code_frames_replace(struct code_frames *f, const struct jfrec_type *t, const uint8_t *value,
			size_t len, struct buffer *to, struct jfrec_error *err);
bool code_frames_added(const struct code_frames *f, const struct jfrec_type *t, size_t i,
		       struct added_constant *added);

#endif
