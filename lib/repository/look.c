/* SPDX-License-Identifier: MIT */
/*
 * look.c - read the header of a chunk file that may be changing
 *
 * A JVM rewrites the header each second, which takes microseconds; meanwhile a guard is in the
 * place of the generation.  The owner of the files may leave the guard there forever, in any number
 * of them, so one wait counts for all of them together.
 */
#include "repository/look.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/deadline.h"
#include "base/holes.h"
#include "format/recording.h"

/* Then its JVM is dead. */
#define SETTLE_MS 100

/* Read it twice, as the JVM may be at it. */
static bool read_header(struct repository_chunk *c)
{
	uint8_t bytes[CHUNK_HEADER_SIZE], again[CHUNK_HEADER_SIZE];

	if (!chunk_header_read(c->fd, bytes) || !chunk_header_read(c->fd, again))
		return false;
	c->header = chunk_header_parse(again);
	c->is_guarded = c->header.generation == CHUNK_GENERATION_GUARD ||
			memcmp(bytes, again, sizeof(bytes)) != 0;
	return true;
}

/* Bytes of the file that are there. */
static uint64_t stored_bytes(int fd, const struct stat *st)
{
	return has_holes(fd, st) ? (uint64_t)st->st_blocks * 512 : (uint64_t)st->st_size;
}

static bool look_at_file(struct repository_chunk *c, const uint32_t *owner)
{
	struct stat st;

	if (fstat(c->fd, &st) < 0 || !S_ISREG(st.st_mode) || (owner && st.st_uid != *owner))
		return false;
	c->dev = st.st_dev;
	c->ino = st.st_ino;
	c->file_size = (uint64_t)st.st_size;
	c->stored = stored_bytes(c->fd, &st);
	c->changed_ns = timespec_ns(st.st_mtim);
	return true;
}

bool chunk_is_valid(const struct repository_chunk *c)
{
	return c->header.size >= CHUNK_HEADER_SIZE && !recording_unsupported(&c->header);
}

/* The file after its header: then the header never has more than the file. */
bool chunk_look(struct repository_chunk *c, const uint32_t *owner)
{
	struct stat st;

	/* Nothing is read of what is no file. */
	if (fstat(c->fd, &st) < 0 || !S_ISREG(st.st_mode) || (owner && st.st_uid != *owner))
		return false;
	return read_header(c) && look_at_file(c, owner) && (c->is_guarded || chunk_is_valid(c));
}

bool chunk_is_damaged(int fd, const uint32_t *owner)
{
	uint8_t magic[4];
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (owner && st.st_uid != *owner))
		return false;
	/* A JVM makes it empty; what cannot be read, on a broken disk, was something. */
	return st.st_size >= CHUNK_HEADER_SIZE &&
	       (pread(fd, magic, sizeof(magic), 0) != sizeof(magic) ||
		!chunk_header_is_magic(magic));
}

/* Is there one that may change at once? */
static bool look_again(struct repository_chunk *chunks, size_t count)
{
	bool more = false;

	for (size_t i = 0; i < count; i++) {
		if (!chunks[i].is_guarded)
			continue;
		/* What could be read before is better than nothing. */
		if (!read_header(&chunks[i]) || !look_at_file(&chunks[i], NULL))
			continue;
		more |= chunks[i].is_guarded && real_is_now(chunks[i].changed_ns);
	}
	return more;
}

void chunks_settle(struct repository_chunk *chunks, size_t count)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	int64_t deadline = deadline_in_ms(SETTLE_MS);
	bool more = false;

	for (size_t i = 0; i < count; i++)
		more |= chunks[i].is_guarded && real_is_now(chunks[i].changed_ns);
	while (more && deadline_left_ms(deadline) > 0) {
		nanosleep(&pause, NULL);
		more = look_again(chunks, count);
	}
}
