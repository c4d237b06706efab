/* SPDX-License-Identifier: MIT */
/*
 * tail.c - read the end of a chunk file while a JVM writes it
 */
#include "stream/tail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

int tail_open(struct tail *t, const char *path, const char *name, const struct chunk_header *h,
	      struct jfrec_error *err)
{
	*t = (struct tail){
		.recording = t->recording,
		.path = strdup(path),
		.name = strdup(name),
		.first = *h,
		.extent.header = *h,
		.has_name = true,
	};
	t->is_part = h->size == 0;
	if (!t->path || !t->name)
		jfrec_fail_memory(err);
	else if (recording_follow(t->recording, t->path, t->name, err) == 0)
		return 0;
	tail_close(t);
	return -1;
}

static void give_up_chunk(struct tail *t)
{
	if (t->chunk)
		chunk_tell_end(t->chunk);
	chunk_unref(t->chunk);
	t->chunk = NULL;
}

bool tail_next(struct tail *t)
{
	uint64_t next = t->extent.offset + t->extent.size;
	uint8_t magic[4];
	size_t got;

	if (t->extent.state != JFREC_FINISHED || t->extent.size < CHUNK_HEADER_SIZE ||
	    input_read(&t->recording->in, next, magic, sizeof(magic), &got, NULL) < 0 ||
	    got < sizeof(magic) || !chunk_header_is_magic(magic))
		return false;
	give_up_chunk(t);
	t->extent = (struct extent){ .offset = next };
	memset(t->seen, 0, sizeof(t->seen));
	t->is_finished = t->is_unreadable = false;
	t->recording->number++;
	return true;
}

bool tail_is_file(const struct tail *t, int fd)
{
	struct stat a, b;

	return fstat(t->recording->in.fd, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

void tail_close(struct tail *t)
{
	give_up_chunk(t);
	/* Reports from now on are about no file. */
	t->recording->problems.input = NULL;
	free(t->path);
	free(t->name);
	*t = (struct tail){ .recording = t->recording };
}

/* Take what the header says.  1: there is something new to read; 0; -1: *err is set. */
static int measure(struct tail *t, const struct chunk_header *h, bool abandoned,
		   struct jfrec_error *err)
{
	uint64_t have, before = t->extent.size;

	if (input_available(&t->recording->in, t->extent.offset, h->size, &have, err) < 0)
		return -1;
	/* Not all is there yet: as if the header had not come yet. */
	if (have < h->size && h->generation && !abandoned) {
		memset(t->seen, 0, sizeof(t->seen));
		return 0;
	}
	t->extent.header = *h;
	t->extent.number = t->recording->number;
	t->extent.state = h->generation ? JFREC_UNFINISHED : JFREC_FINISHED;
	if (have < h->size) {
		t->extent.state = JFREC_TRUNCATED;
		problem_damage(&t->recording->problems, t->extent.offset, h->size - have,
			       "chunk %" PRIu64 " should have %" PRIu64 " bytes, but %" PRIu64
			       " are there",
			       t->extent.number, h->size, have);
	}
	t->extent.size = have < h->size ? have : h->size;
	t->is_finished = h->generation == 0 || have < h->size;
	if (t->extent.size < before)
		t->extent.size = before; /* no JVM takes back what it has flushed */
	return t->extent.size > before;
}

static int give_up(struct tail *t, const char *why)
{
	problem_damage(&t->recording->problems, t->extent.offset, t->extent.size, "%s", why);
	t->is_unreadable = true;
	return 0;
}

static int read_new(struct tail *t, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	int got;

	/* Types come with the first flush. */
	if (!t->chunk && !t->extent.header.metadata && !t->is_finished) {
		t->extent.size = 0;
		return 0;
	}
	if (t->chunk)
		got = chunk_grow(t->recording, t->chunk, &t->extent, &why) < 0 ? -1 : 1;
	else
		got = chunk_load_growing(t->recording, &t->extent, &t->chunk, &why);
	if (got < 0 && why.code == JFREC_EUNSUPPORTED)
		return give_up(t, why.text);
	if (got < 0 && err)
		*err = why;
	t->is_unreadable = got == 0;
	return got;
}

/*
 * What JDK 8 and 11 write has anything where a header will be, until they finish it and give it
 * its name.  Is it finished?  If it was not, but is gone or left behind, it never will be.
 */
static bool is_finished_part(struct tail *t, bool abandoned)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct chunk_header h;
	uint64_t have = 0;
	size_t length = 0;

	if (t->has_name && !abandoned)
		return false;
	input_read(&t->recording->in, 0, bytes, sizeof(bytes), &length, NULL);
	if (!t->has_name && length == sizeof(bytes)) {
		h = chunk_header_parse(bytes);
		if (h.size <= INT64_MAX)
			input_available(&t->recording->in, 0, h.size + 1, &have, NULL);
		t->is_part = !chunk_header_is_magic(bytes) || h.size < CHUNK_HEADER_SIZE ||
			     have != h.size;
	}
	t->is_lost = t->is_part;
	return !t->is_part;
}

int tail_refresh(struct tail *t, bool abandoned, struct jfrec_error *err)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct chunk_header h;
	size_t length;
	int got;

	if (t->is_part && !is_finished_part(t, abandoned))
		return 0;
	/* Most looks find what the last one found. */
	if (input_read(&t->recording->in, t->extent.offset, bytes, sizeof(bytes), &length, err) < 0)
		return -1;
	if (length == sizeof(bytes) && memcmp(bytes, t->seen, sizeof(bytes)) == 0 && !abandoned)
		return 0;
	got = recording_is_header(&t->recording->in, t->extent.offset, bytes, length, err);
	/* A JVM that was killed may have left a header that it was rewriting. */
	if (got < 0 || (got == 0 && !abandoned))
		return got;
	if (length == sizeof(bytes))
		memcpy(t->seen, bytes, sizeof(bytes));
	if (length < CHUNK_HEADER_SIZE || !chunk_header_is_magic(bytes)) {
		t->is_finished = abandoned;
		return 0;
	}
	h = chunk_header_parse(bytes);
	if (h.size < CHUNK_HEADER_SIZE) {
		t->is_finished = abandoned;
		return 0;
	}
	if (recording_unsupported(&h) && !t->is_unreadable) {
		t->is_finished = h.generation == 0;
		return give_up(t, recording_unsupported(&h));
	}
	got = measure(t, &h, abandoned, err);
	if (got <= 0 || t->is_unreadable)
		return got < 0 ? got : 0;
	return read_new(t, err);
}
