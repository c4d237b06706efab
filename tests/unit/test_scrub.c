/* SPDX-License-Identifier: MIT */
/*
 * test_scrub.c - what is secret is gone, in every encoding and place
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "builder.h"
#include "test.h"

#define THREAD "30"
#define SYMBOL "31"
#define GROUP  "32"

#define TYPES                                                                                     \
	EVENT("20", "app.Note",                                                                   \
	      START FIELD("text", T_STRING) FIELD("eventThread", THREAD, KEY) FIELD("n", T_INT)   \
		      FIELD("more", T_STRING, ARRAY))                                             \
	EVENT("21", "jdk.InitialSystemProperty",                                                  \
	      START FIELD("key", T_STRING) FIELD("value", T_STRING))                              \
	EVENT("22", "app.Other", START FIELD("text", T_STRING) FIELD("symbol", SYMBOL, KEY))      \
	EVENT("23", "app.Double", START FIELD("n", T_DOUBLE))                                     \
	CLASS(THREAD, "java.lang.Thread", FIELD("javaName", T_STRING) FIELD("group", GROUP, KEY)) \
	CLASS(GROUP, "jdk.types.ThreadGroup", FIELD("name", T_STRING))                            \
	CLASS(SYMBOL, "jdk.types.Symbol", SIMPLE FIELD("string", T_STRING))

/* A recording after scrubbing. */
struct scrubbed {
	uint8_t *bytes;
	size_t len;
	struct jfrec_scrubbed *report;
	struct jfrec_error err;
	char path[64];
};

static void read_back(struct scrubbed *s)
{
	FILE *f = fopen(s->path, "rb");
	long size = 0;

	if (f && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	s->len = size > 0 ? (size_t)size : 0;
	s->bytes = malloc(s->len + 1);
	if (f) {
		rewind(f);
		CHECK(fread(s->bytes, 1, s->len, f) == s->len);
		fclose(f);
	}
}

/* By the rules of these sets, parted by blanks, and of a YAML text. */
static struct jfrec_scrub_rules *make_rules(const char *sets, const char *yaml)
{
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	char path[] = "/tmp/jfrec-rules-XXXXXX";
	int fd = mkstemp(path);

	CHECK(write(fd, yaml, strlen(yaml)) == (ssize_t)strlen(yaml));
	close(fd);
	CHECK(jfrec_scrub_rules_salt(rules, "salt", NULL) == 0);
	CHECK(jfrec_scrub_rules_load(rules, path, NULL) == 0);
	unlink(path);
	if (strstr(sets, "paths"))
		CHECK(jfrec_scrub_rules_add(rules, "paths", NULL) == 0);
	if (strstr(sets, "hosts"))
		CHECK(jfrec_scrub_rules_add(rules, "hosts", NULL) == 0);
	if (strstr(sets, "default"))
		CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	return rules;
}

static struct scrubbed scrub(struct craft *c, const char *sets, const char *yaml)
{
	struct scrubbed s = { 0 };
	struct jfrec_scrub_rules *rules = make_rules(sets, yaml);
	struct jfrec_reader *r = craft_open(c, &s.err);
	struct jfrec_output *o;

	snprintf(s.path, sizeof(s.path), "/tmp/jfrec-scrub-%d.jfr", (int)getpid());
	o = jfrec_output_open(s.path, true, JFREC_PLAIN, &s.err);
	if (CHECK(r && o))
		s.report = jfrec_write_scrubbed(r, rules, NULL, NULL, o, &s.err);
	if (s.report && CHECK(jfrec_output_commit(o, NULL) == 0))
		read_back(&s);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	jfrec_scrub_rules_free(rules);
	return s;
}

static void scrubbed_free(struct scrubbed *s)
{
	unlink(s->path);
	free(s->bytes);
	jfrec_scrubbed_free(s->report);
}

static bool has(const struct scrubbed *s, const char *text)
{
	return memmem(s->bytes, s->len, text, strlen(text));
}

/* The text at a path of event number n; to be freed. */
static char *text_of(const struct scrubbed *s, int n, const char *path)
{
	struct jfrec_reader *r = jfrec_reader_open(s->path, NULL, NULL);
	const struct jfrec_event *ev;
	char *copy = NULL;

	while (r && jfrec_reader_next(r, &ev, NULL) > 0) {
		struct jfrec_value v;
		const char *text;

		if (n--)
			continue;
		v = jfrec_event_path(ev, path);
		text = jfrec_value_text(&v, NULL);
		copy = strdup(text ? text : "(null)");
	}
	jfrec_reader_close(r);
	return copy ? copy : strdup("(none)");
}

static void check_text(const struct scrubbed *s, int n, const char *path, const char *want)
{
	char *got = text_of(s, n, path);

	CHECK_TEXT(got, strlen(got), want);
	free(got);
}

static void encodings(void)
{
	struct craft c = { .string_encoding = 4 };
	struct scrubbed s;

	test_begin("secrets_in_all_encodings_and_places");
	craft_chunk(&c);
	/* password=käsé1234 in UTF-8, Latin-1 and UTF-16; alone in all of them */
	craft_event(&c, "20",
		    "2000 'x password=k\xc3\xa4s\xc3\xa9"
		    "1234' 1 7 2 'y' 'k\xc3\xa4s\xc3\xa9"
		    "1234'");
	craft_event(&c, "20",
		    "2001 l'my k\xe4s\xe9"
		    "1234!' 1 8 0");
	craft_event(&c, "20", "2002 u006b.00e4.0073.00e9.0031.0032.0033.0034.4e2d 1 9 0");
	craft_event(&c, "22", "2003 k5 6");
	craft_event(&c, "21", "2004 'app.x' 'Property4Of7Ours9'");
	craft_event(&c, "22", "2005 'has Property4Of7Ours9 in it' 7");
	craft_checkpoint(&c, "4 " T_STRING " 1 5 l'pool k\xe4s\xe9"
			     "1234' " THREAD " 1 1 'thread token=ThreadSecret' 3 " GROUP
			     " 1 3 'of ThreadSecret' " SYMBOL " 2 6 'a/b/ThreadSecret' 7 'a/b/C'");
	craft_metadata(&c,
		       TYPES EVENT("24", "app.Property4Of7Ours9",
				   START FIELD("x", T_INT,
					       ANNOTATION(T_LABEL, "value='pwd=LabelSecret'"))));
	craft_end(&c);
	s = scrub(&c, "default", "");
	CHECK(s.report);
	CHECK(!has(&s, "k\xc3\xa4s\xc3\xa9"));
	CHECK(!has(&s, "k\xe4s\xe9"));
	CHECK(!has(&s, "k\xe4\x01s\xe9\x01"));
	CHECK(!has(&s, "ThreadSecret") && !has(&s, "LabelSecret") && !has(&s, "Property4Of7Ours9"));
	check_text(&s, 0, "text", "x password=[redacted]");
	check_text(&s, 0, "eventThread.javaName", "thread token=[redacted]");
	check_text(&s, 0, "eventThread.group.name", "of [redacted]");
	check_text(&s, 1, "text", "my [redacted]!");
	check_text(&s, 2, "text", "[redacted]\xe4\xb8\xad");
	check_text(&s, 3, "text", "pool [redacted]");
	check_text(&s, 3, "symbol", "a/b/redacted");
	check_text(&s, 4, "value", "[redacted]");
	check_text(&s, 5, "text", "has [redacted] in it");
	check_text(&s, 5, "symbol", "a/b/C");
	CHECK(has(&s, "app.redacted"));
	CHECK(has(&s, "\x0e" "my [redacted]!")); /* still Latin-1: a byte for each character */
	scrubbed_free(&s);
	craft_free(&c);
}

static void numbers_stay(void)
{
	struct craft c = { 0 };
	struct scrubbed s;
	struct jfrec_reader *r;
	const struct jfrec_event *ev;

	test_begin("numbers_times_and_sizes_stay");
	craft_chunk(&c);
	for (int i = 0; i < 300; i++)
		craft_event(&c, "20", "%d 'n %d password=abcdef' 1 %d 1 'z'", 2000 + i, i,
			    i * 1000);
	craft_checkpoint(&c, "1 " THREAD " 1 1 'main' 0");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c, "default", "");
	r = jfrec_reader_open(s.path, NULL, NULL);
	for (int i = 0; CHECK(r) && i < 300; i++) {
		if (!CHECK(jfrec_reader_next(r, &ev, NULL) == 1))
			break;
		CHECK_INT(jfrec_event_path(ev, "n").i, i * 1000);
		CHECK_INT(jfrec_event_start_ns(ev), INT64_C(1700000000000000000) + 1000 + i);
	}
	CHECK(s.report && jfrec_scrubbed_finding_count(s.report) == 1 && jfrec_scrubbed_finding_get(s.report, 0)->count == 300);
	CHECK(s.report && strcmp(jfrec_scrubbed_finding_get(s.report, 0)->field, "text") == 0);
	jfrec_reader_close(r);
	scrubbed_free(&s);
	craft_free(&c);
}

static void own_rules(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("a_pooled_string_is_changed_for_one_event_only");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 k5 1 7 0");
	craft_event(&c, "22", "2001 k5 6");
	craft_checkpoint(&c, "3 " T_STRING " 1 5 'shared text' " THREAD " 1 1 'main' 0 " SYMBOL
			     " 1 6 'a/b/Shared'");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c, "",
		  "rules:\n- {event: Note, field: text, match: shared, everywhere: false}\n"
		  "- {match: Shared, replace: x}\n");
	check_text(&s, 0, "text", "[redacted] text");
	check_text(&s, 1, "text", "shared text");
	/* Names of classes are for rules that name them. */
	check_text(&s, 1, "symbol", "a/b/Shared");
	scrubbed_free(&s);

	test_begin("a_rule_for_a_field_that_is_a_constant");
	s = scrub(
		&c, "",
		"rules:\n- {event: 'app.*', field: eventThread.javaName, match: ma, hash: true}\n"
		"- {event: app.Other, field: symbol, match: b/Shared, replace: '\\0d', everywhere: false}\n"
		"- {event: metadata, field: name, match: app.Note, replace: app.Memo}\n");
	check_text(&s, 0, "eventThread.javaName", "97f9fd76d4e0in");
	check_text(&s, 1, "symbol", "a/b/Sharedd");
	CHECK(has(&s, "app.Memo") && !has(&s, "app.Note"));
	scrubbed_free(&s);
	craft_free(&c);
}

static void words(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("words_of_the_jdk_are_no_secrets");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'password=value and secret=17004096' 1 7 0");
	craft_event(&c, "20", "2001 'the value of 17004096' 1 7 0");
	craft_checkpoint(&c, "1 " THREAD " 1 1 'main' 0");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c, "default", "");
	check_text(&s, 0, "text", "password=[redacted] and secret=[redacted]");
	check_text(&s, 1, "text", "the value of [redacted]");
	scrubbed_free(&s);
	craft_free(&c);
}

static void leaks(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("what_is_left_as_bytes_is_found");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'password=hunter2x' 1 7 0");
	craft_event(&c, "23", "2001 x68756e7465723278");
	craft_checkpoint(&c, "1 " THREAD " 1 1 'main' 0");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c, "default", "");
	CHECK(!s.report);
	CHECK_INT(s.err.code, JFREC_ELEAK);
	CHECK(!strstr(s.err.text, "hunter2x"));
	CHECK(access(s.path, F_OK) < 0);
	scrubbed_free(&s);

	test_begin("what_may_be_elsewhere_is_no_leak");
	s = scrub(&c, "default", "rules:\n- {match: password=hunter, replace: password=, everywhere: false}\n");
	CHECK(s.report);
	check_text(&s, 0, "text", "password=[redacted]");
	scrubbed_free(&s);

	test_begin("without_rules_nothing_changes");
	s = scrub(&c, "", "");
	CHECK(s.report && jfrec_scrubbed_finding_count(s.report) == 0 && has(&s, "password=hunter2x"));
	scrubbed_free(&s);
	craft_free(&c);
}

static void later_chunks(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("a_secret_of_a_later_chunk_is_gone_from_the_first");
	for (int i = 0; i < 2; i++) {
		craft_chunk(&c);
		craft_event(&c, "20", "2000 '%sLaterSecret' 1 7 0", i ? "password=" : "just ");
		craft_checkpoint(&c, "1 " THREAD " 1 1 'main' 0");
		craft_metadata(&c, TYPES);
		craft_end(&c);
	}
	s = scrub(&c, "default", "");
	check_text(&s, 0, "text", "just [redacted]");
	check_text(&s, 1, "text", "password=[redacted]");
	scrubbed_free(&s);
	craft_free(&c);
}

int main(void)
{
	encodings();
	numbers_stay();
	own_rules();
	words();
	leaks();
	later_chunks();
	return test_end();
}
