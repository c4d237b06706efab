/* SPDX-License-Identifier: MIT */
/*
 * test_hostile_chunks.c - damaged chunks, headers, offsets and events
 */
#include "hostile.h"

#include <unistd.h>

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

static const struct hostile_case cases[] = {
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
	{ CASE(constants_do_not_leak), "first null second third null ", 0, 0, .told = { NULL } },
	{ CASE(metadata_does_not_leak), "1 2 ", 1, 1,
	  .told = { "damage at 1441: chunk 3 at byte 1441: its header does not refer to a metadata event" } },
	{ CASE(one_id_two_types), "1 2 three 4 5 ", 0, 0, .told = { NULL } },
	{ CASE(damaged_chunk_between_good), "1 2 3 4 ", 1, 1,
	  .told = { "damage at 744: chunk 2 at byte 744: its header does not refer to a metadata event" } },
};

/* Files that are not opened ------------------------------------------------------------------------ */

static const struct {
	const char *name, *words;
	enum jfrec_code code;
	const char *told;
} refused[] = {
	{ "empty_file", " ", JFREC_EFORMAT, "is empty" },
	{ "file_of_3_bytes", "x464c52", JFREC_EFORMAT, "is not a recording" },
	{ "file_of_67_bytes", NULL, JFREC_EFORMAT, "is truncated after 67 bytes" },
	{ "other_magic", "x504b0708 x0000", JFREC_EFORMAT, "is not a recording" },
	{ "empty_zip_archive", "x504b0506 x0000", JFREC_EFORMAT, "is a zip archive without" },
	{ "zip_archive", "x504b0304 x0000", JFREC_EFORMAT, "is a zip archive without" },
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
	CHECK(!jfrec_reader_open(path, NULL, &err));
	CHECK_INT(err.code, code);
	CHECK(!jfrec_reader_open(path, NULL, NULL));
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
		check_hostile(&cases[i]);
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
