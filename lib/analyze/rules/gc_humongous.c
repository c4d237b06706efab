/* SPDX-License-Identifier: MIT */
/*
 * gc_humongous.c - do objects of half a region and more make G1 collect?
 */
#include "analyze/heap.h"
#include "analyze/rules.h"

/* Fewer of them say nothing. */
#define ENOUGH 3

/* Collections hurt if they stop the application for 5 % of a minute. */
#define HURTS_SHARE 0.05
#define HURTS_NS    3e9

enum { SAMPLE, OUTSIDE };
enum { SIZE, CLASS, STACK };

static const struct reads inputs[] = {
	READS("jdk.ObjectAllocationSample", HELPS, "weight", "objectClass", "stackTrace"),
	READS("jdk.ObjectAllocationOutsideTLAB", HELPS, "allocationSize", "objectClass", "stackTrace"),
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.GCConfiguration", PERIODIC),
	READS("jdk.UnsignedLongFlag", HELPS),
	{ 0 },
};

/* Half of the smallest region; what is smaller is never humongous. */
#define SMALLEST 524288

/*
 * Only jdk.ObjectAllocationOutsideTLAB has a size. The weight of a sample is what the thread
 * allocated since its last one: of an object as large as that it is a good part, and so a large
 * weight hints at its class.
 */
struct state {
	struct groups sites; /* class, stack, input: bytes */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t key[4];
	double size;

	if (e->input > OUTSIDE)
		return;
	size = event_number(e, SIZE);
	if (!(size >= SMALLEST))
		return;
	key[0] = event_text(e, CLASS);
	key[1] = event_stack(e, STACK);
	key[2] = e->input;
	key[3] = 0;
	groups_add(&s->sites, e, key, size, NULL);
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->sites);
}

struct counts {
	size_t humongous, full, all;
	size_t forced; /* full ones of any cause that were not asked for */
};

static struct counts count(const struct judging *j)
{
	const struct facts *f = j->facts;
	struct counts n = { 0 };

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		n.all++;
		n.forced += is_forced_full(j, c);
		if (strcmp(text_at(j, c->cause), "G1 Humongous Allocation") != 0)
			continue;
		n.humongous++;
		n.full += strcmp(text_at(j, c->name), "G1Full") == 0;
	}
	return n;
}

static void show_sites(struct judging *j, struct groups *sites)
{
	uint32_t kind = type_count(j, "jdk.ObjectAllocationOutsideTLAB") ? OUTSIDE : SAMPLE;
	const struct flag *region = flag_named(j, "G1HeapRegionSize");
	double half = region && region->value > 0 ? (double)region->value / 2 : SMALLEST;
	unsigned shown = 0;

	if (region && region->value > 0)
		show_quantity(j, "region size", (double)region->value, JFREC_UNIT_BYTES);
	groups_sort(sites);
	for (uint32_t i = 0; i < sites->count && shown < 3; i++) {
		const struct group *g = &sites->list[i];

		if (g->most < half || g->key[2] != kind)
			continue;
		shown++;
		show_name(j, JFREC_EVIDENCE_CLASS,
			  kind == OUTSIDE ? textf(j, "up to %s at once", bytes_text(j, g->most))
					  : "may be of such objects",
			  text_at(j, g->key[0]), NAN);
		show_stack(j, "made at", g->key[1], NAN);
	}
}

static bool gc_hurts(const struct judging *j)
{
	const struct heap_state *h = &j->facts->heap_state;

	return h->pause_share >= HURTS_SHARE && h->pauses_ns >= HURTS_NS;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct counts n = count(j);
	double share = n.all ? (double)n.humongous / (double)n.all : 0;

	if (!uses_collector(j, "G1")) {
		not_for_this_jvm(j, "Only G1 has humongous objects");
		return;
	}
	summarize(j, "%zu of %zu collections were made for a humongous object, %s %s", n.humongous,
		  n.all, percent_text(j, share), limit_text(j));
	if (n.humongous < ENOUGH)
		return;
	judge_by(j, share);
	/* Regions in a row are missing: the collector stops everything to make some. */
	if (is_found(j) && (n.full || (share >= 0.5 && (n.forced >= 3 || gc_hurts(j)))))
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "%zu of %zu collections were made for a humongous object, %s %s", n.humongous,
		  n.all, percent_text(j, share), limit_text(j));
	show_quantity(j, "of them full collections", (double)n.full, JFREC_UNIT_NONE);
	show_sites(j, &s->sites);
	show_command(j, "print --events jdk.GarbageCollection --where "
			"'cause == \"G1 Humongous Allocation\"'");
}

const struct rule rule_gc_humongous = {
	.info = {
		.id = "gc-humongous",
		.question = "Do objects of half a region and more make G1 collect?",
		.matters = "Objects of half a region or more are stored apart: they need free "
			   "regions in a row, start collections, and leave holes.",
		.computes = "Counts the collections with the cause G1 Humongous Allocation, of all "
			    "collections; at least three are needed. Full ones among them make it a "
			    "warning, and so do, where half of all are made for humongous objects, three full "
			    "ones of any cause, or pauses of 5 % of the time, and 3 seconds.",
		.measures = "share of collections that were made for humongous objects",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.10,
		.warning = INFINITY,
		.advice = "Make regions twice as large as these objects (-XX:G1HeapRegionSize, a "
			  "power of 2 up to 32m), or allocate smaller arrays",
		.beware = "Allocation samples do not tell the size of an object, only what the thread "
			  "allocated since its last one: the classes that they show are likely, no more.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
