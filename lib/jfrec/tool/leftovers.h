/* SPDX-License-Identifier: MIT */
/* jfrec/tool/leftovers.h - repositories of JVMs that have exited */
#ifndef JFREC_TOOL_LEFTOVERS_H
#define JFREC_TOOL_LEFTOVERS_H

#include "jfrec/tool/repository.h"

/*
 * A JVM removes its repository when it ends, but not when it is killed.  The files that it leaves
 * belong to its user, who may have put anything there, so they are read and removed only with that
 * user's permissions, and only one repository at a time is open.
 */
struct jfrec_leftovers;

/* A directory that looks like a repository, whether its JVM is alive or not. */
struct jfrec_leftover {
	const char *name; /* without its directory; lives as long as the list */
	uint32_t uid;	  /* of its owner */
	size_t origin;	  /* as given to jfrec_leftovers_add_beside(), or JFREC_LEFTOVER_HERE */
	/* By these one can see that it is as it was: */
	uint64_t device, inode; /* of the directory */
	int64_t touched_ns;	/* since 1970: when it, or a file in it, was changed last */
	size_t files;		/* chunks in it */
};

/* The origin of those in directories of this host. */
#define JFREC_LEFTOVER_HERE SIZE_MAX

/* A new, empty list, to be freed with jfrec_leftovers_free(); NULL with *err set: JFREC_ENOMEM. */
struct jfrec_leftovers *jfrec_leftovers_new(struct jfrec_error *err);

/* Free the list and its leftovers. */
void jfrec_leftovers_free(struct jfrec_leftovers *l);

/* Search a directory of this host; one that does not exist is ignored. */
void jfrec_leftovers_add_directory(struct jfrec_leftovers *l, const char *path);

/*
 * Search the directory that contains the repository of a JVM, in the JVM's own root, if the JVM's
 * user can open it there.
 */
void jfrec_leftovers_add_beside(struct jfrec_leftovers *l, const struct jfrec_jvm *jvm,
				const struct jfrec_repository *r, size_t origin);

/*
 * Called for a directory (NULL), or a repository in it, that could not be read completely.  Of each
 * user's repositories only the first is named; one more call counts the others.
 */
typedef void jfrec_leftover_failed_fn(void *ctx, const char *name, const struct jfrec_error *err);

/*
 * Find all repositories in these directories, their chunks, and the processes that may still write
 * them; no file stays open.  May be called once.  0, or -1 with *err set: JFREC_ENOMEM, JFREC_EIO.
 */
int jfrec_leftovers_find(struct jfrec_leftovers *l, jfrec_leftover_failed_fn *failed, void *ctx,
			 struct jfrec_error *err);

/* How many were found. */
size_t jfrec_leftovers_count(const struct jfrec_leftovers *l);

/* Number i of them; NULL beyond the last.  Lives as long as the list. */
const struct jfrec_leftover *jfrec_leftovers_get(const struct jfrec_leftovers *l, size_t i);

/* Does no JVM write number i? */
bool jfrec_leftovers_is_dead(const struct jfrec_leftovers *l, size_t i);

/* Which chunks of a leftover are opened; all zero but for the size: all of them. */
struct jfrec_leftover_filter {
	size_t struct_size;
	bool is_final;			     /* only chunks that will never change */
	jfrec_repository_select_fn *selects; /* of these; NULL: all */
	void *ctx;
	size_t most; /* at most this many, the rest is counted (.left_out); 0: no limit */
};

/*
 * Open number i with the rights of its owner, if it is still the one that was found.  Only its
 * owner's files with names that JVMs give are in it.  To be closed with jfrec_repository_close();
 * NULL with *err set.
 */
struct jfrec_repository *jfrec_leftovers_open(struct jfrec_leftovers *l, size_t i,
					      const struct jfrec_leftover_filter *filter,
					      struct jfrec_error *err);

/* Is it certain that no JVM has number i, not even one that will write there later? */
bool jfrec_leftovers_may_remove(const struct jfrec_leftovers *l, size_t i);

/*
 * Remove the chunks of r, which is all of number i, what is empty, and the directory, as its owner.
 * 0, or -1 with *err set; any other file in it keeps the directory from being removed.
 */
int jfrec_leftovers_remove(struct jfrec_leftovers *l, size_t i, const struct jfrec_repository *r,
			   struct jfrec_error *err);

/* Is number i of that user, by name or number? */
bool jfrec_leftovers_is_of_user(const struct jfrec_leftovers *l, size_t i, const char *user);

#endif
