/* SPDX-License-Identifier: MIT */
/*
 * places.c - a recording has the same events wherever it is opened
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exercise.h"
#include "jfrec.h"

/* What a reader delivers, in numbers. */
struct seen {
	bool opened, failed;
	uint64_t events, offsets, damage;
};

static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "places: not so: %s\n", what);
	abort();
}

static struct seen see(struct jfrec_reader *r, const struct jfrec_error *why)
{
	struct seen s = { .opened = r != NULL };
	const struct jfrec_event *ev;
	int got;

	if (!r) {
		insist(why->code != JFREC_OK && why->text[0], "a failure says why");
		return s;
	}
	while ((got = jfrec_reader_next(r, &ev, NULL)) > 0) {
		s.events++;
		s.offsets += jfrec_event_offset(ev) + jfrec_event_size(ev);
	}
	s.failed = got < 0;
	s.damage = jfrec_reader_damage(r);
	jfrec_reader_close(r);
	return s;
}

static bool is_equal(struct seen a, struct seen b)
{
	return a.opened == b.opened && a.failed == b.failed && a.events == b.events &&
	       a.offsets == b.offsets && a.damage == b.damage;
}

/* Of just the size of the file, so that a byte too far is noticed. */
static uint8_t *bytes_of(int fd, size_t *len)
{
	struct stat st;
	uint8_t *bytes;

	insist(fstat(fd, &st) == 0, "the file can be looked at");
	*len = (size_t)st.st_size;
	bytes = malloc(*len ? *len : 1);
	insist(bytes && pread(fd, bytes, *len, 0) == (ssize_t)*len, "the file can be read");
	return bytes;
}

void exercise_places(void)
{
	const struct jfrec_open_options copied = { .struct_size = sizeof(copied),
						   .without_mapping = true };
	int fd = open(exercise_path(), O_RDONLY | O_CLOEXEC);
	struct jfrec_error err = { 0 };
	struct seen by_path;
	uint8_t *bytes;
	size_t len;

	insist(fd >= 0, "the file can be opened");
	bytes = bytes_of(fd, &len);
	by_path = see(jfrec_reader_open(exercise_path(), NULL, &err), &err);
	insist(is_equal(by_path, see(jfrec_reader_open(exercise_path(), &copied, &err), &err)),
	       "a file that is not mapped has the same events");
	insist(is_equal(by_path, see(jfrec_reader_open_fd(fd, NULL, &err), &err)),
	       "a descriptor has the same events");
	insist(is_equal(by_path, see(jfrec_reader_open_memory(bytes, len, NULL, &err), &err)),
	       "memory has the same events");
	free(bytes);
	close(fd);
}
