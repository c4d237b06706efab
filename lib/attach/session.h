/* SPDX-License-Identifier: MIT */
/*
 * session.h - a session with one JVM: connect, run commands, clean up
 *
 * All paths are absolute and meant as the JVM sees them: in its root, whatever
 * ours is.  They are resolved there by its own rights, and symbolic links do
 * not lead out of it.  The last part of a path may not be a symbolic link.
 *
 * What is "kept" is cleared away by the session's helper when the session ends,
 * also if by kill -9: first the JVM is given time to finish a command that it still
 * carries out, then commands are run and files removed, the last one kept first.
 */
#ifndef JFREC_ATTACH_SESSION_H
#define JFREC_ATTACH_SESSION_H

#include "jfrec.h"

/* The default time for commands, and for those that write recordings. */
#define SESSION_TIMEOUT_MS	10000
#define SESSION_LONG_TIMEOUT_MS 60000

/* Greatest length of a path here, its NUL included. */
#define SESSION_PATH_MAX 4096

/* A reply in memory. */
struct session_reply {
	int status; /* of the attach protocol; 0 says nothing */
	char *text; /* what came after the status line; ends in NUL */
	size_t len;
};

/* A zeroed reply is allowed. */
void session_reply_fini(struct session_reply *reply);

/* A jfrec_write_fn that adds to the text of a reply, up to 16 MB. */
int session_reply_take(void *reply, const void *data, size_t len);

/*
 * As jfrec_session_run(); timeout_ms counts where the user chose none.  *status is set before
 * anything is written.
 */
int session_run(struct jfrec_session *s, const char *operation, const char *const *arguments,
		size_t count, int timeout_ms, jfrec_write_fn *write, void *ctx, int *status,
		struct jfrec_error *err);

/*
 * The same, with the reply in memory.  0 with *reply filled, to be
 * ended with session_reply_fini(), or -1 with *err set and *reply zeroed.
 */
int session_ask(struct jfrec_session *s, const char *operation, const char *const *arguments,
		size_t count, int timeout_ms, struct session_reply *reply, struct jfrec_error *err);

/* session_ask() for one diagnostic command, such as "JFR.check name=7". */
int session_jcmd(struct jfrec_session *s, const char *command, int timeout_ms,
		 struct session_reply *reply, struct jfrec_error *err);

/* The JVM that was opened; its strings live as long as the session. */
const struct jfrec_jvm *session_jvm(const struct jfrec_session *s);

/* Its temporary directory as it knows it, "/tmp" for most: where its socket is, and dumps go. */
const char *session_tmp(const struct jfrec_session *s);

/* How many of the JVM's threads have that name (its first 15 bytes) now; 0 if they are hidden. */
size_t session_count_threads(const struct jfrec_session *s, const char *name);

/* Tell a step to the user's trace function, if there is one. */
void session_trace(struct jfrec_session *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Has the JVM's working directory been removed?  Then Flight Recorder must not be started. */
bool session_cwd_is_deleted(const struct jfrec_session *s);

/*
 * A new name in the JVM's /tmp that cannot be guessed, ".jfrec-" and random
 * letters and the suffix (such as ".jfr").  Nothing is made of that name.
 */
int session_temp_path(struct jfrec_session *s, const char *suffix, char path[SESSION_PATH_MAX],
		      struct jfrec_error *err);

/*
 * Make a new file that the JVM's user owns (mode 0600) and keep it.  Returns a
 * descriptor to write it, or -1 with *err set.
 */
int session_create_file(struct jfrec_session *s, const char *path, struct jfrec_error *err);

/*
 * Open a regular file for reading, or (directory) a directory to ask fstatvfs()
 * about.  A descriptor, or -1 with *err set; .sys is errno.
 */
int session_open_file(struct jfrec_session *s, const char *path, struct jfrec_error *err);
int session_open_directory(struct jfrec_session *s, const char *path, struct jfrec_error *err);

/* Remove a file, and keep it no longer.  0 also if it is not there; else -1 with *err set. */
int session_remove_file(struct jfrec_session *s, const char *path, struct jfrec_error *err);

/*
 * Keep a file that the JVM is about to make, or a diagnostic command (up to
 * 1024 bytes) to be run when the session ends.  To be called before the danger
 * begins.  Returns a number for session_forget(), or -1 with *err set.
 */
int session_keep_file(struct jfrec_session *s, const char *path, struct jfrec_error *err);
int session_keep_command(struct jfrec_session *s, const char *command, struct jfrec_error *err);

/* Keep no longer. A number below 0 is allowed. */
void session_forget(struct jfrec_session *s, int number);

#endif
