/* SPDX-License-Identifier: MIT */
/*
 * owners.h - find the processes that may still write to a repository
 *
 * A JVM that records has the chunk open that it writes.  So a chunk that is not finished, and
 * that no process had open after it was seen so, will never be.
 */
#ifndef JFREC_REPOSITORY_OWNERS_H
#define JFREC_REPOSITORY_OWNERS_H

#include <sys/stat.h>

#include "jfrec.h"

struct owner {
	int ns_pid;
	int64_t started_ns;
	bool is_hidden; /* we may not see its files */
	bool records;	/* it has a chunk open, of whatever repository */
};

struct owners {
	struct owner *items; /* all that are JVMs, or may be */
	size_t count, room;
	struct {
		dev_t dev;
		ino_t ino;
	} * files; /* chunks that a process has open */
	size_t file_count, file_room;
	bool sees_all; /* no process can be there that is not seen here */
};

/* Look at all processes. 0, to be ended with owners_fini(), or -1 with *err set. */
int owners_find(struct owners *w, struct jfrec_error *err);
void owners_fini(struct owners *w);

/* Does a process have that file open? */
bool owners_have(const struct owners *w, dev_t dev, ino_t ino);

/*
 * May a JVM with that pid in its namespace, that was there at the time, be alive?  One that
 * records elsewhere counts only if `idle` repositories do.
 */
bool owners_may_live(const struct owners *w, int ns_pid, int64_t at_ns, bool idle);

#endif
