/* SPDX-License-Identifier: MIT */
/*
 * from_repository.h - copy a recording from a JVM's files, without attaching
 */
#ifndef JFREC_CLI_JVM_FROM_REPOSITORY_H
#define JFREC_CLI_JVM_FROM_REPOSITORY_H

#include "jvm/for_each_jvm.h"
#include "opts/jfr_opts.h"
#include "recording/outfile.h"

/* Which of its chunks. */
struct repository_part {
	int64_t from_ns, to_ns; /* since 1970; INT64_MIN and INT64_MAX: no bound */
	uint64_t max_size;	/* 0: none */
	bool gives_way;		/* the copy is to take neither the disk nor memory from others */
};

/*
 * The same as options of JFR.dump mean it, but for a time of day without a zone, which is
 * one of this host.  Returns an exit code, after saying what makes no sense.
 */
int from_repository_part(struct repository_part *part, const struct command *c,
			 const struct jfr_opts *a);

/* Is that a directory, rather than the name of a JVM?  It has a slash in it. */
bool from_repository_is_path(const char *operand);

/* From now on take only what others leave of processors and disks: the JVM must not feel it. */
void from_repository_give_way(void);

/*
 * Copy the repository of the JVM into the open file, and commit it; tell on standard error
 * what is missing.  Returns an exit code, after saying what failed.
 */
int from_repository_copy(const struct each_jvm *j, const struct repository_part *part,
			 struct outfile *o);

/*
 * The same of a JVM that has ended, from what was held of its repository since before.
 * Returns EXIT_DIED if the end of it is missing.
 */
int from_repository_copy_held(const struct each_jvm *j, struct jfrec_repository *held,
			      const struct repository_part *part, struct outfile *o);

/*
 * The same of a JVM that goes on but could not be asked.  Tells what is missing.  Returns an exit
 * code, after saying what failed.
 */
int from_repository_copy_instead(const struct each_jvm *j, struct jfrec_repository *held,
				 const struct repository_part *part, struct outfile *o);

/*
 * Where the repository of a process that is gone may be, and the files that it left when it
 * crashed: say so, with the commands for them.
 */
void from_repository_say_where(int pid);

/* The same, if the operand, which means no JVM, is a pid. */
void from_repository_name_if_gone(const char *operand);

/* Is it the pid of a process that is gone?  Then *pid is set. */
bool from_repository_is_gone(const char *operand, int *pid);

/*
 * The repository of a process that is gone, from /tmp, with a result of its own.  Returns an exit
 * code, after saying what failed; EXIT_NO_JVM, with nothing reported, if there is none.
 */
int from_repository_copy_left(const struct command *c, int pid, const struct repository_part *part,
			      struct output_opts *w, bool json);

/* The same of a directory, into the file that is wished for, with a result of its own. */
int from_repository_copy_directory(const struct command *c, const char *path,
				   const struct repository_part *part, struct output_opts *w,
				   bool json);

#endif
