/* SPDX-License-Identifier: MIT */
/* test_loaded.c - which JVM a process has loaded */
#include "process/loaded.h"

#include "test.h"

#define PLACE "7f0000000000-7f0000001000 r-xp 00000000 08:01 1234                       "

#define HOTSPOT PLACE "/usr/lib/jvm/17/lib/server/libjvm.so\n"
#define PERF	PLACE "/tmp/hsperfdata_app/4711\n"

static const struct {
	const char *name;
	const char *lines[4];
	enum jfrec_jvm_kind kind;
	const char *library, *perf; /* or NULL */
	bool deleted;
} rows[] = {
	{ "hotspot",
	  { HOTSPOT },
	  JFREC_JVM_HOTSPOT,
	  "/usr/lib/jvm/17/lib/server/libjvm.so",
	  NULL,
	  false },
	{ "hotspot_with_performance_data",
	  { PERF, HOTSPOT, HOTSPOT },
	  JFREC_JVM_HOTSPOT,
	  "/usr/lib/jvm/17/lib/server/libjvm.so",
	  "hsperfdata_app",
	  false },
	{ "hotspot_that_was_upgraded",
	  { PLACE "/a/libjvm.so (deleted)\n" },
	  JFREC_JVM_HOTSPOT,
	  "/a/libjvm.so",
	  NULL,
	  true },
	{ "openj9",
	  { PLACE "/a/lib/default/libj9vm29.so\n", PLACE "/a/lib/server/libjvm.so\n" },
	  JFREC_JVM_OPENJ9,
	  "/a/lib/server/libjvm.so",
	  NULL,
	  false },
	{ "openj9_in_another_order",
	  { PLACE "/a/lib/server/libjvm.so\n", PLACE "/a/lib/default/libj9vm29.so\n" },
	  JFREC_JVM_OPENJ9,
	  "/a/lib/server/libjvm.so",
	  NULL,
	  false },
	{ "native_image",
	  { PERF, PLACE "/opt/app\n" },
	  JFREC_JVM_NATIVE,
	  NULL,
	  "hsperfdata_app",
	  false },
	{ "performance_data_of_a_chroot",
	  { PLACE "/srv/root/tmp/hsperfdata_u/1\n" },
	  JFREC_JVM_NATIVE,
	  NULL,
	  "hsperfdata_u",
	  false },
	{ "another_program",
	  { PLACE "/usr/bin/cat\n", PLACE "[heap]\n" },
	  JFREC_JVM_MAYBE,
	  NULL,
	  NULL,
	  false },
	{ "names_that_are_alike",
	  { PLACE "/a/libjvm.so.1\n", PLACE "/a/xlibjvm.so\n", PLACE "/a/libjvm.so/x\n" },
	  JFREC_JVM_MAYBE,
	  NULL,
	  NULL,
	  false },
	{ "paths_without_a_directory",
	  { PLACE "/1\n", PLACE "/\n" },
	  JFREC_JVM_MAYBE,
	  NULL,
	  NULL,
	  false },
	{ "nothing", { "" }, JFREC_JVM_MAYBE, NULL, NULL, false },
};

static void check_text(const char *got, const char *want)
{
	CHECK(!got == !want);
	if (got && want)
		CHECK_TEXT(got, strlen(got), want);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct loaded l = { .kind = JFREC_JVM_MAYBE };

		test_begin(rows[i].name);
		for (size_t k = 0; k < 4 && rows[i].lines[k]; k++) {
			char line[200];

			snprintf(line, sizeof(line), "%s", rows[i].lines[k]);
			CHECK_INT(loaded_take_line(&l, line), 0);
		}
		loaded_conclude(&l);
		CHECK_INT(l.kind, rows[i].kind);
		CHECK_INT(l.deleted, rows[i].deleted);
		check_text(l.library, rows[i].library);
		check_text(l.perf, rows[i].perf);
		loaded_fini(&l);
	}
	return test_end();
}
