/* SPDX-License-Identifier: MIT */
/* jfrec/tool/outside.h - what the host shows of a JVM, as texts to keep */
#ifndef JFREC_TOOL_OUTSIDE_H
#define JFREC_TOOL_OUTSIDE_H

#include "jfrec/jvm.h"

enum jfrec_outside {
	JFREC_OUTSIDE_PROCESS = 0,	 /* files of /proc/PID: status, limits, io, memory */
	JFREC_OUTSIDE_TASKS = 1,	 /* a line for each thread that the kernel knows */
	JFREC_OUTSIDE_DESCRIPTORS = 2,	 /* a line for each open file */
	JFREC_OUTSIDE_CGROUPS = 3,	 /* limits, use and pressure of its control groups */
	JFREC_OUTSIDE_HOST = 4,	 /* load, memory, pressure and processors of the machine */
	JFREC_OUTSIDE_COMMAND_LINE = 5, /* as VM.command_line prints it */
	JFREC_OUTSIDE_ENVIRONMENT = 6,	 /* NAME=VALUE, line feeds in it as \n */
};

/*
 * Write what /proc and the control groups show, as lines of text; nothing is sent to the JVM.  What
 * may not be read is named in its place.  Secrets are in it as they are.
 *
 * May take as long as the kernel does: a process whose memory is locked has no command line to
 * read.  0, or -1 with *err set: JFREC_ENOJVM, JFREC_EPERMISSION, JFREC_EIO, JFREC_EOUTPUT,
 * JFREC_ENOMEM.
 */
int jfrec_outside_write(const struct jfrec_jvm *jvm, enum jfrec_outside what,
			 jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/*
 * A log of the garbage collector that the JVM's options name (-Xlog:gc*:file=, -Xloggc:): path as
 * the JVM knows it.  fd: open for reading, to be closed by who is called; -1: it was not opened,
 * for the reason in *why, and nothing of it was read.  Returns 0 to go on, or -1, which ends it.
 */
typedef int jfrec_named_log_fn(void *ctx, const char *path, int fd, const struct jfrec_error *why);

/*
 * Call fn for each of them.  A log is opened only if the JVM itself has it open for writing, and it
 * is a regular file of the JVM's user without a second name; by that descriptor, with the rights of
 * that user.  So a name that leads to another user's file, a device, a FIFO or a link that is
 * swapped leads nowhere.
 *
 * 0, -1 if fn returned that, or -1 with *err set: JFREC_ENOJVM, JFREC_EPERMISSION, JFREC_ENOMEM.
 */
int jfrec_outside_logs(const struct jfrec_jvm *jvm, jfrec_named_log_fn *fn, void *ctx,
			struct jfrec_error *err);

#endif
