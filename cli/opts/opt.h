/* SPDX-License-Identifier: MIT */
/*
 * opt.h - parse options and print help, both from one table
 */
#ifndef JFREC_CLI_OPTS_OPT_H
#define JFREC_CLI_OPTS_OPT_H

#include <stdbool.h>
#include <stdio.h>

/* A table ends with all zero.  Every command has -h, --help without listing it. */
struct opt {
	int letter; /* or, for options without one, a number from 256 on */
	const char *name;
	const char *arg;  /* the name of its value, or NULL */
	const char *help; /* one line */
};

/* What opt_next() returns besides letters. */
enum {
	OPT_END = -1,
	OPT_WRONG = '?', /* said on stderr */
	OPT_HELP = 'h',
};

struct opt_parser {
	const char *command; /* "print" */
	const struct opt *opts;
	int argc;
	char **argv;   /* argv[0] is the command's name */
	bool in_order; /* end at the first operand: what follows has options of its own */
	const char *value;
	int first_operand; /* set at OPT_END: operands are argv[first_operand] and on */
	bool started;
};

/* The letter of the next option, with p->value set if it takes one. */
int opt_next(struct opt_parser *p);

/* The help lines of a table, --help last. */
void opt_print_help(const struct opt *opts, FILE *to);

#endif
