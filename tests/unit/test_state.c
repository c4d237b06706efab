/* SPDX-License-Identifier: MIT */
/* test_state.c - what has been collected, and how much of it is kept */
#include "collect/retention.h"
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
	size_t bad, first_bad; /* lines that cost only themselves */
} rows[] = {
	{ "nothing_yet", "jfrec-collect 1\nend\n", NULL, 0, 0, 0, 0 },
	{ "both", "jfrec-collect 1\nchunk 5 6 7 r/c.jfr\nfile 100 -5 done a b.jfr\nend\n", NULL, 1,
	  1, 0, 0 },
	{ "each_step",
	  "jfrec-collect 1\nfile 1 1 written a\nfile 1 1 named b\nfile 1 1 done c\nend\n", NULL, 0,
	  3, 0, 0 },
	{ "a_chunk_twice_counts_once", "jfrec-collect 1\nchunk 5 6 7 r/c\nchunk 5 6 7 r/c\nend\n",
	  NULL, 1, 0, 0, 0 },
	{ "version_2", "jfrec-collect 2\nchunk 5 6 7 r/c%0A%25.jfr\nfile 1 1 done - a%C3%A4\nend\n",
	  NULL, 0, 1, 1, 2 },
	{ "an_owner", "jfrec-collect 2\nfile 1 1 done 1000 a\nfile 1 1 done 4294967295 b\nend\n",
	  NULL, 0, 2, 0, 0 },
	{ "an_owner_that_is_none",
	  "jfrec-collect 2\nfile 1 1 done -7 a\nfile 1 1 done 4294967296 b\nfile 1 1 done x c\n"
	  "end\n",
	  NULL, 0, 0, 3, 2 },
	{ "escapes_that_are_none", "jfrec-collect 2\nchunk 1 2 3 a%\nchunk 1 2 3 a%4\n"
				   "chunk 1 2 3 a%4a%4g\nchunk 1 2 3 %41\nend\n",
	  NULL, 1, 0, 3, 2 },
	{ "version_1_has_no_escapes", "jfrec-collect 1\nchunk 1 2 3 a%\nfile 1 1 done a%4\nend\n",
	  NULL, 1, 1, 0, 0 },
	{ "an_escaped_way_out", "jfrec-collect 2\nfile 1 1 done - %2E%2E%2Fa\nend\n", NULL, 0, 0, 1,
	  2 },
	{ "empty", "", "line 1: not a jfrec collect state file", 0, 0, 0, 0 },
	{ "newer", "jfrec-collect 3\nend\n", "or one written by a newer version", 0, 0, 0, 0 },
	{ "no_end", "jfrec-collect 1\nchunk 5 6 7 r/c\n", "is truncated", 0, 0, 0, 0 },
	{ "cut_in_a_line", "jfrec-collect 1\nchunk 5 6", "line 2: the file is truncated", 0, 0, 0, 0 },
	{ "cut_in_the_end", "jfrec-collect 1\nen", "line 2: the file is truncated", 0, 0, 0, 0 },
	{ "more_behind_the_end", "jfrec-collect 1\nend\nfile 1 1 done a\n", NULL, 0, 1, 0, 0 },
	{ "no_number", "jfrec-collect 1\nchunk x 6 7 r/c\nend\n", NULL, 0, 0, 1, 2 },
	{ "a_number_too_large", "jfrec-collect 1\nchunk 99999999999999999999 6 7 r/c\nend\n", NULL,
	  0, 0, 1, 2 },
	{ "no_name", "jfrec-collect 1\nfile 1 1 done \nend\n", NULL, 0, 0, 1, 2 },
	{ "a_name_that_leads_away", "jfrec-collect 1\nfile 1 1 done ../a\nend\n", NULL, 0, 0, 1,
	  2 },
	{ "a_hidden_name", "jfrec-collect 1\nfile 1 1 done .a\nend\n", NULL, 0, 0, 1, 2 },
	{ "a_step_that_is_none", "jfrec-collect 1\nfile 1 1 lost a\nend\n", NULL, 0, 0, 1, 2 },
	{ "a_negative_size", "jfrec-collect 1\nfile -1 1 done a\nend\n", NULL, 0, 0, 1, 2 },
	{ "a_line_of_nothing", "jfrec-collect 1\n\nend\n", NULL, 0, 0, 1, 2 },
	{ "a_control_character", "jfrec-collect 1\nfile 1 1 done a\tb\nend\n", NULL, 0, 0, 1, 2 },
	{ "another_line", "jfrec-collect 1\nfile 1 1 done a\nhello\nboom\nfile 1 1 done b\nend\n",
	  NULL, 0, 2, 2, 3 },
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
	CHECK_INT((int64_t)s.bad_lines, (int64_t)rows[i].bad);
	CHECK_INT((int64_t)s.first_bad, (int64_t)rows[i].first_bad);
	/* So that it is written without them. */
	CHECK_INT(s.changed, rows[i].bad > 0);
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
	CHECK(state_add_file(&s, "a name%41\xc3\xa4.jfr", NO_OWNER, 7, INT64_MAX, FILE_NAMED,
			     NULL) == 0);
	CHECK(state_add_file(&s, "b.jfr", 1000, 7, INT64_MAX, FILE_DONE, NULL) == 0);
	text = state_text(&s, &len);
	CHECK(state_parse(&again, text, len, NULL) == 0);
	text_again = state_text(&again, &len_again);
	CHECK_TEXT(text_again, len_again, text);
	CHECK_INT(again.changed, false);
	CHECK(again.file_count == 2 && strcmp(again.files[0].name, s.files[0].name) == 0);
	CHECK_INT(again.files[0].owner, NO_OWNER);
	CHECK_INT(again.files[1].owner, 1000);
	free(text);
	free(text_again);
	state_fini(&again);
	state_fini(&s);
}

/* What would be lines of its own is no name, and cannot be one. */
static void test_names(void)
{
	static const char *const hostile[] = {
		"a\nfile 1 1 done precious.txt\nb.jfr", "a\nboom\nb.jfr", "\n", "a\rb", "a\x1b]0;b",
		"a\x7f",				 "",
	};
	struct jfrec_error err = { 0 };
	struct state s = { 0 }, again;
	size_t len;
	char *text;

	test_begin("names_with_control_characters_are_refused");
	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		CHECK(state_add_chunk(&s, 1, 2, hostile[i], 3, &err) < 0);
		CHECK_INT(err.code, JFREC_EINVAL);
		CHECK(state_add_file(&s, hostile[i], 1, 2, 3, FILE_DONE, NULL) < 0);
	}
	CHECK(s.chunk_count == 0 && s.file_count == 0 && !s.changed);

	test_begin("other_odd_names_stay_what_they_are");
	CHECK(state_add_chunk(&s, 1, 2, " %0A \xff\x9b end", 3, NULL) == 0);
	text = state_text(&s, &len);
	CHECK(state_parse(&again, text, len, NULL) == 0);
	CHECK(state_knows(&again, 1, 2, " %0A \xff\x9b end", 3) && again.bad_lines == 0);
	free(text);
	state_fini(&again);
	state_fini(&s);

	test_begin("a_nul_costs_its_line");
	CHECK(state_parse(&s, "jfrec-collect 2\nchunk 1 2 3 a\0b\nchunk 1 2 3 c\nend\n", 50,
			  NULL) == 0);
	CHECK(s.chunk_count == 1 && s.bad_lines == 1);
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
	struct retention_room room;
	bool fits;
	size_t drop;
	bool full;
} keeps[] = {
	{ "no_limits", { 0 }, { 100, 1, 100, 0 }, true, 0, false },
	{ "a_full_disk", { 0 }, { 100, 1, 99, 0 }, false, 0, true },
	{ "room_for_it", { .size = 600 }, { 100, 1, 1000, 0 }, true, 0, false },
	{ "one_goes", { .size = 599 }, { 100, 1, 1000, 0 }, true, 1, false },
	{ "all_go", { .size = 100 }, { 100, 1, 1000, 0 }, true, 5, false },
	{ "larger_than_all", { .size = 100 }, { 101, 1, 1000, 0 }, false, 5, false },
	{ "so_many", { .files = 6 }, { 100, 1, 1000, 0 }, true, 0, false },
	{ "too_many", { .files = 2 }, { 100, 1, 1000, 0 }, true, 4, false },
	{ "both", { .files = 5, .size = 400 }, { 100, 1, 1000, 0 }, true, 2, false },
	{ "free_enough", { .free = 900 }, { 100, 1, 1000, 0 }, true, 0, false },
	{ "free_by_two", { .free = 1050 }, { 100, 1, 1000, 0 }, true, 2, false },
	{ "never_so_free", { .free = 1401 }, { 100, 1, 1000, 0 }, false, 5, true },
	{ "beyond_all_numbers",
	  { .free = UINT64_MAX, .size = UINT64_MAX },
	  { UINT64_MAX, 1, 1000, 0 },
	  false,
	  5,
	  true },
};

static void test_keep(size_t i)
{
	struct state s = { 0 };
	enum retention_result result;
	bool marks[5];
	size_t drop = 0;

	test_begin(keeps[i].name);
	for (int n = 0; n < 5; n++)
		state_add_file(&s, (const char[]){ (char)('a' + n), '\0' }, NO_OWNER, 100, n, FILE_DONE,
			       NULL);
	result = retention_choose(&s, &keeps[i].limits, &keeps[i].room, marks);
	CHECK_INT(result == RETENTION_FITS, keeps[i].fits);
	while (drop < 5 && marks[drop])
		drop++;
	if (keeps[i].fits)
		CHECK_INT((int64_t)drop, (int64_t)keeps[i].drop);
	CHECK_INT(result == RETENTION_FULL, keeps[i].full);
	state_fini(&s);
}

/* Files of several users: a letter each, of 100 bytes, the oldest first. */
static const struct {
	const char *name, *owners;
	struct collect_limits limits;
	struct retention_room room;
	enum retention_result result;
	const char *drop; /* x: it goes */
} shares[] = {
	{ "his_own_go_first",
	  "abbba",
	  { .size = 500 },
	  { 100, 1, 1000, 'b' },
	  RETENTION_FITS,
	  ".x..." },
	{ "who_has_most_gives",
	  "aaaab",
	  { .size = 500 },
	  { 100, 1, 1000, 'b' },
	  RETENTION_FITS,
	  "x...." },
	{ "and_never_who_has_less",
	  "abcde",
	  { .size = 500 },
	  { 200, 1, 1000, 'f' },
	  RETENTION_TOO_LARGE,
	  "....." },
	{ "a_large_one_pushes_out_none",
	  "aabbb",
	  { .size = 500 },
	  { 400, 1, 1000, 'f' },
	  RETENTION_TOO_LARGE,
	  "....." },
	{ "a_large_one_pushes_out_his_own",
	  "aabbb",
	  { .size = 500 },
	  { 300, 1, 1000, 'b' },
	  RETENTION_FITS,
	  "..xxx" },
	{ "shares_even_out",
	  "aaaaa",
	  { .size = 500 },
	  { 200, 1, 1000, 'b' },
	  RETENTION_FITS,
	  "xx..." },
	{ "by_number", "aabbb", { .files = 5 }, { 1, 1, 1000, 'a' }, RETENTION_FITS, "x...." },
	{ "by_number_who_has_most",
	  "abbbb",
	  { .files = 5 },
	  { 1, 1, 1000, 'a' },
	  RETENTION_FITS,
	  ".x..." },
	{ "of_nobody_first",
	  "a-b-a",
	  { .size = 500 },
	  { 200, 1, 1000, 'a' },
	  RETENTION_FITS,
	  ".x.x." },
	{ "for_the_disk",
	  "abbba",
	  { .free = 1000 },
	  { 100, 1, 900, 'a' },
	  RETENTION_FITS,
	  "xx..." },
};

static void test_share(size_t i)
{
	struct state s = { 0 };
	bool marks[5];

	test_begin(shares[i].name);
	for (int n = 0; n < 5; n++) {
		char owner = shares[i].owners[n];

		state_add_file(&s, (const char[]){ (char)('0' + n), '\0' },
			       owner == '-' ? NO_OWNER : owner, 100, n, FILE_DONE, NULL);
	}
	CHECK_INT(retention_choose(&s, &shares[i].limits, &shares[i].room, marks),
		  shares[i].result);
	for (int n = 0; n < 5 && shares[i].result == RETENTION_FITS; n++)
		CHECK_INT(marks[n], shares[i].drop[n] == 'x');
	state_fini(&s);
}

static void test_age(void)
{
	const struct collect_limits none = { 0 }, day = { .age_ns = DAY };
	struct state_file f = { .end_ns = 5 * DAY };

	test_begin("old_is_older_than_the_limit");
	CHECK(!retention_is_old(&none, &f, 100 * DAY));
	CHECK(!retention_is_old(&day, &f, 6 * DAY));
	CHECK(retention_is_old(&day, &f, 6 * DAY + 1));
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_text();
	test_names();
	test_disk();
	test_chunks();
	for (size_t i = 0; i < sizeof(keeps) / sizeof(*keeps); i++)
		test_keep(i);
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		test_share(i);
	test_age();
	return test_end();
}
