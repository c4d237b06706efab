/* SPDX-License-Identifier: MIT */
/* test_dictionary.c - what JDKs can record */
#include "jfrec.h"

#include "test.h"

#include "dictionary/nodes.h"

#include <stdlib.h>

/* Which of the versions we know stands for one. */
static const struct {
	const char *name;
	int wished, got;
} versions[] = {
	{ "the_version_itself", 17, 17 },     { "an_older_one_for_unknown", 24, 21 },
	{ "the_oldest_for_older", 7, 8 },     { "the_newest_for_newer", 99, 28 },
	{ "the_newest_if_none_is_named", 0, 28 },
};

static void test_versions(void)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct jfrec_dictionary *d = jfrec_dictionary_new(versions[i].wished, NULL);

		test_begin(versions[i].name);
		CHECK_INT(jfrec_dictionary_jdk(d), versions[i].got);
		jfrec_dictionary_free(d);
	}
}

/* An own bit for each JDK: 8 11 17 21 25 26 28. */
static const struct {
	const char *name, *type;
	enum jfrec_part part;
	const char *of_part;
	uint32_t presence;
} presences[] = {
	{ "everywhere", "jdk.CPULoad", JFREC_PART_TYPE, NULL, 0x7f },
	{ "since_17", "jdk.SystemGC", JFREC_PART_TYPE, NULL, 0x7c },
	{ "until_17", "jdk.BiasedLockRevocation", JFREC_PART_TYPE, NULL, 0x07 },
	{ "in_between", "jdk.ZUnmap", JFREC_PART_TYPE, NULL, 0x0c },
	{ "nowhere", "jdk.Nope", JFREC_PART_TYPE, NULL, 0 },
	{ "a_setting_since_25", "jdk.SocketRead", JFREC_PART_SETTING, "throttle", 0x70 },
	{ "a_setting_whose_values_differ", "jdk.SocketRead", JFREC_PART_SETTING, "threshold", 0x7f },
	{ "a_setting_is_no_field", "jdk.SocketRead", JFREC_PART_FIELD, "threshold", 0 },
	{ "a_field_since_21", "java.lang.Thread", JFREC_PART_FIELD, "virtual", 0x78 },
	{ "a_field_of_nothing", "jdk.Nope", JFREC_PART_FIELD, "virtual", 0 },
};

static void test_presences(struct jfrec_dictionary *d)
{
	for (size_t i = 0; i < sizeof(presences) / sizeof(*presences); i++) {
		test_begin(presences[i].name);
		CHECK_INT(jfrec_dictionary_presence(d, presences[i].type, presences[i].part,
						    presences[i].of_part),
			  presences[i].presence);
	}
}

static const struct {
	const char *name, *event, *setting;
	enum jfrec_settings_of of;
	const char *value; /* in JDK 17 */
} values[] = {
	{ "declared", "jdk.FileRead", "threshold", JFREC_DECLARED, "0 ns" },
	{ "of_default", "jdk.FileRead", "threshold", JFREC_DEFAULT_JFC, "20 ms" },
	{ "of_profile", "jdk.FileRead", "threshold", JFREC_PROFILE_JFC, "10 ms" },
	{ "as_before", "jdk.CPULoad", "period", JFREC_PROFILE_JFC, "1000 ms" },
	{ "of_a_later_jdk", "jdk.FileRead", "throttle", JFREC_DECLARED, NULL },
	{ "of_a_field", "jdk.FileRead", "path", JFREC_DECLARED, NULL },
	{ "of_no_event", "jdk.Nope", "enabled", JFREC_DECLARED, NULL },
};

static void test_values(void)
{
	struct jfrec_dictionary *d = jfrec_dictionary_new(17, NULL);

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		const char *got = jfrec_dictionary_value(d, values[i].event, values[i].setting,
							 values[i].of);

		test_begin(values[i].name);
		CHECK(!got == !values[i].value);
		if (got && values[i].value)
			CHECK_TEXT(got, strlen(got), values[i].value);
	}
	jfrec_dictionary_free(d);
}

/* Types are as those of a recording: resolved, with super types and units. */
static void test_types(struct jfrec_dictionary *d)
{
	const struct jfrec_type *t = jfrec_dictionary_event(d, "jdk.GarbageCollection");
	const struct jfrec_field *f = t ? jfrec_type_field(t, "sumOfPauses") : NULL;
	const char *near[JFREC_NEAR_MAX];

	test_begin("types_are_resolved");
	CHECK(t && strcmp(jfrec_type_label(t), "Garbage Collection") == 0);
	CHECK(f && strcmp(jfrec_type_name(jfrec_field_type(f)), "long") == 0);
	CHECK(f && !jfrec_field_description(f));
	CHECK(t && jfrec_type_setting(t, "threshold") && !jfrec_type_setting(t, "period"));
	CHECK(!jfrec_dictionary_event(d, "java.lang.Thread"));
	CHECK_INT(jfrec_dictionary_near(d, "jdk.GarbageColection", near), 1);
	CHECK(strcmp(near[0], "jdk.GarbageCollection") == 0);
	CHECK_INT(jfrec_dictionary_near(d, "xyz", near), 0);
}

/* Options and settings of a profile follow the JDK. */
static void test_fit(void)
{
	const char *text = jfrec_profile_text("continuous");
	struct jfrec_settings *s = jfrec_settings_parse(text, strlen(text), NULL);
	struct jfrec_dictionary *d = jfrec_dictionary_new(17, NULL);
	const char *value;

	test_begin("settings_are_fitted");
	CHECK(jfrec_settings_put(s, "app.Order", "enabled", "true", NULL) == 0);
	CHECK(jfrec_settings_fit(s, d, NULL, NULL, NULL) == 0);
	CHECK(!jfrec_settings_value(s, "jdk.VirtualThreadPinned", "enabled"));
	CHECK(!jfrec_settings_value(s, "jdk.FileRead", "throttle"));
	CHECK(jfrec_settings_value(s, "app.Order", "enabled"));
	value = jfrec_settings_value(s, "jdk.FileRead", "threshold");
	CHECK(value && strcmp(value, "20 ms") == 0);
	value = jfrec_settings_value(s, "jdk.JavaExceptionThrow", "enabled");
	CHECK(value && strcmp(value, "false") == 0);
	jfrec_dictionary_free(d);
	jfrec_settings_free(s);
	test_begin("a_profile_that_is_none");
	CHECK(!jfrec_profile_text("nope") && jfrec_profiles_get(0) &&
	      !jfrec_profiles_get(jfrec_profiles_count()));
}

/* Options that a profile does not have: what they do to which setting, with which JDK. */
static const struct {
	const char *name, *profile;
	int jdk;
	const char *option, *value;
	int ret;
	const char *event, *setting, *expected; /* afterwards; NULL: it is not there */
} options[] = {
	{ "switches_on", "profile", 25, "gc", "high", 1, "jdk.GCPhasePauseLevel3", "enabled", "true" },
	{ "as_profile_jfc_has_it", "profile", 25, "gc", "high", 1, "jdk.GCPhasePauseLevel3", "threshold", "0 ms" },
	{ "keeps_how", "analyze", 25, "gc", "high", 1, "jdk.GCPhasePauseLevel2", "threshold", "1 ms" },
	{ "switches_off", "profile", 25, "gc", "off", 1, "jdk.G1HeapSummary", "enabled", "false" },
	{ "events_of_the_jdk", "profile", 17, "gc", "all", 1, "jdk.GCHeapMemoryUsage", "enabled", NULL },
	{ "how_only", "profile", 25, "locking-threshold", "7ms", 1, "jdk.ThreadPark", "threshold", "7 ms" },
	{ "how_adds_nothing", "profile", 17, "locking-threshold", "7ms", 1, "jdk.JavaMonitorInflate", "threshold", NULL },
	{ "how_of_none", "gc", 25, "locking-threshold", "7ms", 1, "jdk.ThreadPark", "enabled", "true" },
	{ "filter", "locks", 25, "method-timing", "A::b", 1, "jdk.MethodTiming", "filter", "A::b" },
	{ "filter_is_on", "locks", 25, "method-timing", "A::b", 1, "jdk.MethodTiming", "period", "endChunk" },
	{ "flag", "profile", 25, "class-loading", "true", 1, "jdk.ClassLoad", "enabled", "true" },
	{ "stays", "profile", 25, "compiler", "off", 1, "jdk.Compilation", "threshold", "100 ms" },
	{ "of_25", "profile", 25, "exceptions", "all", 1, "jdk.JavaExceptionThrow", "throttle", "off" },
	{ "of_17", "profile", 17, "exceptions", "errors", 1, "jdk.JavaExceptionThrow", "enabled", "false" },
	{ "not_of_17", "profile", 17, "exceptions", "throttled", -1, "jdk.JavaErrorThrow", "enabled", "true" },
	{ "no_unit", "profile", 25, "locking-threshold", "7", -1, "jdk.ThreadPark", "threshold", "1 ms" },
	{ "gone_in_25", "profile", 25, "socket-threshold", "7ms", 0, "jdk.SocketRead", "threshold", "1 ms" },
	{ "none_in_11", "profile", 11, "gc", "high", 0, "jdk.GCPhasePauseLevel3", "enabled", NULL },
	{ "unknown", "profile", 25, "gd", "high", 0, "jdk.GCPhasePauseLevel3", "enabled", NULL },
};

static void test_options(void)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *text = jfrec_profile_text(options[i].profile), *value;
		struct jfrec_settings *s = jfrec_settings_parse(text, strlen(text), NULL);
		struct jfrec_dictionary *d = jfrec_dictionary_new(options[i].jdk, NULL);

		test_begin(options[i].name);
		CHECK(jfrec_settings_fit(s, d, NULL, NULL, NULL) == 0);
		CHECK_INT(jfrec_settings_set_as_jdk(s, d, options[i].option, options[i].value, NULL),
			  options[i].ret);
		value = jfrec_settings_value(s, options[i].event, options[i].setting);
		CHECK(!value == !options[i].expected);
		if (value && options[i].expected)
			CHECK_TEXT(value, strlen(value), options[i].expected);
		jfrec_dictionary_free(d);
		jfrec_settings_free(s);
	}
}

static void test_list_of_options(struct jfrec_dictionary *d)
{
	struct jfrec_settings *s = jfrec_dictionary_options(d, NULL);
	const struct jfrec_settings_option *gc;

	test_begin("options_of_the_jdk");
	CHECK(jfrec_settings_list(s, NULL) == 0 && jfrec_settings_count(s) == 0);
	gc = jfrec_settings_option_get(s, 0);
	CHECK(gc && strcmp(gc->name, "gc") == 0 && jfrec_settings_choice_count(gc) == 5);
	CHECK_INT(jfrec_dictionary_option_presence(d, "gc"), 0x7c);
	CHECK_INT(jfrec_dictionary_option_presence(d, "method-timing"), 0x70);
	CHECK_INT(jfrec_dictionary_option_presence(d, "file-threshold"), 0x0c);
	CHECK_INT(jfrec_dictionary_option_presence(d, "maxage"), 0);
	jfrec_settings_free(s);
}

static void test_nodes(void)
{
	static const char text[] = "# comment\n"
				   "jdks\t8\t17\t25\n"
				   "type\tA\tB\n"
				   "\tkey[]:17-\tx\tT\n"
				   "\t\t@Label:25\tone\ttwo\n"
				   "type:8,25\tC\n";
	const struct node *a, *x;
	struct nodes all;

	test_begin("nodes_and_the_jdks_that_have_them");
	CHECK(nodes_init(&all, text, NULL) == 0);
	CHECK_INT(all.count, 4);
	a = nodes_child(&all, NULL, NULL, 2);
	CHECK(a && strcmp(node_word(a, 2), "B") == 0 && !node_word(a, 3));
	CHECK(!nodes_child(&all, NULL, a, 2));
	CHECK(nodes_child(&all, NULL, a, 4) != NULL);
	CHECK(!nodes_child(&all, a, NULL, 1));
	x = nodes_child(&all, a, NULL, 2);
	CHECK(x && node_is(x, "key") && node_is_array(x) && strcmp(node_word(x, 1), "x") == 0);
	CHECK(x && !nodes_child(&all, x, NULL, 2) && nodes_child(&all, x, NULL, 4));
	nodes_fini(&all);
	test_begin("a_node_that_is_too_deep");
	CHECK(nodes_init(&all, "jdks\t8\n\ttype\tA\n", NULL) < 0);
}

int main(void)
{
	struct jfrec_dictionary *d = jfrec_dictionary_new(0, NULL);

	test_versions();
	test_presences(d);
	test_values();
	test_types(d);
	test_fit();
	test_options();
	test_list_of_options(d);
	test_nodes();
	jfrec_dictionary_free(d);
	return test_end();
}
