/* SPDX-License-Identifier: MIT */
/* test_quote.c - values of diagnostic commands, or why they cannot be said */
#include "jfr/quote.h"

#include "test.h"

static const struct {
	const char *name, *key, *value;
	const char *text;    /* behind "JFR.start "; NULL: refused */
	const char *refusal; /* a part of the sentence */
} rows[] = {
	{ "plain", "name", "a_B.9", "name=a_B.9", NULL },
	{ "path", "filename", "/tmp/a-b.jfr", "filename=/tmp/a-b.jfr", NULL },
	{ "comma_is_plain", "filename", "/tmp/a,b.jfr", "filename=/tmp/a,b.jfr", NULL },
	{ "sign_of_equality", "name", "a=b", "name=a=b", NULL },
	{ "percent", "filename", "/tmp/%p.jfr", "filename=/tmp/%p.jfr", NULL },
	{ "blank", "name", "my recording", "name=\"my recording\"", NULL },
	{ "only_a_blank", "name", " ", "name=\" \"", NULL },
	{ "double_quote", "name", "say \"hi\"", "name='say \"hi\"'", NULL },
	{ "single_quote", "name", "it's", "name=\"it's\"", NULL },
	{ "semicolon", "name", "a;b", "name=\"a;b\"", NULL },
	{ "backslash_inside", "name", "a\\b", "name=\"a\\b\"", NULL },
	{ "utf8", "name", "caf\xc3\xa9", "name=\"caf\xc3\xa9\"", NULL },
	{ "utf8_of_four_bytes", "name", "\xf0\x9f\x90\xa2", "name=\"\xf0\x9f\x90\xa2\"", NULL },
	{ "last_code_point", "name", "\xf4\x8f\xbf\xbf", "name=\"\xf4\x8f\xbf\xbf\"", NULL },
	{ "setting_of_an_event", "jdk.FileRead#threshold", "20 ms",
	  "jdk.FileRead#threshold=\"20 ms\"", NULL },
	{ "setting_that_is_added", "+com.acme.A$B#enabled", "true", "+com.acme.A$B#enabled=true",
	  NULL },
	{ "empty", "name", "", NULL, "the value of name is empty" },
	{ "line_feed", "name", "x\nVM.version", NULL, "line feed" },
	{ "carriage_return", "name", "x\r", NULL, "line feed" },
	{ "tab", "name", "a\tb", NULL, "line feed" },
	{ "delete", "name", "a\x7f", NULL, "line feed" },
	{ "escape", "name", "\x1b[2J", NULL, "line feed" },
	{ "both_quotes", "name", "\"it's\"", NULL, "both kinds of quotes" },
	{ "backslash_at_the_end", "name", "a b\\", NULL, "ends in a backslash" },
	{ "latin1", "name", "caf\xe9", NULL, "is not UTF-8" },
	{ "overlong", "name", "\xc0\xaf", NULL, "is not UTF-8" },
	{ "overlong_of_three", "name", "\xe0\x80\xaf", NULL, "is not UTF-8" },
	{ "surrogate", "name", "\xed\xa0\x80", NULL, "is not UTF-8" },
	{ "beyond_the_last_code_point", "name", "\xf4\x90\x80\x80", NULL, "is not UTF-8" },
	{ "cut_short", "name", "\xe2\x82", NULL, "is not UTF-8" },
	{ "key_with_a_blank", "a b", "1", NULL, "cannot be the name" },
	{ "key_with_a_line_feed", "a\nb", "1", NULL, "cannot be the name" },
	{ "empty_key", "", "1", NULL, "cannot be the name" },
};

static void test_row(size_t i)
{
	struct command_text c;
	struct jfrec_error err = { 0 };
	int ret;

	test_begin(rows[i].name);
	CHECK_INT(command_text_begin(&c, "JFR.start", &err), 0);
	ret = command_text_add(&c, rows[i].key, rows[i].value, &err);
	CHECK_INT(ret, rows[i].text ? 0 : -1);
	CHECK_INT(quote_check(rows[i].key, rows[i].value, NULL), ret);
	if (rows[i].text && ret == 0)
		CHECK_TEXT(c.text + 10, c.len - 10, rows[i].text);
	if (!rows[i].text) {
		CHECK_INT(err.code, JFREC_EINVAL);
		CHECK(strstr(err.text, rows[i].refusal));
		CHECK_TEXT(c.text, c.len, "JFR.start");
	}
	command_text_fini(&c);
}

static void test_many(void)
{
	struct command_text c;
	char last[16];

	test_begin("a_thousand_options");
	CHECK_INT(command_text_begin(&c, "JFR.start", NULL), 0);
	for (int i = 0; i < 1000; i++) {
		snprintf(last, sizeof(last), "%d", i);
		CHECK_INT(command_text_add(&c, "a.b#c", last, NULL), 0);
	}
	CHECK_INT((int64_t)c.len, (int64_t)strlen(c.text));
	CHECK_TEXT(c.text + c.len - 10, 10, " a.b#c=999");
	command_text_fini(&c);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_many();
	return test_end();
}
