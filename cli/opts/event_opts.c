/* SPDX-License-Identifier: MIT */
/*
 * event_opts.c - options that select events
 */
#include "opts/event_opts.h"

#include <inttypes.h>
#include <string.h>

#include "common/config.h"

static int take_time(const struct command *c, struct jfrec_time *t, bool *is_set, const char *value)
{
	*is_set = jfrec_time_parse(value, t);
	if (*is_set)
		return 1;
	report_usage(c,
		     "%s is not a time; write 09:30, 2026-11-20T09:47:05, +30s (from the start) or "
		     "-10m (from the end)",
		     value);
	return -1;
}

static int take_zone(struct event_opts *s, const struct command *c, const char *value)
{
	char fault[256];

	s->has_zone = zone_parse(value, &s->zone);
	if (s->has_zone)
		return 1;
	zone_fault(value, fault, sizeof(fault));
	report_usage(c, "%s", fault);
	return -1;
}

int event_opts_use_config(struct event_opts *s)
{
	const struct jfrec_config *config;
	char fault[256];
	const char *zone;
	int status;

	if (s->has_zone)
		return EXIT_DONE;
	status = config_get(&config);
	if (status != EXIT_DONE)
		return status;
	zone = config_text(config, JFREC_CONFIG_TIME_ZONE);
	if (!zone)
		return EXIT_DONE;
	s->has_zone = zone_parse(zone, &s->zone);
	if (s->has_zone)
		return EXIT_DONE;
	zone_fault(zone, fault, sizeof(fault));
	return config_fail(config, JFREC_CONFIG_TIME_ZONE, fault);
}

static int take_filter(struct event_opts *s, const struct command *c, enum jfrec_filter by,
		       bool exclude, const char *globs)
{
	if (s->filter_count == MAX_FILTERS) {
		report_usage(c, "there are too many filters; give names separated by commas to one option");
		return -1;
	}
	s->filters[s->filter_count].by = by;
	s->filters[s->filter_count].exclude = exclude;
	s->filters[s->filter_count++].globs = globs;
	return 1;
}

static int take_where(struct event_opts *s, const struct command *c, const char *value)
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

int event_opts_take_option(struct event_opts *s, const struct command *c, int letter,
			   const char *value)
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
	case OPT_UTC:
		return take_zone(s, c, "UTC");
	case OPT_TZ:
		return take_zone(s, c, value);
	case OPT_FROM:
		s->from_text = value;
		return take_time(c, &s->from, &s->has_from, value);
	case OPT_TO:
		s->to_text = value;
		return take_time(c, &s->to, &s->has_to, value);
	default:
		return 0;
	}
}

bool event_opts_names_types(const struct event_opts *s)
{
	if (s->events || s->categories)
		return true;
	for (unsigned i = 0; i < s->filter_count; i++) {
		if (s->filters[i].by != JFREC_FILTER_THREADS)
			return true;
	}
	return false;
}

bool event_opts_is_all(const struct event_opts *s)
{
	return !s->events && !s->categories && !s->where && !s->filter_count;
}

static bool is_of_recording(const struct jfrec_time *t)
{
	return t->base == JFREC_SINCE_START || t->base == JFREC_BEFORE_END ||
	       t->base == JFREC_TIME_OF_DAY;
}

static bool is_local(const struct jfrec_time *t)
{
	return t->base == JFREC_LOCAL_TIME || t->base == JFREC_TIME_OF_DAY;
}

/* The recording's zone, where none was named. */
static int find_zone(struct event_opts *s, const struct jfrec_reader *r, struct jfrec_error *err)
{
	int ret = jfrec_reader_zone(r, &s->zone.offset_s, err);

	if (ret < 0 && err->code == JFREC_EINVAL)
		snprintf(err->text, sizeof(err->text),
			 "a time without a zone is in the recording's, which is not known before it is "
			 "read; use --tz, or write 2026-11-20T09:47:05Z");
	s->zone.is_fixed = s->has_zone = ret == 0;
	return ret;
}

static int fail_order(struct event_opts *s, struct jfrec_error *err)
{
	struct zone *z = s->has_zone ? &s->zone : NULL;
	char from[64], to[64];

	*err = (struct jfrec_error){ .code = JFREC_EINVAL, .offset = JFREC_NO_OFFSET };
	snprintf(err->text, sizeof(err->text), "--from %.40s is not before --to %.40s: %s, %s",
		 s->from_text, s->to_text, zone_time(from, sizeof(from), z, s->from.ns),
		 zone_time(to, sizeof(to), z, s->to.ns));
	return -1;
}

/* In --to, +SPAN counts from --from, unless that is a +SPAN itself. */
static bool is_after_from(const struct event_opts *s)
{
	return s->has_from && s->from.base != JFREC_SINCE_START && s->to.base == JFREC_SINCE_START;
}

/* Times that depend on the recording. */
static int resolve_times(struct event_opts *s, const struct jfrec_reader *r,
			 struct jfrec_error *err)
{
	struct jfrec_time_frame frame = { .zone = zone_offset, .zone_ctx = &s->zone };
	int64_t none = INT64_MIN;

	if (!s->has_zone && ((s->has_from && is_local(&s->from)) || (s->has_to && is_local(&s->to))) &&
	    find_zone(s, r, err) < 0)
		return -1;
	if (((s->has_from && is_of_recording(&s->from)) || (s->has_to && is_of_recording(&s->to))) &&
	    jfrec_reader_span(r, &frame.start_ns, &frame.end_ns, err) < 0)
		return -1;
	if (s->has_from)
		s->from.ns = jfrec_time_resolve_in(&s->from, &frame, NULL);
	if (is_after_from(s))
		frame.start_ns = s->from.ns;
	if (s->has_to)
		s->to.ns = jfrec_time_resolve_in(&s->to, &frame, s->has_from ? &s->from.ns : &none);
	s->from_ns = s->has_from ? &s->from.ns : NULL;
	s->to_ns = s->has_to ? &s->to.ns : NULL;
	return s->has_from && s->has_to && s->from.ns >= s->to.ns ? fail_order(s, err) : 0;
}

bool event_opts_found_nothing(struct event_opts *s, const struct jfrec_reader *r, uint64_t events)
{
	const char *such = event_opts_is_all(s) ? "" : "such ";
	char from[64], to[64], text[256];
	struct jfrec_error err;
	int64_t start_ns, end_ns;

	if (events || (!s->has_from && !s->has_to))
		return false;
	if (!s->has_zone)
		find_zone(s, r, &err);
	if (jfrec_reader_span(r, &start_ns, &end_ns, &err) < 0)
		snprintf(text, sizeof(text), "no %sevent in that time", such);
	else
		snprintf(text, sizeof(text), "no %sevent in that time; the recording goes from %s to %s",
			 such, zone_time(from, sizeof(from), &s->zone, start_ns),
			 zone_time(to, sizeof(to), &s->zone, end_ns));
	say(jfrec_reader_input(r), text);
	return true;
}

int event_opts_select(struct event_opts *s, struct jfrec_reader *r, struct jfrec_error *err)
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
static int report_expression(const struct command *c, const struct event_opts *s,
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

int event_opts_failure(const struct event_opts *s, const struct command *c,
		       const struct jfrec_reader *r, const struct jfrec_error *err)
{
	return err->code == JFREC_EEXPRESSION ? report_expression(c, s, err)
					      : report_failure(r, err);
}
