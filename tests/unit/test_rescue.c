/* SPDX-License-Identifier: MIT */
/*
 * test_rescue.c - chunks without their metadata, events behind damaged ones
 */
#include <stdlib.h>

#include "builder.h"
#include "test.h"

#define THREE_TYPES                                       \
	EVENT("20", "t.Tick", START FIELD("n", T_INT))    \
	EVENT("21", "t.Text", START FIELD("s", T_STRING)) \
	EVENT("22", "t.Pair", START FIELD("a", T_LONG) FIELD("b", T_DOUBLE))

/* Events of one, two or three types; their times are in the chunk's second. */
static void events(struct craft *c, int count, int types)
{
	for (int i = 0; i < count; i++) {
		if (i % types == 0)
			craft_event(c, "20", "%d %d", 2000 + i, i);
		else if (i % types == 1)
			craft_event(c, "21", "%d 'text %d'", 2000 + i, i);
		else
			craft_event(c, "22", "%d %d d0.5", 2000 + i, i);
	}
}

static void whole_chunk(struct craft *c, int count, int types)
{
	craft_chunk(c);
	craft_checkpoint(c, "0");
	events(c, count, types);
	craft_metadata(c, THREE_TYPES);
	craft_end(c);
}

/* A chunk that ends, by its header, where metadata was. */
static void chunk_without_metadata(struct craft *c, int count, int types)
{
	craft_chunk(c);
	craft_checkpoint(c, "0");
	events(c, count, types);
	craft_end(c);
	craft_set(c, CRAFT_METADATA, 0);
}

/* One whose metadata can be parsed, but is not what was written. */
static void chunk_with_zeroed_metadata(struct craft *c, int count, int types)
{
	craft_chunk(c);
	craft_checkpoint(c, "0");
	events(c, count, types);
	c->metadata = craft_event(c, "0", "1000 0 1 1 'root' 0 0 0 x000000000000");
	craft_end(c);
}

/* A checkpoint without its last bytes: what its last constant lacks stands in the events behind it. */
static void chunk_with_torn_checkpoint(struct craft *c, const char *pool, size_t missing)
{
	size_t end;

	craft_chunk(c);
	craft_checkpoint(c, "1 %s", pool);
	end = c->bytes.len;
	events(c, 30, 3);
	memmove(c->bytes.data + end - missing, c->bytes.data + end, c->bytes.len - end);
	craft_cut(c, missing);
	craft_metadata(c, THREE_TYPES CLASS("30", "t.Header", FIELD("payload", T_BYTE, ARRAY)));
	craft_end(c);
}

/* The page of another chunk, which leads on to bytes that look like an event of any time. */
static void chunk_with_row_that_leads_on(struct craft *c)
{
	craft_chunk(c);
	events(c, 10, 3);
	for (int i = 0; i < 12; i++)
		craft_event(c, "20", "%lld %d", 3000000000LL + i, i);
	craft_event(c, "20", "6000000000 1");
	craft_raw(c, "x000000");
	events(c, 10, 3);
	craft_checkpoint(c, "0");
	craft_metadata(c, THREE_TYPES);
	craft_end(c);
}

static int64_t count_events(struct craft *c, uint64_t *damage)
{
	struct jfrec_reader *r = craft_open(c, NULL);
	const struct jfrec_event *ev;
	int64_t n = 0;

	*damage = 0;
	if (!r)
		return -1;
	while (jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	*damage = jfrec_reader_damage(r);
	jfrec_reader_close(r);
	return n;
}

static void check(const char *name, struct craft *c, int64_t want_events, uint64_t want_damage)
{
	uint64_t damage;

	test_begin(name);
	CHECK_INT(count_events(c, &damage), want_events);
	CHECK_INT((int64_t)damage, (int64_t)want_damage);
	craft_free(c);
}

/* A row of events that began after the chunk's end, a large one among them, as sound chunks have. */
static void chunk_with_late_row(struct craft *c)
{
	int64_t late = 3000000000;

	craft_chunk(c);
	events(c, 10, 3);
	craft_raw(c, "x000000");
	events(c, 10, 3);
	for (int i = 0; i < 21; i++) {
		if (i == 10)
			craft_event(c, "21", "%lld '%01200d'", (long long)late + i, 7);
		else
			craft_event(c, "20", "%lld %d", (long long)late + i, i);
	}
	events(c, 10, 3);
	craft_checkpoint(c, "0");
	craft_metadata(c, THREE_TYPES);
	craft_end(c);
}

/* Events of other types, in which there is a page of whole_chunk(): more events, of fewer bytes. */
static void chunk_with_page_of_another(struct craft *c)
{
	craft_chunk(c);
	for (int i = 0; i < 10; i++)
		craft_event(c, "30", "%d '%040d'", 2000 + i, i);
	events(c, 30, 3);
	for (int i = 0; i < 10; i++)
		craft_event(c, "31", "%d '%040d' %d", 3000 + i, i, i);
	craft_checkpoint(c, "0");
	craft_metadata(c, EVENT("30", "t.Line", START FIELD("s", T_STRING))
			       EVENT("31", "t.Numbered", START FIELD("s", T_STRING) FIELD("n", T_INT)));
	craft_end(c);
}

/* The events of a recording without its header, by the types and the clock of the other, or -code. */
static int64_t count_without_header(struct craft *c, struct craft *other, bool twice)
{
	char *path = strdup(craft_path(c));
	const char *types = craft_path(other);
	const struct jfrec_open_options options = {
		.struct_size = sizeof(options),
		.without_header = true,
	};
	const struct jfrec_event *ev;
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = jfrec_reader_open(path, &options, &err);
	int64_t n = 0;
	int got = 0;

	if (!r || (twice && jfrec_reader_add(r, path, &err) < 0) ||
	    jfrec_reader_types_from(r, types, &err) < 0)
		got = -1;
	while (got >= 0 && (got = jfrec_reader_next(r, &ev, &err)) > 0)
		n++;
	jfrec_reader_close(r);
	free(path);
	return got < 0 ? -(int64_t)err.code : n;
}

/* Of a recording of one chunk: print says that repair may read it, and with whose clock. */
static void check_given_clock(void)
{
	const struct jfrec_open_options rescuing = { .struct_size = sizeof(rescuing),
						     .rescue = true };
	struct craft c = { 0 }, other = { 0 }, none = { 0 };
	struct jfrec_reader *r;
	const struct jfrec_event *ev;
	int64_t n = 0;

	test_begin("a_header_is_made_with_the_clock_of_a_given_recording");
	whole_chunk(&other, 7, 3);
	whole_chunk(&c, 30, 3);
	memset(c.bytes.data + c.chunk, 0xff, 68);
	whole_chunk(&none, 30, 3);
	memset(none.bytes.data, 'x', none.bytes.len);
	r = jfrec_reader_open(craft_path(&c), &rescuing, NULL);
	CHECK(r && jfrec_reader_types_from(r, craft_path(&other), NULL) == 0);
	while (r && jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	CHECK_INT(n, 30);
	jfrec_reader_close(r);
	CHECK_INT(count_without_header(&c, &other, false), 30);
	CHECK_INT(count_without_header(&c, &other, true), 60);
	CHECK_INT(count_without_header(&other, &other, false), 7);
	CHECK_INT(count_without_header(&other, &c, false), -JFREC_EFORMAT);
	CHECK_INT(count_without_header(&none, &other, false), -JFREC_EFORMAT);
	craft_free(&c);
	craft_free(&other);
	craft_free(&none);
}

static void check_given(void)
{
	struct craft c = { 0 }, other = { 0 };
	struct jfrec_reader *r;
	const struct jfrec_event *ev;
	int64_t n = 0;

	test_begin("types_that_are_given_replace_none_that_fit_better");
	whole_chunk(&other, 40, 3);
	chunk_with_page_of_another(&c);
	r = craft_open(&c, NULL);
	CHECK(r && jfrec_reader_types_from(r, craft_path(&other), NULL) == 0);
	while (jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	CHECK_INT(n, 20);
	jfrec_reader_close(r);
	craft_free(&c);
	craft_free(&other);
}

int main(void)
{
	struct craft c = { 0 };

	chunk_with_late_row(&c);
	check("a_large_event_stands_in_a_late_row", &c, 51, 1);
	c = (struct craft){ 0 };
	chunk_with_row_that_leads_on(&c);
	check("a_late_row_does_not_lead_on_to_other_times", &c, 32, 1);
	check_given();
	check_given_clock();

	c = (struct craft){ 0 };

	whole_chunk(&c, 5, 3);
	chunk_without_metadata(&c, 30, 3);
	check("metadata_of_the_chunk_before", &c, 35, 1);

	c = (struct craft){ 0 };
	chunk_without_metadata(&c, 30, 3);
	whole_chunk(&c, 5, 3);
	check("metadata_of_the_chunk_behind", &c, 35, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	chunk_with_zeroed_metadata(&c, 30, 3);
	check("metadata_of_zeros_is_none", &c, 35, 1);

	c = (struct craft){ 0 };
	chunk_with_zeroed_metadata(&c, 30, 3);
	check("metadata_of_zeros_loses_all", &c, 0, 2);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	chunk_without_metadata(&c, 30, 2);
	check("two_types_may_be_chance", &c, 5, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	chunk_without_metadata(&c, 19, 3);
	check("nineteen_events_may_be_chance", &c, 5, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	chunk_without_metadata(&c, 30, 3);
	craft_set(&c, CRAFT_START_NS, 1700003600000000000);
	check("another_clock_is_another_jvm", &c, 5, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	craft_chunk(&c);
	craft_checkpoint(&c, "0");
	events(&c, 30, 3);
	craft_event(&c, "22", "2000 1 d1 7");
	craft_end(&c);
	craft_set(&c, CRAFT_METADATA, 0);
	check("one_event_that_does_not_fit_forbids_it", &c, 5, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	craft_set(&c, CRAFT_MAGIC, 0);
	whole_chunk(&c, 7, 3);
	check("a_first_header_may_be_lost", &c, 12, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 5, 3);
	whole_chunk(&c, 7, 3);
	craft_set(&c, CRAFT_MAGIC, 0);
	check("a_later_header_may_be_lost", &c, 12, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 30, 3);
	craft_set(&c, CRAFT_SIZE, 200);
	whole_chunk(&c, 7, 3);
	check("a_size_that_excludes_the_metadata_is_wrong", &c, 37, 1);

	c = (struct craft){ 0 };
	craft_chunk(&c);
	events(&c, 10, 3);
	craft_raw(&c, "x0000000000000000000000");
	events(&c, 10, 3);
	craft_checkpoint(&c, "0");
	craft_metadata(&c, THREE_TYPES);
	craft_end(&c);
	check("events_behind_zeros", &c, 20, 1);

	c = (struct craft){ 0 };
	craft_chunk(&c);
	events(&c, 10, 3);
	craft_raw(&c, "x000000");
	craft_event(&c, "20", "%lld 7", 1000LL + 4000LL * 1000000000);
	craft_event(&c, "20", "2500 8");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, THREE_TYPES);
	craft_end(&c);
	check("an_event_of_another_time_is_none", &c, 11, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 30, 3);
	memset(c.bytes.data + c.chunk, 0xff, 68);
	whole_chunk(&c, 7, 3);
	check("a_header_without_a_copy_is_made", &c, 37, 1);

	c = (struct craft){ 0 };
	whole_chunk(&c, 7, 3);
	whole_chunk(&c, 30, 3);
	memset(c.bytes.data + c.chunk, 0xff, 68);
	check("also_for_the_last_chunk", &c, 37, 1);

	c = (struct craft){ 0 };
	chunk_without_metadata(&c, 30, 3);
	memset(c.bytes.data + c.chunk, 0xff, 68);
	whole_chunk(&c, 7, 3);
	check("and_with_the_types_of_the_next", &c, 37, 2);

	c = (struct craft){ 0 };
	chunk_with_torn_checkpoint(&c, T_STRING " 1  7 'a text that is long enough for some whole events'",
				   38);
	check("a_torn_text_takes_no_event", &c, 30, 1);

	c = (struct craft){ 0 };
	chunk_with_torn_checkpoint(&c, "30 1  7  48 x464c5200464c5200464c5200464c5200464c5200464c5200"
				       "464c5200464c5200464c5200464c5200464c5200464c5200",
				   40);
	check("a_torn_array_takes_no_event", &c, 30, 1);
	return test_end();
}
