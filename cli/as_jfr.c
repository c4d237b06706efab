/* SPDX-License-Identifier: MIT */
/*
 * as_jfr.c - called by the name jfr
 *
 * The commands that we have take the JDK's options and print what it prints;
 * what is ours besides works here, too.  Exit status as in the JDK: 1 for what
 * failed, 2 for a wrong command line.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "called_as.h"
#include "config.h"
#include "report.h"

/* Commands of the JDK's jfr, and ours that does the same; NULL if there is none yet. */
static const struct {
	const char *name;
	const struct command *command;
} commands[] = {
	{ "print", &cmd_print },	 { "summary", &cmd_summary },
	{ "metadata", &cmd_metadata },	 { "scrub", &jfr_scrub },
	{ "assemble", &jfr_assemble },	 { "disassemble", &jfr_disassemble },
	{ "configure", &jfr_configure }, { "view", NULL },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

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

bool jfr_has_name(const struct command *c, const char *path)
{
	size_t len = strlen(path);

	if (len > 4 && strcmp(path + len - 4, ".jfr") == 0)
		return true;
	jfr_fail(c->name, "%s: filename must end with '.jfr'", path);
	return false;
}

/* Java makes one slash of several. */
static void squeeze_slashes(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		if (*from != '/' || from[1] != '/')
			*to++ = *from;
	}
	*to = '\0';
}

void jfr_print_path(const char *path)
{
	char *directory = *path == '/' ? NULL : getcwd(NULL, 0), *full;

	if (asprintf(&full, "%s%s%s", directory ? directory : "", directory ? "/" : "", path) >=
	    0) {
		squeeze_slashes(full);
		print_name(full);
		free(full);
	}
	free(directory);
}

static void print_commands(FILE *to)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = commands[i].command;

		if (c)
			fprintf(to, " jfr %s [OPTION...] %s\n     %s\n\n", c->name, c->args,
				c->summary);
	}
	fputs(" jfr version\n     print the version\n\n"
	      " jfr help [COMMAND]\n     explain a command\n",
	      to);
}

/* Its index, or COMMAND_COUNT. */
static size_t find(const char *name)
{
	size_t i = 0;

	while (i < COMMAND_COUNT && strcmp(commands[i].name, name) != 0)
		i++;
	return i;
}

static int say_missing(const char *name)
{
	fprintf(stderr, "jfr %s: jfrec has no such command; the JDK's own jfr does\n", name);
	return EXIT_FAILED;
}

static int help(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		fputs("This is jfrec by the name of the JDK's tool for recordings.\n\n", stdout);
		print_commands(stdout);
		return finish_stdout();
	}
	i = find(argv[1]);
	if (i < COMMAND_COUNT && commands[i].command == &jfr_configure)
		return jfr_configure.run(&jfr_configure, 2,
					 (char *[]){ argv[1], (char[]){ "--help" }, NULL });
	if (i < COMMAND_COUNT)
		return commands[i].command ? command_help(commands[i].command)
					   : say_missing(argv[1]);
	fprintf(stderr, "jfr help: unknown command '%s'\n", argv[1]);
	return EXIT_FAILED;
}

static int fail_unknown(const char *word)
{
	fprintf(stderr, "jfr: unknown command '%s'\n\nList of available commands:\n\n", word);
	print_commands(stderr);
	return EXIT_USAGE;
}

static bool is_any(const char *s, const char *a, const char *b, const char *c, const char *d)
{
	return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0 || strcmp(s, d) == 0;
}

int as_jfr(int argc, char **argv)
{
	size_t i;

	config_ignore();
	if (argc < 2)
		return help(1, argv);
	if (is_any(argv[1], "help", "--help", "-h", "-?"))
		return help(argc - 1, argv + 1);
	if (is_any(argv[1], "version", "--version", "-version", "-V")) {
		puts(jfrec_version());
		return finish_stdout();
	}
	i = find(argv[1]);
	if (i == COMMAND_COUNT)
		return fail_unknown(argv[1]);
	if (!commands[i].command)
		return say_missing(argv[1]);
	return commands[i].command->run(commands[i].command, argc - 1, argv + 1);
}
