/* SPDX-License-Identifier: MIT */
/*
 * test_hostile.c - damaged, cut off and malicious recordings
 *
 * Each case makes a recording with a defect.  All formats must print all whole
 * events and nothing else, tell what is wrong and where, and end soon; the
 * document must be well-formed.  Events are told apart by their field `n`.
 */
#include "printed.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

#define TICK "20"
#define NAMED "21"
#define LISTED "22"
#define EMPTY "30"
#define NODE "31"

/* Types that most cases share. */
#define TICK_TYPE EVENT(TICK, "t.Tick", START FIELD("n", T_INT))
#define NAMED_TYPE EVENT(NAMED, "t.Named", START FIELD("n", T_STRING))

/* The processor's seconds a case may take, on a slow machine with sanitizers. */
#define MAX_SECONDS 10

static void tick(struct craft *c, int n)
{
	craft_event(c, TICK, "%d %d", 1000 + n, n);
}

/* End a chunk whose only event type is t.Tick. */
static void end_ticks(struct craft *c)
{
	craft_checkpoint(c, "0");
	craft_metadata(c, TICK_TYPE NAMED_TYPE);
	craft_end(c);
}

/* A sound chunk of two events. */
static void ticks(struct craft *c, int n)
{
	craft_chunk(c);
	tick(c, n);
	tick(c, n + 1);
	end_ticks(c);
}

/*
 * The same of another JVM, an hour later: a chunk without metadata cannot be
 * read with its neighbour's, which would be right for one JVM's.
 */
static void foreign_ticks(struct craft *c, int n)
{
	ticks(c, n);
	craft_set(c, CRAFT_START_NS, UINT64_C(1700003600000000000));
}

/* Chunks and their headers ----------------------------------------------------------------------- */

static void sound(struct craft *c)
{
	ticks(c, 1);
	ticks(c, 3);
}

static void chunk_size_zero(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_SIZE, 0);
}

static void chunk_size_zero_before_good(struct craft *c)
{
	chunk_size_zero(c);
	ticks(c, 3);
}

static void chunk_size_67(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_SIZE, 67);
	ticks(c, 3);
}

static void chunk_size_negative(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_SIZE, UINT64_C(1) << 63);
	ticks(c, 3);
}

static void chunk_size_near_overflow(struct craft *c)
{
	ticks(c, 1);
	ticks(c, 3);
	craft_set(c, CRAFT_SIZE, UINT64_MAX);
}

static void chunk_size_into_the_next(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_SIZE, c->bytes.len + 100);
	ticks(c, 3);
}

static void chunk_of_a_header_only(struct craft *c)
{
	craft_chunk(c);
	craft_end(c);
	ticks(c, 3);
}

static void last_chunk_truncated_inside_an_event(struct craft *c)
{
	ticks(c, 1);
	craft_chunk(c);
	craft_metadata(c, TICK_TYPE);
	craft_checkpoint(c, "0");
	tick(c, 3);
	tick(c, 4);
	craft_end(c);
	craft_cut(c, 2);
}

static void last_chunk_truncated_before_its_metadata(struct craft *c)
{
	ticks(c, 1);
	foreign_ticks(c, 3);
	craft_cut(c, 100);
}

static void last_chunk_truncated_inside_its_header(struct craft *c)
{
	ticks(c, 1);
	craft_chunk(c);
	craft_cut(c, 8);
}

static void truncated_chunk_before_good(struct craft *c)
{
	craft_chunk(c);
	craft_metadata(c, TICK_TYPE);
	craft_checkpoint(c, "0");
	tick(c, 1);
	tick(c, 2);
	craft_end(c);
	craft_set(c, CRAFT_SIZE, 100000);
	craft_cut(c, 1);
	ticks(c, 3);
}

static void garbage_between_chunks(struct craft *c)
{
	ticks(c, 1);
	craft_raw(c, "xdeadbeef464c5200 'FLR'");
	ticks(c, 3);
}

static void garbage_after_the_last_chunk(struct craft *c)
{
	ticks(c, 1);
	craft_raw(c, "x00010203040506070809");
}

static void zeros_after_the_last_chunk(struct craft *c)
{
	ticks(c, 1);
	for (int i = 0; i < 1000; i++)
		craft_raw(c, "x0000000000");
}

static void magic_in_garbage_is_no_chunk(struct craft *c)
{
	ticks(c, 1);
	for (int i = 0; i < 10000; i++)
		craft_raw(c, "x464c52000002000100000000000000640000000000000000 x0000000000000044");
	ticks(c, 3);
}

/* Ten thousand headers that all name one large metadata event, damaged at its very end. */
static void headers_that_share_damaged_metadata(struct craft *c)
{
	struct bytes strings = { 0 };
	size_t first;

	ticks(c, 1);
	craft_raw(c, "x00");
	first = c->bytes.len;
	for (size_t i = 0; i < 10000; i++) {
		craft_chunk(c);
		craft_set(c, CRAFT_SIZE, INT64_MAX); /* no measure of what is there */
		craft_set(c, CRAFT_METADATA, first + 10000 * 68 - c->chunk);
	}
	bytes_add(&strings, "1000 0 1 1000000");
	for (size_t i = 0; i < 1000000; i++)
		bytes_copy(&strings, "\1", 1);
	bytes_add(&strings, "0 1000000");
	craft_event_of(c, "0", &strings);
	bytes_free(&strings);
}

static void unfinished_with_tail(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	tick(c, 2);
	end_ticks(c);
	craft_set(c, CRAFT_GENERATION, 5);
	tick(c, 3); /* written since the last flush */
	craft_raw(c, "100 20");
}

static void unfinished_before_good(struct craft *c)
{
	unfinished_with_tail(c);
	ticks(c, 5);
}

static void generation_255(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_GENERATION, 255);
}

static void size_zero_generation_one(struct craft *c)
{
	ticks(c, 1);
	craft_chunk(c);
	craft_set(c, CRAFT_GENERATION, 1);
	craft_set(c, CRAFT_SIZE, 68);
}

/* A profiler that was killed: a size of 2^30, no offsets, metadata right behind the header. */
static void profiler_unfinished(struct craft *c)
{
	craft_chunk(c);
	craft_set(c, CRAFT_VERSION, 2 << 16);
	craft_metadata(c, TICK_TYPE);
	tick(c, 1);
	tick(c, 2);
	craft_set(c, CRAFT_SIZE, 1 << 30);
}

static void profiler_unfinished_before_good(struct craft *c)
{
	profiler_unfinished(c);
	ticks(c, 3);
}

static void version_3_in_second_chunk(struct craft *c)
{
	ticks(c, 1);
	ticks(c, 3);
	craft_set(c, CRAFT_VERSION, 3 << 16);
	ticks(c, 5);
}

static void uncompressed_second_chunk(struct craft *c)
{
	ticks(c, 1);
	ticks(c, 3);
	craft_set(c, CRAFT_FLAGS, 0);
	ticks(c, 5);
}

/* A flush leaves a copy of the chunk's header among its constants. */
static void header_copy_in_a_truncated_chunk(struct craft *c)
{
	struct bytes pool = { 0 };

	craft_chunk(c);
	tick(c, 1);
	craft_metadata(c, TICK_TYPE CLASS("40", "jdk.types.ChunkHeader", FIELD("payload", T_BYTE, ARRAY)));
	craft_end(c);
	bytes_add(&pool, "1 40 1 1 68");
	bytes_copy(&pool, c->bytes.data, 68);
	craft_checkpoint_of(c, &pool);
	bytes_free(&pool);
	tick(c, 2);
	craft_end(c);
	craft_set(c, CRAFT_SIZE, 0);
	ticks(c, 3);
}

/* Offsets ---------------------------------------------------------------------------------------- */

/* A tick, a string by key, two checkpoints that both matter, metadata in the middle. */
static void anchored(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_checkpoint(c, "1 " T_STRING " 1  5 'five'");
	craft_event(c, NAMED, "1002 k5");
	craft_metadata(c, TICK_TYPE NAMED_TYPE);
	craft_event(c, NAMED, "1003 k6");
	craft_checkpoint(c, "1 " T_STRING " 1  6 'six'");
	tick(c, 4);
	craft_end(c);
}

#define ANCHORED "1 five six 4 "

#define OFFSET_CASE(name, field, value) \
	static void name(struct craft *c) \
	{ \
		anchored(c); \
		craft_set(c, field, value); \
	}

OFFSET_CASE(checkpoint_offset_zero, CRAFT_CHECKPOINT, 0)
OFFSET_CASE(checkpoint_offset_in_header, CRAFT_CHECKPOINT, 64)
OFFSET_CASE(checkpoint_offset_beyond_chunk, CRAFT_CHECKPOINT, c->bytes.len)
OFFSET_CASE(checkpoint_offset_negative, CRAFT_CHECKPOINT, UINT64_MAX - 5)
OFFSET_CASE(checkpoint_offset_of_an_event, CRAFT_CHECKPOINT, 68)
OFFSET_CASE(checkpoint_offset_inside_a_checkpoint, CRAFT_CHECKPOINT, c->checkpoint + 1)
OFFSET_CASE(checkpoint_offset_of_the_last_byte, CRAFT_CHECKPOINT, c->bytes.len - 1)
OFFSET_CASE(metadata_offset_zero, CRAFT_METADATA, 0)
OFFSET_CASE(metadata_offset_in_header, CRAFT_METADATA, 4)
OFFSET_CASE(metadata_offset_beyond_chunk, CRAFT_METADATA, c->bytes.len + 1)
OFFSET_CASE(metadata_offset_negative, CRAFT_METADATA, UINT64_C(1) << 63)
OFFSET_CASE(metadata_offset_of_a_checkpoint, CRAFT_METADATA, c->checkpoint)
OFFSET_CASE(metadata_offset_of_the_last_byte, CRAFT_METADATA, c->bytes.len - 1)

static void no_metadata_at_all(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void newest_metadata_damaged_older_used(struct craft *c)
{
	craft_chunk(c);
	craft_metadata(c, TICK_TYPE);
	tick(c, 1);
	tick(c, 2);
	craft_metadata_of(c, "(root children:1000000)");
	craft_end(c);
}

static void thousand_metadata_events(struct craft *c)
{
	craft_chunk(c);
	for (int i = 1; i <= 1000; i++)
		craft_metadata(c, i == 1000 ? TICK_TYPE : EVENT(TICK, "t.Old", START));
	tick(c, 1);
	craft_end(c);
}

/* Sizes of events -------------------------------------------------------------------------------- */

/*
 * A tick, the words, a tick that only a search can find; then a checkpoint and
 * another one, and a good chunk.
 */
static void between(struct craft *c, const char *words)
{
	craft_chunk(c);
	tick(c, 1);
	craft_raw(c, "%s", words);
	tick(c, 2);
	craft_checkpoint(c, "0");
	tick(c, 3);
	end_ticks(c);
	ticks(c, 4);
}

static void event_size_zero(struct craft *c)
{
	between(c, "x00");
}

static void event_size_one(struct craft *c)
{
	between(c, "x01");
}

static void event_size_smaller_than_its_integers(struct craft *c)
{
	between(c, "4:4 20 1002 7");
}

static void event_size_beyond_chunk(struct craft *c)
{
	between(c, "100000 20");
}

static void event_size_negative(struct craft *c)
{
	between(c, "-1 20");
}

static void event_size_that_overflows(struct craft *c)
{
	between(c, "9223372036854775807 20");
}

static void event_size_zero_without_checkpoint(struct craft *c)
{
	craft_chunk(c);
	craft_metadata(c, TICK_TYPE);
	tick(c, 1);
	craft_raw(c, "x00");
	tick(c, 2);
	craft_end(c);
	ticks(c, 4);
}

static void event_cut_by_the_chunk_end(struct craft *c)
{
	craft_chunk(c);
	craft_metadata(c, TICK_TYPE);
	tick(c, 1);
	craft_raw(c, "x80");
	craft_end(c);
	ticks(c, 4);
}

static void bytes_behind_the_fields(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, TICK, "1001 1  9 9 9");
	tick(c, 2);
	end_ticks(c);
}

static void fields_beyond_the_event(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, TICK, "1002");                    /* no n */
	craft_event(c, TICK, "x80");                     /* not even a start */
	craft_event(c, NAMED, "1004 x0308 x6162");       /* a string of 8 bytes, 2 are there */
	tick(c, 5);
	end_ticks(c);
}

static void event_of_no_fields(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, EMPTY, " ");
	tick(c, 2);
	craft_checkpoint(c, "0");
	craft_metadata(c, TICK_TYPE EVENT(EMPTY, "t.Empty"));
	craft_end(c);
}

static void unknown_type_ids(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, "999", "1 2 3");
	craft_event(c, "18446744073709551615", "1 2 3");
	craft_event(c, T_STRING, "1 2 3"); /* declared, but no event */
	tick(c, 2);
	end_ticks(c);
}

static void padded_sizes(struct craft *c)
{
	for (c->size_width = 2; c->size_width <= 8; c->size_width++)
		ticks(c, 2 * c->size_width);
}

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

/* Nothing of one chunk is in another ------------------------------------------------------------- */

static void constants_do_not_leak(struct craft *c)
{
	craft_chunk(c);
	craft_checkpoint(c, "1 " T_STRING " 1  5 'first'");
	craft_event(c, NAMED, "1001 k5");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
	craft_chunk(c);
	craft_checkpoint(c, "1 " T_STRING " 1  6 'second'");
	craft_event(c, NAMED, "1002 k5");
	craft_event(c, NAMED, "1003 k6");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
	craft_chunk(c);
	craft_checkpoint(c, "1 " T_STRING " 1  5 'third'");
	craft_event(c, NAMED, "1004 k5");
	craft_event(c, NAMED, "1005 k6");
	craft_metadata(c, NAMED_TYPE);
	craft_end(c);
}

static void metadata_does_not_leak(struct craft *c)
{
	ticks(c, 1);
	craft_chunk(c);
	tick(c, 3); /* t.Tick is not declared here */
	craft_metadata(c, NAMED_TYPE);
	craft_checkpoint(c, "0");
	craft_end(c);
	craft_chunk(c);
	tick(c, 4);
	craft_end(c); /* nothing is */
}

static void one_id_two_types(struct craft *c)
{
	ticks(c, 1);
	craft_chunk(c);
	craft_event(c, TICK, "1003 'three'");
	craft_checkpoint(c, "0");
	craft_metadata(c, EVENT(TICK, "t.Other", START FIELD("n", T_STRING)));
	craft_end(c);
	ticks(c, 4);
}

static void damaged_chunk_between_good(struct craft *c)
{
	ticks(c, 1);
	craft_chunk(c);
	for (int i = 0; i < 100; i++)
		craft_raw(c, "xff00ff");
	craft_end(c);
	ticks(c, 3);
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

/* Metadata --------------------------------------------------------------------------------------- */

/* A chunk of this metadata, then a good one. */
static void metadata_element(struct craft *c, const char *element)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata_of(c, element);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void metadata_words(struct craft *c, const char *words)
{
	craft_chunk(c);
	tick(c, 1);
	c->metadata = craft_event(c, "0", "1000 0 1 %s", words);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void string_count_too_large(struct craft *c)
{
	metadata_words(c, "1000000000000 'root' 0 0 0");
}

static void string_count_negative(struct craft *c)
{
	metadata_words(c, "-1 'root' 0 0 0");
}

static void metadata_string_too_long(struct craft *c)
{
	metadata_words(c, "1 x03 1000 x726f 0 0 0");
}

static void metadata_string_is_a_key(struct craft *c)
{
	metadata_words(c, "2 k1 'root' 1 0 0");
}

static void metadata_without_element(struct craft *c)
{
	metadata_words(c, "1 'root'");
}

static void attribute_count_too_large(struct craft *c)
{
	metadata_element(c, "(root attributes:1000000)");
}

static void child_count_too_large(struct craft *c)
{
	metadata_element(c, "(root (metadata children:1000000))");
}

static void string_index_too_large(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=@1000 id=20)))");
}

static void element_name_index_too_large(struct craft *c)
{
	metadata_element(c, "(@1000)");
}

/* No JVM writes a null string: where it stands for a name, something was lost. */
static void element_name_null(struct craft *c)
{
	metadata_words(c, "1 null  0 0 0");
}

static void class_without_name(struct craft *c)
{
	metadata_element(c, "(root (metadata (class id=20)))");
}

static void field_without_name(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=20 (field class=7))))");
}

static void class_id_of_letters(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=20x)))");
}

static void class_id_empty(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id='')))");
}

static void class_id_with_blank(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=' 20')))");
}

static void class_id_too_large(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=9223372036854775808)))");
}

static void nested(struct craft *c, int depth)
{
	struct bytes text = { 0 };

	for (int i = 0; i < depth; i++)
		bytes_copy(&text, "(x", 2);
	for (int i = 0; i < depth; i++)
		bytes_copy(&text, ")", 1);
	bytes_copy(&text, "", 1);
	metadata_element(c, (const char *)text.data);
	bytes_free(&text);
}

static void elements_nested_18_deep(struct craft *c)
{
	nested(c, 18);
}

static void elements_nested_10000_deep(struct craft *c)
{
	nested(c, 10000);
}

static void hundred_thousand_classes(struct craft *c)
{
	struct bytes element = { 0 };
	char text[64];

	craft_chunk(c);
	tick(c, 1);
	for (int i = 0; i < 100000; i++) {
		/* One name for all, and ids above those of the basic types. */
		snprintf(text, sizeof(text), "%d", 1000 + i % 500);
		bytes_copy(&element, "(class name=x id=", strlen("(class name=x id="));
		bytes_copy(&element, text, strlen(text));
		bytes_copy(&element, ")", 1);
	}
	bytes_copy(&element, TICK_TYPE, sizeof(TICK_TYPE));
	craft_metadata(c, (const char *)element.data);
	bytes_free(&element);
	craft_end(c);
}

/* Whether a field has a unit depends on the annotations of its annotations' types. */
static void annotations_times_fields(struct craft *c)
{
	static const char mark[] = ANNOTATION(T_LABEL), field[] = FIELD("x", T_INT, ANNOTATION("40"));
	static const char annotation[] = "(class name=t.Mark id=40 ", event[] = ") (class name=t.Many id=41 ";
	struct bytes classes = { 0 };

	craft_chunk(c);
	tick(c, 1);
	bytes_copy(&classes, TICK_TYPE, strlen(TICK_TYPE));
	bytes_copy(&classes, annotation, strlen(annotation));
	for (int i = 0; i < 100000; i++)
		bytes_copy(&classes, mark, strlen(mark));
	bytes_copy(&classes, event, strlen(event));
	for (int i = 0; i < 60000; i++)
		bytes_copy(&classes, field, strlen(field));
	bytes_copy(&classes, ")", 2);
	craft_metadata(c, (const char *)classes.data);
	bytes_free(&classes);
	craft_end(c);
	ticks(c, 3);
}

/* One string of a million zeros is the id of ten thousand classes. */
static void long_id_of_many_classes(struct craft *c)
{
	static const char class[] = "(class name=x id=@0)";
	struct bytes element = { 0 };

	craft_chunk(c);
	tick(c, 1);
	/* The first string of the table is the first name. */
	bytes_copy(&element, "(", 1);
	for (int i = 0; i < 1000000; i++)
		bytes_copy(&element, "0", 1);
	bytes_copy(&element, " (metadata ", 11);
	for (int i = 0; i < 10000; i++)
		bytes_copy(&element, class, strlen(class));
	bytes_copy(&element, "))", 3);
	craft_metadata_of(c, (const char *)element.data);
	bytes_free(&element);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void of_two_classes_with_one_id_the_last(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_checkpoint(c, "0");
	craft_metadata(c, EVENT(TICK, "t.Wrong", START FIELD("n", T_STRING)) TICK_TYPE);
	craft_end(c);
}

static void ids_0_and_1_as_events(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_checkpoint(c, "0");
	craft_metadata(c, EVENT("0", "t.Zero", START FIELD("n", T_LONG))
		       EVENT("1", "t.One", START FIELD("n", T_LONG)) TICK_TYPE);
	craft_end(c);
}

static void wide_and_negative_ids(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, "1000000000000", "1002 2");
	craft_event(c, "-7", "1003 3");
	craft_checkpoint(c, "0");
	craft_metadata(c, TICK_TYPE EVENT("1000000000000", "t.Wide", START FIELD("n", T_INT))
		       EVENT("-7", "t.Negative", START FIELD("n", T_INT)));
	craft_end(c);
}

static void metadata_without_region(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata_of(c, "(root (metadata (class name=int id=6) (class name=long id=7)"
			  TICK_TYPE "))");
	craft_end(c);
}

static void region_beyond_the_earth(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata_of(c, "(root (metadata (class name=int id=6) (class name=long id=7)"
			  TICK_TYPE ") (region gmtOffset=9223372036854775807 dst=9223372036854775807))");
	craft_end(c);
}

/* Types that cannot be ----------------------------------------------------------------------------- */

/* An event with a field of the type 40 of these classes, between two ticks. */
static void with_type(struct craft *c, const char *classes)
{
	struct bytes text = { 0 };
	static const char event[] = TICK_TYPE EVENT(LISTED, "t.Listed", START FIELD("x", "40"));

	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 1 1 1 1 1 1 1 1");
	tick(c, 3);
	craft_checkpoint(c, "0");
	bytes_copy(&text, event, strlen(event));
	bytes_copy(&text, classes, strlen(classes) + 1);
	craft_metadata(c, (const char *)text.data);
	bytes_free(&text);
	craft_end(c);
}

static void struct_inside_itself(struct craft *c)
{
	with_type(c, CLASS("40", "t.Self", FIELD("self", "40")));
}

static void structs_inside_each_other(struct craft *c)
{
	with_type(c, CLASS("40", "t.A", FIELD("b", "41")) CLASS("41", "t.B", FIELD("a", "40")));
}

static void struct_with_array_of_itself(struct craft *c)
{
	with_type(c, CLASS("40", "t.Self", FIELD("selves", "40", ARRAY)));
}

static void field_of_undeclared_type(struct craft *c)
{
	with_type(c, CLASS("41", "t.Unused"));
}

static void key_of_undeclared_type(struct craft *c)
{
	with_type(c, CLASS("40", "t.A", FIELD("b", "999", KEY)));
}

/* One level less deep than is allowed: nothing but the number of structs can stop it. */
static void doubling(struct craft *c, int levels, const char *more, const char *end)
{
	struct bytes classes = { 0 };
	char text[200];
	int n;

	for (int i = 40; i < 40 + levels; i++) {
		n = snprintf(text, sizeof(text),
			     "(class name=t.D id=%d (field name=a class=%d %s) (field name=b class=%d %s))",
			     i, i + 1, more, i + 1, more);
		bytes_copy(&classes, text, (size_t)n);
	}
	n = snprintf(text, sizeof(text), "(class name=t.End id=%d %s)", 40 + levels, end);
	bytes_copy(&classes, text, (size_t)n + 1);
	with_type(c, (const char *)classes.data);
	bytes_free(&classes);
}

static void structs_that_double(struct craft *c)
{
	doubling(c, 30, "", FIELD("x", T_INT));
}

/* At its end there is nothing: no bytes and no values, but as much work. */
static void structs_that_double_to_nothing(struct craft *c)
{
	doubling(c, 30, "", "");
}

/* Each array is short to decode, but the template of its elements doubles. */
static void arrays_that_double(struct craft *c)
{
	doubling(c, 30, ARRAY, FIELD("x", T_INT));
}

/* Sixty levels of one field each; arrays of arrays of arrays. */
static void chain(struct craft *c, const char *more)
{
	struct bytes classes = { 0 };
	char text[200];

	for (int i = 40; i < 100; i++) {
		int n = snprintf(text, sizeof(text), "(class name=t.C id=%d (field name=a class=%d %s))",
				 i, i + 1, more);

		bytes_copy(&classes, text, (size_t)n);
	}
	bytes_copy(&classes, CLASS("100", "t.End", FIELD("x", T_INT)),
		   sizeof(CLASS("100", "t.End", FIELD("x", T_INT))));
	with_type(c, (const char *)classes.data);
	bytes_free(&classes);
}

static void structs_60_deep(struct craft *c)
{
	chain(c, "");
}

static void arrays_60_deep(struct craft *c)
{
	chain(c, ARRAY);
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

/* Time ------------------------------------------------------------------------------------------- */

static void frequency_zero(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_FREQUENCY, 0);
}

static void frequency_negative(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_FREQUENCY, (uint64_t)-1);
}

static void times_at_the_edges(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, TICK, "-9223372036854775808 1");
	craft_event(c, TICK, "9223372036854775807 2");
	end_ticks(c);
	craft_set(c, CRAFT_START_NS, INT64_MAX);
	craft_set(c, CRAFT_DURATION_NS, INT64_MAX);
	craft_set(c, CRAFT_START_TICKS, (uint64_t)INT64_MIN);
	craft_set(c, CRAFT_FREQUENCY, 1);
}

static const struct {
	const char *name;
	void (*make)(struct craft *c);
	const char *values; /* the `n` of all events that must be printed, in their order */
	unsigned damage;    /* how often damage is told: not at all means exit status 0 */
	unsigned summary_damage;
	const char *told[3];
	const char *stepped; /* where jfrec_reader_next() has damaged events, too */
} cases[] = {
#define CASE(name) #name, name
	{ CASE(sound), "1 2 3 4 ", 0, 0, .told = { NULL } },
	{ CASE(chunk_size_zero), "1 2 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 0 bytes" } },
	{ CASE(chunk_size_zero_before_good), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 0 bytes" } },
	{ CASE(chunk_size_67), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 67 bytes" } },
	{ CASE(chunk_size_negative), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 9223372036854775808 bytes" } },
	{ CASE(chunk_size_near_overflow), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 744: chunk 2 at byte 744 should have 18446744073709551615 bytes" } },
	{ CASE(chunk_size_into_the_next), "1 2 3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 844 bytes" } },
	{ CASE(chunk_of_a_header_only), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its header does not refer to a metadata event" } },
	{ CASE(last_chunk_truncated_inside_an_event), "1 2 3 ", 2, 1,
	  .told = { "damage at 744: chunk 2 at byte 744 should have 701 bytes",
		    "chunk 2 at byte 744 is truncated: the newest data is lost (" } },
	{ CASE(last_chunk_truncated_before_its_metadata), "1 2 ", 2, 2,
	  .told = { "damage at 744: chunk 2 at byte 744 should have 744 bytes",
		    "damage at 744: chunk 2 at byte 744: there is no metadata event at byte 830" } },
	{ CASE(last_chunk_truncated_inside_its_header), "1 2 ", 1, 1,
	  .told = { "damage at 744: 60 bytes at byte 744 belong to no chunk" } },
	{ CASE(truncated_chunk_before_good), "1 3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 100000 bytes" } },
	{ CASE(garbage_between_chunks), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 744: 13 bytes at byte 744 belong to no chunk" } },
	{ CASE(garbage_after_the_last_chunk), "1 2 ", 1, 1,
	  .told = { "damage at 744: 10 bytes at byte 744 belong to no chunk" } },
	{ CASE(zeros_after_the_last_chunk), "1 2 ", 1, 1,
	  .told = { "damage at 744: 5000 bytes at byte 744 belong to no chunk" } },
	{ CASE(magic_in_garbage_is_no_chunk), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 744: 320000 bytes at byte 744 belong to no chunk" } },
	{ CASE(headers_that_share_damaged_metadata), "1 2 ", 1, 1,
	  .told = { "damage at 744: 1680016 bytes at byte 744 belong to no chunk" } },
	{ CASE(unfinished_with_tail), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 was never finished",
		    "notice at 744: 7 bytes at byte 744, after the last flush of chunk 1" } },
	{ CASE(unfinished_before_good), "1 2 5 6 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 was never finished",
		    "notice at 744: 7 bytes at byte 744, after the last flush of chunk 1" } },
	{ CASE(generation_255), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 was never finished" } },
	{ CASE(size_zero_generation_one), "1 2 ", 0, 0,
	  .told = { "notice at 744: chunk 2 at byte 744 was never finished" } },
	{ CASE(profiler_unfinished), "1 2 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 1073741824 bytes",
		    "notice at 0: chunk 1 at byte 0: its header does not refer to a metadata event" } },
	{ CASE(profiler_unfinished_before_good), "1 2 3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 1073741824 bytes",
		    "notice at 0: chunk 1 at byte 0: its header does not refer to a metadata event" } },
	{ CASE(version_3_in_second_chunk), "1 2 5 6 ", 1, 1,
	  .told = { "damage at 744: 744 bytes at byte 744 belong to no chunk" } },
	{ CASE(uncompressed_second_chunk), "1 2 5 6 ", 1, 1,
	  .told = { "damage at 744: 744 bytes at byte 744 belong to no chunk" } },
	{ CASE(header_copy_in_a_truncated_chunk), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0 should have 0 bytes" } },
	{ CASE(checkpoint_offset_zero), "1 five six 4 ", 0, 0, .told = { NULL } },
	{ CASE(checkpoint_offset_in_header), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(checkpoint_offset_beyond_chunk), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(checkpoint_offset_negative), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(checkpoint_offset_of_an_event), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(checkpoint_offset_inside_a_checkpoint), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(checkpoint_offset_of_the_last_byte), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its chain of checkpoints is broken" } },
	{ CASE(metadata_offset_zero), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: its header does not refer to a metadata event" } },
	{ CASE(metadata_offset_in_header), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: there is no metadata event at byte 4" } },
	{ CASE(metadata_offset_beyond_chunk), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: there is no metadata event at byte 790" } },
	{ CASE(metadata_offset_negative), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: there is no metadata event at byte 9223372036854775808" } },
	{ CASE(metadata_offset_of_a_checkpoint), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: there is no metadata event at byte 760" } },
	{ CASE(metadata_offset_of_the_last_byte), "1 five six 4 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: there is no metadata event at byte 788" } },
	{ CASE(no_metadata_at_all), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its header does not refer to a metadata event" } },
	{ CASE(newest_metadata_damaged_older_used), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0: an element of the metadata declares more children than it has bytes" } },
	{ CASE(thousand_metadata_events), "1 ", 0, 0, .told = { NULL } },
	{ CASE(event_size_zero), "1 2 3 4 5 ", 1, 1,
	  .told = { "damage at 73: chunk 1: no event can begin at byte 73" } },
	{ CASE(event_size_one), "1 2 3 4 5 ", 1, 1,
	  .told = { "damage at 73: chunk 1: no event can begin at byte 73" } },
	{ CASE(event_size_smaller_than_its_integers), "1 2 3 4 5 ", 1, 1,
	  .told = { "damage at 73: chunk 1: no event can begin at byte 73" } },
	{ CASE(event_size_beyond_chunk), "1 2 3 4 5 ", 1, 1,
	  .told = { "damage at 73: chunk 1: no event can begin at byte 73" } },
	{ CASE(event_size_negative), "1 2 3 4 5 ", 1, 1,
	  .told = { "damage at 73: chunk 1: no event can begin at byte 73" } },
	{ CASE(event_size_that_overflows), "1 2 3 4 5 ", 1, 1,
	  .told = { "damage at 73: chunk 1: no event can begin at byte 73" } },
	{ CASE(event_size_zero_without_checkpoint), "1 2 4 5 ", 1, 1,
	  .told = { "damage at 688: chunk 1: no event can begin at byte 688" } },
	{ CASE(event_cut_by_the_chunk_end), "1 4 5 ", 1, 1,
	  .told = { "damage at 688: chunk 1: no event can begin at byte 688" } },
	{ CASE(bytes_behind_the_fields), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(fields_beyond_the_event), "1 5 ", 2, 0,
	  .told = { "that cannot be decoded: 2 (their values do not match their size)",
		    "that cannot be decoded: 1 (their values do not match their size)" }, .stepped = "1 5 " },
	{ CASE(event_of_no_fields), "1 2 ", 0, 0,
	  .told = { NULL }, .stepped = "1 null 2 " },
	{ CASE(unknown_type_ids), "1 2 ", 0, 0,
	  .told = { "notice at 73: chunk 1: events of types that are not declared, the first at byte 73: 3 (" } },
	{ CASE(padded_sizes), "4 5 6 7 8 9 10 11 12 13 14 15 16 17 ", 0, 0, .told = { NULL } },
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
	{ CASE(pool_count_too_large), "five six 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "a checkpoint ends before its last pool" } },
	{ CASE(constant_count_too_large), "five null 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "18446744073709551615 constants of type java.lang.String are more than the checkpoint holds" } },
	{ CASE(constant_count_one_too_large), "five six 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "the constants of type java.lang.String do not fit into the checkpoint" } },
	{ CASE(constant_beyond_the_checkpoint), "five six 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "the constants of type java.lang.String do not fit into the checkpoint" } },
	{ CASE(pool_of_an_undeclared_type), "five six 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "constants of type 999, which is not declared" } },
	{ CASE(pool_of_an_inline_cycle), "five six 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "constants of type t.Node cannot be read: its structs are nested more than 32 deep" } },
	{ CASE(pool_without_constants), "five null 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "constants of type 999999, which is not declared" } },
	{ CASE(empty_pools), "five six 7 8 ", 0, 0, .told = { NULL } },
	{ CASE(constants_of_no_bytes), "five six 7 8 ", 0, 0, .told = { NULL } },
	{ CASE(too_many_constants_of_no_bytes), "five six 7 8 ", 1, 0,
	  .told = { "damage at 765: chunk 1 at byte 0: 1 of its checkpoints are damaged",
		    "1000000000000 constants of type t.Empty are more than the checkpoint holds" } },
	{ CASE(checkpoint_of_three_bytes), "1 2 ", 1, 0,
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
	{ CASE(constants_do_not_leak), "first null second third null ", 0, 0, .told = { NULL } },
	{ CASE(metadata_does_not_leak), "1 2 ", 1, 1,
	  .told = { "damage at 1441: chunk 3 at byte 1441: its header does not refer to a metadata event" } },
	{ CASE(one_id_two_types), "1 2 three 4 5 ", 0, 0, .told = { NULL } },
	{ CASE(damaged_chunk_between_good), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 744: chunk 2 at byte 744: its header does not refer to a metadata event" } },
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
	{ CASE(string_count_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event declares more strings than it has bytes" } },
	{ CASE(string_count_negative), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event declares more strings than it has bytes" } },
	{ CASE(metadata_string_too_long), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the strings of the metadata event are truncated" } },
	{ CASE(metadata_string_is_a_key), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event refers to a string pool" } },
	{ CASE(metadata_without_element), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(attribute_count_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(child_count_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: an element of the metadata declares more children than it has bytes" } },
	{ CASE(string_index_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: a class in the metadata has no name" } },
	{ CASE(element_name_index_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(element_name_null), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has invalid strings",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(class_without_name), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: a class in the metadata has no name" } },
	{ CASE(field_without_name), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: a field in the metadata has no name" } },
	{ CASE(class_id_of_letters), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(class_id_empty), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(class_id_with_blank), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(class_id_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(elements_nested_18_deep), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata is nested too deeply" } },
	{ CASE(elements_nested_10000_deep), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata is nested too deeply" } },
	{ CASE(hundred_thousand_classes), "1 ", 0, 0, .told = { NULL } },
	{ CASE(annotations_times_fields), "1 3 4 ", 0, 0, .told = { NULL } },
	{ CASE(long_id_of_many_classes), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(of_two_classes_with_one_id_the_last), "1 ", 0, 0, .told = { NULL } },
	{ CASE(ids_0_and_1_as_events), "1 ", 0, 0, .told = { NULL } },
	{ CASE(wide_and_negative_ids), "1 2 3 ", 0, 0, .told = { NULL } },
	{ CASE(metadata_without_region), "1 ", 0, 0, .told = { NULL } },
	{ CASE(region_beyond_the_earth), "1 ", 0, 0, .told = { NULL } },
	{ CASE(struct_inside_itself), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(structs_inside_each_other), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(struct_with_array_of_itself), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (it contains itself)" }, .stepped = "1 3 " },
	{ CASE(field_of_undeclared_type), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (a field's type is not declared)" }, .stepped = "1 3 " },
	{ CASE(key_of_undeclared_type), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (a field's type is not declared)" }, .stepped = "1 3 " },
	{ CASE(structs_that_double), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs expand to more than 1024 values)" }, .stepped = "1 3 " },
	{ CASE(structs_that_double_to_nothing), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs expand to more than 1024 values)" }, .stepped = "1 3 " },
	{ CASE(arrays_that_double), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs expand to more than 1024 values)" }, .stepped = "1 3 " },
	{ CASE(structs_60_deep), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(arrays_60_deep), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its arrays are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(constants_in_a_circle), "1 2 3 4 ", 0, 0, .told = { NULL } },
	{ CASE(constants_in_a_chain_of_20000), "1 2 ", 0, 0, .told = { NULL } },
	{ CASE(frequency_zero), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 has 0 ticks per second" } },
	{ CASE(frequency_negative), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 has -1 ticks per second" } },
	{ CASE(times_at_the_edges), "1 2 ", 0, 0, .told = { NULL } },
#undef CASE
};

static void check_told(const struct printed *p, const char *const told[3])
{
	for (int i = 0; i < 3 && told[i]; i++) {
		if (!CHECK(strstr(printed_problems(p), told[i])))
			printf("# not told: %s\n", told[i]);
	}
	CHECK((p->problems.len == 0) == !told[0]);
}

static void check_values(const struct printed *p, const char *got, const char *values)
{
	CHECK_INT(p->status, 0);
	CHECK_TEXT(got, strlen(got), values);
	CHECK(p->seconds < MAX_SECONDS);
}

/* The last event comes first in text, whose order is by nanoseconds that wrap. */
static bool is_sorted_otherwise(size_t i, enum jfrec_format format)
{
	return cases[i].make == times_at_the_edges && (format == JFREC_TEXT || format == JFREC_EXACT);
}

static void check_case(size_t i)
{
	struct printed p = { 0 };
	struct bytes values = { 0 };
	struct jfrec_summary *s;
	struct craft c = { 0 };

	test_begin(cases[i].name);
	cases[i].make(&c);
	for (int f = JFREC_TEXT; f <= JFREC_XML; f++) {
		print_craft(&p, &c, (enum jfrec_format)f);
		printed_values(&p, (enum jfrec_format)f, &values);
		check_values(&p, (const char *)values.data,
			     is_sorted_otherwise(i, (enum jfrec_format)f) ? "2 1 " : cases[i].values);
		CHECK(is_well_formed(&p, (enum jfrec_format)f));
		CHECK_INT((int64_t)p.damage, cases[i].damage);
		check_told(&p, cases[i].told);
	}
	step_craft(&p, &c);
	check_values(&p, printed_text(&p), cases[i].stepped ? cases[i].stepped : cases[i].values);
	summarize_craft(&p, &c, &s);
	CHECK(s != NULL);
	CHECK_INT((int64_t)p.damage, cases[i].summary_damage);
	CHECK(p.seconds < MAX_SECONDS);
	jfrec_summary_free(s);
	print_craft_types(&p, &c);
	CHECK_INT(p.status, 0);
	CHECK(p.seconds < MAX_SECONDS);
	printed_free(&p);
	bytes_free(&values);
	craft_free(&c);
}

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

/* Files that are not opened ------------------------------------------------------------------------ */

static const struct {
	const char *name, *words;
	enum jfrec_code code;
	const char *told;
} refused[] = {
	{ "empty_file", " ", JFREC_EFORMAT, "is empty" },
	{ "file_of_3_bytes", "x464c52", JFREC_EFORMAT, "is not a recording" },
	{ "file_of_67_bytes", NULL, JFREC_EFORMAT, "is truncated after 67 bytes" },
	{ "other_magic", "x504b0304 x0000", JFREC_EFORMAT, "is not a recording" },
	{ "oracle_version_0_9", "x464c5200 x00000009 x0000000000000000", JFREC_EUNSUPPORTED, "version 0.x" },
};

static void check_refused(size_t i)
{
	struct printed p = { 0 };
	struct craft c = { 0 };

	test_begin(refused[i].name);
	if (refused[i].words)
		craft_raw(&c, "%s", refused[i].words);
	else
		craft_chunk(&c), craft_cut(&c, 1);
	print_craft(&p, &c, JFREC_TEXT);
	CHECK_INT(p.status, -2);
	CHECK_INT(p.err.code, refused[i].code);
	CHECK(strstr(p.err.text, refused[i].told));
	craft_free(&c);
	printed_free(&p);
}

static void check_refused_header(const char *name, enum craft_field field, uint64_t value,
				 const char *told)
{
	struct printed p = { 0 };
	struct craft c = { 0 };

	test_begin(name);
	ticks(&c, 1);
	craft_set(&c, field, value);
	print_craft(&p, &c, JFREC_TEXT);
	CHECK_INT(p.status, -2);
	CHECK_INT(p.err.code, JFREC_EUNSUPPORTED);
	CHECK(strstr(p.err.text, told));
	craft_free(&c);
	printed_free(&p);
}

static void check_refused_path(const char *name, const char *path, enum jfrec_code code)
{
	struct jfrec_error err = { 0 };

	test_begin(name);
	CHECK(!jfrec_reader_open(path, &err));
	CHECK_INT(err.code, code);
	CHECK(!jfrec_reader_open(path, NULL));
}

/* Files of which the system keeps holes, or that change --------------------------------------------- */

static void test_hole(void)
{
	struct printed p = { 0 };
	struct bytes values = { 0 };
	struct craft c = { 0 };

	test_begin("terabyte_hole_after_the_last_chunk");
	ticks(&c, 1);
	craft_path(&c);
	CHECK_INT(ftruncate(c.fd, (off_t)1 << 40), 0);
	print_craft(&p, &c, JFREC_TEXT);
	printed_values(&p, JFREC_TEXT, &values);
	check_values(&p, (const char *)values.data, "1 2 ");
	CHECK_INT((int64_t)p.damage, 1);
	printed_free(&p);
	bytes_free(&values);
	craft_free(&c);
}

/* A chunk that its JVM still writes is copied: nothing is touched that may be gone. */
static void test_shrinking(void)
{
	const struct jfrec_event *ev;
	struct jfrec_error err;
	struct jfrec_reader *r;
	struct craft c = { 0 };
	size_t first;
	int events = 0;

	test_begin("unfinished_file_shrinks_while_it_is_read");
	ticks(&c, 1);
	craft_set(&c, CRAFT_GENERATION, 3);
	first = c.bytes.len;
	foreign_ticks(&c, 3);
	craft_set(&c, CRAFT_GENERATION, 3);
	r = craft_open(&c, &err);
	CHECK_INT(jfrec_reader_next(r, &ev, &err), 1);
	CHECK_INT(ftruncate(c.fd, (off_t)first + 100), 0);
	for (events = 1; jfrec_reader_next(r, &ev, &err) > 0; events++)
		;
	CHECK_INT(events, 2);
	jfrec_reader_close(r);
	craft_free(&c);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_case(i);
	test_constants_that_double();
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		check_refused(i);
	check_refused_header("version_3", CRAFT_VERSION, 3 << 16, "newer than 2.x");
	check_refused_header("uncompressed_integers", CRAFT_FLAGS, 0, "uncompressed");
	check_refused_path("device", "/dev/null", JFREC_EINVAL);
	check_refused_path("no_such_file", "/nowhere/recording.jfr", JFREC_EIO);
	test_hole();
	test_shrinking();
	return test_end();
}
