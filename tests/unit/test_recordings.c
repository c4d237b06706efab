/* SPDX-License-Identifier: MIT */
/* test_recordings.c - the recordings that a JVM has, as JFR.check lists them */
#include "jfr/recordings.h"

#include "test.h"

static const struct {
	const char *name, *text;
	int count; /* -1: the text broke off */
	/* of the first */
	uint64_t id;
	enum jfrec_jfr_state state;
	const char *called, *duration, *max_size, *max_age;
} rows[] = {
	{ "plain", "Recording 1: name=app (running)\n", 1, 1, JFREC_JFR_RUNNING, "app", NULL, NULL,
	  NULL },
	{ "all_limits", "Recording 7: name=dd duration=2h maxsize=1.0GB maxage=90m (delayed)\n", 1,
	  7, JFREC_JFR_DELAYED, "dd", "2h", "1.0GB", "90m" },
	{ "one_limit", "Recording 2: name=c maxage=1h (running)\n", 1, 2, JFREC_JFR_RUNNING, "c",
	  NULL, NULL, "1h" },
	{ "without_line_feed", "Recording 1: name=a maxsize=250.0MB (stopped)", 1, 1,
	  JFREC_JFR_STOPPED, "a", NULL, "250.0MB", NULL },
	{ "two", "Recording 3: name=3 (new)\n\nRecording 4: name=b (closed)\n", 2, 3, JFREC_JFR_NEW,
	  "3", NULL, NULL, NULL },
	{ "name_with_blanks", "Recording 1: name=my own name maxage=1h (running)\n", 1, 1,
	  JFREC_JFR_RUNNING, "my own name", NULL, NULL, "1h" },
	{ "name_with_parentheses", "Recording 1: name=a (running) b (running)\n", 1, 1,
	  JFREC_JFR_RUNNING, "a (running) b", NULL, NULL, NULL },
	{ "name_with_sign_of_equality", "Recording 1: name=x=y maxsize=1.0MB (running)\n", 1, 1,
	  JFREC_JFR_RUNNING, "x=y", NULL, "1.0MB", NULL },
	{ "name_with_colon", "Recording 1: name=Recording 2: name=x (running)\n", 1, 1,
	  JFREC_JFR_RUNNING, "Recording 2: name=x", NULL, NULL, NULL },
	{ "name_of_two_lines", "Recording 1: name=x\ny duration=10s (running)\n", 1, 1,
	  JFREC_JFR_RUNNING, "x\ny", "10s", NULL, NULL },
	{ "empty_name", "Recording 1: name= (running)\n", 1, 1, JFREC_JFR_RUNNING, "", NULL, NULL,
	  NULL },
	{ "label_without_value", "Recording 1: name=a maxage= (running)\n", 1, 1, JFREC_JFR_RUNNING,
	  "a maxage=", NULL, NULL, NULL },
	{ "greatest_id", "Recording 18446744073709551615: name=a (running)\n", 1, UINT64_MAX,
	  JFREC_JFR_RUNNING, "a", NULL, NULL, NULL },
	{ "id_too_large", "Recording 18446744073709551616: name=a (running)\n", 0, 0, 0, NULL, NULL,
	  NULL, NULL },
	{ "cut_in_the_state", "Recording 1: name=app maxsize=250.0MB (runn", -1, 0, 0, NULL, NULL,
	  NULL, NULL },
	{ "second_is_cut", "Recording 1: name=a (running)\n\nRecording 2: name=b", -1, 0, 0, NULL,
	  NULL, NULL, NULL },
	{ "unknown_state", "Recording 1: name=a (dreaming)\n", -1, 0, 0, NULL, NULL, NULL, NULL },
	{ "other_text", "No available recordings.\n\nUse JFR.start\n", 0, 0, 0, NULL, NULL, NULL,
	  NULL },
	{ "nothing", "", 0, 0, 0, NULL, NULL, NULL, NULL },
};

static void check_text(const char *got, const char *want)
{
	CHECK(!got == !want);
	if (got && want)
		CHECK_TEXT(got, strlen(got), want);
}

static void test_row(size_t i)
{
	struct jfrec_error err = { 0 };
	struct jfrec_jfr_recordings *list;
	const struct jfrec_jfr_recording *r;

	test_begin(rows[i].name);
	list = recordings_read(rows[i].text, strlen(rows[i].text), &err);
	CHECK(!list == (rows[i].count < 0));
	if (!list) {
		CHECK_INT(err.code, JFREC_EDIED);
		return;
	}
	CHECK_INT((int64_t)jfrec_jfr_recordings_count(list), rows[i].count);
	if (jfrec_jfr_recordings_count(list) > 0) {
		r = jfrec_jfr_recordings_get(list, 0);
		CHECK(r->id == rows[i].id);
		CHECK_INT(r->state, rows[i].state);
		check_text(r->name, rows[i].called);
		check_text(r->duration, rows[i].duration);
		check_text(r->max_size, rows[i].max_size);
		check_text(r->max_age, rows[i].max_age);
		CHECK(!r->settings);
	}
	jfrec_jfr_recordings_free(list);
}

static void test_settings(void)
{
	static const char text[] = "Recording 1: name=a (running)\n\n"
				   " CPU Load (jdk.CPULoad)\n   [enabled=true,period=1000 ms]\n"
				   " Own (a.B)\n   [enabled=true]\n\n\n\n"
				   "Recording 2: name=b (running)\n\n"
				   " CPU Load (jdk.CPULoad)\n   [enabled=false]\n";
	struct jfrec_jfr_recordings *list = recordings_read(text, sizeof(text) - 1, NULL);

	test_begin("settings");
	CHECK(list && jfrec_jfr_recordings_count(list) == 2);
	if (!list)
		return;
	check_text(jfrec_jfr_recordings_get(list, 0)->settings,
		   " CPU Load (jdk.CPULoad)\n   [enabled=true,period=1000 ms]\n Own (a.B)\n"
		   "   [enabled=true]");
	check_text(jfrec_jfr_recordings_get(list, 1)->settings,
		   " CPU Load (jdk.CPULoad)\n   [enabled=false]");
	jfrec_jfr_recordings_free(list);
}

static void test_many(void)
{
	static char text[200000];
	struct jfrec_jfr_recordings *list;
	size_t len = 0;

	test_begin("a_thousand_recordings");
	for (int i = 1; i <= 1000; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"Recording %d: name=n%d (running)\n\n", i, i);
	list = recordings_read(text, len, NULL);
	CHECK(list && jfrec_jfr_recordings_count(list) == 1000);
	if (list)
		check_text(jfrec_jfr_recordings_get(list, 999)->name, "n1000");
	jfrec_jfr_recordings_free(list);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_settings();
	test_many();
	return test_end();
}
