/* SPDX-License-Identifier: MIT */
/*
 * code_modules.h - the modules of native programs, and what their debug information knows
 *
 * A chunk has a jfrec.Module event for each: frames name it, and debug files have its build ID.
 */
#ifndef JFREC_SYMBOLS_CODE_MODULES_H
#define JFREC_SYMBOLS_CODE_MODULES_H

#include "base/digest.h"
#include "format/object.h"
#include "symbols/debug_files.h"

struct code_module {
	struct jfrec_symbolized_module shown; /* its texts belong to it */
	struct debug_info *info;	      /* NULL: none */
	bool is_ready;			      /* it was looked for */
	struct idmap places;		      /* by address */
};

/* What is known of an address: frames from the innermost on. */
struct code_place {
	uint32_t first, count; /* in code_modules.frames */
};

struct code_modules {
	struct jfrec_debug_files *files;
	struct code_module *all; /* of all chunks */
	size_t count, room;
	struct digest_map by_id; /* and name: numbers from 1 on */
	/* Of the chunk at hand: by the names that frames have. */
	struct digest_map by_name;
	struct code_place *places;
	uint32_t place_count, place_room;
	struct code_frame *frames;
	uint32_t frame_count, frame_room;
};

/* All zero at first, but for the files. */
void code_modules_fini(struct code_modules *m);

/* Note the modules of a chunk.  *found: are there any?  0, or -1 with *err set: memory is gone. */
int code_modules_enter(struct code_modules *m, struct objects *objects, struct chunk *c,
		       bool *found, struct jfrec_error *err);

/* The module that frames of this chunk call so; NULL: there is none, or several. */
struct code_module *code_modules_named(struct code_modules *m, const char *name, size_t len);

/*
 * What is at an address of the module; *count 0: nothing is known.  Frames are valid until the next
 * call.  is_nameless: the recording has no name for it.  0, or -1 as above.
 */
int code_modules_find(struct code_modules *m, struct code_module *module, uint64_t address,
		      bool is_nameless, const struct code_frame **frames, unsigned *count,
		      struct jfrec_error *err);

#endif
