/* SPDX-License-Identifier: MIT */
/*
 * streamed.h - a repository that grows, and what a stream of it delivers
 */
#ifndef JFREC_TEST_STREAMED_H
#define JFREC_TEST_STREAMED_H

#include "builder.h"
#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TICK "20"
#define NAMED "21"
#define LATE "22"
#define NAME "30"

#define FIRST_TYPES                                                  \
	EVENT(TICK, "t.Tick", START DURATION FIELD("n", T_INT))      \
	CLASS(NAME, "t.Name", FIELD("string", T_STRING))             \
	EVENT(NAMED, "t.Named", START FIELD("n", NAME, KEY))

static const char first_types[] = FIRST_TYPES;

/* In front of the others, so that these get other indexes. */
static const char more_types[] = EVENT(LATE, "t.Late", START FIELD("n", T_INT)) FIRST_TYPES;

/* A repository ---------------------------------------------------------------------------------- */

static char directory[64];

static inline void make_directory(void)
{
	strcpy(directory, "/tmp/jfrec-stream-XXXXXX");
	if (!mkdtemp(directory))
		abort();
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static inline void remove_file(const char *name)
{
	unlink(path_of(name));
}

/* The file has so many bytes of the craft, and the header of that moment. */
static inline void put(const char *name, const struct craft *c, const uint8_t header[68], size_t len)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || pwrite(fd, c->bytes.data, len, 0) != (ssize_t)len ||
	    pwrite(fd, header, 68, 0) != 68)
		abort();
	close(fd);
}

static inline void put_all(const char *name, const struct craft *c)
{
	put(name, c, c->bytes.data, c->bytes.len);
}

/* Chunk number i is the next second's. */
static inline void begin(struct craft *c, int i)
{
	craft_chunk(c);
	craft_set(c, CRAFT_START_NS, UINT64_C(1700000000000000000) + (uint64_t)i * 1000000000);
	craft_set(c, CRAFT_START_TICKS, 1000 + (uint64_t)i * 1000000000);
}

static inline void finish(struct craft *c)
{
	craft_checkpoint(c, "0");
	craft_end(c);
	craft_set(c, CRAFT_GENERATION, 0);
}

/* What the stream says -------------------------------------------------------------------------- */

static char said[4096];

static inline void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline void say(const char *format, ...)
{
	size_t len = strlen(said);
	va_list args;

	va_start(args, format);
	vsnprintf(said + len, sizeof(said) - len, format, args);
	va_end(args);
}

static inline void on_problem(void *ctx, const struct jfrec_problem *p)
{
	(void)ctx;
	say("%c ", p->damage ? '!' : '?');
}

static inline void say_event(const struct jfrec_event *ev)
{
	struct jfrec_value v = jfrec_event_path(ev, "n");
	struct jfrec_value string = jfrec_event_path(ev, "n.string");

	if (v.kind == JFREC_KIND_STRUCT)
		v = string;
	if (v.kind == JFREC_KIND_STRING)
		say("%s ", jfrec_value_text(&v, NULL));
	else if (v.kind == JFREC_KIND_NULL)
		say("null ");
	else
		say("%" PRId64 " ", v.i);
}

/* All that it has now: events, | for a flush, T for types, ? and ! for problems, the end. */
static const char *hear(struct jfrec_stream *s)
{
	static const char *const ends[] = { "", "stopped", "time", "done", "died", "deleted" };
	struct jfrec_stream_step step;
	struct jfrec_error err = { 0 };
	int got;

	said[0] = '\0';
	while ((got = jfrec_stream_next(s, 0, &step, &err)) > 0 && step.kind != JFREC_STREAM_NOTHING) {
		if (step.kind == JFREC_STREAM_EVENT)
			say_event(step.event);
		else
			say(step.kind == JFREC_STREAM_FLUSH ? "| " : "T ");
	}
	if (got == 0)
		say("%s", ends[jfrec_stream_end_reason(s)]);
	if (got < 0)
		say("%s", err.text);
	return said;
}

static inline struct jfrec_stream *open_with(const struct jfrec_stream_options *options)
{
	struct jfrec_stream_options o = *options;
	struct jfrec_stream *s;
	struct jfrec_error err;

	o.struct_size = sizeof(o);
	s = jfrec_stream_open(directory, &o, &err);

	if (!CHECK(s != NULL)) {
		printf("# %s\n", err.text);
		exit(1);
	}
	jfrec_reader_on_problem(jfrec_stream_reader(s), on_problem, NULL);
	return s;
}

static const int64_t least = INT64_MIN;
static const struct jfrec_stream_options from_start = { .from_ns = &least, .wait = true };
static const struct jfrec_stream_options unordered = { .from_ns = &least,
						       .unordered = true,
						       .wait = true };

#define HEAR(s, want) (hear(s), CHECK_TEXT(said, strlen(said), want))

#define CHUNKS 120

static inline void put_chunk(int i, bool is_last)
{
	struct craft c = { 0 };
	char name[32];

	begin(&c, i);
	craft_event(&c, TICK, "%lld 0 %d", 1000 + i * 1000000000LL, i);
	craft_metadata(&c, first_types);
	finish(&c);
	craft_set(&c, CRAFT_FLAGS, is_last ? 3 : 1);
	/* Names say nothing of the order. */
	snprintf(name, sizeof(name), "%d.jfr", (i * 7) % CHUNKS);
	put_all(name, &c);
	craft_free(&c);
}

static inline void remove_chunks(int first, int count)
{
	char name[32];

	for (int i = first; i < first + count; i++) {
		snprintf(name, sizeof(name), "%d.jfr", (i * 7) % CHUNKS);
		remove_file(name);
	}
}

#endif
