/* SPDX-License-Identifier: MIT */
/* test_cmdline.c - what a command line of java starts */
#include "process/cmdline.h"

#include "test.h"

/* Words are parted by `|`, which stands for NUL. */
static const struct {
	const char *name, *words;
	const char *main; /* and behind it to the end; NULL: none */
} rows[] = {
	{ "class", "java|Main", "Main" },
	{ "class_and_arguments", "/usr/bin/java|-Xmx1g|a.b.Main|-cp|x", "a.b.Main|-cp|x" },
	{ "class_path", "java|-cp|a.jar:b.jar|Main", "Main" },
	{ "classpath", "java|-classpath|x|Main", "Main" },
	{ "class_path_long", "java|--class-path|x|Main", "Main" },
	{ "class_path_joined", "java|--class-path=x|Main", "Main" },
	{ "add_opens", "java|--add-opens|a/b=c|--add-exports|d/e=f|Main", "Main" },
	{ "add_opens_joined", "java|--add-opens=a/b=c|Main", "Main" },
	{ "jar", "java|-jar|/opt/my app/app.jar|x", "/opt/my app/app.jar|x" },
	{ "options_behind_jar", "java|-jar|-Dx=y|app.jar", "app.jar" },
	{ "module", "java|-p|mods|-m|m/a.Main|x", "m/a.Main|x" },
	{ "module_long", "java|--module|m", "m" },
	{ "module_joined", "java|--module=m/a.Main|x", "m/a.Main|x" },
	{ "source", "java|--source|21|Foo.java|x", "Foo.java|x" },
	{ "at_file_and_class", "java|@opts|Main", "Main" },
	{ "only_at_files", "java|@opts|-Da=b|@more", "@opts|-Da=b|@more" },
	{ "only_options", "java|-version", NULL },
	{ "option_without_its_value", "java|-cp", NULL },
	{ "module_without_name", "java|-m", NULL },
	{ "only_java", "java", NULL },
	{ "class_with_odd_bytes", "java|\xff\n\x1b[31m", "\xff\n\x1b[31m" },
	{ "empty_class", "java||x", "|x" },
	{ "another_program", "/usr/bin/jsvc|-cp|x|Main", NULL },
	{ "nothing", "", NULL },
};

/* The bytes of a file: a NUL behind each word, and one behind all. */
static size_t make(char *bytes, size_t size, const char *words)
{
	size_t len = strlen(words);

	snprintf(bytes, size, "%s", words);
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '|')
			bytes[i] = '\0';
	}
	if (len)
		bytes[++len] = '\0';
	return len;
}

static struct cmdline parse(const char *words)
{
	static char bytes[200];
	struct cmdline c;

	cmdline_parse(&c, bytes, make(bytes, sizeof(bytes), words));
	return c;
}

static void test_main(const char *words, const char *want)
{
	struct cmdline c = parse(words);
	char rest[200];
	size_t len;

	CHECK(!c.main == !want);
	if (!c.main || !want)
		return;
	len = make(rest, sizeof(rest), want);
	CHECK(len == (size_t)(c.end - c.main) || len == 0);
	CHECK(memcmp(rest, c.main, len) == 0);
}

static void test_flags(void)
{
	test_begin("flags");
	CHECK(parse("java|-XX:+DisableAttachMechanism|Main").attach_disabled);
	CHECK(parse("jsvc|-XX:+DisableAttachMechanism|Main").attach_disabled);
	CHECK(parse("java|-Xrs|Main").reduced_signals);
	CHECK(parse("java|-XX:+ReduceSignalUsage|Main").reduced_signals);

	CHECK(parse("java|-XX:-FlightRecorder|Main").recorder_disabled);

	test_begin("values");
	CHECK_TEXT(parse("java|-Djava.io.tmpdir=/t|Main").tmpdir, 2, "/t");
	CHECK_TEXT(parse("java|-XX:FlightRecorderOptions=stackdepth=9,repository=/r,x=y|Main")
			   .repository,
		   6, "/r,x=y");
	CHECK_TEXT(parse("java|-XX:FlightRecorderOptions:repository=/r|Main").repository, 2, "/r");
	CHECK(!parse("java|-XX:FlightRecorderOptions=stackdepth=9|Main").repository);

	test_begin("the_last_flag_wins");
	CHECK(!parse("java|-XX:-FlightRecorder|-XX:+FlightRecorder|Main").recorder_disabled);
	CHECK(!parse("java|-XX:+DisableAttachMechanism|-XX:-DisableAttachMechanism|Main")
		       .attach_disabled);
	CHECK(!parse("java|-Xrs|-XX:-ReduceSignalUsage|Main").reduced_signals);

	test_begin("flags_of_the_application_are_its_own");
	CHECK(!parse("java|Main|-XX:+DisableAttachMechanism").attach_disabled);
	CHECK(!parse("java|-cp|-Xrs|Main").reduced_signals);
}

static void test_environment(void)
{
	static const char yes[] =
		"HOME=/\0JAVA_TOOL_OPTIONS=-Da=b -XX:+DisableAttachMechanism\0A=b";
	static const char no[] = "HOME=-XX:+DisableAttachMechanism\0JAVA_TOOL_OPTIONS=-Da=b";

	test_begin("variables_may_disable_attach");
	CHECK(environ_find_option(yes, sizeof(yes), "-XX:+DisableAttachMechanism"));
	CHECK(!environ_find_option(no, sizeof(no), "-XX:+DisableAttachMechanism"));
	CHECK(!environ_find_option("", 0, "-XX:+DisableAttachMechanism"));
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		test_main(rows[i].words, rows[i].main);
	}
	test_flags();
	test_environment();
	return test_end();
}
