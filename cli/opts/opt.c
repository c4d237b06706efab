/* SPDX-License-Identifier: MIT */
/*
 * opt.c - parse options and print help, both from one table
 */
#include "opts/opt.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/budget.h"
#include "common/typo.h"

#define MAX_OPTS 64

/* The column where help texts begin. */
#define HELP_COLUMN 28

static size_t count(const struct opt *opts)
{
	size_t n = 0;

	while (opts[n].letter)
		n++;
	return n;
}

static const char *what_was_meant(const struct opt_parser *p, const char *word)
{
	struct typo t = { .word = word };

	for (size_t i = 0; i < count(p->opts); i++)
		typo_offer(&t, p->opts[i].name);
	typo_offer(&t, "help");
	return t.meant;
}

static void complain(const struct opt_parser *p, int got)
{
	const char *arg = p->argv[optind - 1];
	const char *word = arg + strspn(arg, "-");
	const char *meant;

	fprintf(stderr, "%s %s: ", program_invocation_short_name, p->command);
	if (got == ':') {
		fprintf(stderr, "option %s needs a value", arg);
	} else if (strncmp(arg, "--", 2) == 0) {
		fprintf(stderr, "unknown option %.*s", (int)strcspn(arg, "="), arg);
		meant = what_was_meant(p, word);
		if (strchr(arg, '=') && !meant)
			fprintf(stderr, " (or one that takes no value)");
		if (meant)
			fprintf(stderr, "; did you mean --%s?", meant);
	} else {
		fprintf(stderr, "unknown option -%c", optopt);
	}
	fprintf(stderr, "\nSee `%s %s --help`.\n", program_invocation_short_name, p->command);
}

static bool has_budget(const struct opt_parser *p)
{
	for (size_t i = 0; i < count(p->opts); i++) {
		if (p->opts[i].letter == OPT_MAX_MEMORY)
			return true;
	}
	return false;
}

static int refuse_budget(const struct opt_parser *p)
{
	fprintf(stderr, "%s %s: --max-memory takes " BUDGET_TAKES ", not %s\n",
		program_invocation_short_name, p->command, optarg);
	fprintf(stderr, "See `%s %s --help`.\n", program_invocation_short_name, p->command);
	return OPT_WRONG;
}

static int next(struct opt_parser *p)
{
	struct option longs[MAX_OPTS + 2] = { 0 };
	char letters[2 * MAX_OPTS + 5] = "+:h", *letter = letters + 3;
	size_t n = count(p->opts);
	int got;

	for (size_t i = 0; i < n; i++) {
		const struct opt *o = &p->opts[i];

		longs[i] = (struct option){ o->name, o->arg ? required_argument : no_argument, NULL,
					    o->letter };
		if (o->letter < 256) {
			*letter++ = (char)o->letter;
			if (o->arg)
				*letter++ = ':';
		}
	}
	longs[n] = (struct option){ "help", no_argument, NULL, OPT_HELP };
	if (!p->started) {
		optind = 0;
		opterr = 0;
		p->started = true;
	}
	got = getopt_long(p->argc, p->argv, p->in_order ? letters : letters + 1, longs, NULL);
	p->value = optarg;
	p->first_operand = optind;
	if (got != '?' && got != ':')
		return got;
	complain(p, got);
	return OPT_WRONG;
}

int opt_next(struct opt_parser *p)
{
	int got;

	/* It means the same in each command that has it. */
	while ((got = next(p)) == OPT_MAX_MEMORY) {
		if (!budget_take(p->value))
			return refuse_budget(p);
	}
	if (got == OPT_END && has_budget(p))
		budget_begin();
	return got;
}

static void print_line(const struct opt *o, FILE *to)
{
	int used;

	if (o->letter < 256)
		used = fprintf(to, "  -%c, --%s", o->letter, o->name);
	else
		used = fprintf(to, "      --%s", o->name);
	if (o->arg)
		used += fprintf(to, " %s", o->arg);
	if (used > HELP_COLUMN - 2) {
		fputc('\n', to);
		used = 0;
	}
	fprintf(to, "%*s%s\n", HELP_COLUMN - used, "", o->help);
}

void opt_print_help(const struct opt *opts, FILE *to)
{
	static const struct opt help = { OPT_HELP, "help", NULL, "print this help" };

	for (size_t i = 0; i < count(opts); i++)
		print_line(&opts[i], to);
	print_line(&help, to);
}
