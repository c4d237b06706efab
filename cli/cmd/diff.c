/* SPDX-License-Identifier: MIT */
/*
 * diff.c - jfrec diff: compare where time, memory and waiting went in two recordings
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/output_limit.h"
#include "base/progress.h"
#include "base/typo.h"
#include "jfrec-tool.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"
#include "recording/side_facts.h"

#define DEFAULT_LINES 15

struct range {
	struct jfrec_time from, to;
	bool is_set;
};

struct options {
	struct event_opts select;
	struct output_opts to;
	const char *profiles;
	struct range before, after;
	bool by_time, by_cpu, total, json;
	unsigned top;
	double fail_above; /* share; 0: never */
};

/* FROM..TO, each a time. */
static int take_range(const struct opt_given *g, void *to)
{
	struct range *r = to;
	const char *dots = strstr(g->value, "..");
	char from[64];

	if (dots && (size_t)(dots - g->value) < sizeof(from)) {
		memcpy(from, g->value, (size_t)(dots - g->value));
		from[dots - g->value] = '\0';
		r->is_set = jfrec_time_parse(from, &r->from) && jfrec_time_parse(dots + 2, &r->to);
	}
	return r->is_set ? EXIT_DONE : opt_refuse(g, "two times, for example 09:30..09:40");
}

static int take_share(const struct opt_given *g, void *to)
{
	double *share = to;
	char *end;

	*share = strtod(g->value, &end);
	if (end == g->value || *share <= 0 || *share > 100 || (*end && strcmp(end, "%") != 0))
		return opt_refuse(g, "a percentage, for example 5%");
	*share /= 100;
	return EXIT_DONE;
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_ONCE(0, "profile", "LIST", "cpu, wall, alloc, lock, io, ... (default: all)", struct options, profiles),
	OPT_FLAG(0, "total", "include the methods that a method calls", struct options, total),
	OPT_FLAG(0, "per-second", "compare amounts per second, not shares", struct options, by_time),
	OPT_FLAG(0, "per-cpu-second", "compare amounts per second of CPU time", struct options, by_cpu),
	OPT_CALL(0, "before", "FROM..TO", "in one recording: the time before", take_range, struct options, before),
	OPT_CALL(0, "after", "FROM..TO", "in one recording: the time after", take_range, struct options, after),
	OPT_NUMBER(0, "top", "N", "methods of each profile to print (default: 15)", struct options, top),
	OPT_CALL(0, "fail-above", "PERCENT", "exit with 20 if a share grew by more", take_share, struct options, fail_above),
	OPT_ONCE('o', "output", "FILE", "write a page with both graphs to FILE (.html)", struct options, to.path),
	OPT_FLAG(0, "force", "replace FILE if it exists", struct options, to.force),
	MODE_ROW("permissions of FILE in octal, such as 640", struct options, to),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(zone_rows, struct options, select),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(output_limit_rows),
	OPT_GROUP_ALONE(confine_rows),
	{ 0 },
};
/* clang-format on */

/* What is being compared. */
struct comparison {
	const struct options *o;
	struct jfrec_stacks *stacks;
	const char *before, *after; /* names of the recordings, or of the times */
	int64_t from_ns, to_ns;	    /* of the side that is read */
	int64_t spans[2][2];	    /* the same, by side */
	uint64_t damage;
	struct jfrec_reader *readers[2]; /* by side, read to its end */
	bool is_one;	/* recording for both sides */
	bool is_sliced; /* into what happened during events, and before it the rest */
	struct side_facts facts[2];	 /* the same */
	bool has_facts;	       /* else they were not asked for */
	double worst; /* by how much a share grew beyond chance */
	size_t shown; /* profiles; one of CPU time that was not asked for may follow */
};

static bool by_amount(const struct comparison *c)
{
	return c->o->by_time || c->o->by_cpu;
}

/* Reading -------------------------------------------------------------------------------------- */

/* Is it one of the list, which commas separate? */
static bool is_listed(const char *list, const char *name, size_t len)
{
	for (const char *at = list; *at; at += *at == ',') {
		size_t n = strcspn(at, ",");

		if (n == len && strncmp(at, name, n) == 0)
			return true;
		at += n;
	}
	return false;
}

static bool is_profile(const char *name, size_t len)
{
	const char *known;

	for (size_t i = 0; (known = jfrec_stacks_names_get(i)) != NULL; i++) {
		if (strlen(known) == len && strncmp(known, name, len) == 0)
			return true;
	}
	return false;
}

static int fail_unknown(const struct command *self, const char *name, size_t len)
{
	char word[64];
	struct typo t = { .word = word };
	const char *known;

	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word)), name);
	for (size_t i = 0; (known = jfrec_stacks_names_get(i)) != NULL; i++)
		typo_offer(&t, known);
	if (t.meant)
		return report_usage(self, "unknown profile '%s'; did you mean %s?", word, t.meant);
	return report_usage(self, "unknown profile '%s'; jfrec-flame(1) lists them", word);
}

/*
 * Check that the list names profiles only. Returns an exit code, after naming one that is unknown.
 */
static int check_profiles(const struct command *self, const char *list)
{
	if (list && !*list)
		return report_usage(self, "--profile names no profile");
	for (const char *at = list; at && *at; at += *at == ',') {
		size_t n = strcspn(at, ",");

		if (!is_profile(at, n))
			return fail_unknown(self, at, n);
		at += n;
	}
	return EXIT_DONE;
}

/* Those that are asked for; and what amounts are compared by, which is not shown. */
static int add_profiles(struct comparison *c, struct jfrec_error *err)
{
	const struct options *o = c->o;
	struct jfrec_stacks *s = c->stacks;
	const char *name;

	for (size_t i = 0; (name = jfrec_stacks_names_get(i)) != NULL; i++) {
		if ((!o->profiles || is_listed(o->profiles, name, strlen(name))) &&
		    jfrec_stacks_add(s, name, err) < 0)
			return -1;
	}
	c->shown = jfrec_stacks_count(s);
	if (o->by_cpu && o->profiles && !is_listed(o->profiles, "cpu", 3))
		return jfrec_stacks_add(s, "cpu", err);
	return 0;
}

/* Both times of one recording are read from what was opened for the first. */
static struct jfrec_reader *open_side(const struct comparison *c, char *path,
				      struct jfrec_error *err)
{
	const struct jfrec_reader *of = c->is_one ? c->readers[1] : NULL;
	struct jfrec_reader *r = of ? jfrec_reader_again(of, err) : open_recordings(&path, 1);

	if (of && !r)
		report_failure(of, err);
	if (r && (c->o->json || beside_is_wanted()))
		envelope_read(r, &path, of ? 0 : 1);
	return r;
}

/* The events of that side. */
static struct event_opts select_side(const struct comparison *c, unsigned side)
{
	struct event_opts select = c->o->select;

	if (c->is_sliced && side == 1)
		select.is_outside = !select.is_outside;
	return select;
}

static int read_side(const struct command *self, struct comparison *c, unsigned side,
		     const struct range *range, char *path)
{
	struct event_opts select = select_side(c, side);
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = open_side(c, path, &err);
	int64_t start, end;
	int status = EXIT_DONE;

	if (!r)
		return EXIT_FAILED;
	c->from_ns = INT64_MIN;
	c->readers[side] = r;
	c->to_ns = INT64_MAX;
	/* What else differs is looked at afterwards. */
	if (c->is_one || !c->o->profiles)
		jfrec_reader_spool(r, &err);
	if (!err.code && range->is_set &&
	    jfrec_reader_span(r, &start, &end, &err) == 0) {
		c->from_ns = jfrec_time_resolve(&range->from, start, end);
		c->to_ns = jfrec_time_resolve(&range->to, start, end);
	}
	jobs_use(r);
	c->spans[side][0] = c->from_ns;
	c->spans[side][1] = c->to_ns;
	if (err.code || event_opts_select(&select, r, &err) < 0 ||
	    jfrec_stacks_read(c->stacks, side, r, &err) < 0)
		status = event_opts_failure(&select, self, r, &err);
	c->damage += jfrec_reader_damage(r);
	return status;
}

/* What else differs, unless only some profiles are asked for. */
static int read_facts(const struct command *self, struct comparison *c)
{
	int status = EXIT_DONE;

	c->has_facts = !c->o->profiles;
	for (unsigned side = 0; c->has_facts && side < 2 && status == EXIT_DONE; side++) {
		struct event_opts select = select_side(c, side);

		status = side_facts_read(&c->facts[side], self, &select, c->readers[side],
					 c->spans[side]);
	}
	return status;
}

/* Text ----------------------------------------------------------------------------------------- */

/* What is compared: shares are of this. */
static const char *measure_of(const struct jfrec_stack_profile *p)
{
	if (p->unit == JFREC_UNIT_BYTES)
		return "bytes";
	if (p->unit == JFREC_UNIT_NS)
		return strcmp(p->name, "cpu") == 0 ? "CPU time" : "time";
	return "samples";
}

/* Profilers do not see the same: a difference may be theirs. */
static void tell_profilers(const struct jfrec_stack_profile *before,
			   const struct jfrec_stack_profile *after)
{
	const char *from[] = { before->from ? before->from : "the JDK or async-profiler",
			       after->from ? after->from : "the JDK or async-profiler" };

	if (before->samples && after->samples && strcmp(from[0], from[1]) != 0)
		printf("  by %s before, by %s after: what differs may be what they see\n", from[0],
		       from[1]);
}

static void print_head(const struct comparison *c, size_t i)
{
	const struct jfrec_stack_profile *before = jfrec_stacks_get(c->stacks, 1, i);
	const struct jfrec_stack_profile *after = jfrec_stacks_get(c->stacks, 0, i);

	printf("%s: %llu %s before, %llu after; compared by %s%s%s\n", after->label,
	       (unsigned long long)before->samples, before->samples == 1 ? "sample" : "samples",
	       (unsigned long long)after->samples,
	       by_amount(c) ? "" : "share of ", measure_of(after),
	       c->o->by_cpu    ? " per second of CPU time"
	       : c->o->by_time ? " per second"
			       : "");
	tell_profilers(before, after);
	printf("\n   Before    After    Change    Method\n");
}

/* In the unit, per second. */
static void print_rate(double v, enum jfrec_unit unit)
{
	if (unit == JFREC_UNIT_NS)
		printf("%7.1f ms", v / 1e6);
	else if (unit == JFREC_UNIT_BYTES)
		printf("%6.1f KiB", v / 1024);
	else
		printf("%8.1f  ", v);
}

static void print_change(const struct comparison *c, enum jfrec_unit unit,
			 const struct jfrec_stacks_change *m)
{
	const char *note = !m->before_weight ? "  new" : !m->after_weight ? "  gone" : "";

	if (by_amount(c)) {
		print_rate(m->before, unit);
		print_rate(m->after, unit);
		print_rate(m->after - m->before, unit);
	} else {
		printf("%7.1f %%%7.1f %%  %+7.1f", 100 * m->before, 100 * m->after,
		       100 * (m->after - m->before));
	}
	printf(" %c  ", m->is_certain ? '*' : ' ');
	print_name(m->name);
	printf("%s\n", note);
}

static bool has_samples(const struct comparison *c, size_t i)
{
	return jfrec_stacks_get(c->stacks, 0, i)->samples ||
	       jfrec_stacks_get(c->stacks, 1, i)->samples;
}

static void note_worst(struct comparison *c, const struct jfrec_stacks_changes *list)
{
	for (size_t i = 0; i < jfrec_stacks_changes_count(list); i++) {
		const struct jfrec_stacks_change *m = jfrec_stacks_changes_get(list, i);
		double growth = m->after - m->before;

		if (!by_amount(c) && m->is_certain && growth > c->worst)
			c->worst = growth;
	}
}

static json_t *change_json(const struct jfrec_stacks_change *m)
{
	return json_pack("{s:o, s:f, s:f, s:I, s:I, s:b}", "method", text_json(m->name), "before",
			 m->before, "after", m->after, "beforeWeight",
			 (json_int_t)m->before_weight, "afterWeight", (json_int_t)m->after_weight,
			 "beyondChance", m->is_certain);
}

static json_t *profile_json(const struct comparison *c, size_t i,
			    const struct jfrec_stacks_changes *list)
{
	static const char *const units[] = {
		[JFREC_UNIT_NONE] = "samples",
		[JFREC_UNIT_NS] = "nanoseconds",
		[JFREC_UNIT_BYTES] = "bytes",
	};
	const struct jfrec_stack_profile *before = jfrec_stacks_get(c->stacks, 1, i);
	const struct jfrec_stack_profile *after = jfrec_stacks_get(c->stacks, 0, i);
	json_t *methods = json_array();

	for (size_t j = 0; j < jfrec_stacks_changes_count(list); j++)
		json_array_append_new(methods, change_json(jfrec_stacks_changes_get(list, j)));
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "name", after->name, "unit",
			 units[after->unit], "comparedBy", c->o->by_cpu ? "cpuSecond" : c->o->by_time ? "second" : "share",
			 "beforeSamples", (json_int_t)before->samples, "afterSamples",
			 (json_int_t)after->samples, "beforeWeight", (json_int_t)before->value,
			 "afterWeight", (json_int_t)after->value, "methods", methods);
}

static int compare_profile(struct comparison *c, size_t i, json_t *profiles, bool is_first)
{
	struct jfrec_stacks_changes *list;
	unsigned top = c->o->top ? c->o->top : DEFAULT_LINES;
	struct jfrec_error err = { 0 };
	size_t count;

	list = jfrec_stacks_compare(c->stacks, i, c->o->total,
				    c->o->by_cpu    ? JFREC_STACKS_PER_CPU_SECOND
				    : c->o->by_time ? JFREC_STACKS_PER_SECOND
						    : JFREC_STACKS_SHARES,
				    &err);
	if (!list) {
		fprintf(stderr, "jfrec: %s\n", failure_text(&err));
		return EXIT_FAILED;
	}
	count = jfrec_stacks_changes_count(list);
	note_worst(c, list);
	if (profiles)
		json_array_append_new(profiles, profile_json(c, i, list));
	if (!c->o->json) {
		if (!is_first)
			putchar('\n');
		print_head(c, i);
		for (size_t j = 0; j < count && j < top; j++)
			print_change(c, jfrec_stacks_get(c->stacks, 0, i)->unit,
				     jfrec_stacks_changes_get(list, j));
		if (count > top)
			printf("  ... and %zu more\n", count - top);
	}
	jfrec_stacks_changes_free(list);
	return EXIT_DONE;
}

/* Output --------------------------------------------------------------------------------------- */

static int write_page(const struct comparison *c)
{
	struct jfrec_error err = { 0 };
	struct jfrec_output *out = output_opts_make(&c->o->to, c->o->to.path, &err);
	int status = EXIT_FAILED;
	char title[600];

	snprintf(title, sizeof(title), "%s compared with %s", c->after, c->before);
	if (out &&
	    jfrec_stacks_set_title(c->stacks, title,
				   c->damage ? "A recording is damaged: this shows what could be "
					       "read."
					     : NULL,
				   &err) == 0 &&
	    jfrec_stacks_difference(c->stacks, &err) == 0 &&
	    jfrec_stacks_write(c->stacks, JFREC_STACKS_ALL, "html", 0, jfrec_output_write, out,
			       &err) == 0 &&
	    jfrec_output_commit(out, &err) == 0)
		status = EXIT_DONE;
	else
		say(c->o->to.path, failure_text(&err));
	jfrec_output_close(out);
	return status;
}

/* A page that shows nothing is of no use: the request has failed. */
static int tell_empty(const struct comparison *c)
{
	say(c->o->to.path, "not written: neither recording has events with a stack trace");
	return EXIT_FAILED;
}

static json_t *document_of(const struct comparison *c, json_t *profiles)
{
	json_t *to = json_pack("{s:o, s:o, s:o}", "before", text_json(c->before), "after",
			       text_json(c->after), "profiles", profiles);

	if (to && c->has_facts)
		side_facts_json(to, &c->facts[1], &c->facts[0]);
	return to;
}

/* Why it is compared like that. */
static const char *reason(const struct options *o)
{
	if (o->by_cpu)
		return "Per second of CPU time: what the same work costs, whatever the load was.";
	if (o->by_time)
		return "Per second of the recording: this also shows how the load has changed.";
	return "By share: neither the length of the recordings nor the load matters.";
}

static int report(struct comparison *c)
{
	json_t *profiles = c->o->json || beside_is_wanted() ? json_array() : NULL;
	bool is_first = true;
	int status = EXIT_DONE;

	if (!c->o->json) {
		print_name(c->before);
		printf(" -> ");
		print_name(c->after);
		printf("\n%s\n\n", reason(c->o));
	}
	for (size_t i = 0; i < c->shown && status == EXIT_DONE; i++) {
		if (!has_samples(c, i))
			continue;
		status = compare_profile(c, i, profiles, is_first);
		is_first = false;
	}
	if (!c->o->json && c->has_facts) {
		printf(is_first ? "" : "\n");
		side_facts_print(&c->facts[1], &c->facts[0], c->o->top ? c->o->top : DEFAULT_LINES);
	}
	if (!c->o->json && is_first)
		printf("Neither recording has events with a stack trace.\n");
	else if (!c->o->json)
		printf("\n* more than chance explains (99 %%)\n");
	if (status == EXIT_DONE && c->o->to.path)
		status = is_first ? tell_empty(c) : write_page(c);
	if (c->o->json && status == EXIT_DONE)
		return print_document("diff", document_of(c, profiles));
	if (status == EXIT_DONE && beside_begin()) {
		status = print_document("diff", document_of(c, json_incref(profiles)));
		beside_end();
	}
	json_decref(profiles);
	return status == EXIT_DONE ? finish_stdout() : status;
}

static int end(const struct comparison *c, int status)
{
	if (status != EXIT_DONE)
		return status;
	if (c->o->fail_above > 0 && c->worst > c->o->fail_above) {
		fprintf(stderr, "jfrec: the share of a method grew by %.1f points, more than %.1f\n",
			100 * c->worst, 100 * c->o->fail_above);
		return EXIT_LIMIT;
	}
	return c->damage ? EXIT_FAILED : EXIT_DONE;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static int compare(const struct command *self, struct options *o, char **paths, int count)
{
	struct comparison c = { .o = o, .before = name_of(paths[0]),
				.after = name_of(paths[count - 1]), .is_one = count == 1 };
	struct jfrec_stack_options how = { .struct_size = sizeof(how), .from_ns = &c.from_ns,
					   .to_ns = &c.to_ns };
	struct jfrec_error err = { 0 };
	int status;

	confine_writes(o->to.path);
	confine_to(o->to.path ? CONFINE_WRITING : CONFINE_READING, paths, count);
	c.is_sliced = c.is_one && !o->before.is_set;
	if (c.is_sliced) {
		c.before = o->select.is_outside ? o->select.during.events : "the rest";
		c.after = o->select.is_outside ? "the rest" : o->select.during.events;
	}
	c.stacks = jfrec_stacks_new(&how, &err);
	if (!c.stacks || add_profiles(&c, &err) < 0) {
		jfrec_stacks_free(c.stacks);
		say_out_of_memory();
		return EXIT_FAILED;
	}
	status = read_side(self, &c, 1, &o->before, paths[0]);
	if (status == EXIT_DONE)
		status = read_side(self, &c, 0, &o->after, paths[count - 1]);
	if (status == EXIT_DONE)
		status = read_facts(self, &c);
	if (status == EXIT_DONE)
		status = end(&c, report(&c));
	for (unsigned side = 0; side < 2; side++) {
		side_facts_fini(&c.facts[side]);
		jfrec_reader_close(c.readers[side]);
	}
	jfrec_stacks_free(c.stacks);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .to.how = JFREC_PLAIN };
	int status, count;

	if (!opt_parse(&p, &o))
		return p.status;
	count = argc - p.first_operand;
	if (o.by_time && o.by_cpu)
		return report_usage(self, "use --per-second or --per-cpu-second, not both");
	if (o.before.is_set != o.after.is_set)
		return report_usage(self, "--before and --after belong together");
	if (o.before.is_set ? count != 1 : count != 2 && (count != 1 || !o.select.during.events))
		return report_usage(self, "name two recordings, or one with --during, or with "
					  "--before and --after");
	status = check_profiles(self, o.profiles);
	if (status == EXIT_DONE)
		status = event_opts_use_config(&o.select);
	if (status != EXIT_DONE)
		return status;
	return compare(self, &o, argv + p.first_operand, count);
}

const struct command cmd_diff = {
	.name = "diff",
	.args = "BEFORE AFTER",
	.examples = "  jfrec diff before.jfr after.jfr\n"
		    "  jfrec diff --json before.jfr after.jfr\n",
	.summary = "compare where time and memory went in two recordings",
	.about = "Compare two recordings, or two times in one (--before and --after): which\n"
		 "methods take a larger or smaller share of CPU time, allocation and waiting, and\n"
		 "which are new or gone.",
	.opts = opts,
	.run = run,
};
