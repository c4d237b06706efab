/* SPDX-License-Identifier: MIT */
/* test_of_program.c - what is said of JVMs, said of a program that is none */
#include "base/of_program.h"

#include "test.h"

static const struct {
	const char *name, *text, *want;
} rows[] = {
	{ "title", "Java Methods that Execute the Most", "Methods that Execute the Most" },
	{ "first_word", "JVM Information", "Program Information" },
	{ "sentence", "The JVM ended at %s", "The program ended at %s" },
	{ "several", "of two JVMs this JVM", "of two programs this program" },
	{ "possessive", "the JVM's time", "the program's time" },
	{ "event", "jdk.JVMInformation and jdk.JVM", "jdk.JVMInformation and jdk.JVM" },
	{ "part_of_a_word", "JVMTI, MyJVM", "JVMTI, MyJVM" },
	{ "language", "This is for Java; nothing else", "This is for Java; nothing else" },
	{ "script", "JavaScript and RxJava are names", "JavaScript and RxJava are names" },
	{ "nothing", "CPU of the machine", "CPU of the machine" },
	{ "empty", "", "" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = { 0 };
		const char *got = of_program(&arena, rows[i].text);

		test_begin(rows[i].name);
		CHECK_TEXT(got, strlen(got), rows[i].want);
		arena_fini(&arena);
	}
	return test_end();
}
