/* SPDX-License-Identifier: MIT */
/*
 * opt.c - parse options and print help, both from one table
 */
#include "base/opt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/own_limits.h"
#include "base/output_limit.h"
#include "base/report.h"
#include "base/typo.h"

/* The column where help texts begin. */
#define HELP_COLUMN 28

/* It is in each table by itself. */
static const struct opt help_row = { .letter = 'h', .name = "help", .help = "print this help" };

static bool is_end(const struct opt *o)
{
	return !o->name && !o->group && !o->make;
}

/* The rows of a group, or NULL: it is an option. */
static const struct opt *rows_of(const struct opt *o)
{
	return o->make ? o->make() : o->group;
}

void opt_each(const struct opt *opts, void (*fn)(void *ctx, const struct opt *o), void *ctx)
{
	for (; !is_end(opts); opts++) {
		if (opts->is_hidden)
			continue;
		if (rows_of(opts))
			opt_each(rows_of(opts), fn, ctx);
		else
			fn(ctx, opts);
	}
}

/* Finding a row -------------------------------------------------------------------------------- */

/* What is looked for, by name or by letter, and what was found. */
struct wanted {
	const char *name;
	size_t len;
	int letter;
	const struct opt *row;
	size_t at; /* of its destination in the options of the command */
};

static bool fits(const struct wanted *w, const struct opt *o)
{
	return w->name ? strlen(o->name) == w->len && strncmp(o->name, w->name, w->len) == 0
		       : o->letter == w->letter;
}

static bool find_in(const struct opt *opts, size_t at, struct wanted *w)
{
	for (; !is_end(opts); opts++) {
		const struct opt *rows = rows_of(opts);

		if (rows) {
			if (find_in(rows, at + opts->at, w))
				return true;
		} else if (fits(w, opts)) {
			w->row = opts;
			w->at = at + opts->at;
			return true;
		}
	}
	return false;
}

static bool find(const struct opt *opts, struct wanted *w)
{
	if (fits(w, &help_row))
		w->row = &help_row;
	else
		find_in(opts, 0, w);
	return w->row;
}

const struct opt *opt_find(const struct opt *opts, const char *name, size_t len)
{
	struct wanted w = { .name = name, .len = len };

	find_in(opts, 0, &w);
	return w.row;
}

/* Values --------------------------------------------------------------------------------------- */

int opt_take_flag(const struct opt_given *g, void *to)
{
	(void)g;
	*(bool *)to = true;
	return EXIT_DONE;
}

int opt_take_string(const struct opt_given *g, void *to)
{
	*(const char **)to = g->value;
	return EXIT_DONE;
}

int opt_take_once(const struct opt_given *g, void *to)
{
	return *(const char **)to ? opt_refuse_again(g) : opt_take_string(g, to);
}

int opt_take_list(const struct opt_given *g, void *to)
{
	struct opt_list *l = to;
	const char **texts = reallocarray(l->texts, l->count + 1, sizeof(*texts));

	if (!texts) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	l->texts = texts;
	l->texts[l->count++] = g->value;
	return EXIT_DONE;
}

void opt_list_fini(struct opt_list *l)
{
	free(l->texts);
	*l = (struct opt_list){ 0 };
}

int opt_take_choice(const struct opt_given *g, void *to)
{
	const struct opt_choice *choices = g->opt->how;
	char list[256] = "";
	size_t len = 0;

	for (const struct opt_choice *c = choices; c->name; c++) {
		if (strcmp(c->name, g->value) == 0) {
			*(unsigned *)to = c->value;
			return EXIT_DONE;
		}
		if (len < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
						c == choices ? "" : c[1].name ? ", " : " or ",
						c->name);
	}
	return opt_refuse(g, list);
}

int opt_refuse(const struct opt_given *g, const char *what)
{
	return report_usage(g->command, "--%s takes %s, not %s", g->opt->name, what, g->value);
}

int opt_refuse_again(const struct opt_given *g)
{
	return report_usage(g->command, "--%s can be given only once", g->opt->name);
}

/* The command line ----------------------------------------------------------------------------- */

/* What was meant by an option that there is not. */
struct meant {
	struct typo typo;
	size_t len;
	bool is_beginning; /* of a name: it is an abbreviation */
};

static void offer(void *ctx, const struct opt *o)
{
	struct meant *m = ctx;

	typo_offer(&m->typo, o->name);
	m->is_beginning |= strncmp(o->name, m->typo.word, m->len) == 0;
}

static int refuse_unknown(const struct command *c, const char *word, int len)
{
	char name[64];
	struct meant m = { .typo.word = name, .len = (size_t)len };

	snprintf(name, sizeof(name), "%.*s", len, word);
	if (m.len && m.len < sizeof(name)) {
		opt_each(c->opts, offer, &m);
		offer(&m, &help_row);
	}
	if (!m.typo.meant)
		return report_usage(c, "unknown option --%.*s", len, word);
	return report_usage(c, "unknown option --%s; %sdid you mean --%s?", name,
			    m.is_beginning ? "options cannot be abbreviated: " : "", m.typo.meant);
}

/* "--name", "--name value", "--name=value".  False after a complaint. */
static bool take_long(struct opt_parser *p, const char *name, struct wanted *w)
{
	const struct command *c = p->self;

	w->name = name;
	w->len = strcspn(name, "=");
	p->value = name[w->len] ? name + w->len + 1 : NULL;
	if (!find(c->opts, w))
		refuse_unknown(c, name, (int)w->len);
	else if (!w->row->arg && p->value)
		report_usage(c, "option --%s takes no value", w->row->name);
	else if (w->row->arg && !p->value && p->next == p->argc)
		report_usage(c, "option --%s needs a value", w->row->name);
	else
		return !w->row->arg || p->value || (p->value = p->argv[p->next++]);
	return false;
}

/* The next letter of "-xj", "-n value", "-nvalue".  False after a complaint. */
static bool take_letter(struct opt_parser *p, struct wanted *w)
{
	const struct command *c = p->self;

	w->letter = (unsigned char)*p->cluster++;
	p->value = *p->cluster ? p->cluster : NULL;
	if (!find(c->opts, w)) {
		report_usage(c, "unknown option -%c", w->letter);
		return false;
	}
	if (!w->row->arg) {
		p->cluster = p->value;
		return true;
	}
	p->cluster = NULL;
	if (!p->value && p->next == p->argc) {
		report_usage(c, "option -%c needs a value", w->letter);
		return false;
	}
	if (!p->value)
		p->value = p->argv[p->next++];
	return true;
}

/* Operands, of which those so far are in front, are to be the last words. */
static void end_operands(struct opt_parser *p)
{
	p->first_operand = p->next - p->kept;
	memmove(p->argv + p->first_operand, p->argv + 1, (size_t)p->kept * sizeof(*p->argv));
}

/* SQL may begin with a comment, "-- what this asks", which is no option. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && !(word[1] == '-' && isspace((unsigned char)word[2]));
}

enum step { STEP_END, STEP_OPTION, STEP_WRONG };

/* The next option. */
static enum step step(struct opt_parser *p, struct wanted *w)
{
	if (!p->next) {
		p->next = 1;
		p->in_order |= getenv("POSIXLY_CORRECT") != NULL;
	}
	while (!p->cluster && p->next < p->argc) {
		char *word = p->argv[p->next];
		bool is_operand = !is_option(word);

		if (is_operand && p->in_order)
			break;
		p->next++;
		if (strcmp(word, "--") == 0)
			break;
		if (is_operand)
			p->argv[1 + p->kept++] = word;
		else if (word[1] == '-')
			return take_long(p, word + 2, w) ? STEP_OPTION : STEP_WRONG;
		else
			p->cluster = word + 1;
	}
	if (p->cluster)
		return take_letter(p, w) ? STEP_OPTION : STEP_WRONG;
	end_operands(p);
	if (opt_find(p->self->opts, "max-memory", strlen("max-memory")))
		budget_begin();
	if (opt_find(p->self->opts, "jobs", strlen("jobs")))
		own_processors(); /* while the files that say so can be read */
	if (opt_find(p->self->opts, "max-output", strlen("max-output")))
		output_limit_begin();
	return STEP_END;
}

bool opt_parse(struct opt_parser *p, void *options)
{
	for (;;) {
		struct wanted w = { 0 };
		enum step got = step(p, &w);
		struct opt_given g = { p->self, w.row, p->value };

		if (got == STEP_END)
			return true;
		if (got == STEP_WRONG)
			p->status = EXIT_USAGE;
		else if (w.row == &help_row)
			p->status = command_help(p->self);
		else
			p->status = w.row->take(&g, (char *)options + w.at);
		if (p->status != EXIT_DONE || w.row == &help_row)
			return false;
	}
}

/* Help ----------------------------------------------------------------------------------------- */

static void print_line(void *ctx, const struct opt *o)
{
	FILE *to = ctx;
	int used;

	if (o->letter)
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
	opt_each(opts, print_line, to);
	print_line(to, &help_row);
}
