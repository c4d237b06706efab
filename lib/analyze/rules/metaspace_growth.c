/* SPDX-License-Identifier: MIT */
/*
 * metaspace_growth.c - do classes fill metaspace?
 */
#include "analyze/rules.h"

#define LEAST 4

static const char *const jmc[] = { "IncreasingMetaSpaceLiveSet", "MetaspaceOom", NULL };

enum { SUMMARY, ERROR };
enum { WHEN, USED };
enum { STACK, LOADER, KIND };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.MetaspaceSummary", OCCURS, "when", "metaspace.used"),
	READS_EITHER(1, "jdk.MetaspaceOOM", OCCURS, "stackTrace", "classLoader", "metadataType"),
	READS("jdk.ClassLoadingStatistics", HELPS),
	READS("jdk.UnsignedLongFlag", HELPS),
	{ 0 },
};

struct state {
	struct series used;
	uint64_t errors;
	int64_t first_ns;
	uint32_t stack, loader;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == SUMMARY) {
		if (strcmp(event_text_of(e, event_text(e, WHEN)), "After GC") == 0)
			series_add(&s->used, e, e->start_ns, event_number(e, USED));
		return;
	}
	if (!s->errors++ || e->start_ns < s->first_ns) {
		s->first_ns = e->start_ns;
		s->stack = event_stack(e, STACK);
		s->loader = event_text(e, LOADER);
	}
}

static void fini(void *state)
{
	series_fini(&((struct state *)state)->used);
}

/* After start-up, bytes per second; NAN: there are too few. */
static double slope_of(const struct judging *j, struct series *used)
{
	int64_t warm = j->facts->warm_ns;
	size_t n = 0;

	series_sort(used);
	if (warm == NO_NUMBER)
		return NAN;
	for (size_t i = 0; i < used->count; i++)
		n += used->list[i].at_ns >= warm;
	return n >= LEAST ? series_slope(used, warm) : NAN;
}

static void judge_errors(struct judging *j, const struct state *s)
{
	const struct flag *most = flag_named(j, "MaxMetaspaceSize");

	judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "There was no room for classes %llu time%s: OutOfMemoryError of metaspace at %s",
		  (unsigned long long)s->errors, plural((double)s->errors),
		  time_text(j, s->first_ns));
	if (most && most->value > 0)
		show_quantity(j, "MaxMetaspaceSize", (double)most->value, JFREC_UNIT_BYTES);
	show_name(j, JFREC_EVIDENCE_CLASS, "class loader", text_at(j, s->loader), NAN);
	show_stack(j, "where", s->stack, NAN);
	show_command(j, "print --events jdk.MetaspaceOOM");
	advise(j, "Look for class loaders that are never dropped (class-loader-leak), or raise "
		  "-XX:MaxMetaspaceSize");
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double slope = slope_of(j, &s->used);

	judge_by(j, isnan(slope) ? 0 : slope);
	if (s->errors) {
		judge_errors(j, s);
		return;
	}
	if (isnan(slope) && type_presence(j, "jdk.MetaspaceOOM") < TYPE_SILENT) {
		too_few(j, "Metaspace after %zu collections says nothing about growth; %d after "
			   "start-up are needed",
			s->used.count, LEAST);
		return;
	}
	if (isnan(slope)) {
		summarize(j, "Metaspace never ran out; too few collections to see whether it grows");
		return;
	}
	summarize(j, "Metaspace grows by %s/s after start-up %s", bytes_text(j, slope),
		  limit_text(j));
	show_quantity(j, "in use after the last collection", s->used.list[s->used.count - 1].value,
		      JFREC_UNIT_BYTES);
	show_command(j, "print --events jdk.MetaspaceSummary");
}

const struct rule rule_metaspace_growth = {
	.info = {
		.id = "metaspace-growth",
		.jmc = jmc,
		.question = "Do classes fill metaspace?",
		.matters = "Classes live in metaspace. If it grows for as long as the program "
			   "runs, it ends with an OutOfMemoryError, or with all memory of the "
			   "machine.",
		.computes = "Compares the metaspace in use after each collection, once start-up is "
			    "over, and takes how fast it grows. An OutOfMemoryError of metaspace (jdk.MetaspaceOOM) is a warning.",
		.measures = "growth of metaspace per second",
		.unit = JFREC_UNIT_BYTES_PER_S,
		.info = 0.15625 * 1048576,
		.warning = 0.75 * 1048576,
		.advice = "Find what makes classes: scripts and proxies that are compiled for each "
			  "request, class loaders that are never dropped (class-loader-leak)",
		.beware = "Growth is seen only where collections happen.",
		.differs = "JDK Mission Control counts start-up, too, in which metaspace always grows.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
