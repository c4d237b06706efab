/* SPDX-License-Identifier: MIT */
/* jfrec/session.h - talking to a JVM */
#ifndef JFREC_SESSION_H
#define JFREC_SESSION_H

#include "jfrec/jvm.h"

JFREC_BEGIN_DECLS

struct jfrec_session;

/* Told of each step of the handshake: one sentence, without a line feed. */
typedef void jfrec_trace_fn(void *ctx, const char *step);

struct jfrec_session_options {
	size_t struct_size;
	int timeout_ms;	     /* for each command; 0: 10 s, 60 s for those that write recordings */
	int open_timeout_ms; /* for opening; 0: timeout_ms, or 10 s */
	bool no_signal;	     /* fail (JFREC_EATTACH) where the listener is not up */
	jfrec_trace_fn *trace;
	void *trace_ctx;
};

/*
 * Make ready to talk to a JVM: have its attach listener started, if that has
 * not been done, by the handshake of HotSpot.
 *
 * Every condition under which that could harm the JVM is checked before; then
 * the call fails and nothing was sent.  Where the JVM has another user or group than we,
 * and we may, a child process takes these on, and stays until the session is closed. It
 * also clears away what we left in the JVM's root if this process dies; if there may be something
 * of that kind, it is started in any case.
 *
 * jvm: copied as far as needed.  Returns the session, to be closed with
 * jfrec_session_close(), or NULL with *err set: JFREC_ENOJVM, JFREC_EPERMISSION,
 * JFREC_EATTACH, JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EIO, JFREC_ENOMEM.
 */
struct jfrec_session *jfrec_session_open(const struct jfrec_jvm *jvm,
					 const struct jfrec_session_options *options,
					 struct jfrec_error *err);

/*
 * Ends the child and frees the session; leaves nothing behind in the JVM's root.
 *
 * Where a command was given up that may yet make a file there, a process without
 * descriptors of this one waits for its end, for a minute at most, and removes the file.
 */
void jfrec_session_close(struct jfrec_session *s);

/*
 * Have an operation of the attach protocol carried out ("jcmd", "properties",
 * "threaddump" ...) and pass on the reply after its status line as it arrives.
 *
 * arguments: up to 3, of UTF-8 without control bytes.  Each may have up to 1024 bytes, more
 * where the JVM speaks version 2 (JDK 24).
 * Returns 0 with *status set to what the JVM said, or -1 with *err set: JFREC_EINVAL,
 * JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EPERMISSION, JFREC_EOUTPUT.  A status of 0 does not mean that
 * the operation succeeded; see the commands of Flight Recorder below.
 */
int jfrec_session_run(struct jfrec_session *s, const char *operation, const char *const *arguments,
		      size_t count, jfrec_write_fn *write, void *ctx, int *status,
		      struct jfrec_error *err);

/*
 * Have a diagnostic command carried out, such as "Thread.print -l" or "JFR.check name=7",
 * and pass on what the JVM says, for most commands as it comes.
 *
 * Flight Recorder answers failures as it does success.  So its answers are
 * judged by their text, and one that is not known to mean success is a failure.
 *
 * 0, or -1 with *err set: as jfrec_session_run(), or JFREC_EREFUSED or JFREC_ENOJFR if the JVM
 * replied that the command failed.  Then *refusal is what it said, to be freed with
 * jfrec_free(), and nothing was passed on; else *refusal is NULL.
 */
int jfrec_session_jcmd(struct jfrec_session *s, const char *command, jfrec_write_fn *write,
		       void *ctx, char **refusal, struct jfrec_error *err);

struct jfrec_jvm_version {
	int jdk;	  /* 17 */
	char version[64]; /* "17.0.15" */
	char vm[192];	  /* "OpenJDK 64-Bit Server VM version 17.0.15+6-Debian-1deb12u1" */
};

/*
 * Ask which version the JVM is (VM.version).  To be freed with jfrec_free(); NULL with *err set: as
 * jfrec_session_run(), JFREC_EREFUSED.
 */
struct jfrec_jvm_version *jfrec_session_version(struct jfrec_session *s, struct jfrec_error *err);

/*
 * A file that a JVM has written for us: a recording (jfrec_jfr_dump()) or its heap
 * (jfrec_heap_dump()).  It is whole, and stays in the JVM's root until the dump is freed.
 */
struct jfrec_dump;

/* In bytes. */
uint64_t jfrec_dump_size(const struct jfrec_dump *d);

/* Hand all of it to write.  0, or -1 with *err set (JFREC_EOUTPUT, JFREC_EIO, JFREC_ERESULT). */
int jfrec_dump_copy(const struct jfrec_dump *d, jfrec_write_fn *write, void *ctx,
		    struct jfrec_error *err);

/* Removes the file from the JVM's root. */
void jfrec_dump_free(struct jfrec_dump *d);

JFREC_END_DECLS

#endif
