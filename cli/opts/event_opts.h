/* SPDX-License-Identifier: MIT */
/*
 * event_opts.h - options that select events
 */
#ifndef JFREC_CLI_OPTS_EVENT_OPTS_H
#define JFREC_CLI_OPTS_EVENT_OPTS_H

#include "base/report.h"
#include "jfrec-tool.h"
#include "opts/during.h"
#include "opts/timearg.h"

#define MAX_FILTERS 64

/* All zero at first. */
struct event_opts {
	const char *events, *categories, *where;
	const char *where_name; /* of the option that it came by; NULL: --where */
	struct {
		enum jfrec_filter by;
		bool exclude;
		const char *globs;
	} filters[MAX_FILTERS];
	unsigned filter_count;
	struct jfrec_during during;
	bool is_outside;
	bool has_from, has_to;
	struct jfrec_time from, to;
	const char *from_text, *to_text;
	/* Of --tz, --utc or the configuration; event_opts_select() may set the recording's. */
	bool has_zone;
	struct zone zone;
	/* Set by event_opts_select(): in ns since 1970, or NULL. */
	const int64_t *from_ns, *to_ns;
};

/*
 * Groups for the table of a command: which events, by what they are, by what else their threads did
 * meanwhile, and by time; the zone in
 * which times are written, and, for commands that show times, shown; the names of `jfr scrub`.
 */
extern const struct opt event_rows[], during_rows[], time_rows[], zone_rows[], shown_zone_rows[],
	local_zone_rows[], scrub_rows[], jfr_scrub_rows[];

/* Take the zone of the configuration, if no option named one.  An exit status. */
int event_opts_use_config(struct event_opts *s);

/*
 * Are only some times wanted, and was no event found?  Then say so, and when the recording begins
 * and ends.
 */
bool event_opts_found_nothing(struct event_opts *s, const struct jfrec_reader *r, uint64_t events);

/* Were event types chosen, by name or by category? */
bool event_opts_names_types(const struct event_opts *s);

/* Was nothing said of which events, times apart? */
bool event_opts_is_all(const struct event_opts *s);

/* Have the reader deliver these events. 0, or -1 with *err set. */
int event_opts_select(struct event_opts *s, struct jfrec_reader *r, struct jfrec_error *err);

/*
 * report_failure(), for failures that may come of the selection: an expression is
 * shown with a mark under the place.
 */
int event_opts_failure(const struct event_opts *s, const struct command *c,
		       const struct jfrec_reader *r, const struct jfrec_error *err);

#endif
