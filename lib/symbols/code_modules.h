/* SPDX-License-Identifier: MIT */
/*
 * code_modules.h - the modules of native programs, and what their debug information knows
 *
 * A chunk has a jfrec.Module event for each: frames name it, and debug files have its build ID.
 */
#ifndef JFREC_SYMBOLS_CODE_MODULES_H
#define JFREC_SYMBOLS_CODE_MODULES_H

#include <pthread.h>

#include "base/digest.h"
#include "format/object.h"
#include "symbols/debug_files.h"

struct code_module {
	struct jfrec_symbolized_module shown; /* its texts belong to it */
	struct debug_info *info;	      /* NULL: none */
	bool is_ready;			      /* it was looked for */
	struct idmap places;		      /* by address: numbers in code_modules.places */
	size_t order;			      /* of those with places; from 1 on */
};

/* What is known of an address: frames from the innermost on. */
struct code_place {
	uint32_t first, count; /* in code_modules.frames */
	bool is_counted;       /* in what is shown of the module */
};

/* The modules of all chunks: several threads may look up places at the same time. */
struct code_modules {
	struct jfrec_debug_files *files;
	pthread_mutex_t lock;
	/* With the lock: */
	struct code_module **all;
	size_t count, room;
	size_t ordered;
	struct digest_map by_id; /* and name: numbers from 1 on */
	struct code_place *places;
	uint32_t place_count, place_room;
	struct code_frame *frames;
	uint32_t frame_count, frame_room;
};

/* A place that stacks of a chunk have. */
struct code_sight {
	struct code_module *module;
	uint32_t place;
	bool is_nameless; /* the recording has no name for it */
};

/* The modules of one chunk, for one thread; all zero at first, but for the others. */
struct chunk_modules {
	struct code_modules *all;
	struct digest_map by_name; /* as frames have it */
	struct code_sight *seen;
	size_t seen_count, seen_room;
};

void code_modules_init(struct code_modules *m, struct jfrec_debug_files *files);
void code_modules_fini(struct code_modules *m);
void chunk_modules_fini(struct chunk_modules *m);

/* Note the modules of the chunk. *found: are there any? 0, or -1 with *err set: memory is gone. */
int chunk_modules_enter(struct chunk_modules *m, struct objects *objects, struct chunk *c,
			bool *found, struct jfrec_error *err);

/* The module that frames of this chunk call so; NULL: there is none, or several. */
struct code_module *chunk_modules_named(struct chunk_modules *m, const char *name, size_t len);

/*
 * What is at an address of the module: up to CODE_FRAMES_MAX frames, whose names are as long as the
 * modules; *count 0: nothing is known.  is_nameless: the recording has no name for it.  0, or -1 as
 * above.
 */
int chunk_modules_find(struct chunk_modules *m, struct code_module *module, uint64_t address,
		       bool is_nameless, struct code_frame *frames, unsigned *count,
		       struct jfrec_error *err);

/*
 * Add the places of the chunk to what is shown of its modules.  To be called in the order of
 * chunks: the first that has a place decides whether that had a name.
 */
void chunk_modules_count(struct chunk_modules *m);

#endif
