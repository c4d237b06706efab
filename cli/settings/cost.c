/* SPDX-License-Identifier: MIT */
/*
 * cost.c - jfrec settings cost: show the space events take, and what would save some
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/progress.h"
#include "base/report.h"
#include "jfrec-tool.h"
#include "recording/open_recordings.h"
#include "settings/commands.h"

/* Types and changes below these parts of the recording are only shown with --all. */
#define LEAST_TYPE   0.001
#define LEAST_CHANGE 0.005
#define MOST_CHANGES 15

/* Shorter recordings are mostly of what happens once. */
#define SHORT_S 60

struct options {
	struct opt_list changes;
	bool all, json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_LIST(0, "set", "EVENT#SETTING=VALUE", "the effect of this change; may be repeated", struct options, changes),
	OPT_FLAG(0, "all", "show all event types and all changes that save", struct options, all),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	{ 0 },
};
/* clang-format on */

/* Numbers -------------------------------------------------------------------------------------- */

static double part_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* Text: types ---------------------------------------------------------------------------------- */

/* The settings of an event that were in force at last, but for "enabled". */
static void print_settings(const struct jfrec_active *a, const char *event)
{
	const char *before = "";

	for (size_t i = 0; i < jfrec_active_setting_count(a); i++) {
		const struct jfrec_active_setting *s = jfrec_active_setting_get(a, i);

		if (s->until_ns || strcmp(s->event, event) != 0 || strcmp(s->name, "enabled") == 0)
			continue;
		fputs(before, stdout);
		print_name(s->name);
		putchar(' ');
		print_name(*s->value ? s->value : "\"\"");
		before = ", ";
	}
}

static void print_row(int width, const char *name, double events, const struct jfrec_sizes *an_hour,
		      double part)
{
	char hour[HUMAN_MAX], day[HUMAN_MAX], zstd[HUMAN_MAX];

	print_name(name);
	printf("%*s", width > (int)strlen(name) ? width - (int)strlen(name) : 0, "");
	if (events >= 0)
		printf(" %12.0f", events);
	else
		printf(" %12s", "");
	printf(" %8s %8s %8s %5.1f %%", human_bytes(hour, an_hour->raw),
	       human_bytes(day, an_hour->raw * 24), human_bytes(zstd, an_hour->zstd * 24),
	       100 * part);
}

static bool is_shown(const struct jfrec_cost *c, size_t i, bool all)
{
	return all || jfrec_cost_type_get(c, i)->per_hour.raw >= LEAST_TYPE * c->per_hour.raw;
}

static int name_width(const struct jfrec_cost *c, bool all)
{
	size_t width = sizeof("constants without events") - 1;

	for (size_t i = 0; i < jfrec_cost_type_count(c) && is_shown(c, i, all); i++) {
		if (strlen(jfrec_cost_type_get(c, i)->name) > width)
			width = strlen(jfrec_cost_type_get(c, i)->name);
	}
	return (int)width;
}

static void print_other_types(const struct jfrec_cost *c, size_t first, int width)
{
	struct jfrec_sizes sum = { 0 };
	double events = 0;
	char name[40];

	for (size_t i = first; i < jfrec_cost_type_count(c); i++) {
		events += jfrec_cost_type_get(c, i)->events_per_hour;
		sum.raw += jfrec_cost_type_get(c, i)->per_hour.raw;
		sum.zstd += jfrec_cost_type_get(c, i)->per_hour.zstd;
	}
	snprintf(name, sizeof(name), "%zu others", jfrec_cost_type_count(c) - first);
	print_row(width, name, events, &sum, part_of(sum.raw, c->per_hour.raw));
	putchar('\n');
}

static void print_totals(const struct jfrec_cost *c, int width)
{
	struct jfrec_sizes rest = { c->each_chunk.raw * c->chunks_per_hour,
				    c->each_chunk.zstd * c->chunks_per_hour, 0 };

	print_row(width, "what each chunk has", -1, &rest, part_of(rest.raw, c->per_hour.raw));
	printf("  %.1f chunks an hour\n", c->chunks_per_hour);
	print_row(width, "total", -1, &c->per_hour, 1);
	putchar('\n');
}

static void print_types(const struct jfrec_cost *c, bool all)
{
	int width = name_width(c, all);
	size_t i;

	printf("%-*s %12s %8s %8s %8s %7s  %s\n", width, "", "events/h", "size/h", "size/day",
	       "zstd/day", "part", "settings");
	for (i = 0; i < jfrec_cost_type_count(c) && is_shown(c, i, all); i++) {
		const struct jfrec_cost_type *t = jfrec_cost_type_get(c, i);

		print_row(width, t->name, t->events_per_hour, &t->per_hour,
			  part_of(t->per_hour.raw, c->per_hour.raw));
		fputs("  ", stdout);
		print_settings(c->active, t->name);
		putchar('\n');
	}
	if (i < jfrec_cost_type_count(c))
		print_other_types(c, i, width);
	print_totals(c, width);
}

/* Text: changes -------------------------------------------------------------------------------- */

static const char *certainty_name(enum jfrec_certainty c)
{
	return c == JFREC_COST_EXACT ? "exact" : c == JFREC_COST_ESTIMATE ? "estimate" : "unknown";
}

static void print_certainty(const struct jfrec_cost_change *c)
{
	fputs(certainty_name(c->certainty), stdout);
	if (c->why)
		printf(": %s", c->why);
}

static void print_change_name(const struct jfrec_cost_change *c)
{
	print_name(c->event);
	putchar('#');
	print_name(c->setting);
	putchar(' ');
	if (c->from) {
		print_name(*c->from ? c->from : "\"\"");
		fputs(" -> ", stdout);
	} else {
		fputs("-> ", stdout);
	}
	print_name(c->to);
}

static void print_offer(const struct jfrec_cost *cost, const struct jfrec_cost_change *c)
{
	char day[HUMAN_MAX];

	printf("%6.1f %% %8.1f %% %9s  ", part_of(c->per_hour.raw, cost->per_hour.raw) * 100 - 100,
	       -100 * part_of(c->bytes_saved, c->event_bytes),
	       human_bytes(day, 24 * (c->per_hour.raw - cost->per_hour.raw)));
	print_change_name(c);
	fputs(" (", stdout);
	print_certainty(c);
	puts(")");
}

static void print_offers(const struct jfrec_cost *c, bool all)
{
	puts("\nChanges that save most, each on its own; more by --set EVENT#SETTING=VALUE:\n"
	     "  of all of the event     a day");
	for (size_t i = 0; i < jfrec_cost_change_count(c) && (all || i < MOST_CHANGES); i++) {
		if (all || jfrec_cost_change_get(c, i)->per_hour.raw <=
				   (1 - LEAST_CHANGE) * c->per_hour.raw)
			print_offer(c, jfrec_cost_change_get(c, i));
	}
}

static void print_sizes(const char *label, const struct jfrec_sizes *before, double factor,
			const struct jfrec_sizes *after)
{
	char from[HUMAN_MAX], to[HUMAN_MAX];

	printf("  %-15s%s -> %s", label, human_bytes(from, before->raw * factor),
	       human_bytes(to, after->raw * factor));
	printf(" (zstd %s -> %s", human_bytes(from, before->zstd * factor),
	       human_bytes(to, after->zstd * factor));
	printf(", gzip %s -> %s)\n", human_bytes(from, before->gzip * factor),
	       human_bytes(to, after->gzip * factor));
}

static void print_effect(const struct jfrec_cost *cost, const struct jfrec_cost_change *c)
{
	if (c->certainty != JFREC_COST_UNKNOWN) {
		printf("  %-15s%+.0f of %" PRIu64 ", %+.1f %% of their bytes\n", "events",
		       0 - c->events_saved, c->events,
		       0 - 100 * part_of(c->bytes_saved, c->event_bytes));
		print_sizes("this recording", &cost->sizes, 1, &c->sizes);
		print_sizes("a day", &cost->per_hour, 24, &c->per_hour);
	}
	fputs("  ", stdout);
	print_certainty(c);
	putchar('\n');
}

static void print_changes(const struct jfrec_cost *c)
{
	for (size_t i = 0; i < jfrec_cost_change_count(c); i++) {
		putchar('\n');
		print_change_name(jfrec_cost_change_get(c, i));
		putchar('\n');
		print_effect(c, jfrec_cost_change_get(c, i));
	}
	if (c->together) {
		puts("\nall of these together");
		print_effect(c, c->together);
	}
}

static void print_head(const struct jfrec_cost *c)
{
	char raw[HUMAN_MAX], zstd[HUMAN_MAX], gzip[HUMAN_MAX], length[HUMAN_MAX];
	double seconds = (double)c->duration_ns / 1e9;

	printf("%s in %zu chunk%s, %s; zstd %s, gzip %s", human_bytes(raw, (double)c->bytes),
	       c->chunks, c->chunks == 1 ? "" : "s", human_span(length, (double)c->duration_ns),
	       human_bytes(zstd, c->sizes.zstd), human_bytes(gzip, c->sizes.gzip));
	if (c->measured < c->bytes)
		printf(", by the first %s", human_bytes(raw, (double)c->measured));
	puts(seconds < SHORT_S ? "\nA recording this short says little about an hour or a day.\n"
			       : "\n");
}

static int print_text(const struct options *w, const struct jfrec_cost *c)
{
	print_head(c);
	print_types(c, w->all);
	if (w->changes.count)
		print_changes(c);
	else
		print_offers(c, w->all);
	return finish_stdout();
}

/* JSON ----------------------------------------------------------------------------------------- */

/* A key and its value are a line. */
/* clang-format off */
static json_t *sizes_json(const struct jfrec_sizes *s)
{
	return json_pack("{s:I, s:I, s:I}",
			 "bytes", (json_int_t)s->raw,
			 "zstd", (json_int_t)s->zstd,
			 "gzip", (json_int_t)s->gzip);
}

static json_t *settings_json(const struct jfrec_active *a, const char *event)
{
	json_t *object = json_object();

	for (size_t i = 0; i < jfrec_active_setting_count(a); i++) {
		const struct jfrec_active_setting *s = jfrec_active_setting_get(a, i);

		if (!s->until_ns && strcmp(s->event, event) == 0)
			json_object_set_new(object, s->name, text_json(s->value));
	}
	return object;
}

static json_t *type_json(const struct jfrec_cost *c, const struct jfrec_cost_type *t)
{
	return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:b, s:f, s:o, s:o}",
			 "name", text_json(t->name),
			 "label", text_json(t->label),
			 "events", (json_int_t)t->events,
			 "eventBytes", (json_int_t)t->event_bytes,
			 "constantBytes", (json_int_t)t->constant_bytes,
			 "ownConstantBytes", (json_int_t)t->own_bytes,
			 "sizes", sizes_json(&t->sizes),
			 "onceAChunk", t->once_a_chunk,
			 "eventsPerHour", t->events_per_hour,
			 "perHour", sizes_json(&t->per_hour),
			 "settings", settings_json(c->active, t->name));
}

static json_t *change_json(const struct jfrec_cost_change *c)
{
	bool known = c->certainty != JFREC_COST_UNKNOWN;

	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:s?, s:I, s:I, s:o, s:o, s:o, s:o}",
			 "event", text_json(c->event),
			 "setting", text_json(c->setting),
			 "from", text_json(c->from),
			 "to", text_json(c->to),
			 "certainty", certainty_name(c->certainty),
			 "why", c->why,
			 "events", (json_int_t)c->events,
			 "eventBytes", (json_int_t)c->event_bytes,
			 "eventsSaved", known ? json_integer((json_int_t)c->events_saved) : json_null(),
			 "bytesSaved", known ? json_integer((json_int_t)c->bytes_saved) : json_null(),
			 "sizes", known ? sizes_json(&c->sizes) : json_null(),
			 "perHour", known ? sizes_json(&c->per_hour) : json_null());
}

static json_t *cost_json(const struct jfrec_cost *c)
{
	json_t *types = json_array(), *changes = json_array();

	for (size_t i = 0; i < jfrec_cost_type_count(c); i++)
		json_array_append_new(types, type_json(c, jfrec_cost_type_get(c, i)));
	for (size_t i = 0; i < jfrec_cost_change_count(c); i++)
		json_array_append_new(changes, change_json(jfrec_cost_change_get(c, i)));
	return json_pack("{s:o, s:I, s:I, s:I, s:b, s:f, s:I, s:I, s:o, s:o, s:o, s:o, s:o}",
			 "sizes", sizes_json(&c->sizes),
			 "measuredBytes", (json_int_t)c->measured,
			 "durationNanos", (json_int_t)c->duration_ns,
			 "chunks", (json_int_t)c->chunks,
			 "chunksEndBySize", c->by_size,
			 "chunksPerHour", c->chunks_per_hour,
			 "metadataBytes", (json_int_t)c->metadata_bytes,
			 "spareConstantBytes", (json_int_t)c->spare_bytes,
			 "eachChunk", sizes_json(&c->each_chunk),
			 "perHour", sizes_json(&c->per_hour),
			 "types", types,
			 "changes", changes,
			 "together", c->together ? change_json(c->together) : json_null());
}
/* clang-format on */

/* ---------------------------------------------------------------------------------------------- */

static int failure(const struct command *self, const struct jfrec_reader *r,
		   const struct jfrec_error *err)
{
	if (err->code == JFREC_ECANCELED)
		return EXIT_INTERRUPTED;
	return err->code == JFREC_EINVAL ? report_usage(self, "%s", err->text)
					 : report_failure(r, err);
}

static int cost(const struct command *self, const struct options *w, char *const *paths, int count)
{
	struct jfrec_reader *r = open_confined(CONFINE_READING, paths, count);
	struct jfrec_cost *c;
	struct jfrec_error err;
	int status;

	if (!r)
		return EXIT_FAILED;
	if (w->json)
		envelope_read(r, paths, count);
	progress_begin(r);
	c = jfrec_cost_read(r, w->changes.texts, w->changes.count, &err);
	progress_end();
	if (!c)
		status = failure(self, r, &err);
	else
		status = w->json ? print_document("settings-cost", cost_json(c)) : print_text(w, c);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_cost_free(c);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { 0 };
	int status;

	if (!opt_parse(&p, &w))
		status = p.status;
	else if (!has_operands(self, &p, "the recording to examine"))
		status = EXIT_USAGE;
	else
		status = cost(self, &w, argv + p.first_operand, argc - p.first_operand);
	opt_list_fini(&w.changes);
	return status;
}

const struct command settings_cost = {
	.name = "settings cost",
	.args = "RECORDING...",
	.examples = "  jfrec settings cost app.jfr\n"
		    "  jfrec settings cost --json app.jfr\n",
	.summary = "show the space each event type takes, and how to save some",
	.about =
		"Show how many events of each type a JVM records per hour and day, and their\n"
		"size, raw and compressed; and what changes of the settings would save.  The size\n"
		"of constants, such as stack traces, is divided equally among the event types\n"
		"that use them.",
	.opts = opts,
	.run = run,
};
