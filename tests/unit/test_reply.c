/* SPDX-License-Identifier: MIT */
/* test_reply.c - what an answer of Flight Recorder means: texts of HotSpot 8 to 28 */
#include "jfr/reply.h"

#include "test.h"

#define ILLEGAL "java.lang.IllegalArgumentException: "

static const struct {
	const char *name;
	enum jfrec_jfr_command command;
	int status;
	const char *text;
	enum reply_meaning meaning;
	enum jfrec_code code;
	uint64_t id;
	const char *path; /* NULL: none */
} rows[] = {
	{ "started", JFREC_JFR_START, 0,
	  "Started recording 1. No limit specified, using maxsize=250MB as default.\n\n"
	  "Use jcmd 14760 JFR.dump name=a filename=FILEPATH to copy recording data to file.\n",
	  REPLY_DONE, JFREC_OK, 1, NULL },
	{ "started_with_a_limit", JFREC_JFR_START, 0,
	  "Started recording 2.\n\nUse jcmd 1 JFR.dump name=c filename=FILEPATH to copy recording "
	  "data to file.\n",
	  REPLY_DONE, JFREC_OK, 2, NULL },
	{ "started_with_a_file", JFREC_JFR_START, 0,
	  "Started recording 18446744073709551615. The result will be written to:\n\n/tmp/a b.jfr\n",
	  REPLY_DONE, JFREC_OK, UINT64_MAX, "/tmp/a b.jfr" },
	{ "started_with_a_warning", JFREC_JFR_START, 0,
	  "Warning! The .jfc option/setting 'b' doesn't exist.\nStarted recording 3.\n\nUse\n",
	  REPLY_DONE, JFREC_OK, 3, NULL },
	{ "scheduled", JFREC_JFR_START, 0,
	  "Recording 7 scheduled to start in 1 h. The result will be written to:\n\n/dev/null\n",
	  REPLY_SCHEDULED, JFREC_OK, 7, "/dev/null" },
	{ "dumped", JFREC_JFR_DUMP, 0,
	  "Dumped recording \"a\", 731.3 kB written to:\n\n/tmp/x.jfr\n", REPLY_DONE, JFREC_OK, 0,
	  "/tmp/x.jfr" },
	{ "dumped_all", JFREC_JFR_DUMP, 0, "Dumped recording, 4.5 MB written to:\n\n/tmp/x.jfr\n",
	  REPLY_DONE, JFREC_OK, 0, "/tmp/x.jfr" },
	{ "dumped_of_unknown_size", JFREC_JFR_DUMP, 0,
	  "Dumped recording written to:\n\n/tmp/x.jfr\n", REPLY_DONE, JFREC_OK, 0, "/tmp/x.jfr" },
	{ "stopped", JFREC_JFR_STOP, 0, "Stopped recording \"nul\".\n", REPLY_DONE, JFREC_OK, 0,
	  NULL },
	{ "stopped_with_a_file", JFREC_JFR_STOP, 0,
	  "Stopped recording \"nul\", 0 bytes written to:\n\n/dev/null\n", REPLY_DONE, JFREC_OK, 0,
	  "/dev/null" },
	{ "stopped_before", JFREC_JFR_STOP, 0, "Can't stop an already stopped recording.\n",
	  REPLY_DONE, JFREC_OK, 0, NULL },
	{ "list", JFREC_JFR_CHECK, 0, "Recording 1: name=a maxsize=250.0MB (running)\n", REPLY_DONE,
	  JFREC_OK, 0, NULL },
	{ "no_recordings", JFREC_JFR_CHECK, 0,
	  "No available recordings.\n\nUse jcmd 26904 JFR.start to start a recording.\n",
	  REPLY_NONE, JFREC_OK, 0, NULL },
	{ "no_recordings_ever_8", JFREC_JFR_CHECK, 0,
	  "No available recordings.\n\nUse JFR.start to start a recording.\n", REPLY_NEVER_USED,
	  JFREC_OK, 0, NULL },
	{ "configuration", JFREC_JFR_CONFIGURE, 0,
	  "Current configuration:\n\nRepository path: N/A\nStack depth: 64\n", REPLY_DONE, JFREC_OK,
	  0, NULL },
	{ "configured", JFREC_JFR_CONFIGURE, 0, "Stack depth: 128\n", REPLY_DONE, JFREC_OK, 0,
	  NULL },

	{ "disabled", JFREC_JFR_START, 0, "Flight Recorder is disabled.\n", REPLY_FAILED,
	  JFREC_ENOJFR, 0, NULL },
	{ "disabled_for_check", JFREC_JFR_CHECK, 0, "Flight Recorder is disabled.\n", REPLY_FAILED,
	  JFREC_ENOJFR, 0, NULL },
	{ "no_module", JFREC_JFR_START, 0,
	  "Module jdk.jfr not found.\nFlight Recorder can not be enabled.\n", REPLY_FAILED,
	  JFREC_ENOJFR, 0, NULL },
	{ "commercial", JFREC_JFR_DUMP, 0,
	  "Java Flight Recorder not enabled.\n\nUse "
	  "VM.unlock_commercial_features to enable.\n",
	  REPLY_FAILED, JFREC_ENOJFR, 0, NULL },
	{ "no_such_command", JFREC_JFR_CHECK, -1, ILLEGAL "Unknown diagnostic command\n",
	  REPLY_FAILED, JFREC_ENOJFR, 0, NULL },
	{ "class_broken", JFREC_JFR_START, 0,
	  "Could not initialize class jdk.jfr.internal.Repository\n", REPLY_FAILED, JFREC_ENOJFR, 0,
	  NULL },
	{ "repository_lost_8", JFREC_JFR_DUMP, 0, "not finished chunk 2026-11-20T10:18:13.135Z\n",
	  REPLY_FAILED, JFREC_ENOJFR, 0, NULL },
	{ "out_of_memory", JFREC_JFR_DUMP, -1, "java.lang.OutOfMemoryError: Java heap space\n",
	  REPLY_NO_MEMORY, JFREC_EREFUSED, 0, NULL },
	{ "out_of_memory_17", JFREC_JFR_DUMP, 0, "Java heap space\n", REPLY_NO_MEMORY,
	  JFREC_EREFUSED, 0, NULL },
	{ "out_of_memory_in_the_copy", JFREC_JFR_DUMP, 0,
	  "Dump failed. Could not copy recording data. Java heap space\n", REPLY_NO_MEMORY,
	  JFREC_EREFUSED, 0, NULL },
	{ "out_of_threads", JFREC_JFR_START, 0,
	  "Unable to create native recording thread for JFR\n", REPLY_FAILED, JFREC_EREFUSED, 0,
	  NULL },
	{ "out_of_threads_for_java", JFREC_JFR_START, -1,
	  "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },

	{ "nothing_to_dump", JFREC_JFR_DUMP, 0,
	  "No recordings to dump from. Use JFR.start to start a recording.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "nothing_to_dump_8", JFREC_JFR_DUMP, 0,
	  "No available recordings.\n\nUse JFR.start to start a recording.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "nothing_to_stop_8", JFREC_JFR_STOP, 0,
	  "No available recordings.\n\nUse JFR.start to start a recording.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "unknown_recording", JFREC_JFR_DUMP, 0,
	  "Could not find X.\n\nUse JFR.check without options to see list of all available "
	  "recordings.\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "empty_interval", JFREC_JFR_DUMP, 0,
	  "Dump failed. No data found in the specified interval.\n", REPLY_NO_DATA, JFREC_EREFUSED,
	  0, NULL },
	{ "bad_begin", JFREC_JFR_DUMP, 0, "Dump failed, not a valid begin time.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "age_with_begin", JFREC_JFR_DUMP, 0,
	  "Dump failed, maxage can't be combined with begin or end.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "disk_full_8", JFREC_JFR_DUMP, 0,
	  "Dump failed. Could not copy recording data. Unexpected error during I/O operation\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "disk_full_25", JFREC_JFR_DUMP, 0,
	  "Dump failed. Could not copy recording data. No space left on device\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "no_such_directory", JFREC_JFR_DUMP, 0,
	  "Dump failed. Could not copy recording data. /nowhere/x.jfr\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "stop_unknown", JFREC_JFR_STOP, 0, "Could not stop recording \"X\".\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "stop_cannot_write", JFREC_JFR_STOP, 0,
	  "Could not write recording \"N\" to file. Failed to stop N. Could not set destination for "
	  "\"/P\" to file /P\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "stop_of_a_delayed_one", JFREC_JFR_STOP, 0,
	  "Recording must be started before it can be stopped.\n", REPLY_FAILED, JFREC_EREFUSED, 0,
	  NULL },
	{ "stop_without_name_8", JFREC_JFR_STOP, -1, ILLEGAL "The option 'name' is mandatory.\n\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "stop_without_name_17", JFREC_JFR_STOP, 0, "The argument 'name' is mandatory\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "stop_without_name_21", JFREC_JFR_STOP, 0, "", REPLY_EMPTY, JFREC_EREFUSED, 0, NULL },
	{ "settings_8", JFREC_JFR_START, 0, "Could not parse settings file 'X'\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "settings_21", JFREC_JFR_START, 0, "Could not find file 'X'\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "settings_28", JFREC_JFR_START, 0, "Could not access file 'X'. Permission denied\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "numeric_name", JFREC_JFR_START, 0, "Name of recording can't be numeric\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "short_duration", JFREC_JFR_START, 0,
	  "Could not start recording, duration must be at least 1 second.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "cannot_write", JFREC_JFR_START, 0,
	  "Could not start recording, not able to write to file /x/y.jfr. /x/y.jfr\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "file_without_end", JFREC_JFR_START, 0,
	  "Filename can only be set for a time bound recording or if dumponexit=true. Set duration/"
	  "dumponexit or omit filename.\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "no_settings", JFREC_JFR_START, 0,
	  "No settings specified. Use settings=none to start without any "
	  "settings\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "flush_without_disk", JFREC_JFR_START, 0,
	  "Flush can only be set for recordings that are to disk.\n", REPLY_FAILED, JFREC_EREFUSED,
	  0, NULL },
	{ "wrong_value", JFREC_JFR_START, 0, "Incorrect value 'x'. Valid values are off, normal\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "typo_17", JFREC_JFR_START, 0, "Error! Did you mean 'settings' instead of 'setings'?\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "typo_8", JFREC_JFR_START, -1,
	  ILLEGAL "Unknown argument 'setings' in diagnostic command.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "time_8", JFREC_JFR_START, -1,
	  ILLEGAL "Integer parsing error nanotime value: unit required\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "time_17", JFREC_JFR_START, 0, "Integer parsing error nanotime value: unit required\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "size", JFREC_JFR_START, -1, ILLEGAL "Parsing error memory size value: invalid value\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "bool", JFREC_JFR_START, 0,
	  "Boolean parsing error in command argument 'disk'. Could not parse: 1.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "twice", JFREC_JFR_START, 0, "Option name can only be specified once.\n", REPLY_FAILED,
	  JFREC_EREFUSED, 0, NULL },
	{ "repository_unusable", JFREC_JFR_CONFIGURE, 0, "Could not use /x as repository. /x\n",
	  REPLY_FAILED, JFREC_EREFUSED, 0, NULL },
	{ "dump_path_unusable", JFREC_JFR_CONFIGURE, 0,
	  "Could not set /x to emergency dump path. /x\n", REPLY_FAILED, JFREC_EREFUSED, 0, NULL },

	/* What is no success by itself, or no longer. */
	{ "empty", JFREC_JFR_START, 0, "", REPLY_EMPTY, JFREC_EREFUSED, 0, NULL },
	{ "line_feeds", JFREC_JFR_START, 0, "\n\n", REPLY_EMPTY, JFREC_EREFUSED, 0, NULL },
	{ "formatter_17", JFREC_JFR_START, 0, "Conversion = 'p'\n", REPLY_UNKNOWN, JFREC_EREFUSED,
	  0, NULL },
	{ "novelty", JFREC_JFR_DUMP, 0, "All is well.\n", REPLY_UNKNOWN, JFREC_EREFUSED, 0, NULL },
	{ "success_of_another_command", JFREC_JFR_DUMP, 0, "Started recording 1.\n", REPLY_UNKNOWN,
	  JFREC_EREFUSED, 0, NULL },
	{ "success_with_a_bad_status", JFREC_JFR_START, -1, "Started recording 1.\n", REPLY_UNKNOWN,
	  JFREC_EREFUSED, 0, NULL },
	{ "no_id", JFREC_JFR_START, 0, "Started recording x.\n", REPLY_UNKNOWN, JFREC_EREFUSED, 0,
	  NULL },
	{ "id_too_large", JFREC_JFR_START, 0, "Started recording 18446744073709551616.\n",
	  REPLY_UNKNOWN, JFREC_EREFUSED, 0, NULL },
	{ "cut_in_the_id", JFREC_JFR_START, 0, "Started recording 1", REPLY_UNKNOWN, JFREC_EREFUSED,
	  0, NULL },
	{ "cut_before_the_path", JFREC_JFR_DUMP, 0,
	  "Dumped recording \"a\", 1.0 MB written to:\n\n", REPLY_CUT, JFREC_EDIED, 0, NULL },
	{ "cut_in_the_sentence", JFREC_JFR_DUMP, 0, "Dumped recording \"a\", 1.0 MB wri",
	  REPLY_UNKNOWN, JFREC_EREFUSED, 0, NULL },
};

static void test_row(size_t i)
{
	size_t len = strlen(rows[i].text);
	struct reply r = reply_read(rows[i].command, rows[i].status, rows[i].text, len);
	bool failed = rows[i].meaning < REPLY_DONE;
	struct jfrec_error err = { 0 };

	test_begin(rows[i].name);
	CHECK_INT(r.meaning, rows[i].meaning);
	CHECK_INT(r.code, rows[i].code);
	CHECK_INT((int64_t)r.id, (int64_t)rows[i].id);
	CHECK_TEXT(r.path.at, r.path.len, rows[i].path ? rows[i].path : "");
	if (!failed)
		return;
	CHECK_INT(reply_fail(rows[i].command, &r, &err), -1);
	CHECK_INT(err.code, rows[i].code);
	CHECK(!strchr(err.text, '\n'));
}

static void test_warnings(void)
{
	static const char text[] = "Warning! One.\nWarning! Two.\nStarted recording 3.\n";
	struct reply r = reply_read(JFREC_JFR_START, 0, text, sizeof(text) - 1);

	test_begin("warnings");
	CHECK_TEXT(r.warnings.at, r.warnings.len, "Warning! One.\nWarning! Two.");
	r = reply_read(JFREC_JFR_START, 0, "Started recording 3.", 20);
	CHECK_INT((int64_t)r.warnings.len, 0);
	test_begin("only_a_warning");
	r = reply_read(JFREC_JFR_START, 0, "Warning! One.", 13);
	CHECK_INT(r.meaning, REPLY_EMPTY);
}

static void test_words(void)
{
	static const char text[] = ILLEGAL "One.\nTwo.\n\nThree.\n";
	struct reply r = reply_read(JFREC_JFR_DUMP, -1, text, sizeof(text) - 1);
	struct jfrec_error err;

	test_begin("words_are_the_first_paragraph");
	reply_fail(JFREC_JFR_DUMP, &r, &err);
	CHECK(strstr(err.text, ": One. Two."));
	CHECK(!strstr(err.text, "Three"));
	CHECK(!strstr(err.text, "java.lang"));
}

static void test_long(void)
{
	static char text[100000];
	struct reply r;
	struct jfrec_error err;

	test_begin("long_line");
	memset(text, 'x', sizeof(text) - 1);
	r = reply_read(JFREC_JFR_DUMP, 0, text, sizeof(text) - 1);
	CHECK_INT(r.meaning, REPLY_UNKNOWN);
	CHECK_INT(reply_fail(JFREC_JFR_DUMP, &r, &err), -1);
	memcpy(text, "Could not find ", 15);
	r = reply_read(JFREC_JFR_DUMP, 0, text, sizeof(text) - 1);
	CHECK_INT(r.meaning, REPLY_FAILED);
}

static const struct {
	const char *name, *text;
	int jdk; /* 0: refused */
	const char *version, *vm;
} versions[] = {
	{ "version_8", "OpenJDK 64-Bit Server VM version 25.504-b01\nJDK 8.0_504\n", 8, "8.0_504",
	  "OpenJDK 64-Bit Server VM version 25.504-b01" },
	{ "version_11",
	  "OpenJDK 64-Bit Server VM version 11.0.33-ea+8-post-1-Debian\nJDK 11.0.33\n", 11,
	  "11.0.33", "OpenJDK 64-Bit Server VM version 11.0.33-ea+8-post-1-Debian" },
	{ "version_26", "OpenJDK 64-Bit Server VM version 26.0.2.1+1\nJDK 26.0.2.1\n", 26,
	  "26.0.2.1", "OpenJDK 64-Bit Server VM version 26.0.2.1+1" },
	{ "version_without_end", "V\nJDK 17.0.15", 17, "17.0.15", "V" },
	{ "version_without_number", "OpenJDK\nJDK x\n", 0, NULL, NULL },
	{ "version_of_nothing", "", 0, NULL, NULL },
	{ "version_of_one_line", "OpenJDK 64-Bit\n", 0, NULL, NULL },
};

static void test_version(size_t i)
{
	struct jfrec_jvm_version v;
	struct jfrec_error err;

	test_begin(versions[i].name);
	CHECK_INT(reply_version(versions[i].text, &v, &err), versions[i].jdk ? 0 : -1);
	if (!versions[i].jdk)
		return;
	CHECK_INT(v.jdk, versions[i].jdk);
	CHECK_TEXT(v.version, strlen(v.version), versions[i].version);
	CHECK_TEXT(v.vm, strlen(v.vm), versions[i].vm);
}

static void test_value(void)
{
	static const char text[] = "Current configuration:\n\nRepository path: /tmp/x y\n\nStack "
				   "depth: 64";
	struct reply_text v = reply_value(text, "Repository path: ");

	test_begin("value_of_a_line");
	CHECK_TEXT(v.at, v.len, "/tmp/x y");
	v = reply_value(text, "Stack depth: ");
	CHECK_TEXT(v.at, v.len, "64");
	v = reply_value(text, "depth: ");
	CHECK_INT((int64_t)v.len, 0);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_warnings();
	test_words();
	test_long();
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		test_version(i);
	test_value();
	return test_end();
}
