/* SPDX-License-Identifier: MIT */
/*
 * dump.c - print all options of all commands, for completions and tests
 */
#include "base/dump.h"

#include "base/report.h"

/* "print", TAB, "-d", TAB, "--stack-depth", TAB, "N", TAB, "words that it takes", TAB, its help */
static void print_option(void *ctx, const struct opt *o)
{
	const struct opt_choice *c = o->take == opt_take_choice ? o->how : NULL;
	const struct command *command = ctx;

	printf("%s\t", command->name);
	if (o->letter)
		printf("-%c", o->letter);
	printf("\t--%s\t%s\t", o->name, o->arg ? o->arg : "");
	for (; c && c->name; c++)
		printf("%s%s", c->name, c[1].name ? " " : "");
	printf("\t%s\n", o->help);
}

int dump_options(const struct command *const *commands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		opt_each(commands[i]->opts, print_option, (void *)commands[i]);
		for (size_t k = 0; commands[i]->subs && commands[i]->subs[k]; k++)
			opt_each(commands[i]->subs[k]->opts, print_option,
				 (void *)commands[i]->subs[k]);
	}
	return finish_stdout();
}
