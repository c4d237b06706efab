/* SPDX-License-Identifier: MIT */
/*
 * choice.c - the options that choose events
 */
#include "choice.h"

#include <string.h>

static int take_time(const struct command *c, struct jfrec_time *t, bool *is_set, const char *value)
{
	*is_set = jfrec_time_parse(value, t);
	if (*is_set)
		return 1;
	report_usage(c, "%s is no time; write 2026-11-20T09:47:05Z, +30s or -10m", value);
	return -1;
}

static int take_filter(struct choice *s, const struct command *c, enum jfrec_filter by,
		       bool exclude, const char *globs)
{
	if (s->filter_count == MAX_FILTERS) {
		report_usage(c, "that are too many filters; part names by commas");
		return -1;
	}
	s->filters[s->filter_count].by = by;
	s->filters[s->filter_count].exclude = exclude;
	s->filters[s->filter_count++].globs = globs;
	return 1;
}

static int take_where(struct choice *s, const struct command *c, const char *value)
{
	if (s->where) {
		report_usage(c, "use --where once, and `and` in it");
		return -1;
	}
	s->where = value;
	return 1;
}

static int once(int status)
{
	return status == EXIT_DONE ? 1 : -1;
}

int choice_take_option(struct choice *s, const struct command *c, int letter, const char *value)
{
	switch (letter) {
	case 'e':
		return once(set_once(c, &s->events, "events", value));
	case 'c':
		return once(set_once(c, &s->categories, "categories", value));
	case OPT_INCLUDE_EVENTS:
	case OPT_EXCLUDE_EVENTS:
		return take_filter(s, c, JFREC_FILTER_EVENTS, letter == OPT_EXCLUDE_EVENTS, value);
	case OPT_INCLUDE_CATEGORIES:
	case OPT_EXCLUDE_CATEGORIES:
		return take_filter(s, c, JFREC_FILTER_CATEGORIES, letter == OPT_EXCLUDE_CATEGORIES,
				   value);
	case OPT_THREADS:
	case OPT_INCLUDE_THREADS:
	case OPT_EXCLUDE_THREADS:
		return take_filter(s, c, JFREC_FILTER_THREADS, letter == OPT_EXCLUDE_THREADS,
				   value);
	case OPT_WHERE:
		return take_where(s, c, value);
	case OPT_FROM:
		return take_time(c, &s->from, &s->has_from, value);
	case OPT_TO:
		return take_time(c, &s->to, &s->has_to, value);
	default:
		return 0;
	}
}

bool choice_is_all(const struct choice *s)
{
	return !s->events && !s->categories && !s->where && !s->filter_count;
}

/* Times that are relative to the recording's start or end. */
static int resolve_times(struct choice *s, const struct jfrec_reader *r, struct jfrec_error *err)
{
	int64_t start_ns = 0, end_ns = 0;

	if (((s->has_from && s->from.base != JFREC_SINCE_1970) ||
	     (s->has_to && s->to.base != JFREC_SINCE_1970)) &&
	    jfrec_reader_span(r, &start_ns, &end_ns, err) < 0)
		return -1;
	s->from.ns = jfrec_time_resolve(&s->from, start_ns, end_ns);
	s->to.ns = jfrec_time_resolve(&s->to, start_ns, end_ns);
	s->from_ns = s->has_from ? &s->from.ns : NULL;
	s->to_ns = s->has_to ? &s->to.ns : NULL;
	return 0;
}

int choice_make(struct choice *s, struct jfrec_reader *r, struct jfrec_error *err)
{
	if (jfrec_reader_select(r, s->events, s->categories, err) < 0)
		return -1;
	for (unsigned i = 0; i < s->filter_count; i++) {
		if (jfrec_reader_filter(r, s->filters[i].by, s->filters[i].exclude,
					s->filters[i].globs, err) < 0)
			return -1;
	}
	if (s->where && jfrec_reader_where(r, s->where, err) < 0)
		return -1;
	return resolve_times(s, r, err);
}

/* How much of a long expression is shown in front of the place, and behind. */
#define SHOWN_BEFORE 40
#define SHOWN_AFTER  36

static bool is_inside_character(char c)
{
	return (c & 0xc0) == 0x80;
}

/* The sentence, and a mark under the place. */
static int report_expression(const struct command *c, const struct choice *s,
			     const struct jfrec_error *err)
{
	const char *expression = s->where, *name = s->where_name ? s->where_name : "--where";
	size_t at = (size_t)err->offset, from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
	size_t end = at + strnlen(expression + at, SHOWN_AFTER);

	while (is_inside_character(expression[from]))
		from++;
	while (is_inside_character(expression[end]))
		end++;
	fprintf(stderr, "jfrec %s: %s: %s\n  ", c->name, name, err->text);
	for (size_t i = from; i < end; i++)
		fputc((unsigned char)expression[i] < ' ' ? ' ' : expression[i], stderr);
	fputs("\n  ", stderr);
	for (size_t i = from; i < at; i++) {
		if (!is_inside_character(expression[i]))
			fputc(' ', stderr);
	}
	fputs("^\nSee jfrec-where(7).\n", stderr);
	return EXIT_USAGE;
}

int choice_failure(const struct choice *s, const struct command *c, const struct jfrec_reader *r,
		   const struct jfrec_error *err)
{
	return err->code == JFREC_EEXPRESSION ? report_expression(c, s, err)
					      : report_failure(r, err);
}
