/* SPDX-License-Identifier: MIT */
/* jfrec/jfr.h - controlling Flight Recorder in a JVM */
#ifndef JFREC_JFR_H
#define JFREC_JFR_H

#include "jfrec/session.h"

JFREC_BEGIN_DECLS

/*
 * The answers of a JVM are prose, and its status says nothing.  So an answer is
 * compared with those that are known; what is not known to mean success is a failure.
 *
 * All that talk to the JVM may fail as jfrec_session_run() does, with
 * JFREC_EINVAL for an option or a value that this JVM does not take, before anything
 * was sent, with JFREC_ENOJFR, and with JFREC_EREFUSED and the JVM's words.
 * After JFREC_ETIMEOUT and JFREC_EDIED it may have carried out the command.
 */

enum jfrec_jfr_command {
	JFREC_JFR_START,
	JFREC_JFR_STOP,
	JFREC_JFR_DUMP,
	JFREC_JFR_CHECK,
	JFREC_JFR_CONFIGURE,
};

/*
 * An option as the JVM names it.  Durations are a whole number and ns, us, ms, s,
 * m, h or d; sizes a whole number and nothing, k, m or g; paths are those the JVM sees.
 */
struct jfrec_jfr_option {
	const char *key;   /* "maxage" */
	const char *value; /* "6h" */
};

/*
 * Can any JVM take the option?  Nothing is sent.  0, or -1 with *err set (JFREC_EINVAL).
 * For JFREC_JFR_START, options of settings files ("gc") and settings of events
 * ("jdk.FileRead#threshold") are not judged.
 */
int jfrec_jfr_option_valid(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option,
			   struct jfrec_error *err);

/* Is it an option of the command itself, in any version, and not one of a settings file? */
bool jfrec_jfr_option_known(enum jfrec_jfr_command command, const char *key);

/* "10m" in nanoseconds, as a JVM reads it.  False if it would not take it. */
bool jfrec_jfr_parse_time(const char *text, int64_t *ns);

/* A settings file of the caller's. */
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
	 * Settings files to be carried into the JVM's root, and removed there when the
	 * recording has been started.  They count after those that "settings" names.
	 */
	const struct jfrec_jfr_settings *settings;
	size_t settings_count; /* up to JFREC_JFR_SETTINGS_MAX */
	/*
	 * The recording is for this session only: if it has not been stopped when the
	 * session ends, however that comes, it is stopped then and nothing is kept.
	 * Give it a duration too: should the session's child be killed as well, it ends
	 * by that, and leaves no file.  Not together with the option "filename".
	 */
	bool only_for_session;
};

struct jfrec_jfr_started {
	uint64_t id;
	bool scheduled; /* it will begin after its delay */
	/* Where the JVM will write it, in its root; NULL: it will not, or did not say. */
	const char *path;
	const char *warnings; /* what the JVM had to say about it, a line each; NULL: nothing */
};

/*
 * Start a recording.  Returns it, to be freed with jfrec_jfr_started_free(), or NULL with *err set.
 *
 * A "filename" is a full path and not a directory: there a JVM would lose the recording
 * (8 to 21).  A "duration" needs one, or only_for_session: without, 8 to 17 throw the recording
 * away at its end, and 21 and later write it to wherever the JVM was started.
 * If the JVM starts it, but does not know one of its settings, the recording is
 * stopped again and that is a failure.  JFREC_EIO with ENOSPC: the JVM's disk has no room for
 * "maxsize", or 250 MB; were it to become full, JDK 11 and later would end the whole JVM.
 * With only_for_session and no "maxsize" as much is kept as there is room for.
 */
struct jfrec_jfr_started *jfrec_jfr_start(struct jfrec_session *s,
					  const struct jfrec_jfr_start_options *options,
					  struct jfrec_error *err);

/*
 * Stop a recording that was only for this session.  What it has recorded is then gone:
 * dump it before.  0, or -1 with *err set.
 */
int jfrec_jfr_stop_leased(struct jfrec_session *s, struct jfrec_jfr_started *started,
			  struct jfrec_error *err);

/* Let such a recording continue when the session ends, up to its duration. */
void jfrec_jfr_detach(struct jfrec_session *s, struct jfrec_jfr_started *started);

/* Free what jfrec_jfr_start() returned; the recording continues. */
void jfrec_jfr_started_free(struct jfrec_jfr_started *started);

enum jfrec_jfr_state {
	JFREC_JFR_NEW,
	JFREC_JFR_DELAYED,
	JFREC_JFR_RUNNING,
	JFREC_JFR_STOPPED,
	JFREC_JFR_CLOSED,
};

/* A recording of a JVM.  The strings live as long as their list. */
struct jfrec_jfr_recording {
	uint64_t id; /* never given twice in a JVM */
	const char *name;
	enum jfrec_jfr_state state;
	/* As the JVM prints them ("2h", "250.0MB", "90m"); NULL: none. */
	const char *duration, *max_size, *max_age;
	/* Event types and their settings, as the JVM prints them; NULL: not asked for. */
	const char *settings;
};

struct jfrec_jfr_recordings;

/*
 * Ask for the recordings of the JVM: for one, by its id or name, or (NULL) for all.
 *
 * Returns a list, to be freed with jfrec_jfr_recordings_free(), or NULL with *err
 * set.  Of all there may be none; that the one is not there is JFREC_EREFUSED.
 */
struct jfrec_jfr_recordings *jfrec_jfr_list(struct jfrec_session *s, const char *name,
					    bool verbose, struct jfrec_error *err);

/* Free the list and its recordings. */
void jfrec_jfr_recordings_free(struct jfrec_jfr_recordings *list);

/* How many recordings the list has. */
size_t jfrec_jfr_recordings_count(const struct jfrec_jfr_recordings *list);

/* Recording i of the list, i < jfrec_jfr_recordings_count(). */
const struct jfrec_jfr_recording *jfrec_jfr_recordings_get(const struct jfrec_jfr_recordings *list,
							   size_t i);

/*
 * Stop a recording.  Its data is then discarded, except for a file that the recording itself
 * writes: dump it before.  0, or -1 with *err set (JFREC_EIO with ENOSPC: the
 * JVM's disk is nearly full, and it might end itself).
 */
int jfrec_jfr_stop(struct jfrec_session *s, uint64_t id, struct jfrec_error *err);

/*
 * Have a recording, or without the option "name" all of them merged, dumped to a temporary file in
 * the JVM's /tmp, and check that the file is complete.  No "filename".
 *
 * Returns the dump, to be freed with jfrec_dump_free() before the session is
 * closed, or NULL with *err set: JFREC_ERESULT for an incomplete file, JFREC_EIO with
 * ENOSPC if the recording may not fit.  The recording continues in any case.
 */
struct jfrec_dump *jfrec_jfr_dump(struct jfrec_session *s,
				  const struct jfrec_jfr_option *options, size_t count,
				  struct jfrec_error *err);

/*
 * Set options of Flight Recorder itself, or (count 0) only ask for them.  Most can be
 * set only before it is first used; if one was not taken, that is a failure.
 *
 * Returns what the JVM said, lines such as "Stack depth: 64", to be freed with jfrec_free(),
 * or NULL with *err set.
 */
char *jfrec_jfr_configure(struct jfrec_session *s, const struct jfrec_jfr_option *options,
			  size_t count, struct jfrec_error *err);

JFREC_END_DECLS

#endif
