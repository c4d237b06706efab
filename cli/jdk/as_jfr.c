/* SPDX-License-Identifier: MIT */
/*
 * as_jfr.c - act as the JDK's jfr, when called by that name
 *
 * The commands that we have take the JDK's options and print what it prints;
 * what is ours besides works here, too.  Exit status as in the JDK: 1 for what
 * failed, 2 for a wrong command line.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/report.h"
#include "base/suffix.h"
#include "jdk/called_as.h"
#include "recording/open_recordings.h"

/* The version whose tool we stand in for, where we are in no JDK. */
#define JDK_VERSION "25.0.3"
#define JDK_NUMBER  "25"

#define MAX_WORDS 1024

int jfr_fail(const char *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "jfr %s: ", command);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return EXIT_FAILED;
}

static void introduce(void)
{
	puts("jfrec, called by the name of the JDK's tool for Flight Recorder recordings.\n\n"
	     "To have a recording, for example of a JVM that runs:\n\n"
	     " jcmd <pid> JFR.start\n"
	     " jcmd <pid> JFR.dump filename=app.jfr\n\n"
	     "To see what is in it:\n\n"
	     " jfr summary app.jfr\n"
	     " jfr print --events CPULoad,GarbageCollection app.jfr\n"
	     " jfr print --json --categories 'GC,Java*' app.jfr\n"
	     " jfr metadata app.jfr\n\n"
	     "`jfr help` lists the commands, `jfr help COMMAND` explains one.");
}

static int help(int argc, char **argv)
{
	if (argc < 2) {
		puts("jfrec, called by the name of the JDK's tool for Flight Recorder recordings\n");
		jfr_print_commands(stdout);
		return finish_stdout();
	}
	if (argc > 2)
		return jfr_fail_usage("help", "too many arguments");
	if (!jfr_syntax(argv[1])) {
		fputs("jfr help: unknown command '", stderr);
		put_name(stderr, argv[1]);
		fputs("'\n", stderr);
		return EXIT_FAILED;
	}
	printf("%s\n\n", jfr_summary(argv[1]));
	jfr_print_usage(argv[1], stdout);
	return finish_stdout();
}

static int fail_unknown(const char *word)
{
	fputs("jfr: unknown command '", stderr);
	put_name(stderr, word);
	fputs("'\n\nList of available commands:\n\n", stderr);
	jfr_print_commands(stderr);
	return EXIT_USAGE;
}

/* $JFREC_JFR_VERSION says it for scripts that ask for another. */
static int print_version(void)
{
	const char *wanted = getenv("JFREC_JFR_VERSION");
	char version[64];

	if (wanted && *wanted)
		print_name(wanted);
	else
		fputs(jdk_names_version(version, sizeof(version)) ? version : JDK_VERSION, stdout);
	putchar('\n');
	return finish_stdout();
}

static bool names_recording(const char *word)
{
	return ends_with(word, ".jfr");
}

/* Without a recording, `metadata` is about a JDK: ours says which. */
static int run_metadata(int argc, char **argv)
{
	static char option[] = "--jdk", number[] = JDK_NUMBER;
	char *words[MAX_WORDS + 3];

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], option, strlen(option)) == 0)
			return cmd_metadata.run(&cmd_metadata, argc, argv);
	}
	if (names_recording(argv[argc - 1]) || argc > MAX_WORDS)
		return cmd_metadata.run(&cmd_metadata, argc, argv);
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	words[argc] = option;
	words[argc + 1] = number;
	words[argc + 2] = NULL;
	return cmd_metadata.run(&cmd_metadata, argc + 2, words);
}

static bool is_any(const char *s, const char *a, const char *b, const char *c, const char *d)
{
	return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0 || strcmp(s, d) == 0;
}

static int run_command(const struct command *c, int argc, char **argv)
{
	int status = jfr_check_words(c, argv + 1, argc - 1);

	if (status != EXIT_DONE)
		return status;
	say_as_the_jdk();
	return c == &cmd_metadata ? run_metadata(argc, argv) : c->run(c, argc, argv);
}

int as_jfr(int argc, char **argv)
{
	const struct command *c;
	int status = jdk_names_begin(&argc, argv);

	if (status != EXIT_DONE)
		return status;
	config_ignore();
	if (argc < 2) {
		introduce();
		return finish_stdout();
	}
	if (is_any(argv[1], "help", "--help", "-h", "-?"))
		return help(argc - 1, argv + 1);
	if (strcmp(argv[1], "version") == 0 || strcmp(argv[1], "--version") == 0)
		return print_version();
	c = jfr_command(argv[1]);
	return c ? run_command(c, argc - 1, argv + 1) : fail_unknown(argv[1]);
}
