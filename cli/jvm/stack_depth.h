/* SPDX-License-Identifier: MIT */
/*
 * stack_depth.h - how deep stack traces of a JVM's first recording are
 */
#ifndef JFREC_CLI_JVM_STACK_DEPTH_H
#define JFREC_CLI_JVM_STACK_DEPTH_H

#include "jvm/for_each_jvm.h"

/* All zero: what suffices for the stacks of frameworks, unless it was set before. */
struct stack_depth_opts {
	unsigned frames; /* 0: none were chosen */
	bool keep;	 /* leave it as it is */
};

/* A group for the table of a command. */
extern const struct opt stack_depth_rows[];

/*
 * To be called before a recording is started.  Says what it changed, and adds stackDepth to the
 * result.  Returns an exit code, after saying what failed: also if frames were chosen that cannot
 * be had any more.
 */
int stack_depth_prepare(const struct each_jvm *j, const struct stack_depth_opts *o);

#endif
