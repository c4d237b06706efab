/* SPDX-License-Identifier: MIT */
/* jfrec/symbols.h - names and lines for the frames of native programs, after the fact */
#ifndef JFREC_SYMBOLS_H
#define JFREC_SYMBOLS_H

#include "jfrec/output.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/* Where to search for debug information. */
struct jfrec_debug_files;

/*
 * An empty set, to be freed.  Loads libdw: a program that gives up the right to open files does it
 * before.  NULL with *err set: JFREC_EUNSUPPORTED, if the library was built without libdw, or it is
 * not installed.
 */
struct jfrec_debug_files *jfrec_debug_files_new(struct jfrec_error *err);

/*
 * Add a directory: files with debug information in it, and those in .build-id/ below it.  The first
 * one that has the file of a module wins.  0, or -1 with *err set.
 */
int jfrec_debug_files_add(struct jfrec_debug_files *f, const char *path, struct jfrec_error *err);

/* Add the directory of the system, /usr/lib/debug, if it has one.  0, or -1 with *err set. */
int jfrec_debug_files_add_system(struct jfrec_debug_files *f, struct jfrec_error *err);

/* Free the set. */
void jfrec_debug_files_free(struct jfrec_debug_files *f);

/* A module of the program that was recorded: the program, or a library. */
struct jfrec_symbolized_module {
	const char *name;     /* as frames have it */
	const char *build_id; /* hexadecimal; "": it has none */
	const char *file;     /* with its debug information, or NULL */
	const char *fault;    /* why something is missing, or NULL */
	uint64_t places;      /* different addresses in stacks */
	uint64_t nameless;    /* those that had no name */
	uint64_t named;	      /* those of them that have one now */
	uint64_t lines;	      /* those that have a line now */
};

struct jfrec_symbolized {
	uint64_t chunks;
	uint64_t chunks_without_modules; /* there was no jfrec.Module event */
	uint64_t places, named, lines;	 /* of all modules */
};

/*
 * Write the recording with all of its events, and give the frames of its stacks the names of
 * functions and the line numbers that debug information has.  Functions that were inlined become
 * frames of their own.
 *
 * Afterwards r can only be closed.  The caller commits the output.  Damage is reported as problems,
 * and damaged events are not in the output.
 *
 * Returns what was done, to be freed with jfrec_symbolized_free(), or NULL with *err set: as
 * jfrec_write_filtered().
 */
struct jfrec_symbolized *jfrec_write_symbolized(struct jfrec_reader *r, struct jfrec_debug_files *f,
						struct jfrec_output *o, struct jfrec_error *err);

/* How many modules there are. */
size_t jfrec_symbolized_module_count(const struct jfrec_symbolized *s);

/* Module number i, by the number of its places, most first; NULL beyond the last. */
const struct jfrec_symbolized_module *jfrec_symbolized_module_get(const struct jfrec_symbolized *s,
								  size_t i);

/* Free what jfrec_write_symbolized() returned. */
void jfrec_symbolized_free(struct jfrec_symbolized *s);

JFREC_END_DECLS

#endif
