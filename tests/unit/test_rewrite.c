/* SPDX-License-Identifier: MIT */
/*
 * test_rewrite.c - what stays of a chunk, and what takes another's place
 */
#include "edit/rewrite.h"

#include <stdlib.h>
#include <unistd.h>

#include "builder.h"
#include "format/string.h"
#include "test.h"

#define THREAD	   "100"
#define GROUP	   "101"
#define EVENT_TYPE "20"

/*
 * Five events of threads 1, 2, 2, 3 (which is not there) and 1; thread 1 is of
 * group 7, thread 2 of group 8, which is in group 7.  A string by key and thread
 * 9, which nobody needs, are there as well.
 */
static void build(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, EVENT_TYPE, "1001 1 'one'");
	craft_event(c, EVENT_TYPE, "1002 2 k5");
	craft_checkpoint(c, "2  " THREAD " 1  9 'nine' 0  " GROUP " 1  7 'lies' 0");
	craft_event(c, EVENT_TYPE, "1003 2 'three'");
	craft_event(c, "99", "1003");
	craft_event(c, EVENT_TYPE, "1004 3 null");
	craft_event(c, EVENT_TYPE, "1005 1 ''");
	craft_checkpoint(c, "3  " THREAD " 2  1 'main' 7  2 'other' 8  " GROUP
			    " 2  7 'top' 0  8 'sub' 7  " T_STRING " 2  5 'five' 6 'six'");
	craft_metadata(c,
		       EVENT(EVENT_TYPE, "t.Tick",
			     START FIELD("thread", THREAD, KEY) FIELD("text", T_STRING))
			       CLASS(THREAD, "java.lang.Thread",
				     FIELD("javaName", T_STRING) FIELD("group", GROUP, KEY))
				       CLASS(GROUP, "jdk.types.ThreadGroup",
					     FIELD("name", T_STRING) FIELD("parent", GROUP, KEY)));
	craft_end(c);
}

static char path[] = "/tmp/jfrec-rewrite-XXXXXX";

/* Rewrite the chunk to the file; returns what rewrite_chunk() does. */
static int rewrite_to_file(const struct rewrite *how, struct tally *tally, struct jfrec_error *err)
{
	struct craft c = { 0 };
	struct chunk_writer w = { 0 };
	struct jfrec_output *o = jfrec_output_open(path, true, JFREC_PLAIN, NULL);
	struct jfrec_reader *r;
	struct chunk *chunk;
	int ret;

	build(&c);
	r = craft_open(&c, NULL);
	CHECK(source_next(reader_source(r), &chunk, NULL) == 1);
	ret = rewrite_chunk(reader_source(r), chunk, how, &w, o, tally, err);
	chunk_unref(chunk);
	jfrec_reader_close(r);
	if (ret > 0)
		CHECK_INT(jfrec_output_commit(o, NULL), 0);
	chunk_writer_fini(&w);
	jfrec_output_close(o);
	craft_free(&c);
	return ret;
}

/* The names of the threads, their groups, and the texts. */
static const char *events(void)
{
	static const char *const paths[] = { "thread.javaName", "thread.group.name",
					     "thread.group.parent.name", "text" };
	static char text[1000];
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, NULL);
	const struct jfrec_event *ev;

	text[0] = '\0';
	while (r && jfrec_reader_next(r, &ev, NULL) > 0) {
		for (int i = 0; i < 4; i++) {
			struct jfrec_value v = jfrec_event_path(ev, paths[i]);
			const char *s = jfrec_value_text(&v, NULL);

			strcat(strcat(text, s ? s : "-"), i < 3 ? " " : "; ");
		}
	}
	CHECK(r && jfrec_reader_damage(r) == 0);
	jfrec_reader_close(r);
	return text;
}

/* How many constants of each of the three types there are. */
static void check_constants(uint32_t threads, uint32_t groups, uint32_t strings)
{
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, NULL);
	struct chunk *c;

	CHECK(source_next(reader_source(r), &c, NULL) == 1);
	CHECK_INT(pool_at(&c->pools, metadata_type(c->metadata, 100)->index)->count, threads);
	CHECK_INT(pool_at(&c->pools, metadata_type(c->metadata, 101)->index)->count, groups);
	CHECK_INT(pool_at(&c->pools, metadata_type(c->metadata, 10)->index)->count, strings);
	chunk_unref(c);
	jfrec_reader_close(r);
}

static bool is_second_thread(void *ctx, const struct jfrec_event *ev)
{
	struct jfrec_value v = jfrec_event_path(ev, "thread.javaName");
	const char *name = jfrec_value_text(&v, NULL);

	(void)ctx;
	return name && strcmp(name, "other") == 0;
}

static bool none(void *ctx, const struct jfrec_event *ev)
{
	(void)ctx, (void)ev;
	return false;
}

static void test_keep(void)
{
	struct tally tally = { 0 };
	struct rewrite how = { 0 };

	test_begin("all_events_and_the_constants_they_need");
	CHECK_INT(rewrite_to_file(&how, &tally, NULL), 1);
	/* Of two groups 7 the older one counts, as everywhere. */
	CHECK(strcmp(events(), "main lies - one; other sub lies five; other sub lies three; "
			       "- - - -; main lies - ; ") == 0);
	check_constants(2, 2, 1);
	tally_finish(&tally);
	CHECK_INT((int64_t)tally.count, 1);
	CHECK_INT((int64_t)tally.rows[0].kept, 5);
	tally_fini(&tally);

	test_begin("some_events");
	how.selects = is_second_thread;
	CHECK_INT(rewrite_to_file(&how, &tally, NULL), 1);
	CHECK(strcmp(events(), "other sub lies five; other sub lies three; ") == 0);
	check_constants(1, 2, 1);
	tally_finish(&tally);
	CHECK_INT((int64_t)tally.rows[0].kept, 2);
	CHECK_INT((int64_t)tally.rows[0].dropped, 3);
	tally_fini(&tally);

	test_begin("no_event_is_no_chunk");
	how.selects = none;
	CHECK_INT(rewrite_to_file(&how, &tally, NULL), 0);
	tally_fini(&tally);
}

/* "one" becomes a key, all else in thread 1's events stays. */
static int replace(void *ctx, const struct jfrec_event *ev, struct buffer *to,
		   struct jfrec_error *err)
{
	struct jfrec_value v = jfrec_event_path(ev, "text");
	const char *text = jfrec_value_text(&v, NULL);

	(void)err;
	if (!text || strcmp(text, "one") != 0)
		return 0;
	buffer_varint(to, *(int *)ctx);
	buffer_varint(to, 20);
	buffer_varint(to, 1001);
	buffer_varint(to, 1);
	buffer_u8(to, STRING_KEY);
	buffer_varint(to, 6);
	return 1;
}

static int rename_main(void *ctx, const struct jfrec_type *type, uint64_t key, const uint8_t *value,
		       size_t len, struct buffer *to, struct jfrec_error *err)
{
	(void)ctx, (void)value, (void)len, (void)err;
	if (strcmp(type->name, "java.lang.Thread") != 0 || key != 1)
		return 0;
	buffer_u8(to, STRING_EMPTY);
	buffer_varint(to, 8);
	return 1;
}

static void test_replace(void)
{
	struct tally tally = { 0 };
	int size = 7;
	struct rewrite how = { .replace = replace, .ctx = &size };
	struct jfrec_error err;

	test_begin("an_event_is_replaced");
	CHECK_INT(rewrite_to_file(&how, &tally, &err), 1);
	CHECK(strncmp(events(), "main lies - six; other ", 23) == 0);
	check_constants(2, 2, 2);

	test_begin("a_replacement_must_be_an_event");
	size = 8;
	CHECK_INT(rewrite_to_file(&how, &tally, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);

	test_begin("a_constant_is_replaced");
	how = (struct rewrite){ .replace_constant = rename_main };
	CHECK_INT(rewrite_to_file(&how, &tally, &err), 1);
	CHECK(strncmp(events(), " sub lies one; other ", 21) == 0);
	check_constants(2, 2, 1);
	tally_fini(&tally);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_keep();
	test_replace();
	unlink(path);
	return test_end();
}
