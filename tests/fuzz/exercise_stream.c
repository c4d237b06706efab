/* SPDX-License-Identifier: MIT */
/*
 * exercise_stream.c - follow a recording as it grows
 */
#include "exercise_parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/walk.h"

/* Streams ----------------------------------------------------------------------------------------- */

#define CUTS 8

static char directory[] = "/tmp/jfrec-fuzz-XXXXXX", growing_path[sizeof(directory) + 8];

static void remove_directory(void)
{
	unlink(growing_path);
	rmdir(directory);
}

static int growing_file(void)
{
	static int fd = -1;

	if (fd >= 0)
		return fd;
	insist(mkdtemp(directory) != NULL, "there is a directory");
	snprintf(growing_path, sizeof(growing_path), "%s/a.jfr", directory);
	atexit(remove_directory);
	fd = open(growing_path, O_RDWR | O_CREAT, 0600);
	insist(fd >= 0, "there is a file in it");
	return fd;
}

static void put_number(uint8_t *to, uint64_t value)
{
	for (int i = 8; i; i--, value >>= 8)
		to[i - 1] = (uint8_t)value;
}

/* The header of a flush: of the last metadata and checkpoint among the events in front of the cut. */
static void set_header(uint8_t header[68], const uint8_t *bytes, uint64_t cut, unsigned generation)
{
	struct cursor at = cursor_over(bytes, cut);
	struct raw_event e;

	cursor_take(&at, 68);
	while (walk_next(&at, &e) == 1) {
		if (e.type_id == 0)
			put_number(header + 24, (uint64_t)(e.start - bytes));
		if (e.type_id == 1)
			put_number(header + 16, (uint64_t)(e.start - bytes));
	}
	/* Some cuts are between events, as all of a JVM are. */
	put_number(header + 8, cut % 2 ? cut : (uint64_t)(at.pos - bytes));
	header[64] = (uint8_t)generation;
}

static void take_steps(struct jfrec_stream *s, struct jfrec_printer *p)
{
	struct jfrec_stream_step step = { 0 };
	struct jfrec_error err = { 0 };
	int got = 1;

	for (unsigned n = 0; n < MAX_EVENTS && got > 0; n++) {
		got = jfrec_stream_next(s, 0, &step, &err);
		if (got <= 0 || step.kind == JFREC_STREAM_NOTHING)
			break;
		if (step.kind == JFREC_STREAM_EVENT) {
			read_event(step.event);
			jfrec_printer_event(p, step.event, NULL);
		}
	}
	if (got < 0)
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
}

static void follow_cuts(uint8_t *bytes, size_t len, bool is_unordered)
{
	const struct jfrec_print_options print = { .struct_size = sizeof(print),
						   .format = JFREC_NDJSON,
						   .stack_depth = 5 };
	struct jfrec_stream_options options = { .struct_size = sizeof(options),
						.from_ns = &(int64_t){ INT64_MIN },
						.unordered = is_unordered,
						.wait = true };
	struct output o = empty_output(false);
	struct jfrec_printer *p;
	struct jfrec_stream *s;
	uint8_t header[68];
	uint64_t cut = 68;

	memcpy(header, bytes, sizeof(header));
	s = jfrec_stream_open(directory, &options, NULL);
	insist(s != NULL, "a directory can be followed");
	jfrec_reader_on_problem(jfrec_stream_reader(s), on_problem, NULL);
	p = jfrec_printer_new(jfrec_stream_reader(s), &print, write_output, &o, NULL);
	insist(p != NULL, "there is memory for a printer");
	for (unsigned i = 0; i <= CUTS; i++) {
		const uint8_t *by = bytes + len - 2 * CUTS + 2 * i;

		if (i < CUTS)
			cut += (uint64_t)(by[0] << 8 | by[1]) * (len - cut) / 65536;
		else
			cut = len;
		set_header(header, bytes, cut, i < CUTS ? i + 1 : 0);
		insist(pwrite(growing_file(), header, sizeof(header), 0) == sizeof(header),
		       "the file takes a header");
		take_steps(s, p);
	}
	jfrec_printer_end(p, NULL);
	jfrec_printer_free(p);
	jfrec_stream_close(s);
}

void exercise_stream(void)
{
	uint8_t *bytes;

	if (exercise_len() < 68 + 2 * CUTS)
		return;
	bytes = malloc(exercise_len());
	insist(bytes && pread(memory_file(), bytes, exercise_len(), 0) == (ssize_t)exercise_len(),
	       "the bytes are there");
	insist(ftruncate(growing_file(), 0) == 0 &&
		       pwrite(growing_file(), bytes, exercise_len(), 0) == (ssize_t)exercise_len(),
	       "the file takes the bytes");
	follow_cuts(bytes, exercise_len(), false);
	follow_cuts(bytes, exercise_len(), true);
	free(bytes);
}
