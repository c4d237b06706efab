/* SPDX-License-Identifier: MIT */
/*
 * dump.c - make a JVM dump a recording, and fetch it: JFR.dump
 *
 * The JVM writes where its own user may, in its own root.  So it gets a file of
 * ours in its /tmp, which we made before, empty and readable by no other user: what
 * is in it afterwards came from that JVM, and no link can lead it astray.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "jfr/disk_space.h"
#include "jfr/dump_fetch.h"
#include "jfr/jfr.h"
#include "jfr/option.h"

/* JDK 17 and later write out about every second, and then notice that their repository is gone. */
#define FLUSH_MS 1200

/* The limit that the caller gave, in bytes. */
static int64_t limit_of(const struct jfrec_jfr_option *options, size_t count)
{
	const char *maxsize = jfr_option_value(options, count, "maxsize");
	int64_t limit;

	return maxsize && jfr_parse_size(maxsize, &limit) && limit > 0 ? limit : INT64_MAX;
}

/* Dumping -------------------------------------------------------------------------------------- */

static int create(struct jfrec_dump *d, struct stat *made, struct jfrec_error *err)
{
	char path[SESSION_PATH_MAX];
	int fd, ret;

	if (session_temp_path(d->s, ".jfr", path, err) < 0)
		return -1;
	fd = session_create_file(d->s, path, err);
	if (fd < 0)
		return -1;
	strcpy(d->path, path);
	ret = fstat(fd, made);
	close(fd);
	return ret < 0 ? jfrec_fail_sys(err, errno, "cannot inspect %s of the JVM", path) : 0;
}

/* The recording is in the file that we made, and whole. */
static int verify(struct jfrec_dump *d, const struct stat *made, struct jfrec_error *err)
{
	struct stat st;

	d->fd = session_open_file(d->s, d->path, err);
	if (d->fd < 0)
		return -1;
	if (fstat(d->fd, &st) < 0 || st.st_dev != made->st_dev || st.st_ino != made->st_ino)
		return jfrec_fail(err, JFREC_ERESULT, JFREC_NO_OFFSET,
				  "%s was replaced in the JVM's root directory", d->path);
	return fetch_check(d->fd, &d->size, err);
}

/* Is it the file that we told it to write, though perhaps by another way to /tmp? */
static bool is_ours(const struct jfrec_dump *d, struct reply_text path)
{
	const char *name = strrchr(d->path, '/');
	size_t len = strlen(name);

	return path.len >= len && memcmp(path.at + path.len - len, name, len) == 0;
}

/*
 * 0: done; 1: the JVM has nothing in that interval; -1: *err is set.  A JVM may fall silent
 * over its own answer; then the file decides alone.
 */
static int dump_once(struct jfrec_dump *d, const char *command, const struct stat *made,
		     struct jfrec_error *err)
{
	struct jfr_answer a;
	bool silent;
	int ret = 0;

	if (jfr_ask(d->s, JFREC_JFR_DUMP, command, &a, err) < 0)
		return -1;
	silent = a.r.meaning == REPLY_EMPTY;
	if (!silent && !reply_is_success(&a.r)) {
		reply_fail(JFREC_JFR_DUMP, &a.r, err);
		ret = a.r.meaning == REPLY_NO_DATA ? 1 : -1;
	} else if (!silent && !is_ours(d, a.r.path)) {
		ret = jfrec_fail(err, JFREC_ERESULT, JFREC_NO_OFFSET,
				 "the JVM reports that it wrote %.*s instead of %s",
				 (int)(a.r.path.len < 200 ? a.r.path.len : 200), a.r.path.at,
				 d->path);
	} else {
		ret = verify(d, made, err);
	}
	jfr_answer_fini(&a);
	return ret;
}

/* Did the caller ask for a part only?  That may be empty. */
static bool is_part(const struct jfrec_jfr_option *options, size_t count)
{
	return jfr_option_value(options, count, "begin") ||
	       jfr_option_value(options, count, "end") ||
	       jfr_option_value(options, count, "maxage");
}

static int dump(struct jfrec_dump *d, const char *command, bool is_part_only,
		const struct stat *made, struct jfrec_error *err)
{
	const struct timespec flush = { .tv_sec = FLUSH_MS / 1000,
					.tv_nsec = FLUSH_MS % 1000 * 1000000 };
	int ret = dump_once(d, command, made, err);

	if (ret == 1 && !is_part_only) {
		session_trace(d->s, "its repository may have been deleted; trying once more");
		nanosleep(&flush, NULL);
		ret = dump_once(d, command, made, err);
	}
	return ret == 0 ? 0 : -1;
}

/* All options and the file's name. */
static int run(struct jfrec_dump *d, const struct jfrec_jfr_option *options, size_t count,
	       struct jfrec_error *err)
{
	struct jfrec_jfr_option filename = { "filename", d->path };
	struct command_text text;
	struct disk_space room;
	struct stat made;
	int ret = -1;

	if (jfr_compose(d->s, JFREC_JFR_DUMP, options, count, &text, err) < 0)
		return -1;
	if (disk_space_look(d->s, &room, err) == 0 &&
	    disk_space_for_dump(&room, limit_of(options, count), err) == 0 &&
	    create(d, &made, err) == 0 &&
	    command_text_add(&text, filename.key, filename.value, err) == 0)
		ret = dump(d, text.text, is_part(options, count), &made, err);
	command_text_fini(&text);
	return ret;
}

struct jfrec_dump *jfrec_jfr_dump(struct jfrec_session *s,
				  const struct jfrec_jfr_option *options, size_t count,
				  struct jfrec_error *err)
{
	struct jfrec_dump *d;

	if (jfr_option_value(options, count, "filename")) {
		jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			   "a dump cannot have a file name");
		return NULL;
	}
	d = fetch_new(s, err);
	if (!d || run(d, options, count, err) == 0)
		return d;
	jfrec_dump_free(d);
	return NULL;
}
