/* SPDX-License-Identifier: MIT */
/*
 * test_rules.c - what rules take away, and files of rules
 */
#include "scrub/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "jfrec-tool.h"
#include "scrub/encoded.h"
#include "scrub/text_set.h"
#include "settings/yaml.h"
#include "test.h"

/* The text after all rules, one after the other; to be freed. */
static char *after(const struct jfrec_scrub_rules *rules, const char *text)
{
	char *now = strdup(text);

	for (unsigned i = 0; i < rules->count; i++) {
		struct buffer to = { 0 };

		if (rule_is_for(&rules->rules[i], NULL, 0) && !rules->rules[i].event &&
		    !rules->rules[i].field &&
		    rule_apply(rules, &rules->rules[i], now, strlen(now), &to, NULL, NULL)) {
			free(now);
			now = strndup((char *)to.data, to.len);
		}
		buffer_fini(&to);
	}
	return now;
}

static void check_after(const struct jfrec_scrub_rules *rules, const char *text, const char *want)
{
	char *got = after(rules, text);

	CHECK_TEXT(got, strlen(got), want);
	free(got);
}

static void defaults(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "nothing here", "nothing here" },
		{ "jdbc:postgres://me:pw@db/x", "jdbc:postgres://[redacted]:[redacted]@db/x" },
		{ "http://u:a@b:c@host/ and ftp://x:y@h",
		  "http://[redacted]:[redacted]@host/ and ftp://[redacted]:[redacted]@h" },
		{ "https://0123456789abcdef@host", "https://[redacted]@host" },
		{ "ssh://git@host/path", "ssh://git@host/path" },
		{ "password=a", "password=[redacted]" },
		{ "x PASSWORD: abc;next", "x PASSWORD: [redacted];next" },
		{ "db.password=a&user=b&api_key=c",
		  "db.password=[redacted]&user=b&api_key=[redacted]" },
		{ "-Dmy.secret.key=x -Xmx1g", "-Dmy.secret.key=[redacted] -Xmx1g" },
		{ "{\"password\": \"a b\", \"n\": 1}", "{\"password\": \"[redacted]\", \"n\": 1}" },
		{ "pwd='a b' c", "pwd='[redacted]' c" },
		{ "run --password hunter2 --verbose", "run --password [redacted] --verbose" },
		{ "run --token -x", "run --token -x" },
		{ "Authorization: Basic dXNlcjpwdw==", "Authorization: Basic [redacted]" },
		{ "bearer 0123456789abcdefXYZ.", "bearer [redacted]" },
		{ "unexpected token: class", "unexpected token: class" },
		{ "AKIAIOSFODNN7EXAMPLE", "[redacted]" },
		{ "p\xc3\xa4ssword=\xc3\xa4\xc3\xb6", "p\xc3\xa4ssword=\xc3\xa4\xc3\xb6" },
		{ "password=\xc3\xa4\xc3\xb6 x", "password=[redacted] x" },
	};
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);

	test_begin("the_default_rules_find_secrets_in_texts");
	CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_after(rules, rows[i].text, rows[i].want);
	jfrec_scrub_rules_free(rules);

	test_begin("the_built_in_rules_are_right");
	rules = jfrec_scrub_rules_new(NULL);
	CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "hosts", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "paths", NULL) == 0);
	for (unsigned i = 0; i < rules->count; i++) {
		const struct rule *r = &rules->rules[i];

		CHECK(!r->regex == !!r->find);
		CHECK(!r->regex || !r->regex->compiled);
		CHECK(!r->regex || rule_check(r, r->regex->pattern, r->regex->flags & REG_ICASE,
					      NULL) == 0);
	}
	jfrec_scrub_rules_free(rules);

	test_begin("names_of_secrets");
	rules = jfrec_scrub_rules_new(NULL);
	CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	for (unsigned i = 0; i < rules->count; i++) {
		const struct rule *r = &rules->rules[i];

		if (strcmp(r->name, "secret by its name") != 0)
			continue;
		CHECK(rule_is_for(r, "DB_PASSWORD", 11));
		CHECK(rule_is_for(r, "javax.net.ssl.keyStorePassword", 30));
		CHECK(!rule_is_for(r, "PWD", 3));
		CHECK(!rule_is_for(r, NULL, 0));
	}
	jfrec_scrub_rules_free(rules);

	test_begin("sets_have_names");
	rules = jfrec_scrub_rules_new(NULL);
	CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "hosts", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "paths", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "others", NULL) < 0);
	jfrec_scrub_rules_free(rules);
}

static void tokens(void)
{
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);

	test_begin("tokens_stand_for_texts");
	CHECK(jfrec_scrub_rules_salt(rules, "salt", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "hosts", NULL) == 0);
	CHECK(jfrec_scrub_rules_add(rules, "paths", NULL) == 0);
	/* printf hello | openssl dgst -sha256 -hmac salt */
	check_after(rules, "http://hello/x", "http://host-86a81c302313/x");
	check_after(rules, "/home/hello/x", "/home/user-86a81c302313/x");
	check_after(rules, "10.1.2.3 10.1.2.3:80", "ip-6da902d76297 ip-6da902d76297:80");
	check_after(rules, "version 1.2.3", "version 1.2.3");
	check_after(rules, "12:30:45 Foo::bar", "12:30:45 Foo::bar");
	jfrec_scrub_rules_free(rules);
}

static void digests(void)
{
	static const char want[] =
		"\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23"
		"\xb0\x03\x61\xa3\x96\x17\x7a\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad";
	uint8_t got[SHA256_SIZE];
	struct sha256 s;

	test_begin("sha256_of_abc"); /* FIPS 180-2, B.1 */
	sha256_init(&s);
	sha256_update(&s, "abc", 3);
	sha256_final(&s, got);
	CHECK(memcmp(got, want, sizeof(got)) == 0);
}

/* Hunting ----------------------------------------------------------------------------------------
 */

static bool finds(const struct text_set *h, const char *bytes, size_t want_at, const char *want)
{
	size_t at = 0, len = 0;
	const struct text_set_text *t =
		text_set_find(h, (const uint8_t *)bytes, strlen(bytes), &at, &len);

	if (!want)
		return !t;
	return t && at == want_at && len == t->len && t->len == strlen(want) && memcmp(t->bytes, want, t->len) == 0;
}

/* What took length times length: a long text, and bytes that nearly are it everywhere. */
static void long_texts(void)
{
	static char secret[50001], bytes[8 << 20];
	struct text_set h = { 0 };
	size_t at, found, n = 0;
	clock_t start = clock();

	test_begin("long_texts_take_linear_time");
	memset(secret, 'a', 50000);
	memset(bytes, 'a', sizeof(bytes));
	secret[50000] = 'b';
	text_set_add(&h, secret, sizeof(secret));
	for (int i = 0; i < 2000; i++) {
		snprintf(secret + 200, 20, "%d", i);
		text_set_add(&h, secret, strlen(secret));
	}
	CHECK(text_set_ready(&h) == 0);
	for (size_t i = 0; i + TEXT_SET_MIN < sizeof(bytes); i += at + found, n++) {
		if (!text_set_find(&h, (uint8_t *)bytes + i, sizeof(bytes) - i, &at, &found))
			break;
		CHECK(at == 0 && found >= TEXT_SET_WINDOW && found <= 50000);
	}
	CHECK_INT((int)n, (8 << 20) / 50000 + 1);
	/* Only nearly: what is less than a window is not taken for the text. */
	for (size_t i = TEXT_SET_WINDOW - 1; i < sizeof(bytes); i += TEXT_SET_WINDOW)
		bytes[i] = 'c';
	CHECK(!text_set_find(&h, (uint8_t *)bytes, sizeof(bytes), &at, &found));
	/* Comparing each place with all of the text takes ten times as long. */
	CHECK(clock() - start < 4 * CLOCKS_PER_SEC);
	text_set_fini(&h);
}

static bool has_text(const struct text_set *h, const char *text)
{
	size_t at, len;
	const struct text_set_text *t =
		text_set_find(h, (const uint8_t *)text, strlen(text), &at, &len);

	return t && at == 0 && len == strlen(text);
}

static void encodings(void)
{
	/* printf 'Käse/&"1' | base64, with no, one and two bytes before it; and so on */
	static const char *const forms[] = {
		"S8Okc2UvJiIx", "Lw6RzZS8mIj", "vDpHNlLyYiM", "4bc3a473652f262231",
		"4BC3A473652F262231", "K%C3%A4se%2F%26%221", "K%c3%a4se%2f%26%221",
		"K\xc3\xa4se/&\\\"1", "K\xc3\xa4se\\/&\\\"1", "K\\u00e4se/&\\\"1",
		"K\xc3\xa4se/&amp;&quot;1",
		"\\u004b\\u00e4\\u0073\\u0065\\u002f\\u0026\\u0022\\u0031",
	};
	static const struct {
		const char *text, *want;
	} decoded[] = {
		{ "p%40ss%2Fword", "p@ss/word" }, { "a\\u0041\\/b", "aA/b" },
		{ "x&amp;y&lt;", "x&y<" },	   { "dXNlcjpodW50ZXIyLXB3", "hunter2-pw" },
		{ "plain", NULL },		   { "100%", NULL },
	};
	struct buffer to = { 0 };
	struct text_set h = { 0 };

	test_begin("secrets_are_known_in_other_forms");
	encoded_add(&h, (const uint8_t *)"K\xc3\xa4se/&\"1", 9);
	CHECK(text_set_ready(&h) == 0);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (!CHECK(has_text(&h, forms[i])))
			printf("# %s\n", forms[i]);
	}
	text_set_fini(&h);

	test_begin("secrets_are_decoded");
	for (size_t i = 0; i < sizeof(decoded) / sizeof(*decoded); i++) {
		bool found = encoded_decode(decoded[i].text, strlen(decoded[i].text), &to);

		CHECK(found == (decoded[i].want != NULL));
		if (found && decoded[i].want)
			CHECK_TEXT((char *)to.data, to.len, decoded[i].want);
	}
	buffer_fini(&to);
}

static void hunting(void)
{
	static const char *const texts[] = { "abcd", "abcdef", "abcdefgh", "bcde",
					     "xyzw", "abcx",   "abc" };
	struct text_set h = { 0 };

	test_begin("the_first_and_longest_text_is_found");
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		text_set_add(&h, texts[i], strlen(texts[i]));
	text_set_add(&h, "abcd", 4);
	CHECK(text_set_ready(&h) == 0);
	CHECK_INT(h.count, 6); /* not the short one, and none twice */
	CHECK(finds(&h, "__abcd__", 2, "abcd"));
	CHECK(finds(&h, "__abcdeg", 2, "abcd"));
	CHECK(finds(&h, "abcdefg", 0, "abcdef"));
	CHECK(finds(&h, "abcdefghi", 0, "abcdefgh"));
	CHECK(finds(&h, "abcexyzw", 4, "xyzw"));
	CHECK(finds(&h, "abc", 0, NULL));
	CHECK(finds(&h, "", 0, NULL));

	test_begin("what_is_common_is_forgotten");
	CHECK(text_set_forget(&h, (const uint8_t *)"some abcdef here", 16) == 0);
	CHECK(finds(&h, "abcdefg bcde", 0, NULL));
	CHECK(finds(&h, "abcdefgh", 0, "abcdefgh"));
	CHECK(finds(&h, "abcxyzw", 0, "abcx"));
	text_set_fini(&h);
}

/* Files ------------------------------------------------------------------------------------------
 */

static struct jfrec_yaml_node *parse(struct arena *a, const char *text, struct jfrec_error *err)
{
	return yaml_parse(a, text, strlen(text), err);
}

static void yaml(void)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "a: 1\na: 2", "line 2, column 1: this key occurs twice" },
		{ "a: &x 1", "line 1, column 4: anchors, aliases and tags are not allowed here" },
		{ "a: !!str 1", "line 1, column 4: anchors, aliases and tags are not allowed here" },
		{ "a: *x", "line 1, column 4: anchors, aliases and tags are not allowed here" },
		{ "[a]: 1", "line 1, column 1: a key must be a text" },
		{ "a: 1\n---\nb: 2", "line 2, column 1: there is a second document" },
		{ "a: \"x\\0y\"", "line 1, column 4: a text contains a NUL byte" },
		{ "a: [1", "line 2, column 1: did not find expected ',' or ']'" },
		{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1",
		  "line 1, column 41: this is nested too deeply" },
	};
	struct arena a = { 0 };
	struct jfrec_error err;
	struct jfrec_yaml_node *n;

	test_begin("yaml_is_read");
	n = parse(&a, "a: x\nb: [1, '2']\nc: {d: true}", &err);
	CHECK(n && n->kind == JFREC_YAML_MAP && strcmp(n->first->key, "a") == 0);
	CHECK(n && n->first->next->kind == JFREC_YAML_LIST && n->first->next->first->next->quoted);
	CHECK(n && n->last->first->line == 3 && n->last->first->column == 8);
	n = parse(&a, "", &err);
	CHECK(n && n->kind == JFREC_YAML_MAP && !n->first);

	test_begin("yaml_is_read_strictly");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK(!parse(&a, rows[i].text, &err));
		CHECK_INT(err.code, JFREC_EINVAL);
		CHECK_TEXT(err.text, strlen(err.text), rows[i].why);
	}
	arena_fini(&a);
}

static int load(struct jfrec_scrub_rules *rules, const char *text, struct jfrec_error *err)
{
	char path[] = "/tmp/jfrec-rules-XXXXXX";
	int fd = mkstemp(path), ret;

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	ret = jfrec_scrub_rules_load(rules, path, err);
	unlink(path);
	return ret;
}

static void files(void)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "[]", "line 1, column 1: the document must be a map with the key rules:" },
		{ "rule: x", "line 1, column 7: unknown key rule" },
		{ "rules: x", "line 1, column 8: rules must be a list" },
		{ "rules:\n- x",
		  "line 2, column 3: a rule must be a map with the key match:" },
		{ "rules:\n- name: x", "line 2, column 3: a rule needs the key match" },
		{ "rules:\n- macth: x", "line 2, column 10: a rule has no key macth" },
		{ "rules:\n- match: ''", "line 2, column 10: match must be a text that is not empty" },
		{ "rules:\n- match: (x", "line 2, column 10: Unmatched ( or \\(" },
		{ "rules:\n- match: (a)\\1",
		  "line 2, column 10: \\1 is for the replacement, not for the expression" },
		{ "rules:\n- match: ((a{90}){90}){90}",
		  "line 2, column 10: its repetitions make the expression too large" },
		{ "rules:\n- match: a+++", "line 2, column 10: a repetition must not be repeated" },
		{ "rules:\n- match: x\n  replace: \\2",
		  "line 2, column 10: \\2, but the expression has 0 groups" },
		{ "rules:\n- match: x\n  replace: a\\",
		  "line 2, column 10: a digit, h or another \\ must follow a \\" },
		{ "rules:\n- match: x\n  hash: yes", "line 3, column 9: hash must be true or false" },
		{ "rules:\n- match: x\n  replace: y\n  hash: true",
		  "line 4, column 9: hash or replace, with \\h in it" },
	};
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	struct jfrec_error err;

	test_begin("rules_of_a_file");
	CHECK(load(rules,
		   "salt: salt\nrules:\n- {match: 'C-([0-9]{4})[0-9]+', replace: 'C-\\1**'}\n"
		   "- {match: 'id=([a-z]+)', replace: 'id=\\h'}\n"
		   "- {match: 'blank', ignore-case: true, replace: ''}\n",
		   &err) == 0);
	CHECK_INT(rules->count, 3);
	check_after(rules, "C-1234567 and C-99998", "C-1234** and C-9999**");
	check_after(rules, "a BlanK b", "a  b");
	check_after(rules, "id=hello", "id=86a81c302313"); /* of what is behind the `=` */

	test_begin("wrong_files_say_where");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK(load(rules, rows[i].text, &err) < 0);
		CHECK_TEXT(err.text, strlen(err.text), rows[i].why);
	}
	CHECK(jfrec_scrub_rules_load(rules, "/nonexistent", &err) < 0 && err.code == JFREC_EIO);
	jfrec_scrub_rules_free(rules);
}

int main(void)
{
	defaults();
	tokens();
	digests();
	hunting();
	long_texts();
	encodings();
	yaml();
	files();
	return test_end();
}
