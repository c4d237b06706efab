/* SPDX-License-Identifier: MIT */
/*
 * container_memory.c - how near is the container to the memory limit that kills it?
 */
#include "analyze/container.h"
#include "analyze/readings.h"
#include "analyze/rules.h"

enum { MEMORY, CONFIGURATION, RESIDENT };
enum { USAGE, FAILURES };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ContainerMemoryUsage", OCCURS, "memoryUsage", "memoryFailCount"),
	READS_EITHER(1, "jdk.ContainerConfiguration", OCCURS, "memoryLimit", "hostTotalMemory"),
	READS("jdk.ResidentSetSize", HELPS, "size"),
	READS("jdk.GCHeapSummary", HELPS),
	READS("jdk.GCHeapConfiguration", HELPS),
	{ 0 },
};

struct state {
	struct readings memory;
	int64_t limit, host, resident;
};

static void keep_most(int64_t *most, int64_t n)
{
	if (n > *most)
		*most = n;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	switch (e->input) {
	case MEMORY:
		readings_add(&s->memory, e);
		break;
	case CONFIGURATION:
		keep_most(&s->limit, event_long(e, 0));
		keep_most(&s->host, event_long(e, 1));
		break;
	case RESIDENT:
		keep_most(&s->resident, event_long(e, 0));
	}
}

static void fini(void *state)
{
	readings_fini(&((struct state *)state)->memory);
}

/* Outside of the heap it has so much more than was seen, when all is warm and busy. */
#define SPARE 1.25

/*
 * What the JVM may use when its heap is full: the heap, and what it has now besides that. Usage of
 * the container, where the JVM's own is not known, also has what other processes use, and files.
 */
static double budget(const struct judging *j, const struct state *s, double usage)
{
	const struct facts *f = j->facts;
	double own = s->resident > 0 ? (double)s->resident : usage, committed = 0;

	for (size_t i = 0; i < f->heap_count; i++) {
		if ((double)f->heap[i].committed > committed)
			committed = (double)f->heap[i].committed;
	}
	return (double)f->heap_max + (committed > 0 ? SPARE * fmax(0, own - committed) : 0);
}

static void judge_budget(struct judging *j, const struct state *s, double usage)
{
	double need = budget(j, s, usage);

	if (j->facts->heap_max <= 0 || need <= (double)s->limit)
		return;
	show_quantity(j, "what the JVM may fill: its heap, and what it has besides", need,
		      JFREC_UNIT_BYTES);
	if (is_found(j))
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "The JVM may fill %s, more than the container's limit of %s: it can be killed "
		     "when the heap fills%s",
		  bytes_text(j, need), bytes_text(j, (double)s->limit),
		  usage > 0 ? textf(j, " (so far %s)", bytes_text(j, usage)) : "");
	advise(j, "Set -XX:MaxRAMPercentage=70, or a smaller -Xmx, or raise the memory limit");
}

static void judge_usage(struct judging *j, const struct state *s)
{
	const struct reading *most = readings_most(&s->memory, USAGE);
	double usage = (double)most->value[USAGE], share = usage / (double)s->limit;
	int64_t failures = readings_rise(&s->memory, FAILURES);

	judge_by(j, share);
	if (failures > 0)
		judge_at_least(j,
			       share >= j->warning ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	summarize(j, "The container used %s of its %s at %s, %s %s", bytes_text(j, usage),
		  bytes_text(j, (double)s->limit), time_text(j, most->at_ns),
		  percent_text(j, share), limit_text(j));
	if (s->resident > 0 && (double)s->resident < 0.6 * usage && is_found(j)) {
		doubt(j, "most of it is not this JVM, but files or other processes: the JVM had %s",
		      bytes_text(j, (double)s->resident));
		judge_at_most(j, j->finding->severity == JFREC_SEVERITY_WARNING
					 ? JFREC_SEVERITY_INFO
					 : JFREC_SEVERITY_OK);
	}
	show_quantity(j, "memory used", usage, JFREC_UNIT_BYTES);
	show_quantity(j, "limit", (double)s->limit, JFREC_UNIT_BYTES);
	if (s->resident > 0)
		show_quantity(j, "of it, memory of this JVM", (double)s->resident,
			      JFREC_UNIT_BYTES);
	if (failures > 0)
		show_quantity(j, "allocations that met the limit", (double)failures,
			      JFREC_UNIT_NONE);
	judge_budget(j, s, usage);
	show_command(j, "view container-memory");
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;

	/* A heap above the limit is one, whatever was used so far. */
	if (!s->memory.count && s->limit > 0 && (s->host <= 0 || s->limit < s->host) &&
	    j->facts->heap_max > s->limit) {
		judge_budget(j, s, 0);
		return;
	}
	if (container_is_unseen(j, "jdk.ContainerMemoryUsage"))
		return;
	if (s->limit <= 0 || (s->host > 0 && s->limit >= s->host)) {
		summarize(j, "No memory limit is set for the container");
		return;
	}
	readings_sort(&s->memory);
	judge_usage(j, s);
}

const struct rule rule_container_memory = {
	.info = {
		.id = "container-memory",
		.question = "How near is the container to the memory limit that kills it?",
		.matters = "A container that goes over its memory limit is killed at once, "
			   "without a word in the application's log.",
		.computes = "Divides the greatest jdk.ContainerMemoryUsage.memoryUsage by the limit "
			    "of jdk.ContainerConfiguration. Also adds up what the JVM may fill: its "
			    "heap, and a quarter more than it has besides that now.",
		.measures = "memory used, as a share of the limit",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.85,
		.warning = 0.95,
		.advice = "Raise the memory limit, or lower -Xmx or -XX:MaxRAMPercentage; find what "
			  "grows outside of the heap with native-memory",
		.beware = "The usage includes cached files and other processes of the container; "
			  "jdk.ResidentSetSize (JDK 21 and later) shows the JVM's part.",
		.jdk_from = 11,
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
