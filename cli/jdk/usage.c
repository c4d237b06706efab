/* SPDX-License-Identifier: MIT */
/*
 * usage.c - usage texts of the commands of `jfr`
 *
 * What is typed is the JDK's, in its order; what explains it is ours.
 */
#include <stdarg.h>
#include <string.h>

#include "base/report.h"
#include "jdk/called_as.h"

struct usage {
	const char *name, *syntax, *summary;
	const struct command *command; /* NULL: its options are in the text */
	const char *text;	       /* or NULL */
	void (*explain)(FILE *to);     /* its options, instead of both; or NULL */
};

#define SELECTING \
	"           [--categories <filter>]\n" \
	"           [--events <filter>]\n"

static const struct usage usages[] = {
	{ "print",
	  " jfr print [--xml|--json|--exact]\n" SELECTING "           [--stack-depth <depth>]\n"
	  "           <file>\n",
	  "Print the events of a recording", &cmd_print, NULL, NULL },
	{ "view",
	  " jfr view [--verbose]\n"
	  "          [--width <integer>]\n"
	  "          [--truncate <mode>]\n"
	  "          [--cell-height <integer>]\n"
	  "          <view>\n"
	  "          <file>\n",
	  "Display event values in a recording file (.jfr) in predefined views", &jfr_view, NULL,
	  jfr_view_explain },
	{ "configure",
	  " jfr configure [--interactive] [--verbose]\n"
	  "               [--input <files>] [--output <file>]\n"
	  "               [option=value]* [event-setting=value]*\n",
	  "Write a settings file (.jfc) with changes", &jfr_configure,
	  "An option is one of the input's (`jfrec settings show`), such as gc=high; an\n"
	  "event-setting is EVENT#SETTING, and is added if it is +EVENT#SETTING.\n", NULL },
	{ "metadata",
	  " jfr metadata [--categories <filter>]\n"
	  "              [--events <filter>]\n"
	  "              [<file>]\n",
	  "Print the event types of a recording", &cmd_metadata,
	  "Without <file> these are the types that JDK 25 can record.\n", NULL },
	{ "scrub",
	  " jfr scrub [--include-events <filter>]\n"
	  "           [--exclude-events <filter>]\n"
	  "           [--include-categories <filter>]\n"
	  "           [--exclude-categories <filter>]\n"
	  "           [--include-threads <filter>]\n"
	  "           [--exclude-threads <filter>]\n"
	  "           <input-file>\n"
	  "           [<output-file>]\n",
	  "Write a recording of some of another one's events", &jfr_scrub,
	  "Both names end in .jfr; without <output-file> it is <input-file> with -scrubbed\n"
	  "appended, and what is there is replaced.\n", NULL },
	{ "summary", " jfr summary <file>\n", "Count the events of each type in a recording",
	  &cmd_summary, NULL, NULL },
	{ "assemble", " jfr assemble <repository> <file>\n",
	  "Write one recording of the chunk files in a directory", &jfr_assemble, NULL, NULL },
	{ "disassemble",
	  " jfr disassemble [--output <directory>]\n"
	  "                 [--max-chunks <chunks>]\n"
	  "                 [--max-size <size>]\n"
	  "                 <file>\n",
	  "Write the chunks of a recording to several files", &jfr_disassemble, NULL, NULL },
	{ "version", " jfr version (alias --version)\n", "Display version of the jfr tool", NULL,
	  "", NULL },
	{ "help", " jfr help [<command>] (aliases --help, -h, -?)\n",
	  "Explain a command, or list all", NULL,
	  "  <command>   which command to explain\n", NULL },
};

#define USAGE_COUNT (sizeof(usages) / sizeof(*usages))

static const struct usage *find(const char *name)
{
	for (size_t i = 0; i < USAGE_COUNT; i++) {
		if (strcmp(usages[i].name, name) == 0)
			return &usages[i];
	}
	return NULL;
}

const char *jfr_syntax(const char *command)
{
	const struct usage *u = find(command);

	return u ? u->syntax : NULL;
}

const char *jfr_summary(const char *command)
{
	const struct usage *u = find(command);

	return u ? u->summary : NULL;
}

const struct command *jfr_command(const char *name)
{
	const struct usage *u = find(name);

	return u ? u->command : NULL;
}

void jfr_print_usage(const char *command, FILE *to)
{
	const struct usage *u = find(command);

	fprintf(to, "%s\n", u->syntax);
	if (u->explain) {
		u->explain(to);
		return;
	}
	if (u->command)
		opt_print_help(u->command->opts, to);
	if (u->text)
		fprintf(to, "%s%s", u->command ? "\n" : "", u->text);
}

int jfr_fail_usage(const char *command, const char *format, ...)
{
	char sentence[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	fprintf(stderr, "jfr %s: ", command);
	put_name(stderr, sentence);
	fputs("\n\nUsage:\n\n", stderr);
	jfr_print_usage(command, stderr);
	return EXIT_USAGE;
}

void jfr_print_commands(FILE *to)
{
	for (size_t i = 0; i < USAGE_COUNT; i++)
		fprintf(to, "%s%s     %s\n", i ? "\n" : "", usages[i].syntax, usages[i].summary);
}
