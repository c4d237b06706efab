/* SPDX-License-Identifier: MIT */
/* jfrec/session.h - talking to a JVM */
#ifndef JFREC_SESSION_H
#define JFREC_SESSION_H

#include "jfrec/jvm.h"

JFREC_BEGIN_DECLS

struct jfrec_session;

/* Called for each step of the handshake, with one sentence without a line feed. */
typedef void jfrec_trace_fn(void *ctx, const char *step);

struct jfrec_session_options {
	size_t struct_size;
	int timeout_ms;	     /* for each command; 0: 10 s, 60 s for those that write recordings */
	int open_timeout_ms; /* for opening; 0: timeout_ms, or 10 s */
	bool no_signal;	     /* fail (JFREC_EATTACH) if the attach listener is not running */
	jfrec_trace_fn *trace;
	void *trace_ctx;
	int whole_timeout_ms; /* for opening and all commands together; 0: each has its own */
	/* Ask although the JVM is at a limit, and may end for it: no JFREC_EHARM. */
	bool attach_anyway;
	/* Called with a warning of what may go wrong but is not refused, such as little memory. */
	jfrec_trace_fn *warn;
	void *warn_ctx;
};

/*
 * Prepare for talking to a JVM.  If its attach listener is not running yet, start it by HotSpot's
 * handshake.
 *
 * All conditions under which that could harm the JVM are checked first; if one is met, the call
 * fails without having sent anything.  If the JVM has another user or group than this process, and
 * this process may switch to them, a child process does so, and stays until the session is closed.
 * If this process dies, the child also removes the files that the session left in the JVM's root;
 * a session that may leave such files always has a child.
 *
 * jvm is copied as far as needed.  Returns the session, to be closed with
 * jfrec_session_close(), or NULL with *err set: JFREC_ENOJVM, JFREC_EPERMISSION,
 * JFREC_EATTACH, JFREC_EHARM, JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EIO, JFREC_ENOMEM.
 */
struct jfrec_session *jfrec_session_open(const struct jfrec_jvm *jvm,
					 const struct jfrec_session_options *options,
					 struct jfrec_error *err);

/*
 * From now on, all commands together have this time, in milliseconds, instead of what is left of
 * whole_timeout_ms; 0: each has its own.
 */
void jfrec_session_allow(struct jfrec_session *s, int ms);

/*
 * Look at the JVM's process without asking the JVM.  0 if it runs, or -1 with *err set: JFREC_EDIED
 * if it has ended, JFREC_EATTACH if it is stopped and so cannot reply.
 */
int jfrec_session_look(struct jfrec_session *s, struct jfrec_error *err);

/*
 * End the child and free the session; leave nothing behind in the JVM's root.
 *
 * If a command timed out that may still create a file there, a process without this process's
 * descriptors waits for the end of the command, for at most a minute, and removes the file.
 */
void jfrec_session_close(struct jfrec_session *s);

/*
 * Run an operation of the attach protocol ("jcmd", "properties", "threaddump", ...) in the JVM,
 * and pass on the reply after its status line as it arrives.
 *
 * arguments: up to 3, in UTF-8 without control bytes.  Each may have up to 1024 bytes, or more if
 * the JVM supports version 2 of the protocol (JDK 24).
 * Returns 0 with *status set to the JVM's status, or -1 with *err set: JFREC_EINVAL,
 * JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EPERMISSION, JFREC_EATTACH, JFREC_EOUTPUT, JFREC_EHARM (a
 * thread, a descriptor or memory that the operation takes is not there).  A status of 0 does not
 * mean that the operation succeeded; see jfrec_session_jcmd().
 *
 * A JVM that is stopped is not waited for: JFREC_EATTACH if it was so before anything was sent,
 * JFREC_ETIMEOUT afterwards.
 */
int jfrec_session_run(struct jfrec_session *s, const char *operation, const char *const *arguments,
		      size_t count, jfrec_write_fn *write, void *ctx, int *status,
		      struct jfrec_error *err);

/*
 * Run a diagnostic command, such as "Thread.print -l" or "JFR.check name=7", in the JVM and pass
 * on the reply, for most commands as it arrives.
 *
 * The status of Flight Recorder's replies is the same for success and failure, so the text of the
 * reply decides: one that is not known to mean success is a failure.
 *
 * 0, or -1 with *err set: as jfrec_session_run(), or JFREC_EREFUSED or JFREC_ENOJFR if the JVM
 * replied that the command failed.  *refusal is then the reply, to be freed with jfrec_free(), and
 * nothing was passed on; otherwise *refusal is NULL.
 */
int jfrec_session_jcmd(struct jfrec_session *s, const char *command, jfrec_write_fn *write,
		       void *ctx, char **refusal, struct jfrec_error *err);

struct jfrec_jvm_version {
	int jdk;	  /* 17 */
	char version[64]; /* "17.0.15" */
	char vm[192];	  /* "OpenJDK 64-Bit Server VM version 17.0.15+6-Debian-1deb12u1" */
};

/*
 * Ask for the version of the JVM (VM.version).  Returns it, to be freed with jfrec_free(), or NULL
 * with *err set: as jfrec_session_run(), JFREC_EREFUSED.
 */
struct jfrec_jvm_version *jfrec_session_version(struct jfrec_session *s, struct jfrec_error *err);

/*
 * Does the JVM, of that version of the JDK, run with ZGC with generations?  Some events make its
 * allocations stall.  1, 0, or -1 with *err set: as jfrec_session_run().
 */
int jfrec_session_has_generational_zgc(struct jfrec_session *s, int jdk, struct jfrec_error *err);

/*
 * A complete file that the JVM has written, such as a recording (jfrec_jfr_dump()).  It stays in
 * the JVM's root until the dump is freed.
 */
struct jfrec_dump;

/* In bytes. */
uint64_t jfrec_dump_size(const struct jfrec_dump *d);

/* Pass the file to write.  0, or -1 with *err set (JFREC_EOUTPUT, JFREC_EIO, JFREC_ERESULT). */
int jfrec_dump_copy(const struct jfrec_dump *d, jfrec_write_fn *write, void *ctx,
		    struct jfrec_error *err);

/* Free the dump, and remove its file from the JVM's root. */
void jfrec_dump_free(struct jfrec_dump *d);

JFREC_END_DECLS

#endif
