/* SPDX-License-Identifier: MIT */
/* test_version.c - versions of Java */
#include "process/version.h"

#include "test.h"

static const struct {
	const char *name, *text;
	int feature;
} rows[] = {
	{ "feature_8", "1.8.0_504", 8 },
	{ "feature_8_specification", "1.8", 8 },
	{ "feature_11", "11.0.33-ea", 11 },
	{ "feature_17", "17", 17 },
	{ "feature_17_with_update", "17.0.15", 17 },
	{ "feature_28_early", "28-ea", 28 },
	{ "feature_1", "1", 1 },
	{ "feature_of_nothing", "", 0 },
	{ "feature_of_letters", "x17", 0 },
	{ "feature_too_great", "4294967313", 0 },
	{ "feature_behind_a_point", "1.", 0 },
};

static void test_release(const char *text, const char *want)
{
	size_t len = 0;
	const char *version = version_of_release(text, &len);

	CHECK(!version == !want);
	if (version && want)
		CHECK_TEXT(version, len, want);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		CHECK_INT(version_feature(rows[i].text), rows[i].feature);
	}
	test_begin("layout");
	CHECK_INT(version_of_layout("/usr/lib/jvm/8/jre/lib/amd64/server/libjvm.so"), 8);
	CHECK_INT(version_of_layout("/opt/jre8/lib/aarch64/client/libjvm.so"), 8);
	CHECK_INT(version_of_layout("/usr/lib/jvm/17/lib/server/libjvm.so"), 0);
	CHECK_INT(version_of_layout("/usr/lib/libjvm.so"), 0);
	CHECK_INT(version_of_layout("/a/b/c/libjvm.so"), 0);
	CHECK_INT(version_of_layout("/libjvm.so"), 0);
	CHECK_INT(version_of_layout(""), 0);

	test_begin("release");
	test_release("IMPLEMENTOR=\"N/A\"\nJAVA_VERSION=\"17.0.15\"\nMODULES=\"java.base\"\n",
		     "17.0.15");
	test_release("JAVA_VERSION=\"1.8.0_504\"", "1.8.0_504");
	test_begin("release_without_version");
	test_release("JAVA_RUNTIME_VERSION=\"17.0.15+6\"\n", NULL);
	test_release("JAVA_VERSION=\"\"\n", NULL);
	test_release("JAVA_VERSION=\"17\nJAVA_VERSION=", NULL);
	test_release("", NULL);

	test_begin("modules");
	CHECK_INT(version_has_module("A=\"1\"\nMODULES=\"java.base jdk.jfr\"\n", "jdk.jfr"),
		  JDK_PART_THERE);
	CHECK_INT(version_has_module("MODULES=\"jdk.jfr\"", "jdk.jfr"), JDK_PART_THERE);
	CHECK_INT(version_has_module("MODULES=\"java.base jdk.management.jfr\"\n", "jdk.jfr"),
		  JDK_PART_MISSING);
	CHECK_INT(version_has_module("MODULES=\"\"\n", "jdk.jfr"), JDK_PART_MISSING);
	CHECK_INT(version_has_module("MODULES=\"java.base", "jdk.jfr"), JDK_PART_MISSING);
	CHECK_INT(version_has_module("JAVA_VERSION=\"1.8.0\"\n", "jdk.jfr"), JDK_PART_UNKNOWN);
	return test_end();
}
