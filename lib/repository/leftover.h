/* SPDX-License-Identifier: MIT */
/*
 * leftover.h - find repositories of JVMs that have exited
 *
 * A JVM removes its repository when it ends, but not when it is killed.  What it leaves belongs to
 * its user, who may put anything there: it is read and removed with that user's rights only
 * (process/opener.h), and one repository at a time is open.
 */
#ifndef JFREC_REPOSITORY_LEFTOVER_H
#define JFREC_REPOSITORY_LEFTOVER_H

#include "jfrec-tool.h"
#include "process/opener.h"
#include "repository/chunks.h"
#include "repository/owners.h"

/* Which file it is. */
struct leftover_file {
	dev_t dev;
	ino_t ino;
};

/* A directory that looks like a repository, be its JVM alive or not. */
struct leftover {
	char *name;
	size_t base;	      /* of leftovers.bases */
	struct opener_file self; /* the directory */
	int64_t touched_ns;   /* when something in it was changed last */
	struct leftover_file *files; /* the chunks that were there when it was found, in order */
	size_t file_count, file_room;
};

/* Where they were looked for. */
struct leftover_base {
	int fd;
	struct opener_file self;
	bool is_own;  /* a directory that the configuration names, or /tmp */
	uint32_t uid; /* else with whose rights it was opened */
	uint32_t gid;
	size_t jvms; /* which entry of the configuration's JVMs led there; JFREC_LEFTOVER_HERE */
};

/* How to become the user whose turn it is; the last one is kept for the next time. */
struct leftover_user {
	struct opener opener;
	uint32_t uid;
	bool is_set;
};

/* All zero at first. */
struct leftovers {
	struct leftover *items;
	size_t count, room;
	struct leftover_base *bases;
	size_t base_count, base_room;
	struct leftover_user user;
};

/* A directory of ours to be looked through, of that path.  What is not there is left out. */
void leftovers_add_base(struct leftovers *l, const char *path);

/*
 * The directory around the repository of a JVM, by the repository's path in the JVM's root: only
 * if the JVM's user can open it there.
 */
void leftovers_add_base_of(struct leftovers *l, const struct jfrec_jvm *jvm, const char *path,
			   size_t jvms);

/*
 * Look for all repositories there, and which chunks they have; nothing stays open.  0, or -1 with
 * *err set: JFREC_ENOMEM.
 */
int leftovers_find(struct leftovers *l, jfrec_leftover_failed_fn *failed, void *ctx,
		   struct jfrec_error *err);

void leftovers_fini(struct leftovers *l);

/*
 * Open it with the rights of its owner, if it is still the one that was found.  Only his files
 * with a JVM's names are in it.  NULL with *err set.
 */
struct jfrec_repository *leftover_open(struct leftovers *l, const struct leftover *at,
				       const struct repository_filter *filter,
				       struct jfrec_error *err);

/* Does no JVM write it?  To be asked with owners that were looked for after it was found. */
bool leftover_is_dead(const struct leftover *l, const struct owners *w);

/*
 * Will the chunk never change?  Of a dead one; it was there when that was found.  What came
 * later is of a JVM that began it meanwhile.
 */
bool leftover_is_final(const struct leftover *l, const struct repository_chunk *c,
		       const struct owners *w, int64_t now_ns);

/* Is it certain that no JVM has it, be it only to write there some time? */
bool leftover_may_go(const struct leftover *l, const struct owners *w);

/*
 * Remove the chunks of r, which is all of it, what is empty, and the directory, as its owner.  0,
 * or -1 with *err set; anything else in there keeps it from going.
 */
int leftover_remove(struct leftovers *all, const struct leftover *l,
		    const struct jfrec_repository *r, struct jfrec_error *err);

#endif
