/* SPDX-License-Identifier: MIT */
/*
 * event_opts.h - options that select events
 */
#ifndef JFREC_CLI_OPTS_EVENT_OPTS_H
#define JFREC_CLI_OPTS_EVENT_OPTS_H

#include "common/report.h"
#include "opts/timearg.h"

enum {
	OPT_WHERE = 800,
	OPT_THREADS,
	OPT_EXCLUDE_THREADS,
	OPT_FROM,
	OPT_TO,
	OPT_UTC,
	OPT_TZ,
	OPT_INCLUDE_EVENTS,
	OPT_INCLUDE_CATEGORIES,
	OPT_INCLUDE_THREADS,
	OPT_EXCLUDE_EVENTS,
	OPT_EXCLUDE_CATEGORIES,
};

/* clang-format off */
/* Rows for a table of options. */
#define CHOICE_EVENT_OPTS \
	{ 'e', "events", "FILTER", "only events whose name matches, as jdk.GC*,CPULoad" }, \
	{ 'c', "categories", "FILTER", "only events of a category that matches" }, \
	{ OPT_THREADS, "threads", "FILTER", "only events of threads whose name matches" }, \
	{ OPT_EXCLUDE_THREADS, "exclude-threads", "FILTER", "no events of threads whose name matches" }, \
	{ OPT_WHERE, "where", "EXPR", "only events that fit, as 'duration > 10ms'" }

#define CHOICE_TIME_OPTS \
	{ OPT_FROM, "from", "TIME", "only events that ended at this time or later" }, \
	{ OPT_TO, "to", "TIME", "only events that began before this time" }

#define CHOICE_OPTS \
	CHOICE_EVENT_OPTS, \
	CHOICE_TIME_OPTS

/* For commands that show no times. */
#define CHOICE_ZONE_OPTS \
	{ OPT_UTC, "utc", NULL, "TIME is in UTC, not in the recording's zone" }, \
	{ OPT_TZ, "tz", "ZONE", "TIME is in that zone, as Europe/Berlin or +05:30" }

/* The names of `jfr scrub`. */
#define SCRUB_OPTS \
	{ OPT_EXCLUDE_EVENTS, "exclude-events", "FILTER", "no events whose name matches" }, \
	{ OPT_EXCLUDE_CATEGORIES, "exclude-categories", "FILTER", "no events of a category that matches" }, \
	{ OPT_INCLUDE_EVENTS, "include-events", "FILTER", "the same as --events" }, \
	{ OPT_INCLUDE_CATEGORIES, "include-categories", "FILTER", "the same as --categories" }, \
	{ OPT_INCLUDE_THREADS, "include-threads", "FILTER", "the same as --threads" }
/* clang-format on */

#define MAX_FILTERS 64

/* All zero at first. */
struct choice {
	const char *events, *categories, *where;
	const char *where_name; /* of the option that it came by; NULL: --where */
	struct {
		enum jfrec_filter by;
		bool exclude;
		const char *globs;
	} filters[MAX_FILTERS];
	unsigned filter_count;
	bool has_from, has_to;
	struct jfrec_time from, to;
	const char *from_text, *to_text;
	/* Of --tz, --utc or the configuration; choice_make() may set the recording's. */
	bool has_zone;
	struct zone zone;
	/* Set by choice_make(): in ns since 1970, or NULL. */
	const int64_t *from_ns, *to_ns;
};

/* Keep the option if it is one of these.  1; 0: it is another; -1 after saying what is wrong. */
int choice_take_option(struct choice *s, const struct command *c, int letter, const char *value);

/* Take the zone of the configuration, if no option named one.  An exit status. */
int choice_use_config(struct choice *s);

/*
 * Are only some times wanted, and was no event found?  Then that is said, with when the recording
 * begins and ends.
 */
bool choice_found_nothing(struct choice *s, const struct jfrec_reader *r, uint64_t events);

/* Were event types chosen, by name or by category? */
bool choice_names_types(const struct choice *s);

/* Was nothing said of which events, times apart? */
bool choice_is_all(const struct choice *s);

/* Have the reader deliver these events. 0, or -1 with *err set. */
int choice_make(struct choice *s, struct jfrec_reader *r, struct jfrec_error *err);

/*
 * report_failure(), for failures that may come of the choice: an expression is
 * shown with a mark under the place.
 */
int choice_failure(const struct choice *s, const struct command *c, const struct jfrec_reader *r,
		   const struct jfrec_error *err);

#endif
