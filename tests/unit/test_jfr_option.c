/* SPDX-License-Identifier: MIT */
/* test_jfr_option.c - the options of the commands of Flight Recorder */
#include "jfr/option.h"

#include "test.h"

static const struct {
	const char *name;
	enum jfrec_jfr_command command;
	const char *key, *value;
	int jdk;
	const char *refusal; /* a part of the sentence; NULL: it may be sent */
} rows[] = {
	{ "name", JFREC_JFR_START, "name", "app", 8, NULL },
	{ "name_of_digits", JFREC_JFR_START, "name", "17", 8, "because ids do" },
	{ "id_for_dump", JFREC_JFR_DUMP, "name", "17", 8, NULL },
	{ "line_feed", JFREC_JFR_START, "name", "a\nb", 17, "control character" },
	{ "duration", JFREC_JFR_START, "duration", "30s", 8, NULL },
	{ "duration_of_none", JFREC_JFR_START, "duration", "0", 8, NULL },
	{ "duration_too_short", JFREC_JFR_START, "duration", "999ms", 8, "at least a second" },
	{ "duration_without_unit", JFREC_JFR_START, "duration", "30", 8, "at least a second" },
	{ "duration_with_blank", JFREC_JFR_START, "duration", "30 s", 8, "at least a second" },
	{ "duration_with_fraction", JFREC_JFR_START, "duration", "1.5h", 8, "at least a second" },
	{ "delay", JFREC_JFR_START, "delay", "1d", 28, NULL },
	{ "age", JFREC_JFR_START, "maxage", "10ms", 17, NULL },
	{ "age_of_another_unit", JFREC_JFR_START, "maxage", "1w", 17, "ns, us, ms, s, m, h or d" },
	{ "size", JFREC_JFR_START, "maxsize", "250m", 8, NULL },
	{ "size_in_capitals", JFREC_JFR_START, "maxsize", "1GB", 8, NULL },
	/* 8 and 11 look at the first letter only. */
	{ "size_that_8_takes", JFREC_JFR_START, "maxsize", "2Mfoo", 8, "of k, m or g" },
	{ "negative_size", JFREC_JFR_START, "maxsize", "-1", 8, "of k, m or g" },
	{ "bool", JFREC_JFR_START, "disk", "false", 8, NULL },
	{ "bool_in_capitals", JFREC_JFR_START, "disk", "True", 8, "true or false" },
	{ "full_path", JFREC_JFR_START, "filename", "/tmp/a.jfr", 8, NULL },
	{ "relative_path", JFREC_JFR_START, "filename", "a.jfr", 8, "full path of a file" },
	{ "directory", JFREC_JFR_START, "filename", "/tmp/", 8, "full path of a file" },
	{ "flush_17", JFREC_JFR_START, "flush-interval", "2s", 17, NULL },
	{ "flush_11", JFREC_JFR_START, "flush-interval", "2s", 11, "JDK 11, which has no option" },
	{ "gc_17", JFREC_JFR_START, "gc", "high", 17, NULL },
	{ "gc_8", JFREC_JFR_START, "gc", "high", 8, "JDK 17 and later have it" },
	{ "file_threshold_21", JFREC_JFR_START, "file-threshold", "10ms", 21, NULL },
	{ "file_threshold_25", JFREC_JFR_START, "file-threshold", "10ms", 25,
	  "JDK 24 and earlier have it" },
	{ "method_trace_21", JFREC_JFR_START, "method-trace", "a.B", 21, "JDK 25 and later" },
	{ "method_trace_28", JFREC_JFR_START, "method-trace", "a.B::c", 28, NULL },
	{ "event_17", JFREC_JFR_START, "jdk.FileRead#threshold", "5 ms", 17, NULL },
	{ "event_11", JFREC_JFR_START, "jdk.FileRead#threshold", "5 ms", 11, "settings file" },
	{ "option_of_somebody_17", JFREC_JFR_START, "my-option", "on", 17, NULL },
	{ "option_of_somebody_8", JFREC_JFR_START, "my-option", "on", 8, "settings file" },
	{ "option_of_somebody_anywhere", JFREC_JFR_START, "my-option", "on", ANY_JDK, NULL },
	{ "option_of_the_command_line", JFREC_JFR_START, "report-on-exit", "gc", 25,
	  "has no option report-on-exit" },
	{ "option_of_another_command", JFREC_JFR_START, "begin", "-1m", 25, "has no option begin" },
	{ "unknown_option", JFREC_JFR_DUMP, "bogus", "1", 25, "JFR.dump has no option bogus" },
	{ "clock", JFREC_JFR_DUMP, "begin", "13:15", 8, NULL },
	{ "clock_with_seconds", JFREC_JFR_DUMP, "end", "21:30:00.5", 8, NULL },
	{ "date_and_time", JFREC_JFR_DUMP, "begin", "2026-11-20T09:00:00", 8, NULL },
	{ "instant", JFREC_JFR_DUMP, "begin", "2026-11-20T09:00:00.123Z", 8, NULL },
	{ "relative", JFREC_JFR_DUMP, "begin", "-10m", 8, NULL },
	{ "date_alone", JFREC_JFR_DUMP, "begin", "2026-11-20", 8, "like 09:30" },
	{ "clock_in_utc", JFREC_JFR_DUMP, "begin", "09:00Z", 8, "like 09:30" },
	{ "into_the_future", JFREC_JFR_DUMP, "begin", "+10m", 8, "like 09:30" },
	{ "rubbish_behind", JFREC_JFR_DUMP, "begin", "13:15x", 8, "like 09:30" },
	{ "depth", JFREC_JFR_CONFIGURE, "stackdepth", "128", 8, NULL },
	{ "depth_no_number", JFREC_JFR_CONFIGURE, "stackdepth", "12k", 8, "a whole number" },
	{ "repository", JFREC_JFR_CONFIGURE, "repositorypath", "/var/tmp/", 8, NULL },
	{ "relative_repository", JFREC_JFR_CONFIGURE, "repositorypath", "r", 8, "a directory" },
	{ "preserve_17", JFREC_JFR_CONFIGURE, "preserve-repository", "true", 17,
	  "JDK 21 and later" },
	{ "preserve_21", JFREC_JFR_CONFIGURE, "preserve-repository", "true", 21, NULL },
	{ "samplethreads_25", JFREC_JFR_CONFIGURE, "samplethreads", "true", 25, "and earlier" },
	{ "verbose", JFREC_JFR_CHECK, "verbose", "true", 8, NULL },
};

static void test_row(size_t i)
{
	struct jfrec_jfr_option o = { rows[i].key, rows[i].value };
	struct jfrec_error err = { 0 };
	char version[8];
	int ret;

	test_begin(rows[i].name);
	snprintf(version, sizeof(version), "%d", rows[i].jdk);
	ret = jfr_option_check(rows[i].command, &o, rows[i].jdk, version, &err);
	CHECK_INT(ret, rows[i].refusal ? -1 : 0);
	if (!rows[i].refusal)
		return;
	CHECK_INT(err.code, JFREC_EINVAL);
	if (!CHECK(strstr(err.text, rows[i].refusal)))
		printf("# %s\n", err.text);
}

static void test_everywhere(void)
{
	struct jfrec_jfr_option name = { "name", "a" }, gc = { "gc", "off" }, own = { "own", "1" };

	test_begin("what_all_jdks_have");
	CHECK(jfr_option_is_everywhere(JFREC_JFR_START, &name));
	CHECK(!jfr_option_is_everywhere(JFREC_JFR_START, &gc));
	CHECK(!jfr_option_is_everywhere(JFREC_JFR_START, &own));
}

static void test_of_settings(void)
{
	test_begin("options_of_settings_are_none_of_the_command");
	CHECK(jfrec_jfr_option_known(JFREC_JFR_START, "maxage"));
	CHECK(!jfrec_jfr_option_known(JFREC_JFR_START, "gc"));
}

static const struct {
	const char *text;
	int64_t value; /* -1: refused */
} times[] = {
	{ "0", 0 },	   { "1ns", 1 },	  { "2us", 2000 },
	{ "3ms", 3000000 }, { "4s", 4000000000 },  { "5m", 300000000000 },
	{ "1h", 3600000000000 }, { "106751d", INT64_C(9223286400000000000) }, { "106752d", -1 },
	{ "", -1 },	   { "s", -1 },		  { "1", -1 },
	{ "1 s", -1 },	   { "1S", -1 },	  { "-1s", -1 },
	{ "99999999999999999999s", -1 },
}, sizes[] = {
	{ "0", 0 },	 { "17", 17 },	       { "1k", 1024 },	     { "1KB", 1024 },
	{ "2m", 2 << 20 }, { "2Mb", 2 << 20 }, { "2MiB", 2 << 20 }, { "1g", 1 << 30 },    { "", -1 },
	{ "k", -1 },	 { "1kx", -1 },	       { "1.5m", -1 },	     { "1 m", -1 },
	{ "8589934592g", -1 }, { "99999999999999999999", -1 },
};

static void test_words_of_the_jvm(void)
{
	static const struct {
		const char *key, *value, *want;
	} values[] = {
		{ "maxsize", "250MiB", "250M" }, { "maxsize", "250m", "250m" }, { "maxsize", "1kib", "1k" },
		{ "maxsize", "17", "17" },	 { "name", "crib", "crib" },
	};
	char to[JFR_VALUE_MAX];

	test_begin("sizes_of_1024_by_the_jvms_names");
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		const char *got = jfr_option_for_jvm(
			&(struct jfrec_jfr_option){ values[i].key, values[i].value }, to);

		CHECK_TEXT(got, strlen(got), values[i].want);
	}
}

static void test_numbers(void)
{
	int64_t got;

	test_begin("times");
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		CHECK_INT(jfr_parse_time(times[i].text, &got) ? got : -1, times[i].value);
	test_begin("sizes");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		CHECK_INT(jfr_parse_size(sizes[i].text, &got) ? got : -1, sizes[i].value);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_everywhere();
	test_of_settings();
	test_numbers();
	test_words_of_the_jvm();
	return test_end();
}
