/* SPDX-License-Identifier: MIT */
/*
 * spool.c - store pipes and compressed input so that it can be read in any order
 */
#include "edit/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/tmpfile.h"

#define STEP (256u << 10)

/* It has no name, and goes with its descriptor. */
int spool_file(const struct jfrec_output *o, struct jfrec_error *err)
{
	const char *slash = o->path ? strrchr(o->path, '/') : NULL;
	char *directory = !o->path ? strdup("/tmp")
			  : slash  ? strndup(o->path, (size_t)(slash - o->path + 1))
				   : strdup(".");
	int fd;

	if (!directory)
		return jfrec_fail_memory(err);
	fd = tmpfile_in(directory);
	free(directory);
	return fd < 0 ? jfrec_fail_sys(err, errno, "cannot make a temporary file") : fd;
}

static int write_all(int fd, const char *data, size_t len, struct jfrec_error *err)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return jfrec_fail_sys(err, errno, "cannot write a temporary file");
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/*
 * All of it, however much there is; but each flush of a JVM leaves a chunk's header, so what has
 * none for long is no recording, and may have no end.
 */
static int copy_stream(struct input *in, int fd, struct jfrec_error *err)
{
	char *step = malloc(STEP);
	uint64_t at = 0, chunk = 0;
	size_t got = 1;
	int ret = step ? 0 : jfrec_fail_memory(err);

	while (ret == 0 && got) {
		input_forget(in, at);
		ret = input_read(in, at, step, STEP, &got, err);
		if (ret == 0)
			ret = write_all(fd, step, got, err);
		if (memmem(step, got, "FLR", 4))
			chunk = at;
		else if (at - chunk > KEPT_AT_MOST)
			input_end_here(in, "reading stopped: no chunk begins in 2 GB of the pipe "
					   "or compressed file (if it is a recording, save it "
					   "decompressed to a file first)");
		at += got;
	}
	free(step);
	return ret;
}

static int spool(struct recording *r, size_t i, const struct jfrec_output *o,
		 struct jfrec_error *err)
{
	int fd = spool_file(o, err);

	if (fd < 0)
		return -1;
	if (r->spools[i] >= 0)
		close(r->spools[i]);
	r->spools[i] = fd;
	if (copy_stream(&r->in, fd, err) < 0)
		return -1;
	if (r->in.fault.code)
		problem_damage(&r->problems, r->in.size, 0,
			       "%s after %" PRIu64 " bytes of recording", r->in.fault.text,
			       r->in.size);
	input_close(&r->in);
	return 0;
}

int spool_streams(struct recording *r, const struct jfrec_output *o, struct jfrec_error *err)
{
	struct jfrec_error why;

	if (recording_make_spools(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->path_count; i++) {
		/* What is no recording is told when its turn comes. */
		if (recording_visit(r, i, &why) < 0 || !r->in.stream) {
			if (r->waiting && r->waiting->stop && *r->waiting->stop)
				return jfrec_fail(err, JFREC_ECANCELED, JFREC_NO_OFFSET,
						  "interrupted");
			continue;
		}
		if (spool(r, i, o, err) < 0)
			return -1;
	}
	return recording_visit(r, 0, err);
}
