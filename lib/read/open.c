/* SPDX-License-Identifier: MIT */
/*
 * open.c - open what is to be read: files, descriptors, memory, directories
 */
#include "read/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/options.h"
#include "format/spool.h"
#include "read/reader.h"
#include "repository/crash_file.h"
#include "repository/directory.h"

struct jfrec_reader *reader_without_input(struct jfrec_error *err)
{
	struct jfrec_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		jfrec_fail_memory(err);
		return NULL;
	}
	r->source.recording.in.fd = -1;
	r->source.waiting.stop = &r->source.stop;
	r->source.recording.waiting = &r->source.waiting;
	return r;
}

/*
 * The caller that opened its recording has begun it again.  Waiting for a pipe ends when it is
 * stopped.
 */
static struct jfrec_reader *opened(struct jfrec_reader *r)
{
	r->source.recording.waiting = &r->source.waiting;
	input_set_waiting(&r->source.recording.in, &r->source.waiting);
	return r;
}

/* Places --------------------------------------------------------------------------------------- */

static int add_to(void *ctx, const char *path, struct jfrec_error *err)
{
	return recording_add_found(ctx, path, err);
}

/*
 * What a killed native program had not flushed: of its repository, or of the memory that it left;
 * *fd is -1: nothing.  0, with what could not be taken in in *missing; or -1 with *err set.
 */
static int unflushed_of(const char *path, int *fd, struct jfrec_error *missing,
			struct jfrec_error *err)
{
	int directory;

	if (!directory_is(path))
		return crash_file_of_memory(path, fd, missing, err);
	directory = directory_open(path);
	*fd = directory < 0 ? -1 : crash_file_chunk(directory, missing);
	if (directory >= 0)
		close(directory);
	return 0;
}

char *jfrec_reader_beside(const char *path)
{
	return crash_file_beside(path);
}

/* What the drainer had written after the last flush is there, too: it is not read twice. */
static int add_unflushed(struct recording *r, const char *path, int fd, struct jfrec_error *err)
{
	char *name;
	int ret;

	if (asprintf(&name, "%s%s", path, directory_is(path) ? "/unflushed.jfr" : "") < 0) {
		close(fd);
		return jfrec_fail_memory(err);
	}
	ret = recording_add_open(r, name, fd, err);
	r->ends_at_flush = true;
	free(name);
	return ret;
}

/* Of a directory, the recordings in it, the oldest first. */
static int open_place(struct recording *r, const struct recording_place *p,
		      struct jfrec_error *err)
{
	bool is_path = !p->has_memory && p->fd < 0, is_directory = is_path && directory_is(p->path);
	struct jfrec_error missing = { .code = JFREC_OK };
	int unflushed = -1, ret = 0;

	if (is_path && p->is_rescue && unflushed_of(p->path, &unflushed, &missing, err) < 0)
		return -1;
	if (!is_directory && unflushed < 0)
		return recording_open_place(r, p, err);
	*r = recording_none(p);
	if (is_directory)
		ret = directory_list(p->path, add_to, r, err);
	/* It may have been killed before its first flush. */
	if (unflushed >= 0)
		ret = add_unflushed(r, p->path, unflushed, err);
	r->missing = missing;
	if (ret == 0)
		return recording_start(r, err);
	if (missing.code && err)
		*err = missing;
	recording_close(r);
	return -1;
}

static struct jfrec_reader *reader_new(const struct recording_place *place,
				       struct jfrec_error *err)
{
	struct jfrec_reader *r = reader_without_input(err);

	if (!r)
		return NULL;
	if (open_place(&r->source.recording, place, err) == 0)
		return opened(r);
	free(r);
	return NULL;
}

/* 0 with what is the same for all places in *place, or -1 with *err set. */
static int place_of(const struct jfrec_open_options *options, const char *name,
		    struct recording_place *place, struct jfrec_error *err)
{
	struct jfrec_open_options o;

	if (options_take(&o, sizeof(o), options, err) < 0)
		return -1;
	*place = (struct recording_place){
		.path = o.name ? o.name : name,
		.fd = -1,
		.is_rescue = o.rescue,
		.may_lack_header = o.without_header,
		.is_unmapped = o.without_mapping,
	};
	return 0;
}

struct jfrec_reader *jfrec_reader_open(const char *path, const struct jfrec_open_options *options,
				       struct jfrec_error *err)
{
	struct recording_place place;

	if (place_of(options, NULL, &place, err) < 0)
		return NULL;
	place.path = path;
	return reader_new(&place, err);
}

struct jfrec_reader *jfrec_reader_open_fd(int fd, const struct jfrec_open_options *options,
					  struct jfrec_error *err)
{
	struct recording_place place;
	char name[32];

	snprintf(name, sizeof(name), "descriptor %d", fd);
	if (place_of(options, name, &place, err) < 0)
		return NULL;
	if (fd < 0) {
		jfrec_fail_sys(err, EBADF, "cannot read %s", name);
		return NULL;
	}
	place.fd = fd;
	return reader_new(&place, err);
}

struct jfrec_reader *jfrec_reader_open_memory(const void *bytes, size_t len,
					      const struct jfrec_open_options *options,
					      struct jfrec_error *err)
{
	struct recording_place place;

	if (place_of(options, "memory", &place, err) < 0)
		return NULL;
	place.has_memory = true;
	place.memory = bytes;
	place.memory_len = len;
	return reader_new(&place, err);
}

int jfrec_reader_add(struct jfrec_reader *r, const char *path, struct jfrec_error *err)
{
	struct recording *rec = &r->source.recording;

	return directory_is(path) ? directory_list(path, add_to, rec, err)
				  : recording_add(rec, path, err);
}

int jfrec_reader_types_from(struct jfrec_reader *r, const char *path, struct jfrec_error *err)
{
	const struct recording_place place = { .path = path, .fd = -1 };
	struct recording other;
	int ret = open_place(&other, &place, err);

	if (ret == 0) {
		ret = recording_types_from(&r->source.recording, &other, err);
		recording_close(&other);
	}
	return ret;
}

/* One of several ------------------------------------------------------------------------------- */

size_t jfrec_reader_file_count(const struct jfrec_reader *r)
{
	return r->source.recording.path_count;
}

const char *jfrec_reader_file_name(const struct jfrec_reader *r, size_t i)
{
	const struct recording *rec = &r->source.recording;

	return i < rec->path_count ? rec->paths[i] : NULL;
}

int jfrec_reader_only_file(struct jfrec_reader *r, size_t i, struct jfrec_error *err)
{
	return recording_keep_only(&r->source.recording, i, err);
}

/* Again ---------------------------------------------------------------------------------------- */

int jfrec_reader_spool(struct jfrec_reader *r, struct jfrec_error *err)
{
	return spool_pipes(&r->source.recording, err);
}

void jfrec_reader_limit_spool(struct jfrec_reader *r, uint64_t bytes)
{
	r->source.recording.most_spooled = bytes;
}

struct jfrec_reader *jfrec_reader_again(const struct jfrec_reader *r, struct jfrec_error *err)
{
	struct jfrec_reader *again = reader_without_input(err);

	if (!again)
		return NULL;
	if (recording_again(&r->source.recording, &again->source.recording, err) == 0)
		return opened(again);
	free(again);
	return NULL;
}

/* Open files ----------------------------------------------------------------------------------- */

struct jfrec_reader *reader_of_files(const struct recording_file *files, size_t count,
				     struct jfrec_error *err)
{
	struct jfrec_reader *r = reader_without_input(err);

	if (!r) {
		for (size_t i = 0; i < count; i++)
			close(files[i].fd);
		return NULL;
	}
	if (recording_open_files(&r->source.recording, files, count, err) == 0)
		return opened(r);
	free(r);
	return NULL;
}
