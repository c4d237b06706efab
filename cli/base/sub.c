/* SPDX-License-Identifier: MIT */
/*
 * sub.c - dispatch sub-commands, and print help for commands
 */
#include <errno.h>
#include <string.h>

#include "base/command.h"
#include "base/report.h"
#include "base/typo.h"

/* "settings list" is "list" among the commands of "settings". */
static const char *short_name(const struct command *self, const struct command *sub)
{
	return sub->name + strlen(self->name) + 1;
}

static const struct command *find_sub(const struct command *self, const char *word)
{
	for (size_t i = 0; self->subs[i]; i++) {
		if (strcmp(short_name(self, self->subs[i]), word) == 0)
			return self->subs[i];
	}
	return NULL;
}

static int unknown_sub(const struct command *self, const char *word)
{
	struct typo t = { .word = word };

	for (size_t i = 0; self->subs[i]; i++)
		typo_offer(&t, short_name(self, self->subs[i]));
	fprintf(stderr, "jfrec %s: unknown command ", self->name);
	put_name(stderr, word);
	if (t.meant)
		fprintf(stderr, "; did you mean %s?", t.meant);
	fprintf(stderr, "\nSee `jfrec %s --help`.\n", self->name);
	return EXIT_USAGE;
}

static void print_subs(const struct command *c)
{
	puts("Commands:");
	for (size_t i = 0; c->subs[i]; i++)
		printf("  %-12s%s\n", short_name(c, c->subs[i]), c->subs[i]->summary);
	putchar('\n');
}

int command_help(const struct command *c)
{
	printf("Usage: %s %s%s%s%s\n", program_invocation_short_name, c->name,
	       c->subs ? "" : " [OPTION...]", *c->args ? " " : "", c->args);
	if (c->examples)
		printf("\n%s\n", c->examples);
	printf("%s\n\n", c->about);
	if (c->subs)
		print_subs(c);
	puts("Options:");
	opt_print_help(c->opts, stdout);
	return finish_stdout();
}

int command_help_on(const struct command *c, int argc, char **argv)
{
	const struct command *sub;

	if (!c->subs || argc < 2)
		return command_help(c);
	sub = find_sub(c, argv[1]);
	return sub ? command_help(sub) : unknown_sub(c, argv[1]);
}

int command_run_sub(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv, .in_order = true };
	const struct command *sub;
	int at;

	if (!opt_parse(&p, NULL))
		return p.status;
	at = p.first_operand;
	if (at == argc)
		return report_usage(self, "name a command, such as %s",
				    short_name(self, self->subs[0]));
	if (strcmp(argv[at], "help") == 0)
		return command_help_on(self, argc - at, argv + at);
	sub = find_sub(self, argv[at]);
	return sub ? sub->run(sub, argc - at, argv + at) : unknown_sub(self, argv[at]);
}
