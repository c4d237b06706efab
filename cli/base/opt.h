/* SPDX-License-Identifier: MIT */
/*
 * opt.h - parse options and print help, both from one table
 *
 * A command has one struct for what its options say, and one table whose rows name a member of
 * that struct and how it is read:
 *
 *	struct options {
 *		struct event_opts events;
 *		bool json;
 *		uint64_t limit;
 *		unsigned order;
 *	};
 *
 *	static const struct opt_choice orders[] = {
 *		{ "time", BY_TIME }, { "file", BY_FILE }, { 0 },
 *	};
 *
 *	static const struct opt opts[] = {
 *		OPT_GROUP(event_rows, struct options, events),
 *		OPT_FLAG('j', "json", "print one JSON document", struct options, json),
 *		OPT_COUNT(0, "limit", "N", "print N events at most", struct options, limit),
 *		OPT_CHOICE(0, "sort", "time|file", "the order", struct options, order, orders),
 *		{ 0 },
 *	};
 *
 *	static int run(const struct command *self, int argc, char **argv)
 *	{
 *		struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
 *		struct options o = { .limit = UINT64_MAX };
 *
 *		if (!opt_parse(&p, &o))
 *			return p.status;
 *		return print(&o, argv + p.first_operand, argc - p.first_operand);
 *	}
 *
 * A row is: letter (0: the option has none), name, name of the value, line of help, then the type
 * of the struct and the member.  The compiler checks that the member has the type that the row
 * writes.  Rows stand in the order in which --help shows them; -h, --help is in every table by
 * itself.
 *
 * Rows (what is written; what is refused besides a value that cannot be read):
 *
 *	OPT_FLAG      bool: true
 *	OPT_STRING    const char *: the value; of several the last counts
 *	OPT_ONCE      const char *: the same; given again it is refused
 *	OPT_LIST      struct opt_list: every value, in the order given
 *	OPT_COUNT     uint64_t: a number from 1 on
 *	OPT_NUMBER    unsigned: a number from 0 on
 *	OPT_SIZE      uint64_t: bytes, "64k", "500M", "2G"
 *	OPT_DURATION  int64_t: nanoseconds, more than 0, "500ms", "10m", "2h"
 *	OPT_CHOICE    an enum: one of a table of words
 *	OPT_CALL      anything: read by a function of the command's own
 *	OPT_GROUP     a struct that several commands share, with a table of rows of its own
 *	OPT_GROUP_MADE  the same, with rows that are made at run time
 *	OPT_GROUP_HIDDEN  the same, for options that another command has now
 *
 * The groups there are, each a table of rows and the struct that they fill:
 *
 *	event_rows, time_rows, zone_rows,
 *	shown_zone_rows, scrub_rows       struct event_opts (event_opts.h)
 *	format_rows, stream_format_rows   struct format_opts (format_opts.h), by OPT_GROUP_MADE
 *	output_rows, outfile_rows         struct output_opts (output_opts.h, outfile.h)
 *	target_rows, narrow_rows          struct target (target.h)
 *	attach_rows, attach_whole_rows    struct attach_opts (attach_opts.h)
 *	for_each_jvm_rows                 struct for_each_jvm (for_each_jvm.h): both, and --json
 *	settings_rows, unchecked_rows     struct jfr_opts (jfr_opts.h), and the rows of JFR_ROW
 *	follow_rows, judging_rows,
 *	metrics_rows                      struct stream_opts (stream_opts.h), by OPT_GROUP_ALONE
 *	memory_rows, spool_rows, types_rows, jobs_rows,
 *	confine_rows                      none: OPT_GROUP_ALONE (budget.h, spool.h, report.h,
 *	                                  jobs_opts.h)
 *
 * A function for OPT_CALL gets the option as it was given, and its destination:
 *
 *	static int take_range(const struct opt_given *g, void *to)
 *	{
 *		struct range *range = to;
 *
 *		return range_parse(range, g->value) ? EXIT_DONE
 *						    : opt_refuse(g, "a range such as 1-4");
 *	}
 *
 * Long options are not abbreviated: a new option never changes what an old script means.  Options
 * and operands may be mixed; `--` ends the options.
 */
#ifndef JFREC_CLI_BASE_OPT_H
#define JFREC_CLI_BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct command;
struct opt;

/* An option, as it was given. */
struct opt_given {
	const struct command *command;
	const struct opt *opt; /* its row */
	const char *value;     /* NULL, if it takes none */
};

/* Keep the value at `to`.  EXIT_DONE, or an exit code after saying what is wrong. */
typedef int opt_take_fn(const struct opt_given *g, void *to);

/* A word that OPT_CHOICE takes, and what it stands for.  A table ends with all zero. */
struct opt_choice {
	const char *name;
	unsigned value;
};

/* Values of OPT_LIST, which belong to the command line; all zero at first. */
struct opt_list {
	const char **texts;
	size_t count;
};

void opt_list_fini(struct opt_list *l);

/* A row, made by one of the macros below.  A table ends with all zero. */
struct opt {
	int letter; /* 0: it has none */
	const char *name; /* NULL: a group */
	const char *arg;  /* the name of its value, or NULL */
	const char *help; /* one line */
	opt_take_fn *take;
	size_t at; /* where its destination, or the group's struct, begins in the options */
	const void *how; /* what take() has to know besides */
	const struct opt *group;
	const struct opt *(*make)(void); /* a group that is made when it is asked for */
	bool is_hidden; /* a group that is understood, but in no help and list: old names */
};

/* Where a member is, if it has that type. */
#define OPT_AT(type, s, member) _Generic(((s *)0)->member, type: offsetof(s, member))

/* clang-format off */
#define OPT_ROW(letter_, name_, arg_, help_, take_, at_, how_) \
	{ .letter = letter_, .name = name_, .arg = arg_, .help = help_, .take = take_, .at = at_, .how = how_ }
#define OPT_FLAG(letter, name, help, s, member) \
	OPT_ROW(letter, name, NULL, help, opt_take_flag, OPT_AT(bool, s, member), NULL)
#define OPT_STRING(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_string, OPT_AT(const char *, s, member), NULL)
#define OPT_ONCE(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_once, OPT_AT(const char *, s, member), NULL)
#define OPT_LIST(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_list, OPT_AT(struct opt_list, s, member), NULL)
#define OPT_COUNT(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_count, OPT_AT(uint64_t, s, member), NULL)
#define OPT_NUMBER(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_number, OPT_AT(unsigned, s, member), NULL)
#define OPT_SIZE(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_size, OPT_AT(uint64_t, s, member), NULL)
#define OPT_DURATION(letter, name, arg, help, s, member) \
	OPT_ROW(letter, name, arg, help, opt_take_duration, OPT_AT(int64_t, s, member), NULL)
#define OPT_CHOICE(letter, name, arg, help, s, member, choices) \
	OPT_ROW(letter, name, arg, help, opt_take_choice, OPT_AT(unsigned, s, member), choices)
/* `to` is the member. */
#define OPT_CALL(letter, name, arg, help, take, s, member) \
	OPT_ROW(letter, name, arg, help, take, offsetof(s, member), NULL)
/* The same, where one function is for several rows: `how` of g->opt tells it which. */
#define OPT_CALL_HOW(letter, name, arg, help, take, s, member, how) \
	OPT_ROW(letter, name, arg, help, take, offsetof(s, member), how)
/* `to` is the whole struct that the table is about. */
#define OPT_CALL_ALL(letter, name, arg, help, take, how) \
	OPT_ROW(letter, name, arg, help, take, 0, how)
#define OPT_GROUP(rows, s, member) \
	{ .at = offsetof(s, member), .group = rows }
/* Of rows that a function returns, always the same. */
#define OPT_GROUP_MADE(function, s, member) \
	{ .at = offsetof(s, member), .make = function }
/* Of rows whose destinations are their own, or the members of the same struct. */
#define OPT_GROUP_ALONE(rows) \
	{ .group = rows }
/* clang-format on */

/* The same, which old command lines may have. */
#define OPT_GROUP_HIDDEN(rows) \
	{ .group = rows, .is_hidden = true }

opt_take_fn opt_take_flag, opt_take_string, opt_take_once, opt_take_list, opt_take_count,
	opt_take_number, opt_take_size, opt_take_duration, opt_take_choice;

/* Is the value a number from 0 on?  For a row that says by itself what it takes. */
bool opt_is_number(const struct opt_given *g, unsigned *number);

/* "--limit takes WHAT, not VALUE": for a value that a row cannot read.  Returns EXIT_USAGE. */
int opt_refuse(const struct opt_given *g, const char *what);

/* "--listen can be given only once".  Returns EXIT_USAGE. */
int opt_refuse_again(const struct opt_given *g);

struct opt_parser {
	const struct command *self;
	int argc;
	char **argv;   /* argv[0] is the command's name; the words are put into another order */
	bool in_order; /* end at the first operand: what follows has options of its own */
	/* Set by opt_parse(): */
	int first_operand; /* operands are argv[first_operand] and on; NULL follows the last */
	int status;	   /* if it returned false */
	/* Its own: */
	int next;	     /* the word to look at */
	int kept;	     /* operands so far: argv[1] and on */
	const char *cluster; /* of letters, "j" in -xj, where one has been taken; or NULL */
	const char *value;
};

/*
 * Take the options of a command line into the struct that the command's table is about.
 *
 * False: there is nothing left to do but to return p->status; --help was asked for, which is
 * printed, or something is wrong, which is said on stderr.
 */
bool opt_parse(struct opt_parser *p, void *options);

/* The row of an option by its name, also in groups; or NULL.  --help is not found. */
const struct opt *opt_find(const struct opt *opts, const char *name, size_t len);

/* Call fn for each row that is an option and not hidden, in the order of --help. */
void opt_each(const struct opt *opts, void (*fn)(void *ctx, const struct opt *o), void *ctx);

/* The help lines of a table, --help last. */
void opt_print_help(const struct opt *opts, FILE *to);

#endif
