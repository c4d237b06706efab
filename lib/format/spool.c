/* SPDX-License-Identifier: MIT */
/*
 * spool.c - store pipes and compressed input so that it can be read in any order
 */
#include "format/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/tmpfile.h"

#define STEP (256u << 10)

/*
 * It has no name, and ends with its descriptor.  /var/tmp is on a disk, where /tmp may be memory.
 */
int spool_file(const char *beside, struct jfrec_error *err)
{
	const char *slash = beside ? strrchr(beside, '/') : NULL;
	char *directory = !beside ? strdup("/var/tmp")
			  : slash ? strndup(beside, (size_t)(slash - beside + 1))
				  : strdup(".");
	int fd;

	if (!directory)
		return jfrec_fail_memory(err);
	fd = tmpfile_in(directory);
	if (fd < 0 && !beside)
		fd = tmpfile_in("/tmp");
	free(directory);
	return fd < 0 ? jfrec_fail_sys(err, errno, "cannot make a temporary file%s",
				       beside ? "" : " in /var/tmp or /tmp")
		      : fd;
}

/* What could be stored before is reported: so much space was not enough. */
static int fail_to_write(uint64_t done, int error, struct jfrec_error *err)
{
	return jfrec_fail_sys(
		err, error,
		"is to be read twice, and cannot be stored in a temporary file: after "
		"%" PRIu64 " MiB; free some space there, or write it to a file elsewhere "
		"and name that",
		done >> 20);
}

static int write_all(int fd, uint64_t at, const char *data, size_t len, struct jfrec_error *err)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return fail_to_write(at, errno, err);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* More of a pipe than may be stored? */
static int check_most(struct recording *r, size_t got, struct jfrec_error *err)
{
	uint64_t most = r->most_spooled ? r->most_spooled : SPOOL_USUAL;

	if (!r->in.once || got <= most - r->spooled) {
		r->spooled += r->in.once ? got : 0;
		return 0;
	}
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
		   "is to be read twice, and has more than %" PRIu64
		   " MiB, which is as much of pipes "
		   "as is stored in temporary files; write it to a file and name that",
		   most >> 20);
	if (err)
		err->sys = EFBIG;
	return -1;
}

/*
 * All of it, however much there is; but each flush of a JVM leaves a chunk's header, so what has
 * none for long is not a recording, and may have no end.
 */
static int copy_stream(struct recording *r, int fd, struct jfrec_error *err)
{
	struct input *in = &r->in;
	char *step = malloc(STEP);
	uint64_t at = 0, chunk = 0;
	size_t got = 1;
	int ret = step ? 0 : jfrec_fail_memory(err);

	while (ret == 0 && got) {
		input_forget(in, at);
		ret = input_read(in, at, step, STEP, &got, err);
		if (ret == 0)
			ret = check_most(r, got, err);
		if (ret == 0)
			ret = write_all(fd, at, step, got, err);
		if (memmem(step, got, "FLR", 4))
			chunk = at;
		else if (at - chunk > KEPT_AT_MOST)
			input_end_here(in, "reading stopped: no chunk begins in 2 GiB of the pipe "
					   "or compressed file (if it is a recording, save it "
					   "decompressed to a file first)");
		at += got;
	}
	free(step);
	return ret;
}

static int spool(struct recording *r, size_t i, const char *beside, struct jfrec_error *err)
{
	int fd = spool_file(beside, err);

	if (fd < 0)
		return -1;
	if (r->spools[i] >= 0)
		close(r->spools[i]);
	r->spools[i] = fd;
	/* What is stored does not show it any more. */
	if (r->mangled)
		problem_damage(&r->problems, 0, 0, "%s", r->mangled);
	if (copy_stream(r, fd, err) < 0)
		return -1;
	if (r->in.fault.code)
		problem_damage(&r->problems, r->in.size, 0,
			       "%s after %" PRIu64 " bytes of recording", r->in.fault.text,
			       r->in.size);
	input_close(&r->in);
	return 0;
}

static bool is_stopped(const struct recording *r)
{
	return r->waiting && r->waiting->stop && *r->waiting->stop;
}

/* Those that are streams, or with `pipes` only what can be read but once. */
static int spool_each(struct recording *r, bool pipes, const char *beside, struct jfrec_error *err)
{
	struct jfrec_error why;

	if (recording_make_spools(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->path_count; i++) {
		if (pipes && !recording_is_once_at(r, i))
			continue;
		/* What is not a recording is reported when its turn comes. */
		if (recording_visit(r, i, &why) < 0 || !r->in.stream) {
			if (is_stopped(r))
				return jfrec_fail(err, JFREC_ECANCELED, JFREC_NO_OFFSET,
						  "interrupted");
			continue;
		}
		if (spool(r, i, beside, err) < 0)
			return -1;
	}
	return recording_visit(r, 0, err);
}

int spool_streams(struct recording *r, const char *beside, struct jfrec_error *err)
{
	return spool_each(r, false, beside, err);
}

/* Opening its first file anew forgets where reading was. */
int spool_pipes(struct recording *r, struct jfrec_error *err)
{
	const uint64_t next = r->next, number = r->number, tried = r->tried;
	const bool has_clock = r->has_clock;

	if (!recording_is_once(r))
		return 0;
	if (r->current || r->ended || r->in.kept.at)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "is to be read twice, which a pipe does not allow any more once "
				  "more than its first chunk is read");
	if (spool_each(r, true, NULL, err) < 0)
		return -1;
	r->next = next;
	r->number = number;
	r->tried = tried;
	r->has_clock = has_clock;
	r->mangled = number ? NULL : r->mangled;
	return 0;
}
