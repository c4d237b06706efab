/* SPDX-License-Identifier: MIT */
/*
 * command.h - the interface of a command, and helpers for all commands
 */
#ifndef JFREC_CLI_BASE_COMMAND_H
#define JFREC_CLI_BASE_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/opt.h"
#include "jfrec.h"

/* Exit codes, as in jfrec(1). */
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* or partly: what was whole has been printed */
	EXIT_USAGE = 2,
	EXIT_NO_JVM = 3,     /* no such process, or not a JVM */
	EXIT_PERMISSION = 4, /* another user's JVM */
	EXIT_ATTACH = 5,     /* attach is disabled, broken or not ready */
	EXIT_TIMEOUT = 6,    /* the JVM did not answer */
	EXIT_DIED = 7,	     /* the JVM ended, or its answer broke off */
	EXIT_NO_JFR = 8,     /* Flight Recorder is missing or disabled */
	EXIT_RESULT = 9,     /* the file that the JVM wrote is missing or incomplete */
	EXIT_FULL = 10,	     /* no room for what is collected */
	EXIT_HARM = 11,	     /* asking would harm the JVM, so it was not */
	EXIT_LIMIT = 20,     /* a limit that the caller set was exceeded */
	EXIT_INTERRUPTED = 130, /* as shells have it for SIGINT */
};

struct command {
	const char *name;
	const char *args;    /* of the usage line, behind the options */
	const char *examples; /* two lines to type, with which `jfrec NAME --help` opens; or NULL */
	const char *summary; /* one line of `jfrec --help` */
	const char *about;   /* its paragraphs below these */
	const struct opt *opts;
	int (*run)(const struct command *self, int argc, char **argv);
	/* Its sub-commands, then NULL; their names have its own in front: "settings list". */
	const struct command *const *subs;
};

extern const struct command cmd_list, cmd_doctor, cmd_stream, cmd_watch, cmd_metrics;
extern const struct command cmd_heapdump, cmd_threads, cmd_histogram, cmd_top;
extern const struct command cmd_jcmd, cmd_collect;
extern const struct command cmd_heapdump, cmd_threads, cmd_histogram;
extern const struct command cmd_jcmd, cmd_collect, cmd_snapshot;
extern const struct command cmd_start, cmd_stop, cmd_check, cmd_dump, cmd_record, cmd_configure;
extern const struct command cmd_print, cmd_summary, cmd_metadata, cmd_view, cmd_query, cmd_sql;
extern const struct command cmd_settings, cmd_config;
extern const struct command cmd_analyze;
extern const struct command cmd_diff, cmd_export, cmd_flame, cmd_report, cmd_filter, cmd_merge,
	cmd_split, cmd_repair, cmd_scrub;
extern const struct command cmd_symbolize, cmd_mcp, cmd_trace;

/* The command's own `--help`, on standard output. Returns EXIT_DONE. */
int command_help(const struct command *c);

/* The same of the command or sub-command that the words after `help` mean. */
int command_help_on(const struct command *c, int argc, char **argv);

/* .run of a command that has sub-commands: the first word is one, or --help. */
int command_run_sub(const struct command *self, int argc, char **argv);

#endif
