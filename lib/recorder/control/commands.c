/* SPDX-License-Identifier: MIT */
/*
 * commands.c - what is replied to requests, but for those of Flight Recorder
 */
#include "recorder/control/commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/commands_jfr.h"
#include "recorder/control/engine.h"
#include "recorder/observe/perfdata.h"

#define NOT_RECOGNIZED (-1)

/* Properties ----------------------------------------------------------------------------------- */

/* As java.util.Properties writes them: in ASCII, with what means something else escaped. */
static void property(struct bytes *text, const char *key, const char *value)
{
	bytes_format(text, "%s=", key);
	for (bool begins = true; *value; value++, begins = false) {
		if (strchr("=:#!\\", *value) || (begins && *value == ' '))
			bytes_byte(text, '\\');
		if ((unsigned char)*value < 0x20 || (unsigned char)*value >= 0x7f)
			bytes_format(text, "\\u%04X", (unsigned)(unsigned char)*value);
		else
			bytes_byte(text, (uint8_t)*value);
	}
	bytes_byte(text, '\n');
}

static void properties(struct bytes *text)
{
	char line[4096], now[64];
	struct utsname os;
	time_t t = time(NULL);
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(now, sizeof(now), "%a %b %d %H:%M:%S UTC %Y", &tm))
		now[0] = '\0';
	bytes_format(text, "#%s\n", now);
	property(text, "file.encoding", "UTF-8");
	property(text, "java.home", "/");
	property(text, "java.io.tmpdir", "/tmp");
	property(text, "java.specification.version", RECORDER_JAVA);
	property(text, "java.vendor", "jfrec");
	property(text, "java.version", RECORDER_JAVA);
	property(text, "java.vm.name", RECORDER_VM_NAME);
	property(text, "java.vm.vendor", "jfrec");
	property(text, "java.vm.version", RECORDER_JAVA);
	engine_lock();
	if (engine_is_running())
		property(text, "jdk.jfr.repository", engine_repository()->path);
	engine_unlock();
	if (uname(&os) == 0) {
		property(text, "os.arch", !strcmp(os.machine, "x86_64") ? "amd64" : os.machine);
		property(text, "os.name", os.sysname);
		property(text, "os.version", os.release);
	}
	command_line(line, sizeof(line));
	property(text, "sun.java.command", line);
	if (getcwd(line, sizeof(line)))
		property(text, "user.dir", line);
}

/* Commands ------------------------------------------------------------------------------------- */

static void version(struct bytes *text)
{
	bytes_format(text, RECORDER_VM_NAME " version " RECORDER_JAVA "\nJDK " RECORDER_JAVA ".0.0\n");
}

static void show_command_line(struct bytes *text)
{
	char line[4000];

	command_line(line, sizeof(line));
	bytes_format(text, "VM Arguments:\njava_command: %s\nLauncher Type: generic\n", line);
}

static void uptime(struct bytes *text)
{
	char stat[1024] = "", *at;
	FILE *f = fopen("/proc/self/stat", "re");
	size_t n = f ? fread(stat, 1, sizeof(stat) - 1, f) : 0;
	struct timespec now;
	double started;

	if (f)
		fclose(f);
	stat[n] = '\0';
	at = strrchr(stat, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	clock_gettime(CLOCK_BOOTTIME, &now);
	started = at ? strtod(at, NULL) / (double)sysconf(_SC_CLK_TCK) : 0;
	bytes_format(text, "%.3f s\n", (double)now.tv_sec + (double)now.tv_nsec / 1e9 - started);
}

static void no_flags(struct bytes *text)
{
	bytes_byte(text, '\n');
}

static void help(struct bytes *text);

static const struct {
	const char *name;
	void (*answer)(struct bytes *text);
} commands[] = {
	{ "VM.command_line", show_command_line },
	{ "VM.flags", no_flags },
	{ "VM.system_properties", properties },
	{ "VM.uptime", uptime },
	{ "VM.version", version },
	{ "help", help },
};

static void help(struct bytes *text)
{
	bytes_format(text, "The following commands are available:\n");
	for (size_t i = 0; jfr_command_names[i]; i++)
		bytes_format(text, "%s\n", jfr_command_names[i]);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		bytes_format(text, "%s\n", commands[i].name);
	bytes_format(text, "\nFor more information about a specific command use 'help <command>'.\n");
}

static int run_line(char *line, struct bytes *text)
{
	struct command c;
	const char *wrong = command_parse(&c, line);

	if (wrong) {
		bytes_format(text, "java.lang.IllegalArgumentException: %s\n", wrong);
		return 1;
	}
	if (!*c.name || *c.name == '#' || carry_out_jfr_command(&c, text))
		return 0;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(c.name, commands[i].name))
			continue;
		commands[i].answer(text);
		return 0;
	}
	bytes_format(text, "java.lang.IllegalArgumentException: Unknown diagnostic command\n");
	return 1;
}

/* Several lines are several commands, up to the first that fails. */
static int run_lines(char *lines, struct bytes *text)
{
	int status = 0;

	while (lines && !status) {
		char *line = strsep(&lines, "\n");

		status = run_line(line, text);
	}
	return status;
}

static int refuse(struct bytes *text, const char *operation)
{
	bytes_format(text, "A native program does not have the operation %.64s\n", operation);
	return 1;
}

int carry_out_request(const struct request *r, struct bytes *text)
{
	static const char *const refused[] = { "load",	      "threaddump", "datadump",	   "dumpheap",
					       "inspectheap", "setflag",    "printflag" };

	if (!strcmp(r->operation, "jcmd"))
		return run_lines(r->args[0], text);
	if (!strcmp(r->operation, "properties")) {
		properties(text);
		return 0;
	}
	if (!strcmp(r->operation, "agentProperties")) {
		bytes_format(text, "#\nsun.jvm.args=\nsun.jvm.flags=\n");
		return 0;
	}
	/* Version 2 of requests, without options. */
	if (!strcmp(r->operation, "getversion")) {
		bytes_format(text, "2 ");
		return 0;
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (!strcmp(r->operation, refused[i]))
			return refuse(text, refused[i]);
	bytes_format(text, "Operation %.64s not recognized!", r->operation);
	return NOT_RECOGNIZED;
}
