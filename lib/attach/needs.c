/* SPDX-License-Identifier: MIT */
/*
 * needs.c - what a command makes a JVM create
 *
 * Measured on JDK 8 to 28: the first JFR.start makes the threads "JFR Recorder Thread", "JFR
 * Periodic Tasks" and a sampler ("JFR Thread Sampler" up to JDK 23, "JFR Sampler Thread" later),
 * JDK 25 one more for samples of CPU time.
 *
 * The first command of Flight Recorder loads classes that read files.  Where one of them finds no
 * descriptor, its initialisation fails, and Flight Recorder is broken until the JVM is restarted:
 * seen with 4 free ones in JDK 17 (JFR.check), with 6 in 17 (JFR.start); with 7 JDK 11 ended.  None
 * of that was seen with 8.  JFR.configure makes no thread, and worked as the first one with 1 free
 * (17, 25); it is only asked before JFR.start, which needs more.
 *
 * A collection may be the first to start a thread of the collector, without which JDK 28 with G1
 * ends ("Could not create ConcurrentMarkThread").  A heap dump is one file; an agent may open a port, and starts some threads for it.
 */
#include "attach/needs.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MB (UINT64_C(1) << 20)

static const struct row {
	const char *operation,
		*command; /* command: NULL for any; with a dot at its end, a family */
	struct headroom_need need;
} rows[] = {
	{ "jcmd", "JFR.start", { .threads = 4, .descriptors = 9, .memory = 48 * MB } },
	{ "jcmd", "JFR.view", { .descriptors = 9, .memory = 48 * MB } },
	{ "jcmd", "JFR.query", { .descriptors = 9, .memory = 48 * MB } },
	{ "jcmd", "JFR.", { .descriptors = 6 } }, /* all others */
	{ "jcmd", "GC.heap_dump",
	  { .threads = 1, .descriptors = 2, .memory = 16 * MB, .is_memory_vital = true } },
	{ "dumpheap", NULL,
	  { .threads = 1, .descriptors = 2, .memory = 16 * MB, .is_memory_vital = true } },
	{ "jcmd", "GC.class_histogram", { .threads = 1, .descriptors = 1, .memory = 8 * MB } },
	{ "inspectheap", NULL, { .threads = 1, .descriptors = 1, .memory = 8 * MB } },
	{ "jcmd", "GC.run", { .threads = 1 } },
	{ "jcmd", "ManagementAgent.start", { .threads = 4, .descriptors = 4, .memory = 8 * MB } },
	{ "jcmd", "ManagementAgent.start_local",
	  { .threads = 4, .descriptors = 4, .memory = 8 * MB } },
	{ "jcmd", "JVMTI.agent_load", { .threads = 1, .descriptors = 2, .memory = 8 * MB } },
	{ "load", NULL, { .threads = 1, .descriptors = 2, .memory = 8 * MB } },
};

/*
 * Their names: as the kernel cuts them, and as JDK 28 shortens them itself. In JDK 8 and 11 the
 * sampler has the name of the thread that started it, and is taken for missing.
 */
static const struct {
	const char *names[3];
	unsigned count;
} jfr_threads[] = {
	{ { "JFR Recorder Th", "JFR Rec..Thread" }, 1 },
	{ { "JFR Periodic Ta", "JFR Per.. Tasks" }, 1 },
	{ { "JFR Thread Samp", "JFR Sampler Thr", "JFR Sam..Thread" }, 2 }, /* and of CPU time */
};

static unsigned missing_threads(const struct process *p)
{
	unsigned missing = 0;

	for (size_t i = 0; i < sizeof(jfr_threads) / sizeof(*jfr_threads); i++) {
		bool is_there = false;

		for (size_t k = 0; k < 3 && jfr_threads[i].names[k]; k++)
			is_there |= process_has_thread(p, jfr_threads[i].names[k]);
		missing += is_there ? 0 : jfr_threads[i].count;
	}
	return missing;
}

/* JDK 28 starts the recorder's thread for any command. */
static bool is_first_of_jfr(const struct process *p)
{
	return !process_has_thread(p, jfr_threads[0].names[0]) &&
	       !process_has_thread(p, jfr_threads[0].names[1]);
}

/*
 * G1 of JDK 28 starts the thread that marks when it is first needed, as when a command has loaded
 * classes and their memory grows; earlier ones have it from the beginning.
 */
static bool lacks_marker(const struct process *p)
{
	return process_has_thread(p, "G1 Service") && !process_has_thread(p, "G1 Main Marker");
}

static bool is_command(const char *line, const char *command)
{
	size_t len = strlen(command);

	return strncmp(line, command, len) == 0 &&
	       (command[len - 1] == '.' || !line[len] || isspace((unsigned char)line[len]));
}

/* Does it run no Java, so that it loads no classes? */
static bool is_native(const char *operation, const char *argument)
{
	static const char *const commands[] = { "VM.version",	   "VM.uptime",	   "VM.flags",
						"VM.command_line", "GC.heap_info", "Thread.print" };

	if (strcmp(operation, "jcmd") != 0 || !argument)
		return strcmp(operation, "threaddump") == 0;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (is_command(argument, commands[i]))
			return true;
	}
	return false;
}

static const struct row *find(const char *operation, const char *argument)
{
	while (argument && isspace((unsigned char)*argument))
		argument++;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (strcmp(rows[i].operation, operation) == 0 &&
		    (!rows[i].command || (argument && is_command(argument, rows[i].command))))
			return &rows[i];
	}
	return NULL;
}

static bool is_of_jfr(const struct row *row)
{
	return row && row->command && strncmp(row->command, "JFR.", 4) == 0;
}

void needs_of(const char *operation, const char *argument, struct headroom_need *need)
{
	const struct row *row = find(operation, argument);

	*need = row ? row->need : (struct headroom_need){ 0 };
	need->descriptors++;
	if (!need->threads && !is_native(operation, argument))
		need->threads = 1;
}

void needs_of_jvm(const struct process *p, const char *operation, const char *argument,
		  struct headroom_need *need)
{
	const struct row *row = find(operation, argument);

	needs_of(operation, argument, need);
	if (row && row->need.threads && !is_of_jfr(row))
		return;
	need->threads = 0;
	if (is_of_jfr(row) && row->need.threads)
		need->threads = missing_threads(p);
	else if (is_of_jfr(row))
		need->threads = is_first_of_jfr(p) ? 1 : 0;
	if (!need->threads && !is_native(operation, argument) && lacks_marker(p))
		need->threads = 1;
}
