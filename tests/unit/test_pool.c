/* SPDX-License-Identifier: MIT */
/* test_pool.c - the constants of a chunk */
#include "builder.h"
#include "format/pool.h"
#include "test.h"

#include <stdlib.h>

#define EMPTY "40"
#define PAIR "41"
#define CYCLE "42"

static const char classes[] =
	CLASS(EMPTY, "t.Empty") CLASS(PAIR, "t.Pair", FIELD("x", T_INT) FIELD("y", T_STRING))
	CLASS(CYCLE, "t.Cycle", FIELD("self", CYCLE)) EVENT("43", "t.Event", START);

static struct metadata *m;

/* The string constant of the key, whose text is one ASCII string; "" if there is none. */
static const char *string_of(const struct pools *p, uint64_t key)
{
	static char text[32];
	const struct jfrec_type *t = metadata_type_named(m, "java.lang.String");
	uint32_t entry = pool_find(p, t, key);
	const uint8_t *value = entry == POOL_NONE ? NULL : pool_entry(p, t, entry)->value;

	snprintf(text, sizeof(text), "%.*s", value ? value[1] : 0, value ? (const char *)value + 2 : "");
	return text;
}

/* Add a checkpoint with these words behind its start and duration. */
static int add(struct pools *p, struct craft *c, const char *words, int64_t *delta,
	       struct jfrec_error *err)
{
	size_t at;

	/* Pools keep addresses: each checkpoint has memory of its own. */
	*c = (struct craft){ 0 };
	craft_chunk(c);
	at = craft_event(c, "1", "1000 0 %s", words);
	p->end = c->bytes.data + c->bytes.len;
	return pools_add_checkpoint(p, m, c->bytes.data + at, c->bytes.len - at, delta, err);
}

static const struct {
	const char *name, *words;
	const char *found; /* the text of key 7, which is kept in spite of damage behind it */
	int64_t delta;
	const char *fault; /* part of it, or NULL */
} rows[] = {
	{ "one_constant", "0 b0 1 " T_STRING " 1 7 'seven'", "seven", 0, NULL },
	{ "delta_negative", "-5000000000 b3 1 " T_STRING " 1 7 'seven'", "seven", -5000000000, NULL },
	{ "no_pools", "-43 b0 0", "", -43, NULL },
	{ "pool_of_nothing", "0 b0 2 " T_STRING " 0 " T_STRING " 1 7 'seven'", "seven", 0, NULL },
	{ "two_pools_of_one_type", "0 b0 2 " T_STRING " 1 8 'eight' " T_STRING " 1 7 'seven'", "seven", 0, NULL },
	{ "key_twice_the_last_wins", "0 b0 1 " T_STRING " 2 7 'first' 7 'last'", "last", 0, NULL },
	{ "bytes_behind_the_pools", "0 b0 1 " T_STRING " 1 7 'seven' 1 2 3", "seven", 0,
	  "after its last constant" },
	{ "constants_without_bytes", "0 b0 2 " EMPTY " 3 1 2 3 " T_STRING " 1 7 'seven'", "seven", 0, NULL },
	{ "count_too_large", "-9 b0 2 " T_STRING " 1 7 'seven' " PAIR " 1000000 1 1 'a'", "seven", -9, "more than" },
	{ "count_near_overflow", "0 b0 2 " T_STRING " 1 7 'seven' " PAIR " -1", "seven", 0, "more than" },
	{ "pool_count_too_large", "0 b0 9 " T_STRING " 1 7 'seven'", "seven", 0, "ends before" },
	{ "constant_cut", "0 b0 2 " T_STRING " 1 7 'seven' " PAIR " 1 1 1 x0309 x6161", "seven", 0, "do not fit" },
	{ "type_that_nobody_declared", "0 b0 2 " T_STRING " 1 7 'seven' 999 1 1 1", "seven", 0, "not declared" },
	{ "type_that_cannot_be", "0 b0 2 " T_STRING " 1 7 'seven' " CYCLE " 1 1 1", "seven", 0, "cannot be read" },
	{ "type_that_is_an_event", "0 b0 2 " T_STRING " 1 7 'seven' 43 1 1 1", "seven", 0, "event type" },
	{ "cut_in_front_of_the_pools", "0 b0", "", 0, "is truncated" },
};

static void check(size_t i)
{
	struct jfrec_error err = { 0 };
	struct craft c = { 0 };
	struct pools p;
	int64_t delta = 77;
	int ret;

	CHECK_INT(pools_init(&p, m, NULL), 0);
	ret = add(&p, &c, rows[i].words, &delta, &err);
	CHECK_INT(ret, rows[i].fault ? -1 : 0);
	if (rows[i].fault && !CHECK(strstr(err.text, rows[i].fault)))
		printf("# %s\n", err.text);
	CHECK_INT(delta, rows[i].delta);
	CHECK(strcmp(string_of(&p, 7), rows[i].found) == 0);
	pools_fini(&p);
	craft_free(&c);
}

/* The chain is walked from the newest checkpoint to the oldest, and the last one counts. */
static void test_duplicates(void)
{
	struct craft newest, oldest;
	struct pools p;
	int64_t delta;

	test_begin("oldest_checkpoint_wins");
	CHECK_INT(pools_init(&p, m, NULL), 0);
	add(&p, &newest, "-9 b0 1 " T_STRING " 2 7 'new' 8 'only'", &delta, NULL);
	add(&p, &oldest, "0 b0 1 " T_STRING " 1 7 'old'", &delta, NULL);
	CHECK(strcmp(string_of(&p, 7), "old") == 0);
	CHECK(strcmp(string_of(&p, 8), "only") == 0);
	pools_fini(&p);
	craft_free(&newest);
	craft_free(&oldest);
}

/* Keys are mapped when they are asked for, also those that come afterwards, as in a chunk that grows. */
static void test_later_constants(void)
{
	const struct jfrec_type *t = metadata_type(m, atoi(T_STRING));
	struct craft first, second;
	struct pools p;
	int64_t delta;

	test_begin("constants_after_a_look_up");
	CHECK_INT(pools_init(&p, m, NULL), 0);
	add(&p, &first, "0 b0 1 " T_STRING " 3 7 'a' 7 'b' 8 'c'", &delta, NULL);
	CHECK(strcmp(string_of(&p, 7), "b") == 0);
	CHECK_INT(pool_at(&p, t->index)->count, 2);
	CHECK_INT(pool_find(&p, t, 8), 1);
	add(&p, &second, "0 b0 1 " T_STRING " 3 8 'd' 9 'e' 7 'f'", &delta, NULL);
	CHECK(strcmp(string_of(&p, 9), "e") == 0);
	CHECK(strcmp(string_of(&p, 8), "d") == 0);
	CHECK(strcmp(string_of(&p, 7), "f") == 0);
	CHECK_INT(pool_find(&p, t, 8), 1);
	CHECK_INT(pool_at(&p, t->index)->count, 3);
	pools_fini(&p);
	craft_free(&first);
	craft_free(&second);
}

/* Without memory for the map: each is found, in its place. */
static void test_without_map(void)
{
	const struct jfrec_type *t = metadata_type(m, atoi(T_STRING));
	struct craft c;
	struct pools p;
	int64_t delta;

	test_begin("pool_without_a_map");
	CHECK_INT(pools_init(&p, m, NULL), 0);
	add(&p, &c, "0 b0 1 " T_STRING " 3 7 'a' 8 'b' 7 'c'", &delta, NULL);
	p.raw[t->index].is_unmapped = true;
	CHECK(strcmp(string_of(&p, 7), "c") == 0);
	CHECK(strcmp(string_of(&p, 8), "b") == 0);
	CHECK_INT(pool_find(&p, t, 9), POOL_NONE);
	pools_fini(&p);
	craft_free(&c);
}

static void test_keys(void)
{
	struct craft c;
	struct pools p;
	int64_t delta;

	test_begin("keys_have_64_bits");
	CHECK_INT(pools_init(&p, m, NULL), 0);
	add(&p, &c, "0 b0 1 " T_STRING " 3 0 'zero' -1 'all' 4294967297 'wide'", &delta, NULL);
	CHECK(strcmp(string_of(&p, 0), "zero") == 0);
	CHECK(strcmp(string_of(&p, UINT64_MAX), "all") == 0);
	CHECK(strcmp(string_of(&p, 4294967297), "wide") == 0);
	CHECK(strcmp(string_of(&p, 1), "") == 0);
	CHECK(strcmp(string_of(&p, UINT32_MAX), "") == 0);
	pools_fini(&p);
	craft_free(&c);
}

/* Keys that lie close together have an array: those beside it and between them are not in it. */
static void test_near_keys(void)
{
	static const uint64_t others[] = { 0, 6, 8, 10, 1000, UINT64_MAX };
	const struct jfrec_type *t = metadata_type(m, atoi(T_STRING));
	struct craft first, second;
	struct pools p;
	int64_t delta;

	test_begin("keys_beside_an_array");
	CHECK_INT(pools_init(&p, m, NULL), 0);
	add(&p, &first, "0 b0 1 " T_STRING " 2 7 'a' 9 'b'", &delta, NULL);
	CHECK(strcmp(string_of(&p, 9), "b") == 0);
	CHECK(p.raw[t->index].places != NULL);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		CHECK_INT(pool_find(&p, t, others[i]), POOL_NONE);
	add(&p, &second, "0 b0 1 " T_STRING " 3 8 'c' 1000 'd' 1000 'e'", &delta, NULL);
	CHECK(strcmp(string_of(&p, 8), "c") == 0);
	CHECK(strcmp(string_of(&p, 1000), "e") == 0);
	CHECK_INT(pool_at(&p, t->index)->count, 4);
	CHECK_INT(pool_find(&p, t, 10), POOL_NONE);
	pools_fini(&p);
	craft_free(&first);
	craft_free(&second);
}

int main(void)
{
	struct craft c = { 0 };

	craft_chunk(&c);
	craft_metadata(&c, classes);
	m = metadata_parse(c.bytes.data + c.metadata, c.bytes.len - c.metadata, NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		check(i);
	}
	test_duplicates();
	test_keys();
	test_later_constants();
	test_without_map();
	test_near_keys();
	metadata_unref(m);
	craft_free(&c);
	return test_end();
}
