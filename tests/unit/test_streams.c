/* SPDX-License-Identifier: MIT */
/* test_streams.c - many files and directories followed at once: turns, rounds, ends, failures */
#include "builder.h"
#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TICK "20"

static const char types[] = EVENT(TICK, "t.Tick", START DURATION FIELD("n", T_INT));

/* So many steps make a turn. */
#define TURN 20000

static char directory[64];

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

/* A recording of so many events, numbered from `first`. */
static void put(const char *name, int first, int count)
{
	struct craft c = { 0 };
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	craft_chunk(&c);
	for (int i = 0; i < count; i++) {
		char text[64];

		snprintf(text, sizeof(text), "%d 0 %d", 2000 + i, first + i);
		craft_event(&c, TICK, "%s", text);
	}
	craft_metadata(&c, types);
	craft_checkpoint(&c, "0");
	craft_end(&c);
	if (fd < 0 || write(fd, c.bytes.data, c.bytes.len) != (ssize_t)c.bytes.len)
		abort();
	close(fd);
	craft_free(&c);
}

/* What is said -------------------------------------------------------------------------------- */

static char said[4096];

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	size_t len = strlen(said);
	va_list args;

	va_start(args, format);
	vsnprintf(said + len, sizeof(said) - len, format, args);
	va_end(args);
}

static void say_step(const struct jfrec_streams_step *step, const struct jfrec_error *err)
{
	static const char *const kinds[] = { "nothing", "found", "", "turn", "round", "ended",
					     "failed" };
	struct jfrec_value v;

	if (step->kind == JFREC_STREAMS_STEP && step->step.kind != JFREC_STREAM_EVENT)
		return;
	if (step->source && step->kind != JFREC_STREAMS_STEP)
		say("%c", *(const char *)jfrec_source_ctx(step->source));
	if (step->kind == JFREC_STREAMS_STEP) {
		v = jfrec_event_path(step->step.event, "n");
		say("%" PRId64 " ", v.i);
	} else if (step->kind == JFREC_STREAMS_FAILED) {
		say(" failed %d ", err->code);
	} else {
		say(" %s ", kinds[step->kind]);
	}
}

/* Up to the end of a round, or of all. */
static const char *hear(struct jfrec_streams *all)
{
	struct jfrec_streams_step step = { 0 };
	struct jfrec_error err = { 0 };
	int got;

	said[0] = '\0';
	while ((got = jfrec_streams_next(all, 0, &step, &err)) > 0) {
		say_step(&step, &err);
		if (step.kind == JFREC_STREAMS_NOTHING || step.kind == JFREC_STREAMS_ROUND)
			break;
	}
	say(got == 0 ? "over" : got < 0 ? "-1" : "");
	return said;
}

#define HEAR(all, want) (hear(all), CHECK_TEXT(said, strlen(said), want))

static struct jfrec_streams *begin(void)
{
	struct jfrec_streams *all = jfrec_streams_new(NULL);

	if (!all)
		abort();
	return all;
}

/* A source with one stream, whose letter is the first of `ctx`. */
static struct jfrec_source *add(struct jfrec_streams *all, const char *name, const char *ctx)
{
	struct jfrec_source *s = jfrec_streams_add_path(all, path_of(name), NULL);

	if (!s)
		abort();
	jfrec_source_set_ctx(s, (void *)ctx);
	CHECK(jfrec_source_open(s, NULL, NULL) != NULL);
	return s;
}

/* Work that takes processor time. */
static void burn(int ms)
{
	struct timespec now;
	int64_t until = 0;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		if (!until)
			until = now.tv_sec * 1000000000L + now.tv_nsec + ms * 1000000L;
	} while (now.tv_sec * 1000000000L + now.tv_nsec < until);
}

/* Tests --------------------------------------------------------------------------------------- */

static void test_turns(void)
{
	struct jfrec_streams *all = begin();

	test_begin("nothing_to_follow_is_over");
	HEAR(all, "over");

	test_begin("sources_take_turns_from_the_last_to_the_first");
	put("one", 1, 2);
	put("two", 11, 1);
	add(all, "one", "a");
	add(all, "two", "b");
	HEAR(all, "11 b ended 1 2 a ended  round ");
	HEAR(all, "over");
	CHECK_INT(jfrec_streams_count(all), 2);
	CHECK(jfrec_source_has_ended(jfrec_streams_get(all, 0)));
	jfrec_streams_free(all);
}

/* Each event of one takes a millisecond, and those of the other take nothing. */
static void test_slow_source(void)
{
	struct jfrec_streams *all = begin();
	struct jfrec_streams_step step;
	int in_turn = 0, longest = 0, turns = 0;
	bool rested = false;

	test_begin("a_slow_source_has_its_share_and_no_more");
	put("fast", 1, 2 * TURN);
	put("slow", 1, 1000);
	add(all, "fast", "f");
	add(all, "slow", "s");
	while (jfrec_streams_next(all, 0, &step, NULL) > 0 && turns < 2) {
		rested |= jfrec_streams_rest(all);
		if (!step.source || *(const char *)jfrec_source_ctx(step.source) == 'f') {
			turns += step.kind == JFREC_STREAMS_TURN;
			continue;
		}
		if (step.kind == JFREC_STREAMS_STEP)
			burn(1);
		in_turn = step.kind == JFREC_STREAMS_STEP ? in_turn + 1 : 0;
		longest = in_turn > longest ? in_turn : longest;
	}
	/* A quarter of a second, by a look at the clock after each 64 steps. */
	CHECK(longest >= 100 && longest <= 320);
	CHECK(rested);
	jfrec_streams_free(all);
}

/* A source of many events, and one of a few that is looked at meanwhile. */
static void test_long_turn(void)
{
	struct jfrec_streams *all = begin();
	struct jfrec_streams_step step;
	int before = 0, turns = 0;

	test_begin("a_source_with_many_events_lets_others_have_their_turn");
	put("one", 1, 1);
	put("many", 1, TURN + 5);
	add(all, "one", "a");
	add(all, "many", "b");
	while (jfrec_streams_next(all, 0, &step, NULL) > 0 &&
	       *(const char *)jfrec_source_ctx(step.source) == 'b') {
		before += step.kind == JFREC_STREAMS_STEP;
		turns += step.kind == JFREC_STREAMS_TURN;
	}
	CHECK_INT(before, TURN);
	CHECK_INT(turns, 1);
	jfrec_streams_free(all);
}

static void test_removal(void)
{
	struct jfrec_streams *all = begin();
	struct jfrec_streams_step step;
	struct jfrec_source *b;

	put("one", 1, 1);
	put("two", 11, 2);
	put("three", 21, 1);

	test_begin("the_source_at_hand_may_be_removed");
	add(all, "one", "a");
	b = add(all, "two", "b");
	while (jfrec_streams_next(all, 0, &step, NULL) > 0 && step.kind == JFREC_STREAMS_STEP &&
	       step.step.kind != JFREC_STREAM_EVENT)
		continue;
	CHECK(step.source == b);
	jfrec_source_remove(b);
	HEAR(all, "1 a ended  round ");

	test_begin("one_that_is_added_in_a_round_has_its_turn_in_the_next");
	add(all, "two", "b");
	CHECK(jfrec_streams_next(all, 0, &step, NULL) == 1);
	add(all, "three", "c");
	HEAR(all, "11 12 b ended  round ");
	HEAR(all, "21 c ended  round ");
	HEAR(all, "over");

	test_begin("a_source_that_had_its_turn_may_be_removed");
	add(all, "one", "d");
	CHECK(jfrec_streams_next(all, 0, &step, NULL) == 1);
	jfrec_source_refuse(jfrec_streams_get(all, 2));
	jfrec_source_remove(jfrec_streams_get(all, 0));
	HEAR(all, "1 d ended  round ");
	CHECK_INT(jfrec_streams_count(all), 2);
	jfrec_streams_free(all);
}

static void test_failure(void)
{
	struct jfrec_streams *all = begin();
	struct jfrec_source *s;
	struct jfrec_stream *stream;
	struct jfrec_error err = { 0 };

	test_begin("one_that_fails_leaves_the_others");
	add(all, "one", "a");
	s = add(all, "two", "b");
	stream = jfrec_source_open(s, NULL, NULL);
	CHECK(jfrec_reader_where(jfrec_stream_reader(stream), "nothing.there > 1", NULL) == 0);
	HEAR(all, "11 12 b ended b failed 8 1 a ended  round ");
	HEAR(all, "over");

	test_begin("what_cannot_be_opened_has_no_stream");
	s = jfrec_streams_add_path(all, path_of("missing"), NULL);
	CHECK(jfrec_source_open(s, NULL, &err) == NULL);
	CHECK_INT(err.code, JFREC_EIO);
	HEAR(all, "over");
	jfrec_streams_free(all);
}

static void test_waiting(void)
{
	static const int64_t least = INT64_MIN;
	const struct jfrec_stream_options o = { .struct_size = sizeof(o),
						.from_ns = &least,
						.wait = true };
	struct jfrec_streams *all = begin();
	struct jfrec_source *s;
	struct pollfd fds[2];

	test_begin("a_directory_is_waited_for_until_it_is_stopped");
	if (mkdir(path_of("empty"), 0700) < 0)
		abort();
	CHECK_INT(jfrec_streams_pause_ms(all), INT_MAX);
	s = jfrec_streams_add_path(all, path_of("empty"), NULL);
	jfrec_source_set_ctx(s, (void *)"a");
	CHECK(jfrec_source_open(s, &o, NULL) != NULL);
	CHECK(jfrec_streams_pause_ms(all) < INT_MAX);
	HEAR(all, " nothing ");
	CHECK(jfrec_streams_fds(all, NULL, 0) <= 1);
	CHECK_INT(jfrec_streams_fds(all, fds, 2), jfrec_streams_fds(all, NULL, 0));
	jfrec_streams_stop(all);
	HEAR(all, "a ended over");
	CHECK_INT(jfrec_streams_fds(all, fds, 2), 0);
	jfrec_streams_free(all);
	rmdir(path_of("empty"));
}

static void test_look_outs(void)
{
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = "no such JVM anywhere" };
	struct jfrec_streams *all = begin();
	struct jfrec_error err = { 0 };

	test_begin("a_look_out_keeps_it_going_until_it_is_stopped");
	CHECK_INT(jfrec_streams_look_out(all, &q, true, &err), 0);
	CHECK_INT(jfrec_streams_look_out(all, &q, false, &err), 1);
	HEAR(all, " nothing ");
	CHECK(jfrec_streams_pause_ms(all) <= 2000);
	jfrec_streams_stop(all);
	HEAR(all, "over");

	test_begin("a_query_without_its_size_is_refused");
	q.struct_size = 0;
	CHECK_INT(jfrec_streams_look_out(all, &q, true, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
	jfrec_streams_free(all);
}

int main(void)
{
	strcpy(directory, "/tmp/jfrec-streams-XXXXXX");
	if (!mkdtemp(directory))
		abort();
	test_turns();
	test_long_turn();
	test_slow_source();
	test_removal();
	test_failure();
	test_waiting();
	test_look_outs();
	for (const char *const *name = (const char *const[]){ "one", "two", "three", "many", NULL };
	     *name; name++)
		unlink(path_of(*name));
	rmdir(directory);
	return test_end();
}
