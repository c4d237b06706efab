/* SPDX-License-Identifier: MIT */
/*
 * test_hostile_constants.c - damaged checkpoints, constants, arrays and strings
 */
#include "hostile.h"

/* Checkpoints ------------------------------------------------------------------------------------ */

/* Two strings by key, from two checkpoints, then a good chunk. */
static void newest_checkpoint(struct craft *c, bool is_linked, const char *words)
{
	craft_chunk(c);
	craft_event(c, NAMED, "1001 k5");
	craft_event(c, NAMED, "1002 k6");
	craft_checkpoint(c, "1 " T_STRING " 1  5 'five'");
	craft_metadata(c, NAMED_TYPE CLASS(EMPTY, "t.Empty") CLASS(NODE, "t.Node", FIELD("next", NODE)));
	if (is_linked)
		craft_checkpoint(c, "%s", words);
	else
		c->checkpoint = craft_event(c, "1", "1000 0 %s b0 1 " T_STRING " 1  6 'six'", words);
	craft_end(c);
	ticks(c, 7);
}

/* The newest checkpoint has this delta. */
static void delta(struct craft *c, const char *words)
{
	newest_checkpoint(c, false, words);
}

/* The newest checkpoint has these pools. */
static void pools(struct craft *c, const char *words)
{
	newest_checkpoint(c, true, words);
}

static void delta_positive(struct craft *c)
{
	delta(c, "1");
}

static void delta_into_the_header(struct craft *c)
{
	delta(c, "-200");
}

static void delta_before_the_chunk(struct craft *c)
{
	delta(c, "-5000000000");
}

static void delta_smallest(struct craft *c)
{
	delta(c, "-9223372036854775808");
}

static void delta_to_an_event(struct craft *c)
{
	delta(c, "-1");
}

static void delta_zero_hides_older_checkpoints(struct craft *c)
{
	delta(c, "0");
}

static void pool_count_too_large(struct craft *c)
{
	pools(c, "-1 " T_STRING " 1  6 'six'");
}

static void constant_count_too_large(struct craft *c)
{
	pools(c, "1 " T_STRING " -1  6 'six'");
}

static void constant_count_one_too_large(struct craft *c)
{
	pools(c, "1 " T_STRING " 2  6 'six'");
}

static void constant_beyond_the_checkpoint(struct craft *c)
{
	pools(c, "1 " T_STRING " 2  6 'six'  8 x037f");
}

static void bytes_after_the_last_constant(struct craft *c)
{
	pools(c, "1 " T_STRING " 1  6 'six'  x0102030405");
}

/* Sizes lead on from word to word, and to the next event: so many are not a producer's. */
static void text_that_leads_on(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	for (int i = 0; i < 20; i++)
		craft_event(c, TICK, "x6f662061206c6f6720746861742068617320776f726473");
	tick(c, 2);
	tick(c, 3);
	end_ticks(c);
}

static void pool_of_an_undeclared_type(struct craft *c)
{
	pools(c, "3 " T_STRING " 1  6 'six'  999 1  1 1  " T_STRING " 1  9 'nine'");
}

static void pool_of_an_inline_cycle(struct craft *c)
{
	pools(c, "2 " T_STRING " 1  6 'six'  " NODE " 1  1 1");
}

static void pool_without_constants(struct craft *c)
{
	pools(c, "2 999999 0 " T_STRING " 1  6 'six'");
}

static void empty_pools(struct craft *c)
{
	pools(c, "3 " T_STRING " 0  " EMPTY " 0  " T_STRING " 1  6 'six'");
}

/* A constant of no bytes costs one for its key; a count beyond the bytes is refused. */
static void constants_of_no_bytes(struct craft *c)
{
	pools(c, "2 " EMPTY " 3  1 2 3  " T_STRING " 1  6 'six'");
}

static void too_many_constants_of_no_bytes(struct craft *c)
{
	pools(c, "2 " T_STRING " 1  6 'six' " EMPTY " 1000000000000  1 2 3");
}

static void checkpoint_of_three_bytes(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata(c, TICK_TYPE);
	c->checkpoint = craft_raw(c, "3 1 0");
	tick(c, 2);
	craft_end(c);
}

/* Each link of 20 000 is a checkpoint; the oldest one's constant must arrive. */
static void chain_of_20000_checkpoints(struct craft *c)
{
	craft_chunk(c);
	craft_metadata(c, NAMED_TYPE);
	craft_checkpoint(c, "1 " T_STRING " 1  5 'five'");
	for (int i = 1; i < 20000; i++)
		craft_checkpoint(c, "0");
	craft_event(c, NAMED, "1001 k5");
	craft_end(c);
}

static void broken_chain_of_20000_checkpoints(struct craft *c)
{
	chain_of_20000_checkpoints(c);
	craft_set(c, CRAFT_CHECKPOINT, 68);
}

static void constants_after_their_use(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, NAMED, "1001 k5");
	craft_checkpoint(c, "0");
	craft_event(c, NAMED, "1002 k5");
	craft_checkpoint(c, "1 " T_STRING " 1  5 'five'");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
}

static void of_contradicting_constants_the_oldest(struct craft *c)
{
	craft_chunk(c);
	craft_checkpoint(c, "1 " T_STRING " 1  5 'old'");
	craft_event(c, NAMED, "1001 k5");
	craft_checkpoint(c, "1 " T_STRING " 1  5 'new'");
	craft_event(c, NAMED, "1002 k5");
	craft_checkpoint(c, "1 " T_STRING " 1  5 'newest'");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
}

static void of_contradicting_constants_the_oldest_without_chain(struct craft *c)
{
	of_contradicting_constants_the_oldest(c);
	craft_set(c, CRAFT_CHECKPOINT, 68);
}

static void one_key_a_million_times(struct craft *c)
{
	struct bytes pools = { 0 };

	craft_chunk(c);
	bytes_add(&pools, "1 " T_STRING " 1000000");
	for (int i = 0; i < 1000000; i++)
		bytes_copy(&pools, "\x05\x03\x01x", 4);
	craft_checkpoint_of(c, &pools);
	bytes_free(&pools);
	craft_event(c, NAMED, "1001 k5");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
}

static void keys_zero_and_largest(struct craft *c)
{
	craft_chunk(c);
	craft_checkpoint(c, "1 " T_STRING " 3  0 'zero'  -1 'largest'  4294967297 'wide'");
	craft_event(c, NAMED, "1001 k0");
	craft_event(c, NAMED, "1002 k-1");
	craft_event(c, NAMED, "1003 k4294967297");
	craft_event(c, NAMED, "1004 k1"); /* the low half of a key is no key */
	craft_event(c, NAMED, "1005 k4294967295");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
}

static void string_key_to_a_string_key(struct craft *c)
{
	craft_chunk(c);
	craft_checkpoint(c, "1 " T_STRING " 2  1 k2  2 k1");
	craft_event(c, NAMED, "1001 k1");
	craft_event(c, NAMED, "1002 'two'");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
}

/* Counts, lengths, encodings --------------------------------------------------------------------- */

#define LIST_TYPES(type) TICK_TYPE CLASS(EMPTY, "t.Empty") EVENT(LISTED, "t.Listed", START FIELD("n", type, ARRAY))

/* An event with an array of the type between two ticks; the words are the array. */
static void with_array(struct craft *c, const char *classes, const char *words)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 %s", words);
	tick(c, 3);
	craft_checkpoint(c, "0");
	craft_metadata(c, classes);
	craft_end(c);
}

static void array_longer_than_the_event(struct craft *c)
{
	with_array(c, LIST_TYPES(T_LONG), "3 1 2");
}

static void array_length_negative(struct craft *c)
{
	with_array(c, LIST_TYPES(T_LONG), "-1 1 2");
}

static void array_of_no_bytes(struct craft *c)
{
	with_array(c, LIST_TYPES(EMPTY), "1152921504606846976");
}

static void array_of_doubles_too_long(struct craft *c)
{
	with_array(c, LIST_TYPES(T_DOUBLE), "2 d1.5 x0000");
}

static void named(struct craft *c, const char *words)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, NAMED, "1002 %s", words);
	tick(c, 3);
	end_ticks(c);
}

static void string_length_too_large(struct craft *c)
{
	named(c, "x03 100000 x61");
}

static void string_length_negative(struct craft *c)
{
	named(c, "x05 -1 x61");
}

static void string_of_more_units_than_bytes(struct craft *c)
{
	named(c, "x04 -1 x61");
}

static void string_of_cut_units(struct craft *c)
{
	named(c, "x04 3 x61 x61");
}

static void string_encoding_6(struct craft *c)
{
	named(c, "x06 1 x61");
}

static void string_encoding_255(struct craft *c)
{
	named(c, "xff 1 x61");
}

/* Constants that refer to each other --------------------------------------------------------------- */

#define LINKED_TYPES \
	TICK_TYPE CLASS(NODE, "t.Node", FIELD("value", T_INT) FIELD("next", NODE, KEY)) \
	EVENT(LISTED, "t.Listed", START FIELD("node", NODE, KEY) FIELD("n", T_INT))

static void constants_in_a_circle(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 1 2");
	craft_event(c, LISTED, "1003 2 3");
	craft_event(c, LISTED, "1004 3 4");
	craft_checkpoint(c, "1 " NODE " 3  1 10 2  2 20 1  3 30 3");
	craft_metadata(c, LINKED_TYPES);
	craft_end(c);
}

static void constants_in_a_chain_of_20000(struct craft *c)
{
	struct bytes pools = { 0 };

	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 1 2");
	bytes_add(&pools, "1 " NODE " 20000");
	for (int i = 1; i <= 20000; i++)
		bytes_add(&pools, "%d %d %d", i, i, i + 1);
	craft_checkpoint_of(c, &pools);
	bytes_free(&pools);
	craft_metadata(c, LINKED_TYPES);
	craft_end(c);
}

/* Each constant refers to the next one twice: 2^40 texts, if all were written. */
static void constants_that_double(struct craft *c)
{
	struct bytes pool = { 0 };

	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 2 1");
	tick(c, 3);
	bytes_add(&pool, "1 " NODE " 40");
	for (int i = 1; i <= 40; i++)
		bytes_add(&pool, "%d %d %d", i, i + 1, i + 1);
	craft_checkpoint_of(c, &pool);
	bytes_free(&pool);
	craft_metadata(c, TICK_TYPE CLASS(NODE, "t.Node", FIELD("a", NODE, KEY) FIELD("b", NODE, KEY))
		       EVENT(LISTED, "t.Listed", START FIELD("n", T_INT) FIELD("node", NODE, KEY)));
	craft_end(c);
}

/* Constants under another type ------------------------------------------------------------------- */

#define SYMBOL "40"
#define STATE "41"
#define OWNER "42"
#define NUMBER "43"

/* Symbols and states look the same, numbers do not. */
static void symbol_types(struct craft *c)
{
	craft_metadata(c, TICK_TYPE EVENT(LISTED, "t.Listed", START FIELD("n", T_INT) FIELD("symbol", SYMBOL, KEY))
		       CLASS(SYMBOL, "t.Symbol", FIELD("text", T_STRING)) CLASS(STATE, "t.State", FIELD("name", T_STRING))
		       CLASS(NODE, "t.Node", FIELD("symbol", SYMBOL, KEY))
		       CLASS(OWNER, "t.Owner", FIELD("symbol", SYMBOL, KEY) FIELD("nodes", NODE, ARRAY))
		       CLASS(NUMBER, "t.Number", FIELD("number", T_INT)));
}

/* An event that names a symbol, or none, and these pools. */
static void symbols(struct craft *c, unsigned symbol, const char *words)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 2 %u", symbol);
	craft_checkpoint(c, "%s", words);
	symbol_types(c);
	craft_end(c);
}

#define OWNERS "8  1 1 0  2 2 0  3 3 0  4 4 0  5 5 0  6 6 0  7 7 0  8 8 0 "
#define NAMES "8  1 'a' 2 'b' 3 'c' 4 'd' 5 'e' 6 'f' 7 'g' 8 'h' "

static void symbols_as_states(struct craft *c)
{
	symbols(c, 0, "2 " OWNER " " OWNERS STATE " " NAMES);
}

static void symbols_as_states_beside_states(struct craft *c)
{
	symbols(c, 0, "3 " STATE " 2  1 'x' 2 'y'  " OWNER " 2  1 1 0  2 2 0  " STATE " 3  1 'a' 2 'b' 3 'c'");
}

static void more_symbols_as_states_than_states(struct craft *c)
{
	symbols(c, 0, "3 " STATE " 2  1 'x' 2 'y'  " OWNER " 3  1 1 0  2 2 0  3 3 0  " STATE " 3  1 'a' 2 'b' 3 'c'");
}

static void some_symbols_as_states(struct craft *c)
{
	symbols(c, 0, "4 " STATE " 1  1 'x'  " SYMBOL " 1  1 'a'  " OWNER " 3  1 1 0  2 2 0  3 3 0  "
		STATE " 2  2 'b' 3 'c'");
}

static void symbols_of_events_as_states(struct craft *c)
{
	symbols(c, 1, "2 " STATE " 1  1 'a'  " STATE " 1  2 'b'");
}

static void symbols_of_elements_as_states(struct craft *c)
{
	symbols(c, 0, "2 " OWNER " 1  1 0 8 1 2 3 4 5 6 7 8  " STATE " " NAMES);
}

/* Symbols that are lost: nothing says that these states are no states. */
static void few_states(struct craft *c)
{
	symbols(c, 0, "2 " OWNER " 2  1 1 0  2 2 0  " STATE " 3  1 'a' 2 'b' 3 'c'");
}

static void many_states(struct craft *c)
{
	symbols(c, 0, "2 " OWNER " " OWNERS STATE " 12  1 'a' 2 'b' 3 'c' 4 'd' 5 'e' 6 'f' 7 'g' 8 'h' "
		"9 'i' 10 'j' 11 'k' 12 'l'");
}

static void a_type_twice(struct craft *c)
{
	symbols(c, 1, "3 " SYMBOL " 1  1 'a'  " STATE " 1  1 'x'  " STATE " 1  2 'y'");
}

/* Sound recordings have keys that nothing has. */
static void a_symbol_that_never_was(struct craft *c)
{
	symbols(c, 1, "4 " SYMBOL " 1  1 'a'  " OWNER " 1  1 9 0  " STATE " 1  9 'x'  " STATE " 1  2 'y'");
}

static void symbols_elsewhere_than_states(struct craft *c)
{
	symbols(c, 0, "2 " OWNER " 2  1 1 0  2 2 0  " STATE " 2  7 'a' 8 'b'");
}

/* Each could be what is missing. */
static void states_in_100000_checkpoints(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_checkpoint(c, "2 " OWNER " 1  1 1 0  " STATE " 1  1 ''");
	for (int i = 0; i < 100000; i++)
		craft_checkpoint(c, "1 " STATE " 1  1 ''");
	symbol_types(c);
	craft_end(c);
}

static void symbols_as_numbers(struct craft *c)
{
	symbols(c, 1, "2 " OWNER " 1  1 1 0  " NUMBER " 1  1 7");
}

static const struct hostile_case cases[] = {
	{ CASE(symbols_as_states), "1 2 ", 1, 1,
	  .told = { "(8) are stored as t.State, but what refers to them shows that they are t.Symbol; they are "
		    "read as that" } },
	{ CASE(symbols_as_states_beside_states), "1 2 ", 1, 1,
	  .told = { "2 constants of type t.Symbol that it refers to are missing and shown as null" } },
	{ CASE(more_symbols_as_states_than_states), "1 2 ", 1, 1, .told = { "(3) are stored as t.State" } },
	{ CASE(some_symbols_as_states), "1 2 ", 1, 1, .told = { "(2) are stored as t.State" } },
	{ CASE(symbols_of_events_as_states), "1 2 ", 1, 1, .told = { "(1) are stored as t.State" } },
	{ CASE(symbols_of_elements_as_states), "1 2 ", 1, 1, .told = { "(8) are stored as t.State" } },
	{ CASE(few_states), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(many_states), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(a_type_twice), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(a_symbol_that_never_was), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(symbols_elsewhere_than_states), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(states_in_100000_checkpoints), "1 ", 0, 0, .told = { NULL } },
	{ CASE(symbols_as_numbers), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(delta_positive), "five six 7 8 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(delta_into_the_header), "five six 7 8 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(delta_before_the_chunk), "five six 7 8 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(delta_smallest), "five six 7 8 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(delta_to_an_event), "five six 7 8 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(delta_zero_hides_older_checkpoints), "null six 7 8 ", 0, 0, .told = { NULL } },
	{ CASE(pool_count_too_large), "five six 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "a checkpoint ends before its last pool" } },
	{ CASE(constant_count_too_large), "five null 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "18446744073709551615 constants of type java.lang.String are more than the checkpoint holds" } },
	{ CASE(constant_count_one_too_large), "five six 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "the constants of type java.lang.String do not fit into the checkpoint" } },
	{ CASE(constant_beyond_the_checkpoint), "five six 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "the constants of type java.lang.String do not fit into the checkpoint" } },
	{ CASE(bytes_after_the_last_constant), "five six 7 8 ", 1, 1,
	  .told = { "5 bytes are left in a checkpoint after its last constant" } },
	{ CASE(text_that_leads_on), "1 2 3 ", 1, 0,
	  .told = { "no event can begin at byte 73; 500 bytes up to byte 573 are lost" } },
	{ CASE(pool_of_an_undeclared_type), "five six 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "constants of type 999, which is not declared" } },
	{ CASE(pool_of_an_inline_cycle), "five six 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "constants of type t.Node cannot be read: its structs are nested more than 32 deep" } },
	{ CASE(pool_without_constants), "five null 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "constants of type 999999, which is not declared" } },
	{ CASE(empty_pools), "five six 7 8 ", 0, 0, .told = { NULL } },
	{ CASE(constants_of_no_bytes), "five six 7 8 ", 0, 0, .told = { NULL } },
	{ CASE(too_many_constants_of_no_bytes), "five six 7 8 ", 1, 1,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "1000000000000 constants of type t.Empty are more than the checkpoint holds" } },
	{ CASE(checkpoint_of_three_bytes), "1 2 ", 1, 1,
	  .told = { "damage at 688: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "a checkpoint of 3 bytes is truncated" } },
	{ CASE(chain_of_20000_checkpoints), "five ", 0, 0, .told = { NULL } },
	{ CASE(broken_chain_of_20000_checkpoints), "five ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(constants_after_their_use), "five five ", 0, 0, .told = { NULL } },
	{ CASE(of_contradicting_constants_the_oldest), "old old ", 0, 0, .told = { NULL } },
	{ CASE(of_contradicting_constants_the_oldest_without_chain), "old old ", 0, 0, .told = { NULL } },
	{ CASE(one_key_a_million_times), "x ", 0, 0, .told = { NULL } },
	{ CASE(keys_zero_and_largest), "zero largest wide null null ", 0, 0, .told = { NULL } },
	{ CASE(string_key_to_a_string_key), "null two ", 0, 0, .told = { NULL } },
	{ CASE(array_longer_than_the_event), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(array_length_negative), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(array_of_no_bytes), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (the elements of an array take no bytes)" }, .stepped = "1 3 " },
	{ CASE(array_of_doubles_too_long), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(string_length_too_large), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(string_length_negative), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(string_of_more_units_than_bytes), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(string_of_cut_units), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(string_encoding_6), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(string_encoding_255), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 3 " },
	{ CASE(constants_in_a_circle), "1 2 3 4 ", 0, 0, .told = { NULL } },
	{ CASE(constants_in_a_chain_of_20000), "1 2 ", 0, 0, .told = { NULL } },
};

/* Too much text to keep ---------------------------------------------------------------------------- */

struct tail {
	uint64_t len;
	char last[8];
};

static int keep_tail(void *ctx, const void *data, size_t len)
{
	struct tail *t = ctx;

	t->len += len;
	if (len >= sizeof(t->last))
		memcpy(t->last, (const char *)data + len - sizeof(t->last), sizeof(t->last));
	return 0;
}

static void test_constants_that_double(void)
{
	struct jfrec_print_options options = { .struct_size = sizeof(options),
					       .format = JFREC_JSON,
					       .stack_depth = 5 };
	struct jfrec_error err;
	struct jfrec_reader *r;
	struct tail tail = { 0 };
	struct craft c = { 0 };

	test_begin("text_of_one_event_is_limited");
	constants_that_double(&c);
	r = craft_open(&c, &err);
	CHECK_INT(jfrec_print(r, &options, keep_tail, &tail, &err), 0);
	CHECK(tail.len < 300 << 20);
	CHECK_TEXT(tail.last, sizeof(tail.last), "}]\n  }\n}");
	CHECK_INT((int64_t)jfrec_reader_damage(r), 1);
	jfrec_reader_close(r);
	craft_free(&c);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_hostile(&cases[i]);
	test_constants_that_double();
	return test_end();
}
