/* SPDX-License-Identifier: MIT */
/*
 * gc_evacuation_failed.c - did young collections find no room for what survives?
 */
#include "analyze/rules.h"

/* A full collection so soon after it was made by it. */
#define SOON_NS INT64_C(1000000000)

enum { EVACUATION, PROMOTION };
enum { GC_ID, BYTES };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.EvacuationFailed", OCCURS, "gcId", "evacuationFailed.totalSize"),
	READS_EITHER(1, "jdk.PromotionFailed", OCCURS, "gcId", "promotionFailed.totalSize"),
	READS("jdk.GarbageCollection", HELPS),
	{ 0 },
};

struct state {
	struct groups collections; /* by gcId: bytes */
};

/* Each GC worker that failed sends an event. */
static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t key[4] = { (uint32_t)event_long(e, GC_ID) };
	double bytes = event_number(e, BYTES);

	if (e->input <= PROMOTION)
		groups_add(&s->collections, e, key, isnan(bytes) ? 0 : bytes, NULL);
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->collections);
}

static bool is_full(const char *name)
{
	return strstr(name, "Full") || strstr(name, "Old");
}

/* When full collections began that nobody asked for, in their order. */
static int64_t *starts_of_full(struct judging *j, size_t *count)
{
	const struct facts *f = j->facts;
	int64_t *starts = judging_memory(j, (f->collection_count + 1) * sizeof(*starts));

	*count = 0;
	for (size_t i = 0; starts && i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (is_full(text_at(j, c->name)) && !cause_is_asked_for(text_at(j, c->cause)))
			starts[(*count)++] = c->start_ns;
	}
	return starts;
}

static bool is_followed_by_full(const int64_t *starts, size_t count, int64_t at_ns)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle] < at_ns - SOON_NS)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && starts[low] <= at_ns + SOON_NS;
}

static size_t young_collections(const struct judging *j)
{
	const struct facts *f = j->facts;
	size_t n = 0;

	for (size_t i = 0; i < f->collection_count; i++)
		n += !is_full(text_at(j, f->collections[i].name));
	return n;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	size_t young = young_collections(j), failed = s->collections.count, followed = 0;
	size_t full;
	const int64_t *starts;
	double share = young ? (double)failed / (double)young : 1;

	if (!failed) {
		summarize(j, "Collections always found room for what survived");
		return;
	}
	judge_by(j, share > 1 ? 1 : share);
	starts = starts_of_full(j, &full);
	for (uint32_t i = 0; i < failed; i++)
		followed += is_followed_by_full(starts, full, s->collections.list[i].last_ns);
	if (followed)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "%zu of %zu young collections found no room for what survived, %s %s", failed,
		  young > failed ? young : failed, percent_text(j, share > 1 ? 1 : share),
		  limit_text(j));
	show_quantity(j, "failed, of all workers", (double)groups_count(&s->collections),
		      JFREC_UNIT_NONE);
	show_quantity(j, "bytes that found no room", groups_sum(&s->collections),
		      JFREC_UNIT_BYTES);
	show_quantity(j, "followed by a full collection", (double)followed, JFREC_UNIT_NONE);
	groups_sort(&s->collections);
	show_range(j, "worst", s->collections.list[0].first_ns, s->collections.list[0].last_ns);
	show_command_if(j, "jdk.EvacuationFailed", "print --events jdk.EvacuationFailed");
	show_command_if(j, "jdk.PromotionFailed", "print --events jdk.PromotionFailed");
	if (!uses_collector(j, "G1"))
		advise(j, "Raise -Xmx, or make the old generation larger (a smaller -Xmn or a larger "
			  "-XX:NewRatio)");
}

const struct rule rule_gc_evacuation_failed = {
	.info = {
		.id = "gc-evacuation-failed",
		.question = "Did young collections find no room for what survives?",
		.matters = "If there is no room for the objects that survive, a collection "
			   "takes several times as long, and a full one mostly follows.",
		.computes = "Counts the collections (distinct gcId) with jdk.EvacuationFailed or "
			    "jdk.PromotionFailed, of all young collections. A full collection within "
			    "a second makes it a warning.",
		.measures = "share of young collections that failed",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0,
		.warning = 0.05,
		.advice = "Raise -Xmx, or -XX:G1ReservePercent (10 by default), or start marking "
			  "earlier with a lower -XX:InitiatingHeapOccupancyPercent",
		.beware = "Such a collection takes several times longer, and old regions fill.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
