/* SPDX-License-Identifier: MIT */
/*
 * start.c - start a recording: JFR.start
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error.h"
#include "base/options.h"
#include "jfr/disk_space.h"
#include "jfr/jfr.h"
#include "jfr/option.h"

#define NULL_DEVICE "/dev/null"

/* What a JVM says of a setting that its settings file does not have, and starts all the same. */
static const char unknown_setting[] = "doesn't exist";

struct start {
	struct jfrec_session *s;
	struct jfrec_jfr_option *options;
	size_t count;
	/* The paths of settings files that were carried. */
	char carried[JFREC_JFR_SETTINGS_MAX][SESSION_PATH_MAX];
	size_t carried_count;
	char name[32];	/* of a recording that got none */
	char limit[32]; /* likewise */
};

/* With room for what is added: a name, a file name, a limit, the settings. */
static struct start *start_new(struct jfrec_session *s, const struct jfrec_jfr_start_options *o,
			       struct jfrec_error *err)
{
	size_t room = o->count + 3 + JFREC_JFR_SETTINGS_MAX;
	struct start *t = calloc(1, sizeof(*t));

	if (t)
		t->options = calloc(room, sizeof(*t->options));
	if (!t || !t->options) {
		free(t);
		jfrec_fail_memory(err);
		return NULL;
	}
	t->s = s;
	for (t->count = 0; t->count < o->count; t->count++)
		t->options[t->count] = o->options[t->count];
	return t;
}

static void start_free(struct start *t)
{
	free(t->options);
	free(t);
}

static void add_option(struct start *t, const char *key, const char *value)
{
	t->options[t->count++] = (struct jfrec_jfr_option){ key, value };
}

/* Wishes --------------------------------------------------------------------------------------- */

/* A directory of that name would swallow the recording. */
static int refuse_directory(struct jfrec_session *s, const char *path, struct jfrec_error *err)
{
	int fd = session_open_directory(s, path, NULL);

	if (fd < 0)
		return 0;
	close(fd);
	return jfrec_fail(
		err, JFREC_EINVAL, JFREC_NO_OFFSET,
		"%s is a directory, where a JVM may lose the recording; name a file in it", path);
}

static int check_wishes(struct jfrec_session *s, const struct jfrec_jfr_start_options *o,
			struct jfrec_error *err)
{
	const char *filename = jfr_option_value(o->options, o->count, "filename");
	const char *duration = jfr_option_value(o->options, o->count, "duration");

	for (size_t i = 0; i < o->count; i++) {
		if (jfrec_jfr_option_valid(JFREC_JFR_START, &o->options[i], err) < 0)
			return -1;
	}
	if (filename && o->only_for_session)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a recording for this session cannot have a file name");
	if (duration && !filename && !o->only_for_session)
		return jfrec_fail(
			err, JFREC_EINVAL, JFREC_NO_OFFSET,
			"a recording with a duration needs a file name: without one, JDK 17 and "
			"earlier discard it at its end");
	return filename ? refuse_directory(s, filename, err) : 0;
}

/* Is it what it is called, in the JVM's root?  A JVM of root would make a file of that name. */
static bool has_null_device(struct jfrec_session *s)
{
	int dir = session_open_directory(s, "/dev", NULL);
	struct stat st;
	bool has = dir >= 0 && fstatat(dir, "null", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		   S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);

	if (dir >= 0)
		close(dir);
	return has;
}

/*
 * When its duration ends, a recording without a file name is thrown away by JDK
 * 17 and earlier, but written to the JVM's working directory by JDK 21 and later.
 */
static void write_nowhere(struct start *t)
{
	if (jfr_option_value(t->options, t->count, "duration") && has_null_device(t->s))
		add_option(t, "filename", NULL_DEVICE);
}

/* Room ---------------------------------------------------------------------------------------- */

/*
 * What a JVM takes where the caller sets no limit of any kind; where one of time is set, none
 * of size is, and the need of the recording is unknown.
 */
#define DEFAULT_LIMIT (INT64_C(250) << 20)

static bool is_in_memory(const struct start *t)
{
	const char *disk = jfr_option_value(t->options, t->count, "disk");

	return disk && strcmp(disk, "false") == 0;
}

/* A recording for this session keeps only as much as can be dumped in the end. */
static int set_limit(struct start *t, const struct disk_space *room, struct jfrec_error *err)
{
	int64_t limit;

	if (disk_space_limit(room, &limit, err) < 0)
		return -1;
	if (limit == DISK_SPACE_UNKNOWN)
		return 0;
	snprintf(t->limit, sizeof(t->limit), "%" PRId64 "m", limit >> 20);
	add_option(t, "maxsize", t->limit);
	return 0;
}

static int check_room(struct start *t, bool only_for_session, struct jfrec_error *err)
{
	const char *maxsize = jfr_option_value(t->options, t->count, "maxsize");
	int64_t limit = DEFAULT_LIMIT;
	struct disk_space room;

	if (disk_space_look(t->s, &room, err) < 0)
		return -1;
	if (is_in_memory(t))
		return disk_space_for_stop(&room, err);
	if (only_for_session && !maxsize)
		return set_limit(t, &room, err);
	if (maxsize && (!jfr_parse_size(maxsize, &limit) || limit == 0))
		limit = DEFAULT_LIMIT;
	return disk_space_for_recording(&room, limit, err);
}

/* Settings ------------------------------------------------------------------------------------- */

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* Put a settings file to where the JVM can read it. */
static int carry(struct start *t, const struct jfrec_jfr_settings *file, struct jfrec_error *err)
{
	char *path = t->carried[t->carried_count];
	int fd, error = 0;

	if (session_temp_path(t->s, ".jfc", path, err) < 0)
		return -1;
	fd = session_create_file(t->s, path, err);
	if (fd < 0)
		return -1;
	t->carried_count++;
	session_trace(t->s, "copying the settings to %s", path);
	if (write_all(fd, file->text, file->len) < 0)
		error = errno;
	if (close(fd) < 0 && !error)
		error = errno;
	if (error)
		return jfrec_fail_sys(err, error, "cannot write the settings to %s of the JVM",
				      path);
	add_option(t, "settings", path);
	return 0;
}

static int carry_all(struct start *t, const struct jfrec_jfr_settings *files, size_t count,
		     struct jfrec_error *err)
{
	if (count > JFREC_JFR_SETTINGS_MAX)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "there are more than %d settings files", JFREC_JFR_SETTINGS_MAX);
	for (size_t i = 0; i < count; i++) {
		if (carry(t, &files[i], err) < 0)
			return -1;
	}
	return 0;
}

static void remove_carried(struct start *t)
{
	while (t->carried_count > 0)
		session_remove_file(t->s, t->carried[--t->carried_count], NULL);
}

/* What was started ----------------------------------------------------------------------------- */

/* What the caller has a pointer to is the beginning of it. */
struct started {
	struct jfrec_jfr_started shown;
	char *path, *warnings; /* those of .shown */
	int kept; /* the command that ends it with the session; -1: none does */
};

static struct started *started_of(struct jfrec_jfr_started *shown)
{
	return (struct started *)shown;
}

/* One of the settings asked for is none: better no recording than another one. */
static int take_back(struct jfrec_session *s, struct started *started,
		     struct jfrec_error *err)
{
	bool stopped = jfrec_jfr_stop(s, started->shown.id, NULL) == 0;

	started->warnings[strcspn(started->warnings, "\n")] = '\0';
	jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
		   "the JVM said: %.200s (so recording %" PRIu64 " %s%s)", started->warnings,
		   started->shown.id,
		   stopped ? "was stopped again" : "is useless, but could not be stopped",
		   strchr(started->warnings, '#')
			   ? "; write + before the event to add what the settings file lacks"
			   : "");
	return -1;
}

static int note(struct start *t, const struct jfr_answer *a, bool only_for_session,
		struct started *started, struct jfrec_error *err)
{
	const char *filename = jfr_option_value(t->options, t->count, "filename");

	started->shown.id = a->r.id;
	started->shown.scheduled = a->r.meaning == REPLY_SCHEDULED;
	if (a->r.warnings.len && !(started->warnings = jfr_copy_text(a->r.warnings, err)))
		return -1;
	started->shown.warnings = started->warnings;
	if (only_for_session)
		return 0;
	/* Not every version says where it will write. */
	started->shown.path = started->path = a->r.path.len ? jfr_copy_text(a->r.path, err)
			: filename    ? strdup(filename)
				      : NULL;
	return started->path || (!filename && !a->r.path.len) ? 0 : jfrec_fail_memory(err);
}

static int run(struct start *t, bool only_for_session, struct started *started,
	       struct jfrec_error *err)
{
	struct command_text text;
	struct jfr_answer a;
	int ret;

	if (jfr_compose(t->s, JFREC_JFR_START, t->options, t->count, &text, err) < 0)
		return -1;
	ret = jfr_run(t->s, JFREC_JFR_START, text.text, &a, err);
	command_text_fini(&text);
	if (ret < 0)
		return -1;
	ret = note(t, &a, only_for_session, started, err);
	jfr_answer_fini(&a);
	if (ret < 0) {
		jfrec_jfr_stop(t->s, started->shown.id, NULL);
		return -1;
	}
	if (started->warnings && strstr(started->warnings, unknown_setting))
		return take_back(t->s, started, err);
	return 0;
}

/* The session's end shall be the recording's. */
static int keep_stop(struct jfrec_session *s, const char *name, struct jfrec_error *err)
{
	char command[64];

	snprintf(command, sizeof(command), "JFR.stop name=%s", name);
	return session_keep_command(s, command, err);
}

/*
 * A name that only this recording has: so that it can be stopped by a process that clears up after
 * us, should we die before the JVM has said its number.
 */
static int name_it(struct start *t, struct jfrec_error *err)
{
	uint32_t random;

	if (jfr_option_value(t->options, t->count, "name"))
		return -1;
	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return -1;
	snprintf(t->name, sizeof(t->name), "jfrec-%d-%08" PRIx32, getpid(), random);
	add_option(t, "name", t->name);
	return keep_stop(t->s, t->name, err);
}

/* From now on by its number. */
static int keep_by_id(struct jfrec_session *s, struct started *started,
		      struct jfrec_error *err)
{
	char id[24];

	snprintf(id, sizeof(id), "%" PRIu64, started->shown.id);
	started->kept = keep_stop(s, id, err);
	if (started->kept >= 0)
		return 0;
	jfrec_jfr_stop(s, started->shown.id, NULL);
	return -1;
}

/* Is it unknown whether the JVM has started it? */
static bool is_open_question(const struct jfrec_error *err)
{
	return !err || err->code == JFREC_ETIMEOUT || err->code == JFREC_EDIED;
}

static int run_for_session(struct start *t, struct started *started,
			   struct jfrec_error *err)
{
	int kept, ret;

	write_nowhere(t);
	kept = name_it(t, NULL);
	ret = run(t, true, started, err);
	/* An answer that did not come may mean that it was started, late. */
	if (ret == 0)
		ret = keep_by_id(t->s, started, err);
	if (ret == 0 || !is_open_question(err))
		session_forget(t->s, kept);
	return ret;
}

void jfrec_jfr_started_free(struct jfrec_jfr_started *shown)
{
	struct started *started = started_of(shown);

	if (!shown)
		return;
	free(started->path);
	free(started->warnings);
	free(started);
}

static int start(struct jfrec_session *s, const struct jfrec_jfr_start_options *o,
		 struct started *started, struct jfrec_error *err)
{
	struct start *t = start_new(s, o, err);
	int ret = -1;

	if (!t)
		return -1;
	if (check_room(t, o->only_for_session, err) == 0 &&
	    carry_all(t, o->settings, o->settings_count, err) == 0)
		ret = o->only_for_session ? run_for_session(t, started, err)
					  : run(t, false, started, err);
	remove_carried(t);
	start_free(t);
	return ret;
}

struct jfrec_jfr_started *jfrec_jfr_start(struct jfrec_session *s,
					  const struct jfrec_jfr_start_options *options,
					  struct jfrec_error *err)
{
	struct jfrec_jfr_start_options o;
	struct started *started;

	if (options_take(&o, sizeof(o), options, err) < 0 || check_wishes(s, &o, err) < 0)
		return NULL;
	started = calloc(1, sizeof(*started));
	if (!started) {
		jfrec_fail_memory(err);
		return NULL;
	}
	started->kept = -1;
	if (start(s, &o, started, err) == 0)
		return &started->shown;
	jfrec_jfr_started_free(&started->shown);
	return NULL;
}

int jfrec_jfr_stop_leased(struct jfrec_session *s, struct jfrec_jfr_started *started,
			  struct jfrec_error *err)
{
	if (jfrec_jfr_stop(s, started->id, err) < 0)
		return -1;
	jfrec_jfr_detach(s, started);
	return 0;
}

void jfrec_jfr_detach(struct jfrec_session *s, struct jfrec_jfr_started *started)
{
	struct started *all = started_of(started);

	session_forget(s, all->kept);
	all->kept = -1;
}
