/* SPDX-License-Identifier: MIT */
/* test_signal_safety.c - which processes may be sent SIGQUIT */
#include "process/signal_safety.h"

#include "test.h"

#include <signal.h>

#define QUIT ((uint64_t)1 << (SIGQUIT - 1))
#define OLD  60000 /* ms */

static const struct {
	const char *name;
	struct ready_facts facts;
	struct proc_status status;
	int result;
	enum jfrec_code code;
	const char *says;
} rows[] = {
	{ "a_jvm_that_is_up",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 'S', .caught = QUIT },
	  1,
	  JFREC_OK,
	  "" },
	{ "a_young_one_that_says_it_is_up",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, 100 },
	  { .state = 'R', .caught = QUIT },
	  1,
	  JFREC_OK,
	  "" },
	{ "one_that_is_starting",
	  { JFREC_JVM_HOTSPOT, true, false, true, false, OLD },
	  { .state = 'R', .caught = QUIT },
	  0,
	  JFREC_EATTACH,
	  "still starting" },
	{ "one_that_is_starting_and_takes_no_signal",
	  { JFREC_JVM_HOTSPOT, true, false, true, false, 10 },
	  { .state = 'R' },
	  0,
	  JFREC_EATTACH,
	  "still starting" },
	{ "an_old_one_without_performance_data",
	  { JFREC_JVM_HOTSPOT, false, false, true, false, OLD },
	  { .state = 'S', .caught = QUIT },
	  1,
	  JFREC_OK,
	  "" },
	{ "a_young_one_without_performance_data",
	  { JFREC_JVM_HOTSPOT, false, false, true, false, 1900 },
	  { .state = 'S', .caught = QUIT },
	  0,
	  JFREC_EATTACH,
	  "still starting" },
	{ "a_young_process_may_become_a_jvm",
	  { JFREC_JVM_MAYBE, false, false, true, false, 5 },
	  { .state = 'R' },
	  0,
	  JFREC_EATTACH,
	  "still starting" },
	{ "an_old_one_does_not",
	  { JFREC_JVM_MAYBE, false, false, true, false, OLD },
	  { .state = 'S', .caught = QUIT },
	  -1,
	  JFREC_ENOJVM,
	  "cannot find out whether process" },
	{ "signals_are_off",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 'S' },
	  -1,
	  JFREC_EATTACH,
	  "-Xrs" },
	{ "the_signal_is_ignored",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 'S', .caught = QUIT, .ignored = QUIT },
	  -1,
	  JFREC_EATTACH,
	  "does not handle SIGQUIT" },
	{ "attach_is_disabled_says_the_jvm",
	  { JFREC_JVM_HOTSPOT, true, true, false, false, OLD },
	  { .state = 'S', .caught = QUIT },
	  -1,
	  JFREC_EATTACH,
	  "DisableAttachMechanism" },
	{ "attach_is_disabled_says_the_command_line",
	  { JFREC_JVM_HOTSPOT, false, false, true, true, OLD },
	  { .state = 'S', .caught = QUIT },
	  -1,
	  JFREC_EATTACH,
	  "DisableAttachMechanism" },
	{ "stopped",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 'T', .caught = QUIT },
	  -1,
	  JFREC_EATTACH,
	  "kill -CONT" },
	{ "traced",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 't', .caught = QUIT, .tracer = 12 },
	  -1,
	  JFREC_EATTACH,
	  "debugger, process 12" },
	{ "watched_by_a_tracer_but_running",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 'S', .caught = QUIT, .tracer = 12 },
	  1,
	  JFREC_OK,
	  "" },
	{ "ended",
	  { JFREC_JVM_HOTSPOT, true, true, true, false, OLD },
	  { .state = 'Z', .caught = QUIT },
	  -1,
	  JFREC_EDIED,
	  "has ended" },
	{ "openj9_writes_a_dump_at_the_signal",
	  { JFREC_JVM_OPENJ9, false, false, true, false, OLD },
	  { .state = 'S', .caught = QUIT },
	  -1,
	  JFREC_ENOJVM,
	  "OpenJ9" },
	{ "a_native_image_may_end_at_the_signal",
	  { JFREC_JVM_NATIVE, true, true, true, false, OLD },
	  { .state = 'S', .caught = QUIT },
	  -1,
	  JFREC_ENOJVM,
	  "native image" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct process p = { .pid = 4711, .dir_fd = -1, .pid_fd = -1 };
		struct jfrec_error err = { 0 };

		p.status = rows[i].status;
		test_begin(rows[i].name);
		CHECK_INT(ready_check(&p, &rows[i].facts, &err), rows[i].result);
		CHECK_INT(err.code, rows[i].code);
		CHECK(strstr(err.text, rows[i].says) != NULL);
		CHECK(rows[i].result > 0 || strstr(err.text, "4711") != NULL);
	}
	return test_end();
}
