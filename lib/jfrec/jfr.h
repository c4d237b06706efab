/* SPDX-License-Identifier: MIT */
/* jfrec/jfr.h - controlling Flight Recorder in a JVM */
#ifndef JFREC_JFR_H
#define JFREC_JFR_H

#include "jfrec/session.h"

JFREC_BEGIN_DECLS

/*
 * A JVM replies in prose, and the status of the reply does not show whether a command failed.  So
 * replies are compared with the known ones, and any reply that is not known to mean success is a
 * failure.
 *
 * All functions that talk to the JVM can fail as jfrec_session_run() does; with JFREC_EINVAL,
 * before anything was sent, for an option or a value that this JVM does not accept; with
 * JFREC_ENOJFR; and with JFREC_EREFUSED and the text of the reply.  After JFREC_ETIMEOUT and
 * JFREC_EDIED, the JVM may have carried out the command.
 */

enum jfrec_jfr_command {
	JFREC_JFR_START = 0,
	JFREC_JFR_STOP = 1,
	JFREC_JFR_DUMP = 2,
	JFREC_JFR_CHECK = 3,
	JFREC_JFR_CONFIGURE = 4,
};

/*
 * An option, by the JVM's name for it.  Durations are a whole number and ns, us, ms, s, m, h or d;
 * sizes are a whole number, alone or with k, m or g; paths are as the JVM sees them.
 */
struct jfrec_jfr_option {
	const char *key;   /* "maxage" */
	const char *value; /* "6h" */
};

/*
 * Is there a JVM that accepts the option?  Sends nothing.  0, or -1 with *err set (JFREC_EINVAL).
 * For JFREC_JFR_START, options of settings files ("gc") and settings of events
 * ("jdk.FileRead#threshold") are always accepted.
 */
int jfrec_jfr_option_valid(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option,
			   struct jfrec_error *err);

/* Is it an option of the command itself, in any version, and not one of a settings file? */
bool jfrec_jfr_option_known(enum jfrec_jfr_command command, const char *key);

/* The contents of a settings file; they belong to the caller. */
struct jfrec_jfr_settings {
	const void *text;
	size_t len;
};

#define JFREC_JFR_SETTINGS_MAX 4

struct jfrec_jfr_start_options {
	size_t struct_size;
	const struct jfrec_jfr_option *options;
	size_t count;
	/*
	 * Settings files to be copied into the JVM's root, and removed there after the recording
	 * has been started.  They take effect after those that the option "settings" names.
	 */
	const struct jfrec_jfr_settings *settings;
	size_t settings_count; /* up to JFREC_JFR_SETTINGS_MAX */
	/*
	 * The recording is for this session only: it is stopped and its data discarded at the end
	 * of the session, even if this process dies.  Also give it a duration, so that it ends if
	 * the session's child is killed as well; it leaves no file then.  Cannot be combined with
	 * the option "filename".
	 */
	bool only_for_session;
};

struct jfrec_jfr_started {
	uint64_t id;
	bool scheduled; /* it will begin after its delay */
	const char *path;     /* where the JVM will write it, in its root; NULL: unknown, or none */
	const char *warnings; /* of the JVM, one per line; NULL: none */
};

/*
 * Start a recording.  Returns it, to be freed with jfrec_jfr_started_free(), or NULL with *err set.
 *
 * A "filename" must be a full path and not a directory, in which JDK 8 to 21 would lose the
 * recording.  A "duration" needs a "filename" or only_for_session: without, JDK 8 to 17 discard the
 * recording at its end, and JDK 21 and later write it to the JVM's working directory.
 * If the JVM starts the recording but does not know one of the settings, the recording is stopped
 * again and the call fails.  JFREC_EIO with ENOSPC means that the JVM's disk has no room for
 * "maxsize", or for 250 MiB; if the disk became full, JDK 11 and later would end the whole JVM.
 * With only_for_session and without "maxsize", the recording keeps as much as there is room for.
 */
struct jfrec_jfr_started *jfrec_jfr_start(struct jfrec_session *s,
					  const struct jfrec_jfr_start_options *options,
					  struct jfrec_error *err);

/*
 * Stop a recording that was for this session only, and discard its data: dump it before.  0, or -1
 * with *err set.
 */
int jfrec_jfr_stop_leased(struct jfrec_session *s, struct jfrec_jfr_started *started,
			  struct jfrec_error *err);

/* Let such a recording continue when the session ends, up to its duration. */
void jfrec_jfr_detach(struct jfrec_session *s, struct jfrec_jfr_started *started);

/* Free what jfrec_jfr_start() returned; the recording continues. */
void jfrec_jfr_started_free(struct jfrec_jfr_started *started);

enum jfrec_jfr_state {
	JFREC_JFR_NEW = 0,
	JFREC_JFR_DELAYED = 1,
	JFREC_JFR_RUNNING = 2,
	JFREC_JFR_STOPPED = 3,
	JFREC_JFR_CLOSED = 4,
};

/* A recording of a JVM.  The strings live as long as the list. */
struct jfrec_jfr_recording {
	uint64_t id; /* unique in its JVM */
	const char *name;
	enum jfrec_jfr_state state;
	/* As the JVM prints them ("2h", "250.0MB", "90m"); NULL: none. */
	const char *duration, *max_size, *max_age;
	/* Event types and their settings, as the JVM prints them; NULL: not requested. */
	const char *settings;
};

struct jfrec_jfr_recordings;

/*
 * List the recordings of the JVM: the one with that id or name, or all (NULL); with their settings
 * if verbose.
 *
 * Returns a list, to be freed with jfrec_jfr_recordings_free(), or NULL with *err set.  The list of
 * all may be empty; if the recording that is named does not exist, *err is JFREC_EREFUSED.
 */
struct jfrec_jfr_recordings *jfrec_jfr_list(struct jfrec_session *s, const char *name,
					    bool verbose, struct jfrec_error *err);

/* Free the list and its recordings. */
void jfrec_jfr_recordings_free(struct jfrec_jfr_recordings *list);

/* How many recordings the list has. */
size_t jfrec_jfr_recordings_count(const struct jfrec_jfr_recordings *list);

/* Recording number i of the list; NULL beyond the last. */
const struct jfrec_jfr_recording *jfrec_jfr_recordings_get(const struct jfrec_jfr_recordings *list,
							   size_t i);

/*
 * Does the JVM have the thread that it needs to record events of that type, for which a recording
 * asks ("jdk.ExecutionSample")?  If its process is at its limit of threads, JFR.start succeeds
 * without it, and the recording will have no such event.
 *
 * 1: yes, or none is needed; 0: no; -1: that cannot be seen (JDK 8 and 11).
 */
int jfrec_jfr_has_sampler(struct jfrec_session *s, const char *event);

/*
 * Stop a recording and discard its data, except for a file that the recording itself writes: dump
 * it before.  0, or -1 with *err set (JFREC_EIO with ENOSPC: the JVM's disk is nearly full, and the
 * JVM might end itself).
 */
int jfrec_jfr_stop(struct jfrec_session *s, uint64_t id, struct jfrec_error *err);

/*
 * Dump a recording, or without the option "name" all of them merged, to a temporary file in the
 * JVM's /tmp, and check that the file is complete.  The option "filename" is not allowed.
 *
 * Returns the dump, to be freed with jfrec_dump_free() before the session is
 * closed, or NULL with *err set: JFREC_ERESULT for an incomplete file, JFREC_EIO with
 * ENOSPC if the recording may not fit.  The recording continues in any case.
 */
struct jfrec_dump *jfrec_jfr_dump(struct jfrec_session *s,
				  const struct jfrec_jfr_option *options, size_t count,
				  struct jfrec_error *err);

/*
 * Set options of Flight Recorder itself, or (count 0) only ask for them.  Most can be set only
 * before its first use; the call fails if the JVM does not accept one.
 *
 * Returns the JVM's reply, with lines such as "Stack depth: 64", to be freed with jfrec_free(), or
 * NULL with *err set.
 */
char *jfrec_jfr_configure(struct jfrec_session *s, const struct jfrec_jfr_option *options,
			  size_t count, struct jfrec_error *err);

/*
 * Let stack traces have up to `depth` frames from the first recording on, unless the depth was set
 * before: on the command line of the JVM, or to another number than the JDK's 64.
 *
 * 1: done; 0: left as it is, also where Flight Recorder was used already, so that it cannot be
 * changed any more; -1: *err is set.
 */
int jfrec_jfr_deepen_stacks(struct jfrec_session *s, unsigned depth, struct jfrec_error *err);

JFREC_END_DECLS

#endif
