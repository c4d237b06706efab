/* SPDX-License-Identifier: MIT */
/*
 * output.c - write a file that appears complete or not at all
 *
 * It is written to a file in the same directory that has no name yet (temp.h), flushed to the disk,
 * and only then gets its name.
 */
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/suffix.h"
#include "jfrec-tool.h"

/*
 * After as many bytes a copy looks whether it is to stop, and the kernel, if it is one that does
 * not interrupt itself, whether another process needs the processor: half a millisecond.
 */
#define COPY_STEP (UINT64_C(1) << 20)

/* What may wait for the disk while a copy gives way: the disk has enough to do, and no more. */
#define UNDERWAY (UINT64_C(8) << 20)

/* Of files that are one of thousands. */
#define SMALL_BUFFER ((size_t)16 << 10)

/* Writing -------------------------------------------------------------------------------------- */

static bool is_stopped(const struct jfrec_output *o)
{
	return o->stop && *o->stop;
}

/* The last station before the file. */
static int write_all(void *ctx, const void *data, size_t len)
{
	struct jfrec_output *o = ctx;
	const char *at = data;

	while (len && o->temp.fd >= 0) {
		ssize_t n = is_stopped(o) ? -1 : write(o->temp.fd, at, len);

		if (is_stopped(o))
			return ECANCELED;
		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
			o->stored += (uint64_t)n;
		}
	}
	return 0;
}

static int write_out(void *ctx, const void *data, size_t len)
{
	struct jfrec_output *o = ctx;

	if (o->most && (o->out.flushed > o->most || len > o->most - o->out.flushed))
		return EOVERFLOW;
	return o->compressor ? o->compressor->write(o->compressor, data, len)
			     : write_all(o, data, len);
}

void jfrec_output_limit(struct jfrec_output *o, uint64_t most)
{
	o->most = most;
}

void output_stop_at(struct jfrec_output *o, const atomic_int *stop)
{
	o->stop = stop;
}

void output_append(struct jfrec_output *o, const void *data, size_t len)
{
	if (len) /* memcpy() takes no NULL */
		out_put(&o->out, data, len);
}

void jfrec_output_give_way(struct jfrec_output *o)
{
	o->gives_way = true;
}

int jfrec_output_write(void *output, const void *data, size_t len)
{
	struct jfrec_output *o = output;

	output_append(o, data, len);
	return o->out.error;
}

/* Copy by way of memory; the rest of what the kernel does not copy by itself. */
static void copy_by_hand(struct jfrec_output *o, int fd, uint64_t offset, uint64_t len)
{
	while (len && !output_failed(o)) {
		size_t room, want;
		ssize_t n;

		if (o->out.pos >= o->out.full)
			out_flush(&o->out);
		room = (size_t)(o->out.full - o->out.pos);
		want = len < room ? (size_t)len : room;
		n = pread(fd, o->out.pos, want, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) { /* the file was truncated meanwhile */
			o->out.error = n < 0 ? errno : EIO;
			return;
		}
		o->out.pos += n;
		offset += (uint64_t)n;
		len -= (uint64_t)n;
	}
}

/* What was copied before the last UNDERWAY bytes has to be on the disk, and leaves memory. */
static void settle(struct jfrec_output *o)
{
	uint64_t end = o->stored > UNDERWAY ? o->stored - UNDERWAY : 0;

	if (end < o->settled + COPY_STEP)
		return;
	sync_file_range(o->temp.fd, (off_t)o->settled, (off_t)(end - o->settled),
			SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				SYNC_FILE_RANGE_WAIT_AFTER);
	posix_fadvise(o->temp.fd, (off_t)o->settled, (off_t)(end - o->settled),
		      POSIX_FADV_DONTNEED);
	o->settled = end;
}

void output_copy(struct jfrec_output *o, int fd, uint64_t offset, uint64_t len)
{
	off_t from = (off_t)offset;

	out_flush(&o->out);
	/* What is read once must not replace in memory what others read twice. */
	if (o->gives_way)
		posix_fadvise(fd, from, (off_t)len, POSIX_FADV_NOREUSE);
	while (len && !o->compressor && !output_failed(o)) {
		ssize_t n = copy_file_range(fd, &from, o->temp.fd, NULL,
					    len < COPY_STEP ? (size_t)len : COPY_STEP, 0);

		if (n < 0 && errno == EINTR && !is_stopped(o))
			continue;
		if (is_stopped(o))
			o->out.error = ECANCELED;
		if (n <= 0) /* not between these two: by hand, which says why if it is a failure */
			break;
		/* The disk need not wait for the end; it is told now, and asked there. */
		sync_file_range(o->temp.fd, (off_t)o->stored, n, SYNC_FILE_RANGE_WRITE);
		o->stored += (uint64_t)n;
		o->out.flushed += (uint64_t)n;
		len -= (uint64_t)n;
		if (o->gives_way)
			settle(o);
	}
	copy_by_hand(o, fd, (uint64_t)from, len);
}

bool output_can_patch(const struct jfrec_output *o)
{
	return o->is_file && !o->compressor;
}

void output_patch(struct jfrec_output *o, uint64_t at, const void *data, size_t len)
{
	out_flush(&o->out);
	while (len && o->temp.fd >= 0 && !output_failed(o)) {
		ssize_t n = pwrite(o->temp.fd, data, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			o->out.error = errno;
			return;
		}
		data = (const char *)data + n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
}

int output_fail(const struct jfrec_output *o, struct jfrec_error *err)
{
	if (o->out.error == ECANCELED)
		return jfrec_fail(err, JFREC_ECANCELED, JFREC_NO_OFFSET, "interrupted");
	return out_fail(&o->out, err);
}

/* Opening -------------------------------------------------------------------------------------- */

enum jfrec_compression jfrec_output_compression(const char *path)
{
	return suffix_compression(path);
}

static int add_compressor(struct jfrec_output *o, enum jfrec_compression how,
			  struct jfrec_error *err)
{
	if (how == JFREC_BY_NAME && o->path)
		how = jfrec_output_compression(o->path);
	if (how == JFREC_GZIP)
		o->compressor = compressor_gzip(write_all, o);
	else if (how == JFREC_ZSTD)
		o->compressor = compressor_zstd(write_all, o);
	else
		return 0;
	return o->compressor ? 0 : jfrec_fail_memory(err);
}

/* A failure of the output: .sys says which, the text has no name. */
static int fail_with(struct jfrec_error *err, int error, const char *text)
{
	jfrec_fail(err, JFREC_EOUTPUT, JFREC_NO_OFFSET, "cannot write the output: %s",
		   text ? text : strerror(error));
	if (err)
		err->sys = error;
	return -1;
}

/* What must not be replaced, or cannot. */
static int check_target(struct jfrec_output *o, struct jfrec_error *err)
{
	struct stat st;

	if (lstat(o->path, &st) < 0)
		return errno == ENOENT ? 0 : fail_with(err, errno, NULL);
	if (S_ISDIR(st.st_mode))
		return fail_with(err, EISDIR, "it is a directory");
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return fail_with(err, EEXIST, "it is not a regular file; use - and redirect "
					      "standard output");
	if (!o->force)
		return fail_with(err, EEXIST, "it exists; --force replaces it");
	/* Of a link the target is not replaced, so its permissions say nothing. */
	o->replaces = S_ISREG(st.st_mode);
	if (o->replaces)
		o->mode = st.st_mode & 0777;
	return 0;
}

static int open_file(struct jfrec_output *o, const char *path, struct jfrec_error *err)
{
	int error;

	o->is_file = true;
	o->path = strdup(path);
	if (!o->path)
		return jfrec_fail_memory(err);
	if (!*path)
		return fail_with(err, ENOENT, NULL);
	if (check_target(o, err) < 0)
		return -1;
	error = temp_open(&o->temp, path);
	return error ? fail_with(err, error, NULL) : 0;
}

static int open_output(struct jfrec_output *o, const char *path, enum jfrec_compression how,
		       size_t buffer, struct jfrec_error *err)
{
	if (out_init_sized(&o->out, buffer, write_out, o, err) < 0)
		return -1;
	if (strcmp(path, "-") != 0) {
		if (open_file(o, path, err) < 0)
			return -1;
	} else {
		o->temp.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		if (o->temp.fd < 0)
			return fail_with(err, errno, NULL);
	}
	return add_compressor(o, how, err);
}

static struct jfrec_output *open_with(const char *path, bool force, enum jfrec_compression how,
				      size_t buffer, struct jfrec_error *err)
{
	struct jfrec_output *o = calloc(1, sizeof(*o));

	if (!o) {
		jfrec_fail_memory(err);
		return NULL;
	}
	o->temp.fd = -1;
	o->force = force;
	o->mode = 0600;
	if (open_output(o, path, how, buffer, err) == 0)
		return o;
	jfrec_output_close(o);
	return NULL;
}

struct jfrec_output *jfrec_output_open(const char *path, bool force, enum jfrec_compression how,
				       struct jfrec_error *err)
{
	return open_with(path, force, how, OUT_BUFFER, err);
}

struct jfrec_output *output_open_small(const char *path, bool force, struct jfrec_error *err)
{
	return open_with(path, force, JFREC_PLAIN, SMALL_BUFFER, err);
}

struct jfrec_output *output_open_fd(int fd, struct jfrec_error *err)
{
	struct jfrec_output *o = calloc(1, sizeof(*o));

	if (!o) {
		if (fd >= 0)
			close(fd);
		jfrec_fail_memory(err);
		return NULL;
	}
	o->temp.fd = fd;
	o->is_file = true;
	if (out_init(&o->out, write_out, o, err) == 0)
		return o;
	jfrec_output_close(o);
	return NULL;
}

void jfrec_output_set_mode(struct jfrec_output *o, unsigned mode, bool also_replaced)
{
	if (also_replaced || !o->replaces)
		o->mode = mode & 0777;
}

const char *output_sealed_path(const struct jfrec_output *o, char room[OUTPUT_PATH_MAX])
{
	if (o->temp.name)
		return o->temp.name;
	snprintf(room, OUTPUT_PATH_MAX, "/proc/self/fd/%d", o->temp.fd);
	return room;
}

size_t jfrec_output_sweep(const char *path)
{
	return temp_sweep(path);
}

struct jfrec_output *jfrec_output_measure(struct jfrec_error *err)
{
	struct jfrec_output *o = output_open_fd(-1, err);

	if (o)
		o->is_measure = true;
	return o;
}

uint64_t jfrec_output_size(const struct jfrec_output *o)
{
	return o->is_measure ? output_at(o) : o->stored;
}

bool output_would_replace_fd(const struct jfrec_output *o, int fd)
{
	struct stat a, b;

	return fd >= 0 && o->path && stat(o->path, &a) == 0 && fstat(fd, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool jfrec_output_would_replace(const struct jfrec_output *o, const char *path)
{
	struct stat a, b;

	return o->path && stat(o->path, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The end -------------------------------------------------------------------------------------- */

/* A pipe cannot be brought to the disk, and what it lost shows in write(). */
static int bring_to_disk(struct jfrec_output *o)
{
	if (!o->path)
		return 0;
	if (fsync(o->temp.fd) < 0)
		return errno;
	if (o->gives_way)
		posix_fadvise(o->temp.fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

int output_finish(struct jfrec_output *o, struct jfrec_error *err)
{
	if (o->finished)
		return 0;
	out_flush(&o->out);
	if (!output_failed(o) && o->compressor)
		o->out.error = o->compressor->end(o->compressor);
	if (!output_failed(o) && o->path && fchmod(o->temp.fd, o->mode) < 0)
		o->out.error = errno;
	if (output_failed(o))
		return output_fail(o, err);
	out_free_buffer(&o->out);
	/* The disk is told now, and asked later. */
	if (o->path)
		sync_file_range(o->temp.fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	o->finished = true;
	return 0;
}

int jfrec_output_seal(struct jfrec_output *o, struct jfrec_error *err)
{
	if (o->sealed)
		return 0;
	if (output_finish(o, err) < 0)
		return -1;
	if (!output_failed(o))
		o->out.error = bring_to_disk(o);
	if (output_failed(o))
		return output_fail(o, err);
	o->sealed = true;
	return 0;
}

/* So that the name survives a power failure, too; not all file systems can. */
void output_sync_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = slash ? strndup(path, (size_t)(slash - path + 1)) : NULL;
	int fd = open(name ? name : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(name);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int output_name(struct jfrec_output *o, struct jfrec_error *err)
{
	int error = temp_commit(&o->temp, o->path, o->force);

	if (error)
		return fail_with(err, error, NULL);
	o->committed = true;
	return 0;
}

int jfrec_output_commit(struct jfrec_output *o, struct jfrec_error *err)
{
	if (jfrec_output_seal(o, err) < 0)
		return -1;
	if (!o->path || o->committed)
		return 0;
	if (output_name(o, err) < 0)
		return -1;
	output_sync_directory(o->path);
	return 0;
}

int jfrec_output_rename(struct jfrec_output *o, const char *path, struct jfrec_error *err)
{
	char *copy = strdup(path);

	if (!copy)
		return jfrec_fail_memory(err);
	free(o->path);
	o->path = copy;
	return 0;
}

void jfrec_output_abandon(struct jfrec_output *o)
{
	temp_abandon(&o->temp);
}

void jfrec_output_close(struct jfrec_output *o)
{
	if (!o)
		return;
	temp_close(&o->temp);
	if (o->compressor)
		o->compressor->free(o->compressor);
	out_fini(&o->out);
	free(o->path);
	free(o);
}
