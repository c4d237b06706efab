/* SPDX-License-Identifier: MIT */
/*
 * leftover.h - repositories that no JVM writes any more
 *
 * A JVM removes its repository when it ends, but not when it is killed.
 */
#ifndef JFREC_COLLECT_LEFTOVER_H
#define JFREC_COLLECT_LEFTOVER_H

#include "collect/writers.h"
#include "repository/chunks.h"

/* Of a JVM's own names only. */
extern const struct repository_filter leftover_filter;

/* Found in no JVM's root but in ours. */
#define LEFTOVER_HERE SIZE_MAX

/* A directory that looks like a repository, be its JVM alive or not. */
struct leftover {
	struct jfrec_repository *repository;
	size_t base;	    /* of leftovers.bases */
	struct stat st;	    /* of the directory */
	int64_t touched_ns; /* when something in it was changed last */
};

/* Where they were looked for. */
struct leftover_base {
	int fd;
	struct stat st;
	size_t jvms; /* which entry of the configuration's JVMs led there; LEFTOVER_HERE */
};

/* All zero at first. */
struct leftovers {
	struct leftover *items;
	size_t count, room;
	struct leftover_base *bases;
	size_t base_count, base_room;
};

/* A directory to be looked through; the descriptor is then its own. -1 with *err set: JFREC_ENOMEM.
 */
int leftovers_add_base(struct leftovers *l, int fd, size_t jvms, struct jfrec_error *err);

/* Open all repositories there.  What may not be read is left out. 0, or -1 with *err set. */
int leftovers_find(struct leftovers *l, struct jfrec_error *err);

void leftovers_fini(struct leftovers *l);

/*
 * Does no JVM write it?  To be asked with writers that were looked for after it was opened; then
 * its chunks are looked at once more.
 */
bool leftover_is_dead(struct leftover *l, const struct writers *w);

/*
 * Will the chunk never change?  Of a dead one; it was there when that was opened.  What came
 * later is of a JVM that began it meanwhile.
 */
bool leftover_is_final(const struct leftover *l, const struct repository_chunk *c,
		       const struct writers *w, int64_t now_ns);

/* Is it certain that no JVM has it, be it only to write there some time? */
bool leftover_may_go(const struct leftover *l, const struct writers *w);

/* Remove its chunks and the directory. 0, or -1 with *err set. */
int leftover_remove(const struct leftovers *all, const struct leftover *l, struct jfrec_error *err);

/*
 * The JVM of the repository, by what its first chunk tells (jdk.JVMInformation): its command,
 * in a buffer, or "jvm".
 */
void leftover_command(const struct jfrec_repository *r, char *command, size_t size);

#endif
