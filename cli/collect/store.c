/* SPDX-License-Identifier: MIT */
/*
 * store.c - the directory that collected files are written to
 */
#include "collect/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/outname.h"
#include "base/suffix.h"
#include "collect/retention.h"
#include "jfrec-tool.h"

#define STAGING ".jfrec-collect"

/* As <stdio.h> has it, which not every libc does. */
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* Room for what makes names differ, and for the one that a file has first. */
#define NAME_ROOM 180

/* Files of one JVM and second; more would be a mistake. */
#define MAX_SAME 10000

static int64_t now_s(void)
{
	return time(NULL);
}

/* Names ---------------------------------------------------------------------------------------- */

static bool is_taken(const struct store *s, const char *name)
{
	return faccessat(s->dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
	       faccessat(s->staging, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
	       state_file(&s->state, name);
}

/* With "-2" and so on after its stem, until the name is free. */
static int make_unique(const struct store *s, const char *name, char unique[NAME_MAX + 1],
		       struct jfrec_error *err)
{
	int stem = (int)suffix_stem(name);

	snprintf(unique, NAME_MAX + 1, "%s", name);
	for (int i = 2; is_taken(s, unique); i++) {
		if (i == MAX_SAME)
			return jfrec_fail(
				err, JFREC_EINVAL, JFREC_NO_OFFSET,
				"there are %d files with the name %s; add %%t or %%p to it", i,
				name);
		snprintf(unique, NAME_MAX + 1, "%.*s-%d%s", stem, name, i, name + stem);
	}
	return 0;
}

static int choose_name(const struct store *s, struct store_file *f, struct jfrec_error *err)
{
	const struct collect_config *c = s->config;
	const char *suffix = suffix_of_compression(c->compress);
	char name[NAME_ROOM], whole[NAME_ROOM + 8];

	if (outname_make(c->name, f->jvm, f->start_ns, name, sizeof(name), err) < 0)
		return -1;
	snprintf(whole, sizeof(whole), "%s%s", name,
		 ends_with(name, suffix) ? "" : suffix);
	return make_unique(s, whole, f->name, err);
}

/* Giving files their names --------------------------------------------------------------------- */

/* 0, or an errno. */
static int move(const struct store *s, const char *from, const char *to)
{
	if (syscall(SYS_renameat2, s->staging, from, s->dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* A file system without that. */
	if (linkat(s->staging, from, s->dir, to, 0) < 0)
		return errno;
	return unlinkat(s->staging, from, 0) < 0 ? errno : 0;
}

/* Another file has taken the name meanwhile. */
static int rename_staged(struct store *s, struct state_file *f, struct jfrec_error *err)
{
	char unique[NAME_MAX + 1];
	char *name, *old = f->name;

	if (make_unique(s, old, unique, err) < 0)
		return -1;
	name = strdup(unique);
	if (!name)
		return jfrec_fail_memory(err);
	if (renameat(s->staging, old, s->staging, name) < 0) {
		free(name);
		return jfrec_fail_sys(err, errno, "cannot rename %s", old);
	}
	f->name = name;
	free(old);
	return state_save(&s->state, s->staging, err);
}

/* Name a file that is whole; also if that was done before. */
static int name_file(struct store *s, struct state_file *f, struct jfrec_error *err)
{
	int error = move(s, f->name, f->name);

	if (error == EEXIST && faccessat(s->staging, f->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		if (rename_staged(s, f, err) < 0)
			return -1;
		error = move(s, f->name, f->name);
	}
	if (error && error != ENOENT)
		return jfrec_fail_sys(err, error, "cannot name %s", f->name);
	fsync(s->dir);
	fsync(s->staging);
	f->step = f->step == FILE_WRITTEN && (s->config->report.format ||
					      store_after_report(s) != FILE_DONE)
			  ? FILE_NAMED
			  : FILE_DONE;
	s->state.changed = true;
	return 0;
}

/* What a process that was killed has left: no other process is at work here. */
static void clear_staging(const struct store *s)
{
	int fd = openat(s->staging, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, "state") != 0)
			unlinkat(fd, entry->d_name, 0);
	}
	closedir(dir);
}

static int recover(struct store *s, struct jfrec_error *err)
{
	for (size_t i = 0; i < s->state.file_count; i++) {
		struct state_file *f = &s->state.files[i];

		if ((f->step == FILE_WRITTEN || f->step == FILE_PAGE) && name_file(s, f, err) < 0)
			return -1;
	}
	clear_staging(s);
	return store_save(s, err);
}

/* Opening -------------------------------------------------------------------------------------- */

static int open_staging(struct store *s, struct jfrec_error *err)
{
	if (!s->dry && mkdirat(s->dir, STAGING, 0700) < 0 && errno != EEXIST)
		return jfrec_fail_sys(err, errno, "cannot write to %.200s", s->config->directory);
	s->staging = openat(s->dir, STAGING, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (s->staging < 0)
		return s->dry && errno == ENOENT
			       ? 0
			       : jfrec_fail_sys(err, errno, "cannot open %.200s/" STAGING,
						s->config->directory);
	if (s->dry || flock(s->staging, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno != EWOULDBLOCK)
		return jfrec_fail_sys(err, errno, "cannot lock %.200s", s->config->directory);
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			  "another jfrec collect is using %.200s",
			  s->config->directory);
}

static int load_state(struct store *s, struct jfrec_error *err)
{
	struct jfrec_error why;

	if (s->staging < 0 || state_load(&s->state, s->staging, &why) == 0)
		return 0;
	return jfrec_fail(err, why.code, JFREC_NO_OFFSET, "%.150s/" STAGING "/state: %s",
			  s->config->directory, why.text);
}

/* Files that were removed or changed since then count as what they are now. */
static void look_at_files(struct store *s)
{
	for (size_t i = s->state.file_count; i-- > 0;) {
		struct state_file *f = &s->state.files[i];
		struct stat st;

		if (fstatat(s->dir, f->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno == ENOENT && f->step != FILE_WRITTEN && f->step != FILE_PAGE)
				state_drop_file(&s->state, i);
		} else if ((uint64_t)st.st_size != f->bytes) {
			f->bytes = (uint64_t)st.st_size;
			s->state.changed = true;
		}
	}
}

int store_open(struct store *s, const struct collect_config *config, bool dry,
	       struct jfrec_error *err)
{
	*s = (struct store){ .config = config, .dir = -1, .staging = -1, .dry = dry };
	s->dir = open(config->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir < 0) /* never made: it may be that a disk is not mounted */
		return jfrec_fail_sys(err, errno, "cannot open %.200s", config->directory);
	if (open_staging(s, err) < 0 || load_state(s, err) < 0 || (!dry && recover(s, err) < 0)) {
		store_close(s);
		return -1;
	}
	look_at_files(s);
	return 0;
}

void store_close(struct store *s)
{
	state_fini(&s->state);
	if (s->staging >= 0)
		close(s->staging);
	if (s->dir >= 0)
		close(s->dir);
	s->dir = s->staging = -1;
}

int store_save(struct store *s, struct jfrec_error *err)
{
	if (s->dry || s->broken || !s->state.changed)
		return 0;
	return state_save(&s->state, s->staging, err);
}

/* Making room ---------------------------------------------------------------------------------- */

/* Is it gone from the state? */
static bool drop(struct store *s, size_t i, store_drop_fn *dropped, void *ctx)
{
	struct state_file *f = &s->state.files[i];

	if (!s->dry && unlinkat(s->dir, f->name, 0) < 0 && errno != ENOENT)
		return false;
	dropped(ctx, f->name, f->bytes);
	if (!s->dry)
		state_drop_file(&s->state, i);
	return !s->dry;
}

void store_expire(struct store *s, store_drop_fn *dropped, void *ctx)
{
	int64_t now_ns = now_s() * 1000000000;

	look_at_files(s);
	for (size_t i = s->state.file_count; i-- > 0;) {
		if (retention_is_old(&s->config->limits, &s->state.files[i], now_ns))
			drop(s, i, dropped, ctx);
	}
}

static int fail_room(const struct store *s, const struct retention_room *room,
		     enum retention_result why, struct jfrec_error *err)
{
	if (why == RETENTION_NO_MEMORY)
		return jfrec_fail_memory(err);
	if (why == RETENTION_TOO_LARGE)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a file of %" PRIu64 " bytes exceeds what limits: size leaves "
						       "for its user, besides the files of "
						       "others; skipped",
				  room->bytes);
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
		   "no room in %.150s: %" PRIu64 " bytes are needed, %" PRIu64
		   " must stay free, and %" PRIu64 " are free",
		   s->config->directory, room->bytes, s->config->limits.free, room->disk);
	if (err)
		err->sys = ENOSPC;
	return -1;
}

/* A compressor may need somewhat more for what cannot be compressed. */
static uint64_t most_bytes(const struct store *s, uint64_t bytes)
{
	return s->config->compress == JFREC_PLAIN ? bytes : bytes + bytes / 64 + 4096;
}

/*
 * Which files have to go for so many bytes of that user: marked in an array that is then to be
 * freed.  NULL with *err set.
 */
static bool *choose_drops(const struct store *s, uint64_t bytes, int64_t owner,
			  struct jfrec_error *err)
{
	struct retention_room room = { .bytes = most_bytes(s, bytes), .files = 1, .owner = owner };
	bool *marks = calloc(s->state.file_count + 1, sizeof(*marks));
	enum retention_result result = RETENTION_NO_MEMORY;
	struct statvfs fs;

	if (fstatvfs(s->dir, &fs) < 0) {
		free(marks);
		jfrec_fail_sys(err, errno, "cannot determine the free space");
		return NULL;
	}
	room.disk = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (marks)
		result = retention_choose(&s->state, &s->config->limits, &room, marks);
	if (result == RETENTION_FITS)
		return marks;
	free(marks);
	fail_room(s, &room, result, err);
	return NULL;
}

static void drop_marked(struct store *s, const bool *marks, store_drop_fn *dropped, void *ctx)
{
	size_t count = s->state.file_count;

	for (size_t k = 0, i = 0; k < count; k++) {
		if (!marks[k] || !drop(s, i, dropped, ctx))
			i++;
	}
}

/* Writing -------------------------------------------------------------------------------------- */

static void chunk_name(const struct jfrec_repository *r, const struct jfrec_repository_chunk *c,
		       char *name, size_t size)
{
	const char *path = jfrec_repository_path(r), *slash = strrchr(path, '/');

	snprintf(name, size, "%s/%s", slash ? slash + 1 : path, c->name);
}

bool store_knows(struct store *s, const struct jfrec_repository *r,
		 const struct jfrec_repository_chunk *c)
{
	char name[2 * NAME_MAX + 2];

	chunk_name(r, c, name, sizeof(name));
	return state_knows(&s->state, c->start_ns, c->start_ticks, name, now_s());
}

static int note_chunks(struct store *s, const struct store_file *f, struct jfrec_error *err)
{
	for (size_t i = f->first; i < f->first + f->count; i++) {
		const struct jfrec_repository_chunk *c = jfrec_repository_get(f->repository, i);
		char name[2 * NAME_MAX + 2];

		chunk_name(f->repository, c, name, sizeof(name));
		if (state_add_chunk(&s->state, c->start_ns, c->start_ticks, name, now_s(), err) < 0)
			return -1;
	}
	return 0;
}

static const struct jfrec_merge_options as_they_are = { .struct_size = sizeof(as_they_are),
							.plain = true };

/* There was nothing to read: not an error. */
static bool is_nothing(const struct jfrec_error *why)
{
	return why->code == JFREC_EFORMAT || why->code == JFREC_ENOEVENT;
}

/*
 * Is there an event in that chunk?  Its header may say what it likes.  1; 0: nothing can be read;
 * -1 with *err set: that is not known, as there is no memory, or no descriptor.
 */
static int has_event(const struct store_file *f, size_t i, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	struct jfrec_repository *copy = jfrec_repository_copy(f->repository, i, 1, &why);
	struct jfrec_reader *r = copy ? jfrec_repository_read(copy, &why) : NULL;
	const struct jfrec_event *ev;
	int got = r ? jfrec_reader_next(r, &ev, &why) : -1;

	jfrec_reader_close(r);
	jfrec_repository_close(copy);
	if (got >= 0 || is_nothing(&why))
		return got > 0;
	if (err)
		*err = why;
	return -1;
}

static int has_events(const struct store_file *f, struct jfrec_error *err)
{
	int has = 0;

	for (size_t i = f->first; i < f->first + f->count && has == 0; i++)
		has = has_event(f, i, err);
	return has;
}

/*
 * What would be written of it, before it is compressed: known only when it was read, whatever its
 * headers say.  0 with *bytes set, to 0 if nothing can be read; or -1 with *err set.
 */
static int measure(const struct store_file *f, uint64_t *bytes, struct jfrec_error *err)
{
	struct jfrec_repository *copy;
	struct jfrec_reader *r = NULL;
	struct jfrec_output *o = NULL;
	struct jfrec_error why = { 0 };
	struct jfrec_merged *merged = NULL;
	int ret = has_events(f, err);

	*bytes = 0;
	if (ret <= 0)
		return ret;
	ret = -1;
	copy = jfrec_repository_copy(f->repository, f->first, f->count, &why);
	if (copy)
		r = jfrec_repository_read(copy, &why);
	if (r)
		o = jfrec_output_measure(&why);
	if (o)
		merged = jfrec_write_merged(r, &as_they_are, o, &why);
	if (merged)
		*bytes = jfrec_output_size(o);
	if (merged || is_nothing(&why))
		ret = 0;
	else if (err)
		*err = why;
	jfrec_merged_free(merged);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	jfrec_repository_close(copy);
	return ret;
}

/* Write it under its first name, and have it on the disk. */
static int write_staged(struct store *s, struct store_file *f, struct jfrec_error *err)
{
	struct jfrec_reader *r = NULL;
	struct jfrec_output *o = NULL;
	struct jfrec_merged *merged = NULL;
	char *path;
	int ret = -1;

	if (asprintf(&path, "%s/" STAGING "/%s", s->config->directory, f->name) < 0)
		return jfrec_fail_memory(err);
	r = jfrec_repository_read_some(f->repository, f->first, f->count, err);
	if (r)
		o = jfrec_output_open(path, true, s->config->compress, err);
	if (o)
		merged = jfrec_write_merged(r, &as_they_are, o, err);
	if (merged && jfrec_output_commit(o, err) == 0) {
		f->written = merged->written;
		f->completed = merged->completed;
		f->left_out = merged->left_out;
		f->bytes = jfrec_output_size(o);
		ret = 0;
	}
	jfrec_merged_free(merged);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	free(path);
	return ret;
}

static int note_file(struct store *s, const struct store_file *f, struct jfrec_error *err)
{
	if (note_chunks(s, f, err) < 0)
		return -1;
	if (f->bytes &&
	    state_add_file(&s->state, f->name, f->jvm->uid, f->bytes, f->end_ns, FILE_WRITTEN,
			   err) < 0)
		return -1;
	/* What had nothing to read can wait for the end of the pass: thousands of files may. */
	return f->bytes ? state_save(&s->state, s->staging, err) : 0;
}

/* What could not be noted must not be there, either on the disk or in memory. */
static int take_back(struct store *s, const char *name)
{
	unlinkat(s->staging, name, 0);
	state_fini(&s->state);
	s->broken = state_load(&s->state, s->staging, NULL) < 0;
	return -1;
}

/* A file with holes would take more here than where it is; it is left out.  How many there are. */
static size_t leave_out_hollow(struct store_file *f)
{
	size_t count = 0;

	for (size_t i = f->first; i < f->first + f->count; i++) {
		const struct jfrec_repository_chunk *c = jfrec_repository_get(f->repository, i);

		if (!c->is_hollow || c->is_read)
			continue;
		jfrec_repository_skip(f->repository, i);
		count++;
	}
	return count;
}

static uint64_t span_of(struct store_file *f)
{
	uint64_t bytes = 0;

	f->start_ns = INT64_MAX;
	f->end_ns = INT64_MIN;
	for (size_t i = f->first; i < f->first + f->count; i++) {
		const struct jfrec_repository_chunk *c = jfrec_repository_get(f->repository, i);

		if (!c->is_read)
			bytes += c->bytes;
		if (c->start_ns < f->start_ns)
			f->start_ns = c->start_ns;
		if (c->end_ns > f->end_ns)
			f->end_ns = c->end_ns;
	}
	return bytes;
}

static bool any(const bool *marks, size_t count)
{
	size_t i = 0;

	while (i < count && !marks[i])
		i++;
	return i < count;
}

/*
 * Old files go only for bytes that are really there: where some have to, what comes is read
 * through once before.  0 with *bytes as it turned out, or -1 with *err set.
 */
static int make_room(struct store *s, const struct store_file *f, uint64_t *bytes,
		     store_drop_fn *dropped, void *ctx, struct jfrec_error *err)
{
	bool *marks = choose_drops(s, *bytes, f->jvm->uid, err);

	if (!marks || (any(marks, s->state.file_count) && !s->dry)) {
		free(marks);
		if (measure(f, bytes, err) < 0)
			return -1;
		if (*bytes == 0)
			return 0;
		marks = choose_drops(s, *bytes, f->jvm->uid, err);
	}
	if (!marks)
		return -1;
	drop_marked(s, marks, dropped, ctx);
	free(marks);
	return 0;
}

/* Does what was written keep the limits, although it is more than there was room made for? */
static bool still_fits(const struct store *s, const struct store_file *f)
{
	bool *marks = choose_drops(s, f->bytes, f->jvm->uid, NULL), fits;

	fits = marks && !any(marks, s->state.file_count);
	free(marks);
	return fits;
}

/*
 * 0, or -1 with *err set.  If nothing in it can be read, that is not a failure, and no file is
 * made.
 */
static int write_new_file(struct store *s, struct store_file *f, uint64_t most,
			  struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };

	if (write_staged(s, f, &why) == 0) {
		if (f->bytes <= most_bytes(s, most) || still_fits(s, f))
			return 0;
		unlinkat(s->staging, f->name, 0);
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "its chunks grew while they were read; left for the next pass");
	}
	if (is_nothing(&why))
		return 0;
	if (err)
		*err = why;
	return -1;
}

int store_put(struct store *s, struct store_file *f, store_drop_fn *dropped, void *ctx,
	      struct jfrec_error *err)
{
	size_t hollow = leave_out_hollow(f);
	uint64_t bytes = span_of(f);

	if (s->broken)
		return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
				  "the state cannot be read again");
	if (make_room(s, f, &bytes, dropped, ctx, err) < 0 || choose_name(s, f, err) < 0)
		return -1;
	if (s->dry) {
		f->bytes = bytes;
		return 0;
	}
	if (bytes && write_new_file(s, f, bytes, err) < 0)
		return -1;
	f->left_out = bytes && f->bytes ? f->left_out + hollow : f->count;
	if (note_file(s, f, err) < 0)
		return take_back(s, f->name);
	return f->bytes ? name_file(s, &s->state.files[s->state.file_count - 1], err) : 0;
}

/* Reports -------------------------------------------------------------------------------------- */

/* Old files go for it, but never the one that it is about. */
static int make_room_for_page(struct store *s, const struct state_file *of, uint64_t bytes,
			      store_drop_fn *dropped, void *ctx, struct jfrec_error *err)
{
	bool *marks = choose_drops(s, bytes, of->owner, err);
	bool goes = marks && marks[of - s->state.files];

	if (marks && !goes)
		drop_marked(s, marks, dropped, ctx);
	free(marks);
	if (!goes)
		return marks ? 0 : -1;
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "limits leave no room for a report of %" PRIu64 " bytes beside it", bytes);
}

static int copy_page(int page, struct jfrec_output *o, struct jfrec_error *err)
{
	char bytes[1 << 16];
	ssize_t len;

	for (off_t at = 0; (len = pread(page, bytes, sizeof(bytes), at)) > 0; at += len) {
		if (jfrec_output_write(o, bytes, (size_t)len) < 0)
			return jfrec_fail_sys(err, errno, "cannot write the report");
	}
	return len < 0 ? jfrec_fail_sys(err, errno, "cannot read the report") : 0;
}

static int write_page(struct store *s, int page, const char *name, struct jfrec_error *err)
{
	struct jfrec_output *o;
	char *path;
	int ret = -1;

	if (asprintf(&path, "%s/" STAGING "/%s", s->config->directory, name) < 0)
		return jfrec_fail_memory(err);
	o = jfrec_output_open(path, true, JFREC_PLAIN, err);
	if (o && copy_page(page, o, err) == 0 && jfrec_output_commit(o, err) == 0)
		ret = 0;
	jfrec_output_close(o);
	free(path);
	return ret;
}

/* The name of a page: "shop.jfr.zst" has "shop.html". */
static int choose_page_name(const struct store *s, const char *of, char name[NAME_MAX + 1],
			    struct jfrec_error *err)
{
	const char *format = s->config->report.format;
	char wanted[NAME_MAX + 1];

	snprintf(wanted, sizeof(wanted), "%.*s.%s", (int)suffix_stem(of), of,
		 strcmp(format, "markdown") == 0 ? "md" : format);
	return make_unique(s, wanted, name, err);
}

enum file_step store_after_report(const struct store *s)
{
	return s->config->export.directory ? FILE_REPORTED : store_after_export(s);
}

enum file_step store_after_export(const struct store *s)
{
	return s->config->run ? FILE_EXPORTED : FILE_DONE;
}

int store_put_page(struct store *s, const char *of, int page, struct store_page *put,
		   store_drop_fn *dropped, void *ctx, struct jfrec_error *err)
{
	struct state_file *f = state_file(&s->state, of);
	int64_t owner, end_ns;
	struct stat st;

	if (!f || fstat(page, &st) < 0)
		return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "the report is lost");
	put->bytes = (uint64_t)st.st_size;
	owner = f->owner;
	end_ns = f->end_ns;
	if (make_room_for_page(s, f, put->bytes, dropped, ctx, err) < 0 ||
	    choose_page_name(s, of, put->name, err) < 0 || write_page(s, page, put->name, err) < 0)
		return -1;
	if (state_add_file(&s->state, put->name, owner, put->bytes, end_ns, FILE_PAGE, err) < 0)
		return take_back(s, put->name);
	/* In one write with that: it has its report, even if we are killed now. */
	state_file(&s->state, of)->step = store_after_report(s);
	if (state_save(&s->state, s->staging, err) < 0)
		return take_back(s, put->name);
	return name_file(s, &s->state.files[s->state.file_count - 1], err);
}

int store_open_file(const struct store *s, const char *name)
{
	return openat(s->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

bool store_is_greedy(const struct store *s, const struct store_file *f)
{
	return s->config->limits.size && f->bytes > s->config->limits.size / STORE_LARGE;
}

bool store_is_full(const struct jfrec_error *err)
{
	return (err->code == JFREC_EIO || err->code == JFREC_EOUTPUT) &&
	       (err->sys == ENOSPC || err->sys == EDQUOT || err->sys == EFBIG);
}
