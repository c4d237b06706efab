/* SPDX-License-Identifier: MIT */
/*
 * test_no_memory.c - each allocation fails once: what is then missing is always reported
 *
 * The linker has all calls of malloc() and the like in the library come here (--wrap).
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "builder.h"
#include "test.h"

/* How many allocations succeed before one fails; negative: all do. */
static long left = -1;
static bool failed;

static bool fails(void)
{
	if (left < 0)
		return false;
	if (left-- > 0)
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

/* A recording with arrays, structs, keys and constants that lead on. */
static void make(struct craft *c)
{
	craft_chunk(c);
	for (int i = 0; i < 20; i++) {
		craft_event(c, "20", "%d %d 'a text'", 2000 + i, i);
		craft_event(c, "21", "%d 1 2 'x' 'y' 3 4", 2000 + i);
	}
	craft_checkpoint(c, "2 30 1 1 'main' 31 1 2 1");
	craft_metadata(c, EVENT("20", "t.Text", START FIELD("n", T_INT) FIELD("s", T_STRING))
			  EVENT("21", "t.More", START FIELD("thread", "30", KEY)
				FIELD("list", T_STRING, ARRAY) FIELD("pair", "32"))
			  CLASS("30", "java.lang.Thread", FIELD("javaName", T_STRING))
			  CLASS("31", "t.Link", FIELD("thread", "30", KEY))
			  CLASS("32", "t.Pair", FIELD("a", T_INT) FIELD("b", T_LONG)));
	craft_end(c);
}

struct seen {
	int events, texts;
	uint64_t damage;
	enum jfrec_code code; /* of what ended it; 0: nothing did */
};

static struct seen read_all(struct craft *c)
{
	struct seen seen = { 0 };
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = craft_open(c, &err);
	const struct jfrec_event *ev;
	int got = r ? 1 : -1;

	while (got > 0 && (got = jfrec_reader_next(r, &ev, &err)) > 0) {
		struct jfrec_value v = jfrec_event_path(ev, "s");

		seen.events++;
		seen.texts += v.kind == JFREC_KIND_STRING;
	}
	seen.code = got < 0 ? err.code : 0;
	seen.damage = r ? jfrec_reader_damage(r) : 0;
	jfrec_reader_close(r);
	return seen;
}

int main(void)
{
	struct craft c = { 0 };
	struct seen whole, seen;
	int reported = 0, recovered = 0;

	make(&c);
	whole = read_all(&c);
	test_begin("the_recording_can_be_read");
	CHECK_INT(whole.events, 40);
	CHECK_INT(whole.code, 0);
	CHECK(whole.damage == 0 && whole.texts == 20);

	test_begin("what_an_allocation_that_fails_costs_is_reported");
	for (long n = 0;; n++) {
		bool is_less;

		left = n;
		failed = false;
		seen = read_all(&c);
		left = -1;
		if (!failed)
			break;
		is_less = seen.events < whole.events || seen.texts < whole.texts;
		if (!CHECK(!is_less || seen.code || seen.damage))
			printf("# allocation %ld: %d events, %d texts\n", n, seen.events, seen.texts);
		if (!CHECK(!seen.code || seen.code == JFREC_ENOMEM))
			printf("# allocation %ld: code %d\n", n, (int)seen.code);
		reported += is_less;
		recovered += !is_less;
	}
	CHECK(reported > 10);
	printf("# %d reported, %d recovered from\n", reported, recovered);

	test_begin("and_the_next_time_it_can_be_read_again");
	seen = read_all(&c);
	CHECK(seen.events == whole.events && seen.texts == whole.texts && !seen.damage && !seen.code);
	craft_free(&c);
	return test_end();
}
