/* SPDX-License-Identifier: MIT */
/* test_jfr_stack_depth.c - was it set how deep stack traces are? */
#include "jfr/stack_depth.h"

#include "test.h"

#define FLAGS "-XX:CICompilerCount=2 -XX:MaxHeapSize=67108864 "
#define CONFIGURATION(depth) \
	"Current configuration:\n\nRepository path: N/A\nStack depth: " depth \
	"\nGlobal buffer count: 20\n"

static const struct {
	const char *name, *flags, *configuration;
	bool is;
} rows[] = {
	{ "nothing_said", FLAGS "\n", CONFIGURATION("64"), true },
	{ "other_options", FLAGS "-XX:FlightRecorderOptions=repository=/var/tmp ",
	  CONFIGURATION("64"), true },
	{ "configured", FLAGS, CONFIGURATION("128"), false },
	{ "configured_less", FLAGS, CONFIGURATION("6"), false },
	{ "64_on_the_command_line", FLAGS "-XX:FlightRecorderOptions=stackdepth=64 ",
	  CONFIGURATION("64"), false },
	{ "behind_another", FLAGS "-XX:FlightRecorderOptions=repository=/r,stackdepth=64 ",
	  CONFIGURATION("64"), false },
	{ "a_native_program", "\n", "Current configuration:\n", false },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		CHECK(stack_depth_is_unset(rows[i].flags, rows[i].configuration) == rows[i].is);
	}
	return test_end();
}
