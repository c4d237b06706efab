/* SPDX-License-Identifier: MIT */
/* test_state.c - what has been collected, and how much of it is kept */
#include "collect/keep.h"
#include "collect/state.h"

#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define DAY 86400

/* Reading -------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *text;
	const char *refusal; /* NULL: it is read */
	size_t chunks, files;
} rows[] = {
	{ "nothing_yet", "jfrec-collect 1\nend\n", NULL, 0, 0 },
	{ "both", "jfrec-collect 1\nchunk 5 6 7 r/c.jfr\nfile 100 -5 done a b.jfr\nend\n", NULL, 1,
	  1 },
	{ "each_step",
	  "jfrec-collect 1\nfile 1 1 written a\nfile 1 1 named b\nfile 1 1 done c\nend\n", NULL, 0,
	  3 },
	{ "a_chunk_twice_counts_once", "jfrec-collect 1\nchunk 5 6 7 r/c\nchunk 5 6 7 r/c\nend\n",
	  NULL, 1, 0 },
	{ "empty", "", "line 1: this is no state", 0, 0 },
	{ "newer", "jfrec-collect 2\nend\n", "or of a newer one", 0, 0 },
	{ "no_end", "jfrec-collect 1\nchunk 5 6 7 r/c\n", "breaks off", 0, 0 },
	{ "cut_in_a_line", "jfrec-collect 1\nchunk 5 6", "line 2: makes no sense", 0, 0 },
	{ "cut_in_the_end", "jfrec-collect 1\nen", "line 2: makes no sense", 0, 0 },
	{ "more_behind_the_end", "jfrec-collect 1\nend\nfile 1 1 done a\n", "line 3: there is more",
	  0, 0 },
	{ "no_number", "jfrec-collect 1\nchunk x 6 7 r/c\nend\n", "line 2", 0, 0 },
	{ "a_number_too_large", "jfrec-collect 1\nchunk 99999999999999999999 6 7 r/c\nend\n",
	  "line 2", 0, 0 },
	{ "no_name", "jfrec-collect 1\nfile 1 1 done \nend\n", "line 2", 0, 0 },
	{ "a_name_that_leads_away", "jfrec-collect 1\nfile 1 1 done ../a\nend\n", "line 2", 0, 0 },
	{ "a_hidden_name", "jfrec-collect 1\nfile 1 1 done .a\nend\n", "line 2", 0, 0 },
	{ "a_step_that_is_none", "jfrec-collect 1\nfile 1 1 lost a\nend\n", "line 2", 0, 0 },
	{ "a_negative_size", "jfrec-collect 1\nfile -1 1 done a\nend\n", "line 2", 0, 0 },
	{ "a_line_of_nothing", "jfrec-collect 1\n\nend\n", "line 2", 0, 0 },
	{ "another_line", "jfrec-collect 1\nhello\nend\n", "line 2", 0, 0 },
};

static void test_row(size_t i)
{
	struct jfrec_error err = { 0 };
	struct state s;
	int ret = state_parse(&s, rows[i].text, strlen(rows[i].text), &err);

	test_begin(rows[i].name);
	CHECK_INT(ret, rows[i].refusal ? -1 : 0);
	CHECK_INT((int64_t)s.chunk_count, (int64_t)rows[i].chunks);
	CHECK_INT((int64_t)s.file_count, (int64_t)rows[i].files);
	if (rows[i].refusal) {
		CHECK_INT(err.code, JFREC_EINVAL);
		CHECK(strstr(err.text, rows[i].refusal) != NULL);
	}
	state_fini(&s);
}

/* What is written is read as the same. */
static void test_text(void)
{
	struct state s = { 0 }, again;
	size_t len, len_again;
	char *text, *text_again;

	test_begin("what_is_written_is_read");
	for (int i = 0; i < 1000; i++)
		CHECK(state_add_chunk(&s, i * 7919 % 1000, i, "r/c.jfr", i, NULL) == 0);
	CHECK(state_add_file(&s, "a name.jfr", 7, INT64_MAX, FILE_NAMED, NULL) == 0);
	text = state_text(&s, &len);
	CHECK(state_parse(&again, text, len, NULL) == 0);
	text_again = state_text(&again, &len_again);
	CHECK_TEXT(text_again, len_again, text);
	CHECK_INT(again.changed, false);
	free(text);
	free(text_again);
	state_fini(&again);
	state_fini(&s);
}

static void test_disk(void)
{
	char dir[] = "/tmp/jfrec-state-XXXXXX";
	struct state s, again;
	int fd;

	test_begin("on_the_disk");
	CHECK(mkdtemp(dir) != NULL);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(state_load(&s, fd, NULL) == 0 && s.chunk_count == 0);
	CHECK(state_add_chunk(&s, 1, 2, "r/c", 3, NULL) == 0 && s.changed);
	CHECK(state_save(&s, fd, NULL) == 0 && !s.changed);
	CHECK(state_load(&again, fd, NULL) == 0);
	CHECK(state_knows(&again, 1, 2, "r/c", 3));
	unlinkat(fd, "state", 0);
	CHECK(faccessat(fd, "state.new", F_OK, 0) < 0);
	rmdir(dir);
	CHECK(state_save(&s, fd, NULL) < 0);
	close(fd);
	state_fini(&again);
	state_fini(&s);
}

static void test_chunks(void)
{
	struct state s = { 0 };

	test_begin("a_chunk_is_all_of_its_marks");
	state_add_chunk(&s, 10, 20, "r/c", 0, NULL);
	CHECK(state_knows(&s, 10, 20, "r/c", 0));
	CHECK(!state_knows(&s, 11, 20, "r/c", 0));
	CHECK(!state_knows(&s, 10, 21, "r/c", 0));
	CHECK(!state_knows(&s, 10, 20, "r/d", 0));
	CHECK(!state_knows(&s, 10, 20, "q/c", 0));

	test_begin("seen_is_not_forgotten");
	state_add_chunk(&s, 11, 20, "r/c", 0, NULL);
	CHECK(state_knows(&s, 10, 20, "r/c", 5 * DAY));
	state_forget(&s, 8 * DAY);
	CHECK(state_knows(&s, 10, 20, "r/c", 8 * DAY));
	CHECK(!state_knows(&s, 11, 20, "r/c", 8 * DAY));

	test_begin("seen_again_at_once_is_no_change");
	s.changed = false;
	CHECK(state_knows(&s, 10, 20, "r/c", 8 * DAY + 10) && !s.changed);
	CHECK(state_knows(&s, 10, 20, "r/c", 9 * DAY) && s.changed);
	state_fini(&s);
}

/* Limits --------------------------------------------------------------------------------------- */

/* Five files of 100 bytes. */
static const struct {
	const char *name;
	struct collect_limits limits;
	struct keep_room room;
	bool fits;
	size_t drop;
	bool full;
} keeps[] = {
	{ "no_limits", { 0 }, { 100, 1, 100 }, true, 0, false },
	{ "a_full_disk", { 0 }, { 100, 1, 99 }, false, 0, true },
	{ "room_for_it", { .size = 600 }, { 100, 1, 1000 }, true, 0, false },
	{ "one_goes", { .size = 599 }, { 100, 1, 1000 }, true, 1, false },
	{ "all_go", { .size = 100 }, { 100, 1, 1000 }, true, 5, false },
	{ "larger_than_all", { .size = 100 }, { 101, 1, 1000 }, false, 5, false },
	{ "so_many", { .files = 6 }, { 100, 1, 1000 }, true, 0, false },
	{ "too_many", { .files = 2 }, { 100, 1, 1000 }, true, 4, false },
	{ "both", { .files = 5, .size = 400 }, { 100, 1, 1000 }, true, 2, false },
	{ "free_enough", { .free = 900 }, { 100, 1, 1000 }, true, 0, false },
	{ "free_by_two", { .free = 1050 }, { 100, 1, 1000 }, true, 2, false },
	{ "never_so_free", { .free = 1401 }, { 100, 1, 1000 }, false, 5, true },
	{ "beyond_all_numbers",
	  { .free = UINT64_MAX, .size = UINT64_MAX },
	  { UINT64_MAX, 1, 1000 },
	  false,
	  5,
	  true },
};

static void test_keep(size_t i)
{
	struct state s = { 0 };
	bool full = false;
	size_t drop = 0;

	test_begin(keeps[i].name);
	for (int n = 0; n < 5; n++)
		state_add_file(&s, (const char[]){ (char)('a' + n), '\0' }, 100, n, FILE_DONE,
			       NULL);
	CHECK_INT(keep_choose(&s, &keeps[i].limits, &keeps[i].room, &drop, &full), keeps[i].fits);
	if (keeps[i].fits)
		CHECK_INT((int64_t)drop, (int64_t)keeps[i].drop);
	CHECK_INT(full, keeps[i].full);
	state_fini(&s);
}

static void test_age(void)
{
	const struct collect_limits none = { 0 }, day = { .age_ns = DAY };
	struct state_file f = { .end_ns = 5 * DAY };

	test_begin("old_is_older_than_the_limit");
	CHECK(!keep_is_old(&none, &f, 100 * DAY));
	CHECK(!keep_is_old(&day, &f, 6 * DAY));
	CHECK(keep_is_old(&day, &f, 6 * DAY + 1));
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_text();
	test_disk();
	test_chunks();
	for (size_t i = 0; i < sizeof(keeps) / sizeof(*keeps); i++)
		test_keep(i);
	test_age();
	return test_end();
}
