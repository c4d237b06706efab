/* SPDX-License-Identifier: MIT */
/*
 * event_opts.c - options that select events
 */
#include "opts/event_opts.h"

#include <inttypes.h>
#include <string.h>

#include "base/config.h"
#include "jfrec-tool.h"

/* Which filter an option adds. */
static const struct filter_kind {
	enum jfrec_filter by;
	bool exclude;
} only_events = { JFREC_FILTER_EVENTS, false }, no_events = { JFREC_FILTER_EVENTS, true },
  only_categories = { JFREC_FILTER_CATEGORIES, false },
  no_categories = { JFREC_FILTER_CATEGORIES, true }, only_threads = { JFREC_FILTER_THREADS, false },
  no_threads = { JFREC_FILTER_THREADS, true };

static int take_filter(const struct opt_given *g, void *to)
{
	const struct filter_kind *kind = g->opt->how;
	struct event_opts *s = to;

	if (s->filter_count == MAX_FILTERS)
		return report_usage(g->command, "there are too many filters; give names separated "
						"by commas to one option");
	s->filters[s->filter_count].by = kind->by;
	s->filters[s->filter_count].exclude = kind->exclude;
	s->filters[s->filter_count++].globs = g->value;
	return EXIT_DONE;
}

static int take_where(const struct opt_given *g, void *to)
{
	const char **where = to;

	if (*where)
		return report_usage(g->command, "--where can be given only once; join conditions "
						"with `and`");
	*where = g->value;
	return EXIT_DONE;
}

static int take_during(const struct opt_given *g, void *to)
{
	static struct during_text given; /* as long as what was typed */
	struct event_opts *s = to;
	const char *fault;

	if (given.memory)
		return report_usage(g->command, "--during can be given only once");
	fault = during_parse(&given, g->value);
	if (fault)
		return report_usage(g->command, "--during %s: %s", g->value, fault);
	s->during = given.parts;
	return EXIT_DONE;
}

static int take_time(const struct opt_given *g, struct jfrec_time *t, bool *is_set)
{
	*is_set = jfrec_time_parse(g->value, t);
	if (*is_set)
		return EXIT_DONE;
	return report_usage(g->command,
			    "%s is not a time; write 09:30, 2026-11-20T09:47:05, +30s (from the "
			    "start) or -10m (from the end)",
			    g->value);
}

static int take_from(const struct opt_given *g, void *to)
{
	struct event_opts *s = to;

	s->from_text = g->value;
	return take_time(g, &s->from, &s->has_from);
}

static int take_to(const struct opt_given *g, void *to)
{
	struct event_opts *s = to;

	s->to_text = g->value;
	return take_time(g, &s->to, &s->has_to);
}

static int take_zone(const struct opt_given *g, void *to)
{
	const char *zone = g->opt->how ? g->opt->how : g->value;
	struct event_opts *s = to;
	char fault[256];

	s->has_zone = zone_parse(zone, &s->zone);
	if (s->has_zone)
		return EXIT_DONE;
	zone_fault(zone, fault, sizeof(fault));
	return report_usage(g->command, "%s", fault);
}

/* clang-format off */
const struct opt event_rows[] = {
	OPT_ONCE('e', "events", "FILTER", "only events of these types, such as jdk.GC*,CPULoad", struct event_opts, events),
	OPT_ONCE('c', "categories", "FILTER", "only events of a category that matches", struct event_opts, categories),
	OPT_CALL_ALL(0, "threads", "FILTER", "only events of threads whose name matches", take_filter, &only_threads),
	OPT_CALL_ALL(0, "exclude-threads", "FILTER", "no events of threads whose name matches", take_filter, &no_threads),
	OPT_CALL(0, "where", "EXPR", "only events that match, such as 'duration > 10ms'", take_where, struct event_opts, where),
	{ 0 },
};

const struct opt during_rows[] = {
	OPT_CALL_ALL(0, "during", "EVENT", "only what threads did during such events", take_during, NULL),
	OPT_FLAG(0, "outside", "with --during: only what they did not do then", struct event_opts, is_outside),
	{ 0 },
};

const struct opt time_rows[] = {
	OPT_CALL_ALL(0, "from", "TIME", "only events that ended at this time or later", take_from, NULL),
	OPT_CALL_ALL(0, "to", "TIME", "only events that began before this time", take_to, NULL),
	{ 0 },
};

const struct opt zone_rows[] = {
	OPT_CALL_ALL(0, "utc", NULL, "TIME is in UTC, not in the recording's zone", take_zone, "UTC"),
	OPT_CALL_ALL(0, "tz", "ZONE", "TIME is in this zone: Europe/Berlin or +05:30", take_zone, NULL),
	{ 0 },
};

const struct opt shown_zone_rows[] = {
	OPT_CALL_ALL(0, "utc", NULL, "show times in UTC, not in the recording's zone", take_zone, "UTC"),
	OPT_CALL_ALL(0, "tz", "ZONE", "show times in a zone: Europe/Berlin or +05:30", take_zone, NULL),
	{ 0 },
};

const struct opt local_zone_rows[] = {
	OPT_CALL_ALL(0, "utc", NULL, "show times in UTC, not in the local zone", take_zone, "UTC"),
	OPT_CALL_ALL(0, "tz", "ZONE", "show times in a zone, as Europe/Berlin or +05:30", take_zone, NULL),
	{ 0 },
};

const struct opt scrub_rows[] = {
	OPT_CALL_ALL(0, "exclude-events", "FILTER", "no events whose name matches", take_filter, &no_events),
	OPT_CALL_ALL(0, "exclude-categories", "FILTER", "no events of a category that matches", take_filter, &no_categories),
	OPT_CALL_ALL(0, "include-events", "FILTER", "the same as --events", take_filter, &only_events),
	OPT_CALL_ALL(0, "include-categories", "FILTER", "the same as --categories", take_filter, &only_categories),
	OPT_CALL_ALL(0, "include-threads", "FILTER", "the same as --threads", take_filter, &only_threads),
	{ 0 },
};

/* `jfr scrub` has these alone. */
const struct opt jfr_scrub_rows[] = {
	OPT_CALL_ALL(0, "include-events", "FILTER", "only events whose name matches", take_filter, &only_events),
	OPT_CALL_ALL(0, "exclude-events", "FILTER", "no events whose name matches", take_filter, &no_events),
	OPT_CALL_ALL(0, "include-categories", "FILTER", "only events of a category that matches", take_filter, &only_categories),
	OPT_CALL_ALL(0, "exclude-categories", "FILTER", "no events of a category that matches", take_filter, &no_categories),
	OPT_CALL_ALL(0, "include-threads", "FILTER", "only events of threads whose name matches", take_filter, &only_threads),
	OPT_CALL_ALL(0, "exclude-threads", "FILTER", "no events of threads whose name matches", take_filter, &no_threads),
	{ 0 },
};
/* clang-format on */

int event_opts_use_config(struct event_opts *s)
{
	const struct config_values *config;
	char fault[256];
	const char *zone;
	int status;

	if (s->has_zone)
		return EXIT_DONE;
	status = config_get(&config);
	if (status != EXIT_DONE)
		return status;
	zone = config_text(config, CONFIG_TIME_ZONE);
	if (!zone)
		return EXIT_DONE;
	s->has_zone = zone_parse(zone, &s->zone);
	if (s->has_zone)
		return EXIT_DONE;
	zone_fault(zone, fault, sizeof(fault));
	return config_fail(config, CONFIG_TIME_ZONE, fault);
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
	return !s->events && !s->categories && !s->where && !s->filter_count && !s->during.events;
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
			 "a time without a zone is in the recording's zone, which is unknown "
			 "before it is read; use --tz, or write 2026-11-20T09:47:05Z");
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
static int resolve_times(struct event_opts *s, struct jfrec_reader *r,
			 struct jfrec_error *err)
{
	struct jfrec_time_frame frame = { .zone = zone_offset, .zone_ctx = &s->zone };
	int64_t none = INT64_MIN;

	bool needs_zone = !s->has_zone && ((s->has_from && is_local(&s->from)) ||
					   (s->has_to && is_local(&s->to)));
	bool needs_span = (s->has_from && is_of_recording(&s->from)) ||
			  (s->has_to && is_of_recording(&s->to));

	if ((needs_zone || needs_span) && jfrec_reader_spool(r, err) < 0)
		return -1;
	if (needs_zone && find_zone(s, r, err) < 0)
		return -1;
	if (needs_span &&
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

/* What the answer leaves out, though it was asked for. */
static void tell_found(const struct event_opts *s, const struct jfrec_reader *r,
		       const struct jfrec_during_found *f)
{
	char text[256];

	if (f->began_before) {
		snprintf(text, sizeof(text),
			 "--during: %" PRIu64 " of %" PRIu64 " events of %.80s began before the recording",
			 f->began_before, f->events, s->during.events);
		say(jfrec_reader_input(r), text);
	}
	if (f->without_thread && !s->during.all_threads) {
		snprintf(text, sizeof(text),
			 "--during: %" PRIu64 " of %" PRIu64 " events of %.80s have no thread, and are left out",
			 f->without_thread, f->events, s->during.events);
		say(jfrec_reader_input(r), text);
	}
	if (f->without_key) {
		snprintf(text, sizeof(text),
			 "--during: in %" PRIu64 " of %" PRIu64 " events of %.60s, %.60s is null; they are left out",
			 f->without_key, f->events, s->during.events, s->during.by);
		say(jfrec_reader_input(r), text);
	}
}

static int select_during(struct event_opts *s, struct jfrec_reader *r, struct jfrec_error *err)
{
	struct jfrec_during_found found;

	if (!s->during.events)
		return s->is_outside ? jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
						  "--outside says what to leave out with --during")
				     : 0;
	s->during.outside = s->is_outside;
	if (jfrec_reader_during(r, &s->during, &found, err) == 0) {
		tell_found(s, r, &found);
		return 0;
	}
	if (err->code == JFREC_EEXPRESSION) {
		s->where = s->during.where;
		s->where_name = "--during";
	}
	return -1;
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
	return resolve_times(s, r, err) < 0 ? -1 : select_during(s, r, err);
}

/* The sentence, and a mark under the place. */
static int report_where(const struct command *c, const struct event_opts *s,
			const struct jfrec_error *err)
{
	report_expression(c, s->where_name ? s->where_name : "--where", s->where, err);
	fputs("See jfrec-where(7).\n", stderr);
	return EXIT_USAGE;
}

int event_opts_failure(const struct event_opts *s, const struct command *c,
		       const struct jfrec_reader *r, const struct jfrec_error *err)
{
	return err->code == JFREC_EEXPRESSION ? report_where(c, s, err)
					      : report_failure(r, err);
}
