/* SPDX-License-Identifier: MIT */
/*
 * for_each_jvm.h - run a command for each selected JVM
 */
#ifndef JFREC_CLI_JVM_FOR_EACH_JVM_H
#define JFREC_CLI_JVM_FOR_EACH_JVM_H

#include <jansson.h>

#include "opts/attach_opts.h"
#include "opts/target.h"

struct for_each_jvm {
	const struct command *command;
	struct target target;
	struct attach_opts attach;
	bool json;
	bool apart;   /* talk to none of them: there is no session */
	bool manages; /* fn knows what to do without one */
	bool in_parallel; /* fn only prints: of several JVMs it is called in a child process each */
};

/* Groups for the table of a command; the second one for those that set attach.whole. */
extern const struct opt for_each_jvm_rows[], for_each_jvm_whole_rows[];

/* One JVM of those. */
struct each_jvm {
	const struct for_each_jvm *each;
	const struct jfrec_jvm *jvm;
	struct jfrec_session *session; /* NULL: it cannot be talked to, or was not to be */
	const struct jfrec_error *why; /* it cannot be; or NULL */
	json_t *result; /* an object to fill; NULL: print text */
	bool timed_out; /* with more time it might have replied */
};

/*
 * Talk to each JVM that is meant.  fn returns an exit code, after saying why it failed.  With
 * `manages` set it is called for those that cannot be talked to, too.
 *
 * Returns EXIT_DONE, or the first other exit code.  With --json prints a document that is named
 * after the command, with the results as "jvms"; a JVM of which there is nothing to tell is not
 * there.
 */
int for_each_jvm(struct for_each_jvm *e, const struct opt_parser *p,
		 int (*fn)(struct each_jvm *j, void *ctx), void *ctx);

/* Say what failed with that JVM. Returns the exit code. */
int for_each_jvm_fail(const struct each_jvm *j, const struct jfrec_error *err);

/* With --all, begin a line of text by the JVM's pid. */
void for_each_jvm_begin_line(const struct each_jvm *j);

#endif
