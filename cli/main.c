/* SPDX-License-Identifier: MIT */
/*
 * main.c - the list of commands, dispatch and help
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/command.h"
#include "base/config.h"
#include "base/dump.h"
#include "base/hints.h"
#include "base/report.h"
#include "base/topics.h"
#include "base/typo.h"
#include "base/version.h"
#include "jdk/called_as.h"
#include "opts/timearg.h"

/* By what one wants to do; the first are those that most people need first. */
static const struct command *const commands[] = {
	&cmd_list,
	&cmd_record,
	&cmd_start,
	&cmd_dump,
	&cmd_analyze,
	&cmd_report,
	&cmd_view,
	&cmd_flame,
	&cmd_summary,
	&cmd_print,

	&cmd_stop,
	&cmd_check,
	&cmd_configure,
	&cmd_doctor,
	&cmd_jcmd,

	&cmd_top,
	&cmd_threads,
	&cmd_histogram,
	&cmd_heapdump,
	&cmd_snapshot,

	&cmd_query,
	&cmd_sql,
	&cmd_diff,
	&cmd_trace,
	&cmd_metadata,

	&cmd_merge,
	&cmd_filter,
	&cmd_split,
	&cmd_scrub,
	&cmd_repair,
	&cmd_symbolize,

	&cmd_stream,
	&cmd_watch,
	&cmd_metrics,
	&cmd_collect,
	&cmd_export,
	&cmd_mcp,

	&cmd_settings,
	&cmd_config,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

/* What stands above a command in --help. */
static const struct {
	const struct command *first;
	const char *text;
} headings[] = {
	{ &cmd_list, "Needed most" },
	{ &cmd_stop, "Control Flight Recorder in JVMs" },
	{ &cmd_top, "Look into a running JVM" },
	{ &cmd_query, "Ask recordings" },
	{ &cmd_merge, "Rewrite recordings" },
	{ &cmd_stream, "Follow JVMs, and hand data on" },
	{ &cmd_settings, "Settings" },
};

static void print_heading(FILE *to, const struct command *c)
{
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++) {
		if (headings[i].first == c)
			fprintf(to, "\n%s:\n", headings[i].text);
	}
}

static void print_usage(FILE *to)
{
	fputs("Usage: jfrec COMMAND [OPTION...] RECORDING...|TARGET\n"
	      "Record JVMs, and read, analyse and rewrite their recordings, without a JDK.\n",
	      to);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		print_heading(to, commands[i]);
		fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
	}
	fputs("\n"
	      "Help:\n"
	      "  help        explain a command, or a topic that `jfrec help topics` lists\n"
	      "\n"
	      "Options:\n"
	      "      --config FILE         read default values from FILE as well\n"
	      "      --no-config           read no configuration files\n"
	      "  -h, --help                print this help\n"
	      "  -V, --version             print the version; with --verbose, what is in it\n"
	      "\n"
	      "`jfrec COMMAND --help` explains a command, jfrec(1) everything.\n",
	      to);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

/*
 * What changes a JVM is suggested only for what begins as it does: `top` asks for something to look
 * at, and `stop` ends a recording.
 */
static bool may_be_meant(const struct command *c, const char *word)
{
	static const struct command *const changing[] = { &cmd_configure, &cmd_start, &cmd_stop };

	for (size_t i = 0; i < sizeof(changing) / sizeof(*changing); i++) {
		if (c == changing[i])
			return *word == *c->name;
	}
	return true;
}

static int unknown_word(const char *word, bool after_help)
{
	bool is_option = word[0] == '-';
	struct typo t = { .word = word };

	if (is_option) {
		typo_offer(&t, "--help");
		typo_offer(&t, "--version");
		typo_offer(&t, "--config");
		typo_offer(&t, "--no-config");
	} else {
		for (size_t i = 0; i < COMMAND_COUNT; i++) {
			if (may_be_meant(commands[i], word))
				typo_offer(&t, commands[i]->name);
		}
		typo_offer(&t, "help");
		if (after_help)
			topics_offer(&t);
	}
	fprintf(stderr, "jfrec: unknown %s ",
		is_option ? "option" : after_help ? "command or topic" : "command");
	put_name(stderr, word);
	if (t.meant)
		fprintf(stderr, "; did you mean %s?", t.meant);
	fputs("\nSee `jfrec --help`.\n", stderr);
	return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		print_usage(stdout);
		return finish_stdout();
	}
	c = find_command(argv[1]);
	if (!c)
		return topics_are_meant(argc - 1, argv + 1) ? topics_help(argc - 1, argv + 1)
							    : unknown_word(argv[1], true);
	command_help_on(c, argc - 1, argv + 1);
	topics_print_beside(c->name);
	return finish_stdout();
}

static bool is_any(const char *s, const char *a, const char *b, const char *c)
{
	return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0;
}

/* Only a finished file that is truncated meanwhile comes here. */
static void on_lost_page(int signal)
{
	static const char text[] = "jfrec: the recording was truncated while it was being read\n";

	(void)signal;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_FAILED);
}

static bool is_called(const char *program, const char *name)
{
	const char *slash = program ? strrchr(program, '/') : NULL;

	return program && strcmp(slash ? slash + 1 : program, name) == 0;
}

/* Take --config and --no-config from the front of the command line.  False after a complaint. */
static bool take_config(int *argc, char ***argv)
{
	while (*argc > 1) {
		const char *word = (*argv)[1], *file = NULL;
		int words = 1;

		if (strcmp(word, "--no-config") == 0) {
			config_ignore();
		} else if (strncmp(word, "--beside=", 9) == 0) {
			/* Of `jfrec mcp`, for its own commands. */
			if (!beside_use(word + 9)) {
				fputs("jfrec: --beside takes a descriptor\n", stderr);
				return false;
			}
		} else if (strncmp(word, "--config=", 9) == 0) {
			file = word + 9;
		} else if (strcmp(word, "--config") == 0) {
			file = (*argv)[2];
			words = 2;
			if (!file) {
				fputs("jfrec: option --config needs a value\n", stderr);
				return false;
			}
		} else {
			break;
		}
		if (file && config_add_file(file) != EXIT_DONE)
			return false;
		*argv += words;
		*argc -= words;
	}
	return true;
}

int main(int argc, char **argv)
{
	const struct command *c;

	/* A closed pipe is an error of write(), and no reason to die. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGBUS, on_lost_page);
	if (is_called(argv[0], "jcmd"))
		return as_jcmd(argc, argv);
	if (is_called(argv[0], "jfr"))
		return as_jfr(argc, argv);
	if (is_called(argv[0], "jfrconv"))
		return as_jfrconv(argc, argv);
	if (!take_config(&argc, &argv))
		return EXIT_USAGE;
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (is_any(argv[1], "-h", "--help", "help"))
		return help(argc - 1, argv + 1);
	if (is_any(argv[1], "-V", "--version", "version"))
		return version_run(argc - 1, argv + 1);
	/* Not in --help: tests compare the lists that are written by hand with it. */
	if (strcmp(argv[1], "--dump-options") == 0)
		return dump_options(commands, COMMAND_COUNT);
	c = find_command(argv[1]);
	if (c) {
		zone_check_environment();
		return c->run(c, argc - 1, argv + 1);
	}
	return hints_first_word(argc - 1, argv + 1) ? EXIT_USAGE : unknown_word(argv[1], false);
}
