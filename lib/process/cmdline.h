/* SPDX-License-Identifier: MIT */
/*
 * cmdline.h - find the main class or jar in a java command line
 */
#ifndef JFREC_PROCESS_CMDLINE_H
#define JFREC_PROCESS_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

struct cmdline {
	const char *program; /* as it was called; "" if there is none */
	bool is_java;	     /* the program is java, by its name */
	/*
	 * The main class, jar, module or source file, followed by the application's arguments, up
	 * to `end`; an @file that may name it; or NULL.
	 */
	const char *main;
	const char *end;
	bool attach_disabled;	/* -XX:+DisableAttachMechanism */
	bool reduced_signals;	/* -Xrs, -XX:+ReduceSignalUsage */
	bool recorder_disabled; /* -XX:-FlightRecorder */
	const char *tmpdir;	/* -Djava.io.tmpdir, or NULL */
	const char *alt_tmp;	/* -XX:AltTempDir (JDK 28): where its attach socket is; or NULL */
	const char *repository; /* of -XX:FlightRecorderOptions, up to a comma; or NULL */
};

/* Of /proc/PID/cmdline: words that end in NUL.  bytes[len] is NUL. Points into bytes. */
void cmdline_parse(struct cmdline *c, const char *bytes, size_t len);

/*
 * What follows an option in a variable such as JAVA_TOOL_OPTIONS, up to a blank or NUL; NULL
 * if none has it.  Of /proc/PID/environ.
 */
const char *environ_find_option(const char *bytes, size_t len, const char *option);

/* The part after the last slash. */
const char *base_name(const char *path);

#endif
