/* SPDX-License-Identifier: MIT */
/* test_settings.c - the settings model: evaluation, changes, joining, both forms */
#include <stdlib.h>

#include "base/buffer.h"
#include "jfrec.h"
#include "settings/timespan.h"
#include "test.h"

static struct jfrec_settings *parse(const char *text)
{
	struct jfrec_error err = { 0 };
	struct jfrec_settings *s = jfrec_settings_parse(text, strlen(text), &err);

	if (!s)
		printf("# %s\n", err.text);
	CHECK(s != NULL);
	return s;
}

static bool is_value(const struct jfrec_settings *s, const char *event, const char *setting,
		     const char *value)
{
	const char *got = jfrec_settings_value(s, event, setting);

	if (got && value ? strcmp(got, value) == 0 : got == value)
		return true;
	printf("# %s#%s is %s\n", event, setting, got ? got : "not there");
	return false;
}

static bool is_refused(struct jfrec_settings *s, const char *key, const char *value,
		       const char *sentence)
{
	struct jfrec_error err = { 0 };

	if (jfrec_settings_set(s, key, value, &err) < 0 && err.code == JFREC_EINVAL &&
	    strstr(err.text, sentence))
		return true;
	printf("# %s=%s: %s\n", key, value, err.text);
	return false;
}

static int append(void *ctx, const void *data, size_t len)
{
	buffer_put(ctx, data, len);
	return 0;
}

/* Time spans ----------------------------------------------------------------------------------- */

static const struct {
	const char *value;
	enum timespan_state state;
	const char *text;
	int64_t ns;
} spans[] = {
	{ "20ms", TIMESPAN_OK, "20 ms", 20000000 },
	{ "020  ms", TIMESPAN_OK, "20 ms", 20000000 },
	{ "+5s", TIMESPAN_OK, "5 s", INT64_C(5000000000) },
	{ "-5 ms", TIMESPAN_OK, "-5 ms", -5000000 },
	{ "1 d", TIMESPAN_OK, "1 d", INT64_C(86400000000000) },
	{ "99999999999 d", TIMESPAN_OK, "99999999999 d", INT64_MAX },
	{ "5", TIMESPAN_NO_UNIT, NULL, 0 },
	{ "", TIMESPAN_WRONG, NULL, 0 },
	{ "ms", TIMESPAN_WRONG, NULL, 0 },
	{ " 20ms", TIMESPAN_WRONG, NULL, 0 },
	{ "20ms ", TIMESPAN_WRONG, NULL, 0 },
	{ "20 MS", TIMESPAN_WRONG, NULL, 0 },
	{ "1.5 s", TIMESPAN_WRONG, NULL, 0 },
	{ "9223372036854775808 ns", TIMESPAN_WRONG, NULL, 0 },
	{ "everyChunk", TIMESPAN_WRONG, NULL, 0 },
};

static void test_timespans(void)
{
	test_begin("timespans_are_read_as_the_jdk_does");
	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		char text[TIMESPAN_MAX] = "";
		int64_t ns = 0;

		CHECK_INT(timespan_parse(spans[i].value, text, &ns), spans[i].state);
		if (!spans[i].text)
			continue;
		CHECK_TEXT(text, strlen(text), spans[i].text);
		CHECK_INT(ns, spans[i].ns);
	}
}

/* Evaluation ----------------------------------------------------------------------------------- */

/* Two options of three values each, and what the condition then is. */
#define OPTIONS                                            \
	"options:\n"                                       \
	"  a: {default: x, choices: {x: X, y: Y, z: Z}}\n" \
	"  b: {default: x, choices: {x: X, y: Y, z: {value: other}}}\n"

static const struct {
	const char *when;
	const char *a, *b;
	const char *value; /* starting with "start" */
} truths[] = {
	{ "{a: y}", "y", "x", "T" },
	{ "{a: y}", "z", "x", "F" },
	{ "{a: [y, z]}", "z", "x", "T" },
	{ "{not: {a: y}}", "y", "x", "F" },
	{ "{not: {a: y}}", "x", "y", "T" },
	{ "{all: [{a: y}, {b: y}]}", "y", "y", "T" },
	{ "{all: [{a: y}, {b: y}]}", "y", "x", "F" },
	{ "{a: y, b: y}", "y", "y", "T" },
	{ "{any: [{a: y}, {b: y}]}", "x", "y", "T" },
	{ "{any: [{a: y}, {b: y}]}", "z", "z", "F" },
	{ "{b: z}", "x", "z", "F" },	 /* the value of the choice is compared */
	{ "{b: other}", "x", "z", "T" }, /* and not its name */
	/* Three values: what is unknown decides only where nothing else does. */
	{ "{any: [{gone: 1}, {a: y}]}", "y", "x", "T" },
	{ "{any: [{gone: 1}, {a: y}]}", "z", "x", "F" },
	{ "{all: [{gone: 1}, {a: y}]}", "y", "x", "T" },
	{ "{all: [{gone: 1}, {a: y}]}", "z", "x", "F" },
	{ "{not: {gone: 1}}", "y", "y", "start" },
	{ "{gone: 1}", "y", "y", "start" },
	{ "{test: {name: a, value: y}}", "y", "x", "T" },
	/* A condition may test another one, but not itself. */
	{ "{c2: yes}", "y", "x", "T" },
	{ "{c2: yes}", "z", "x", "start" },
	{ "{c: T}", "y", "x", "start" },
};

static void test_truth(void)
{
	test_begin("conditions_have_three_values");
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++) {
		struct jfrec_settings *s;
		char text[1024];

		snprintf(text, sizeof(text),
			 OPTIONS "conditions:\n  c: {when: %s, then: T, else: F}\n"
				 "  c2: {when: {a: y}, then: yes}\n"
				 "events:\n  e: {s: {control: c, value: start}}\n",
			 truths[i].when);
		s = parse(text);
		if (!s)
			continue;
		CHECK(jfrec_settings_set(s, "a", truths[i].a, NULL) == 0);
		CHECK(jfrec_settings_set(s, "b", truths[i].b, NULL) == 0);
		if (!is_value(s, "e", "s", truths[i].value)) {
			printf("# %s, a %s, b %s\n", truths[i].when, truths[i].a, truths[i].b);
			CHECK(false);
		}
		jfrec_settings_free(s);
	}
}

static void test_several(void)
{
	struct jfrec_settings *s;

	test_begin("of_several_conditions_the_first_that_says_something_counts");
	s = parse(OPTIONS "conditions:\n  c:\n  - {when: {a: y}, then: one}\n"
			  "  - {when: {a: [y, z]}, then: two}\n"
			  "events:\n  e: {s: {control: c, value: start}}\n");
	CHECK(jfrec_settings_set(s, "a", "y", NULL) == 0);
	CHECK(is_value(s, "e", "s", "one"));
	CHECK(jfrec_settings_set(s, "a", "z", NULL) == 0);
	CHECK(is_value(s, "e", "s", "two"));
	CHECK(jfrec_settings_set(s, "a", "x", NULL) == 0);
	CHECK(is_value(s, "e", "s", "two")); /* nothing is said: it stays */
	jfrec_settings_free(s);
}

static void test_untouched(void)
{
	struct jfrec_settings *s;

	test_begin("only_what_depends_on_an_option_is_computed_anew");
	s = parse(OPTIONS
		  "events:\n  e: {s: {control: a, value: mine}, t: {control: b, value: ours}}\n");
	CHECK(is_value(s, "e", "s", "mine"));
	CHECK(jfrec_settings_set(s, "b", "z", NULL) == 0);
	CHECK(is_value(s, "e", "s", "mine"));
	CHECK(is_value(s, "e", "t", "other"));
	CHECK(jfrec_settings_set(s, "e#t", "12", NULL) == 0);
	CHECK(jfrec_settings_set(s, "a", "y", NULL) == 0);
	CHECK(is_value(s, "e", "t", "12"));
	CHECK(is_value(s, "e", "s", "y"));
	jfrec_settings_free(s);
}

static void test_computed(void)
{
	struct jfrec_settings *s;

	test_begin("a_setting_without_a_value_has_that_of_its_control");
	s = parse(OPTIONS "events:\n  e: {s: {control: b}}\n");
	CHECK(is_value(s, "e", "s", "x"));
	jfrec_settings_free(s);
}

static void test_circle(void)
{
	char text[8192] = "", *at = text;
	struct jfrec_settings *s;

	test_begin("a_long_chain_of_conditions_ends");
	at += sprintf(at,
		      "options:\n  a: {default: '1', choices: {'0': N, '1': Y}}\nconditions:\n");
	for (int i = 0; i < 150; i++)
		at += sprintf(at, "  c%d: {when: {c%d: 1}, then: 1}\n", i, i + 1);
	sprintf(at,
		"  c150: {when: {c0: 1}, then: 1}\nevents: {e: {s: {control: c0, value: v}}}\n");
	s = parse(text);
	CHECK(jfrec_settings_set(s, "a", "0", NULL) == 0);
	CHECK(is_value(s, "e", "s", "v"));
	jfrec_settings_free(s);
}

/* Changes -------------------------------------------------------------------------------------- */

static int64_t list(struct jfrec_settings *s)
{
	CHECK_INT(jfrec_settings_list(s, NULL), 0);
	return (int64_t)jfrec_settings_count(s);
}

static void test_changes(void)
{
	struct jfrec_settings *s = jfrec_settings_new(NULL);

	test_begin("settings_are_set_added_and_refused");
	CHECK(is_refused(s, "e#s", "1", "Could not find event 'e'"));
	CHECK(jfrec_settings_set(s, "+e#threshold", "5ms", NULL) == 0);
	CHECK(is_value(s, "e", "threshold", "5 ms"));
	CHECK(jfrec_settings_set(s, "+e#cutoff", "5ms", NULL) == 0);
	CHECK(is_value(s, "e", "cutoff", "5ms")); /* the JDK normalises two names only */
	CHECK(is_refused(s, "e#s", "1", "Could not find setting 's' for event 'e'"));
	CHECK(jfrec_settings_set(s, "e#threshold", " abc ", NULL) == 0);
	CHECK(is_value(s, "e", "threshold", "abc"));
	CHECK(jfrec_settings_set(s, "+e#s#t", "1", NULL) == 0);
	CHECK(is_value(s, "e", "s#t", "1"));
	CHECK(is_refused(s, "gc", "high", "Option 'gc' doesn't exist in configuration"));
	CHECK(is_refused(s, "+gc", "high", "Option 'gc' doesn't exist"));
	CHECK(is_refused(s, "#s", "1", "Option '#s' doesn't exist"));
	CHECK(is_refused(s, "e#", "1", "Option 'e#' doesn't exist"));
	CHECK(is_refused(s, "e#threshold", "\xff", "not UTF-8"));
	CHECK(is_refused(s, "e#threshold", "\xef\xbf\xbf", "not UTF-8"));
	CHECK_INT(list(s), 3);
	jfrec_settings_free(s);
}

static void test_changed(void)
{
	struct jfrec_settings *s = parse("events: {e: {s: 1, t: 2}}\n");

	test_begin("what_was_changed_is_known");
	CHECK(jfrec_settings_set(s, "e#t", "2", NULL) == 0);
	CHECK(jfrec_settings_set(s, "+e#u", "3", NULL) == 0);
	CHECK_INT(list(s), 3);
	CHECK(!jfrec_settings_get(s, 0)->changed);
	CHECK(jfrec_settings_get(s, 1)->changed);
	CHECK(!jfrec_settings_get(s, 2)->changed);
	jfrec_settings_forget_changes(s);
	list(s);
	CHECK(!jfrec_settings_get(s, 1)->changed);
	jfrec_settings_free(s);
}

static void test_joining(void)
{
	struct jfrec_settings *s = jfrec_settings_new(NULL);
	struct jfrec_settings *a = parse(OPTIONS "events: {e: {s: 1}}\n");
	struct jfrec_settings *b = parse("events: {e: {s: 2, t: 3}}\n");
	struct jfrec_error err = { 0 };

	test_begin("settings_are_joined_and_the_last_counts");
	CHECK(jfrec_settings_add(s, a, NULL) == 0);
	CHECK(jfrec_settings_add(s, b, NULL) == 0);
	CHECK_INT(list(s), 2);
	CHECK(is_value(s, "e", "s", "2"));
	/* As in the JDK the first one is changed. */
	CHECK(jfrec_settings_set(s, "e#s", "9", NULL) == 0);
	CHECK(is_value(s, "e", "s", "2"));
	CHECK(jfrec_settings_add(s, a, &err) < 0);
	CHECK(strstr(err.text, "Control with 'a' is declared in multiple files") != NULL);
	CHECK_TEXT(jfrec_settings_label(s), strlen(jfrec_settings_label(s)), "Custom");
	jfrec_settings_free(a);
	jfrec_settings_free(b);
	jfrec_settings_free(s);
}

static bool is_known(void *ctx, const char *event, const char *setting)
{
	(void)ctx;
	return strcmp(event, "gone") != 0 && (!setting || strcmp(setting, "old") != 0);
}

static void test_restrict(void)
{
	struct jfrec_settings *s =
		parse("events: {gone: {s: 1, t: 2}, e: {old: 1, s: 2}, f: {s: 3}}\n"
		      "categories: [{label: L, events: {gone: {s: 1}}}]\n");

	test_begin("what_a_target_lacks_is_taken_out");
	jfrec_settings_restrict(s, is_known, NULL);
	CHECK_INT(list(s), 2);
	CHECK(is_value(s, "gone", "s", NULL));
	CHECK(is_value(s, "e", "old", NULL));
	CHECK(is_value(s, "e", "s", "2"));
	CHECK(is_value(s, "f", "s", "3"));
	jfrec_settings_free(s);
}

/* Both forms ----------------------------------------------------------------------------------- */

static void test_jfc(void)
{
	static const char text[] =
		"<?xml version='1.0'?>\n<Configuration version='2.0' label='&lt;&amp;&#233;&#128512;'>"
		"<event name='a'><setting name='s'> x&#10;y </setting><setting name='t'/></event>"
		"<control/></Configuration>";
	static const char written[] =
		"<configuration label=\"&lt;&amp;&#233;&#128512;\" version=\"2.0\">\n\n"
		"  <event name=\"a\">\n    <setting name=\"s\">x\ny</setting>\n"
		"    <setting name=\"t\"/>\n  </event>\n\n";
	struct jfrec_settings *s = parse(text);
	struct buffer b = { 0 };

	test_begin("jfc_is_written_as_the_jdk_does");
	CHECK(jfrec_settings_write(s, JFREC_SETTINGS_JFC, append, &b, NULL) == 0);
	buffer_u8(&b, 0);
	CHECK(strstr((const char *)b.data, written) != NULL);
	CHECK(strstr((const char *)b.data, "  -->\n  <control/>\n\n</configuration>\n") != NULL);
	buffer_fini(&b);
	jfrec_settings_free(s);
}

static void test_places(void)
{
	static const char text[] = "<configuration version='2.0'\n  label='x'>\n <event name='é'/>"
				   "<event\n\n other='1'/>\n</configuration>";
	struct jfrec_error err = { 0 };

	test_begin("an_error_has_line_and_column_of_its_tag");
	CHECK(!jfrec_settings_parse(text, strlen(text), &err));
	CHECK_INT(err.code, JFREC_EINVAL);
	CHECK_TEXT(err.text, strlen(err.text),
		   "line 3, column 19: Missing mandatory attribute 'name'");
}

static void test_options(void)
{
	struct jfrec_settings *s =
		parse(OPTIONS "  t: {type: timespan, minimum: 1 ms, default: 5 ms}\n"
			      "  f: {type: flag, default: true}\n");
	const struct jfrec_settings_option *o;
	const struct jfrec_settings_choice *c;

	test_begin("options_are_listed");
	CHECK_INT(jfrec_settings_list(s, NULL), 0);
	CHECK_INT(jfrec_settings_option_count(s), 4);
	CHECK(!jfrec_settings_option_get(s, 4));
	o = jfrec_settings_option_get(s, 1);
	CHECK_INT(o->kind, JFREC_OPTION_SELECTION);
	CHECK_INT(jfrec_settings_choice_count(o), 3);
	CHECK(!jfrec_settings_choice_get(o, 3));
	c = jfrec_settings_choice_get(o, 2);
	CHECK_TEXT(c->value, strlen(c->value), "other");
	o = jfrec_settings_option_get(s, 2);
	CHECK_INT(o->kind, JFREC_OPTION_TEXT);
	CHECK_TEXT(o->minimum, strlen(o->minimum), "1 ms");
	CHECK(is_refused(s, "t", "5", "missing unit"));
	CHECK(is_refused(s, "f", "TRUE", "Valid values are 'true' and 'false'."));
	CHECK(is_refused(s, "a", "X", "Valid values are 'x', 'y' and 'z'."));
	CHECK(jfrec_settings_has_control(s, "t") && !jfrec_settings_has_control(s, "u"));
	jfrec_settings_free(s);
}

int main(void)
{
	test_timespans();
	test_truth();
	test_several();
	test_untouched();
	test_computed();
	test_circle();
	test_changes();
	test_changed();
	test_joining();
	test_restrict();
	test_jfc();
	test_places();
	test_options();
	return test_end();
}
