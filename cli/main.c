/* SPDX-License-Identifier: MIT */
/*
 * main.c - the list of commands, dispatch and help
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/config.h"
#include "base/dump.h"
#include "base/hints.h"
#include "base/report.h"
#include "base/typo.h"
#include "jdk/called_as.h"

static const struct command *const commands[] = {
	&cmd_print,
	&cmd_summary,
	&cmd_view,
	&cmd_query,
	&cmd_sql,
	&cmd_metadata,
	&cmd_flame,
	&cmd_analyze,
	&cmd_diff,
	&cmd_report,
	&cmd_export,
	&cmd_filter,
	&cmd_merge,
	&cmd_split,
	&cmd_repair,
	&cmd_scrub,
	&cmd_symbolize,
	&cmd_list,
	&cmd_start,
	&cmd_stop,
	&cmd_check,
	&cmd_dump,
	&cmd_record,
	&cmd_stream,
	&cmd_configure,
	&cmd_collect,
	&cmd_settings,
	&cmd_config,
	&cmd_doctor,
	&cmd_jcmd,
	&cmd_heapdump,
	&cmd_threads,
	&cmd_histogram,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static void print_usage(FILE *to)
{
	fputs("Usage: jfrec COMMAND [OPTION...] RECORDING...|TARGET\n"
	      "Record JVMs, and read, analyse and rewrite their recordings, without a JDK.\n"
	      "\n"
	      "Commands:\n",
	      to);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
	fputs("  help        explain a command\n"
	      "\n"
	      "Options:\n"
	      "      --config FILE         read default values from FILE as well\n"
	      "      --no-config           read no configuration files\n"
	      "  -h, --help                print this help\n"
	      "  -V, --version             print the version\n"
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

static int unknown_word(const char *word)
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
	}
	fprintf(stderr, "jfrec: unknown %s %s", is_option ? "option" : "command", word);
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
	return c ? command_help_on(c, argc - 1, argv + 1) : unknown_word(argv[1]);
}

static bool is_any(const char *s, const char *a, const char *b, const char *c)
{
	return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0;
}

/* Only a finished file that somebody cuts short meanwhile comes here. */
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
	if (is_any(argv[1], "-V", "--version", "version")) {
		printf("jfrec %s\n", jfrec_version());
		return finish_stdout();
	}
	/* Not in --help: tests compare the lists that are written by hand with it. */
	if (strcmp(argv[1], "--dump-options") == 0)
		return dump_options(commands, COMMAND_COUNT);
	c = find_command(argv[1]);
	if (c)
		return c->run(c, argc - 1, argv + 1);
	return hints_first_word(argc - 1, argv + 1) ? EXIT_USAGE : unknown_word(argv[1]);
}
