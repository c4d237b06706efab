/* SPDX-License-Identifier: MIT */
/*
 * kept.c - keep the part of a stream that may be needed again
 */
#include "input/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/tmpfile.h"

/* What is read at a time on its way to the file; and of memory at first. */
#define STEP (256u << 10)

/* The file ------------------------------------------------------------------------------------- */

static int fail_file(int error, struct jfrec_error *err)
{
	return jfrec_fail_sys(err, error,
			      "has a chunk of more than %u MiB, or is an archive of that size, which "
			      "needs a temporary file in /var/tmp or /tmp; free some space there, or "
			      "decompress it to files first",
			      (unsigned)(KEPT_IN_MEMORY >> 20));
}

static int write_file(struct kept *k, const uint8_t *bytes, uint64_t len, uint64_t at,
		      struct jfrec_error *err)
{
	while (len) {
		ssize_t n = pwrite(k->fd, bytes, len, (off_t)at);

		if (n < 0 && errno != EINTR)
			return fail_file(errno, err);
		if (n > 0) {
			bytes += n;
			at += (uint64_t)n;
			len -= (uint64_t)n;
		}
	}
	return 0;
}

/* /var/tmp is on a disk, where /tmp may be memory. */
static int begin_file(struct kept *k, struct jfrec_error *err)
{
	uint8_t *step;

	k->fd = tmpfile_in("/var/tmp");
	if (k->fd < 0)
		k->fd = tmpfile_in("/tmp");
	if (k->fd < 0)
		return fail_file(errno, err);
	k->is_file = true;
	k->base = k->at;
	if (write_file(k, k->bytes, k->len, 0, err) < 0)
		return -1;
	step = realloc(k->bytes, STEP);
	if (!step)
		return jfrec_fail_memory(err);
	k->bytes = step;
	k->room = STEP;
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

static int grow(struct kept *k, struct jfrec_error *err)
{
	size_t room = k->room ? k->room * 2 : STEP;
	uint8_t *bytes = realloc(k->bytes, room);

	if (!bytes)
		return jfrec_fail_memory(err);
	k->bytes = bytes;
	k->room = room;
	return 0;
}

int kept_room(struct kept *k, uint8_t **to, size_t *room, struct jfrec_error *err)
{
	if (k->len >= KEPT_AT_MOST)
		return jfrec_fail(
			err, JFREC_EUNSUPPORTED, k->at,
			"has a chunk of more than 2 GiB, too large to read from a pipe or a "
			"compressed file; save it decompressed to a file first");
	/* Where memory is refused, a file may still do. */
	if (!k->is_file && k->len == k->room &&
	    (k->len >= KEPT_IN_MEMORY || grow(k, err) < 0) && begin_file(k, err) < 0)
		return -1;
	*to = k->is_file ? k->bytes : k->bytes + k->len;
	*room = k->is_file ? k->room : k->room - (size_t)k->len;
	return 0;
}

int kept_add(struct kept *k, size_t len, struct jfrec_error *err)
{
	if (k->is_file && write_file(k, k->bytes, len, kept_end(k) - k->base, err) < 0)
		return -1;
	k->len += len;
	return 0;
}

int kept_read(const struct kept *k, uint64_t offset, void *to, size_t len, struct jfrec_error *err)
{
	size_t got = 0;

	if (!k->is_file) {
		memcpy(to, k->bytes + (offset - k->at), len);
		return 0;
	}
	while (got < len) {
		ssize_t n = pread(k->fd, (char *)to + got, len - got,
				  (off_t)(offset - k->base + got));

		if (n <= 0 && errno != EINTR)
			return jfrec_fail_sys(err, n ? errno : EIO, "cannot read a temporary file");
		got += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

bool kept_place(const struct kept *k, uint64_t offset, int *fd, uint64_t *at)
{
	*fd = k->fd;
	*at = offset - k->base;
	return k->is_file;
}

/*
 * What is left of the file comes back to memory, if there is room.  Nothing is cut out of the file:
 * a chunk that was mapped may still be read.
 */
static void leave_file(struct kept *k)
{
	size_t room = k->len > STEP ? (size_t)k->len : STEP;
	uint8_t *bytes = k->len <= KEPT_IN_MEMORY ? malloc(room) : NULL;

	if (!bytes)
		return;
	if (kept_read(k, k->at, bytes, (size_t)k->len, NULL) < 0) {
		free(bytes);
		return;
	}
	close(k->fd);
	free(k->bytes);
	k->is_file = false;
	k->bytes = bytes;
	k->room = room;
}

void kept_forget(struct kept *k, uint64_t offset)
{
	uint64_t n = offset > k->at ? offset - k->at : 0;

	if (n > k->len)
		n = k->len;
	if (n == 0)
		return;
	if (!k->is_file)
		memmove(k->bytes, k->bytes + n, (size_t)(k->len - n));
	k->at += n;
	k->len -= n;
	if (k->is_file)
		leave_file(k);
}

void kept_fini(struct kept *k)
{
	if (k->is_file)
		close(k->fd);
	free(k->bytes);
	*k = (struct kept){ 0 };
}
