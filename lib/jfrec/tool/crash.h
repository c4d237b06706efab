/* SPDX-License-Identifier: MIT */
/* jfrec/tool/crash.h - the files that a crashing JVM leaves */
#ifndef JFREC_TOOL_CRASH_H
#define JFREC_TOOL_CRASH_H

#include "jfrec/jvm.h"

/*
 * A JVM that crashes writes hs_err_pid4711.log, and what it had recorded as hs_err_pid4711.jfr,
 * into its working directory, or where -XX:ErrorFile says.  Where that was is not known any more
 * when it has ended, so it is to be remembered before.  They are found without
 * being opened, and those of a JVM are looked at and opened with no more than the rights of its
 * user.
 */
struct jfrec_crash_files;

struct jfrec_crash_file {
	const char *path; /* as this host knows it, or the JVM in its container */
	const char *word; /* the same as a word of a shell */
	bool is_recording; /* .jfr; else it is the log */
	bool is_elsewhere; /* the path is one of another root */
	int pid;	   /* of its name; of a container in that namespace; 0: it has none */
	uint32_t uid;
	int64_t modified_ns; /* since 1970 */
	uint64_t size;
};

/* None yet; to be freed with jfrec_crash_files_free().  NULL with *err set: JFREC_ENOMEM. */
struct jfrec_crash_files *jfrec_crash_files_new(struct jfrec_error *err);

/*
 * Remember where this JVM would leave them.  0, or -1 with *err set: JFREC_ENOJVM,
 * JFREC_EPERMISSION, JFREC_ENOMEM.
 */
int jfrec_crash_files_add_jvm(struct jfrec_crash_files *c, const struct jfrec_jvm *jvm,
			      struct jfrec_error *err);

/* Look into a directory of this host, too. */
void jfrec_crash_files_add_directory(struct jfrec_crash_files *c, const char *path);

/* Whose files are meant. */
enum jfrec_crash_of {
	JFREC_CRASH_OF_JVM = 0,	   /* those of the JVM that was added, since it was started */
	JFREC_CRASH_OF_OTHERS = 1, /* but not of JVMs that were added, nor of processes that run */
};

/*
 * Look for them; what was found before is forgotten.  pid: of others, only of that one; 0: any.
 * Recordings come first, then the newest.  0, or -1 with *err set: JFREC_ENOMEM.
 */
int jfrec_crash_files_find(struct jfrec_crash_files *c, enum jfrec_crash_of whose, int pid,
			   struct jfrec_error *err);

/* How many were found. */
size_t jfrec_crash_files_count(const struct jfrec_crash_files *c);

/* Number i; NULL beyond the last. */
const struct jfrec_crash_file *jfrec_crash_files_get(const struct jfrec_crash_files *c, size_t i);

/*
 * Open number i of a JVM that was added to read it, with the rights of the JVM's user: a regular
 * file of that user, which is not a link.  A descriptor to be closed, or -1 with *err set:
 * JFREC_EIO, JFREC_EPERMISSION.
 */
int jfrec_crash_files_open(const struct jfrec_crash_files *c, size_t i, struct jfrec_error *err);

/* Free them. */
void jfrec_crash_files_free(struct jfrec_crash_files *c);

#endif
