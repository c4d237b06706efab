/* SPDX-License-Identifier: MIT */
/*
 * difference.c - compare the profiles of two recordings
 *
 * Side 0 is the later recording, side 1 the earlier one. Both are compared by their shares, or by
 * what they weigh in a second, never by plain sums: recordings are of different length.
 *
 * Samples are drawn at random, so a share varies by chance. What is beyond that is found by the
 * usual test of two proportions, or of two rates where amounts per second are compared: with z
 * beyond 2.58, chance alone makes such a difference in less than one of a hundred methods.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stacks/methods.h"

#define Z_99 2.58

/* The tree ------------------------------------------------------------------------------------- */

/* Add what the earlier tree has to the later one, node by node: parents come first. */
static int add_before(struct tree *after, const struct tree *before)
{
	uint32_t *same = calloc((size_t)before->count + 1, sizeof(*same));
	int ret = same ? 0 : -1;

	for (uint32_t i = 1; ret == 0 && i < before->count; i++) {
		const struct node *n = &before->nodes[i];

		same[i] = tree_child(after, same[n->parent], n->frame);
		ret = same[i] == NODE_NONE ? -1 : 0;
	}
	free(after->before);
	after->before = calloc((size_t)after->count + 1, sizeof(*after->before));
	if (!after->before)
		ret = -1;
	for (uint32_t i = 0; ret == 0 && i < before->count; i++)
		weight_add(&after->before[same[i]], before->nodes[i].self);
	free(same);
	return ret;
}

/*
 * The rank whose tree of a side is compared: the lowest that both have, since these are of the
 * same source, else the lowest of its own.
 */
static unsigned rank_of(const struct jfrec_stacks *s, unsigned side, size_t kind)
{
	for (unsigned i = 0; i < MAX_RANKS; i++) {
		if (s->profiles[0][kind].trees[i].count && s->profiles[1][kind].trees[i].count)
			return i;
	}
	for (unsigned i = 0; i < MAX_RANKS; i++) {
		if (s->profiles[side][kind].trees[i].count)
			return i;
	}
	return 0;
}

static int compare_kind(struct jfrec_stacks *s, size_t kind)
{
	unsigned rank = rank_of(s, 0, kind);
	struct tree *after = &s->profiles[0][kind].trees[rank];
	const struct tree *before = &s->profiles[1][kind].trees[rank_of(s, 1, kind)];

	if (!before->count)
		return 0;
	if (!after->count && tree_init(after) < 0)
		return -1;
	/* Only what is compared is shown. */
	for (unsigned i = 0; i < rank; i++)
		tree_fini(&s->profiles[0][kind].trees[i]);
	return add_before(after, before);
}

int jfrec_stacks_difference(struct jfrec_stacks *s, struct jfrec_error *err)
{
	if (!s->profiles[0] || !s->profiles[1])
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a difference is of two recordings");
	for (size_t i = 0; i < s->kind_count; i++) {
		if (compare_kind(s, i) < 0)
			return jfrec_fail_memory(err);
	}
	s->is_difference = true;
	return 0;
}

/* Methods -------------------------------------------------------------------------------------- */

/* What both sides have of each name. */
struct both {
	struct method_list after, before;
	struct jfrec_stacks_change *list;
	double all_after, all_before; /* what shares are of */
	uint64_t samples_after, samples_before;
	double seconds_after, seconds_before; /* 0: shares are compared */
};

/* NULL: that side has nothing of the profile. */
static struct tree *tree_of(const struct jfrec_stacks *s, unsigned side, size_t kind)
{
	struct tree *t = side == 0 && !stacks_tree(s, 0, kind)
				       ? NULL
				       : &s->profiles[side][kind].trees[rank_of(s, side, kind)];

	return t && t->count ? t : NULL;
}

/* By the profile cpu, whatever other profiles are compared; 0: it is unknown. */
static double cpu_seconds(const struct jfrec_stacks *s, unsigned side)
{
	for (size_t i = 0; i < s->kind_count; i++) {
		const struct tree *t = strcmp(s->kinds[i]->name, "cpu") == 0 ? tree_of(s, side, i)
									     : NULL;

		if (t && t->nodes[0].total.value > 0)
			return (double)t->nodes[0].total.value / 1e9;
	}
	return 0;
}

/* What weights are divided by, to be compared. */
static double measure(const struct jfrec_stacks *s, unsigned side, size_t kind,
		      const struct tree *t, enum jfrec_stacks_measure by)
{
	int64_t ns = s->spans[side].end_ns - s->spans[side].start_ns;

	if (by == JFREC_STACKS_PER_SECOND)
		return ns > 0 ? (double)ns / 1e9 : 0;
	if (by == JFREC_STACKS_PER_CPU_SECOND)
		return cpu_seconds(s, side);
	return t ? (double)stacks_weight(s, kind, t->nodes[0].total) : 0;
}

static double divided(int64_t weight, double by)
{
	return by > 0 ? (double)weight / by : 0;
}

/* Are so many samples in so many seconds another rate than those, beyond chance? */
static bool is_certain_rate(double n1, double seconds1, double n2, double seconds2)
{
	double pooled = (n1 + n2) / (seconds1 + seconds2);
	double error = sqrt(pooled * (1 / seconds1 + 1 / seconds2));

	return error > 0 && fabs(n1 / seconds1 - n2 / seconds2) / error > Z_99;
}

/*
 * Is the difference beyond chance? A method's samples are estimated by its share of the weight,
 * for weights that are not of equal samples.
 */
static bool is_certain(const struct both *b, const struct jfrec_stacks_change *c, double after_all,
		       double before_all)
{
	double n1 = (double)b->samples_after, n2 = (double)b->samples_before;
	double p1 = divided(c->after_weight, after_all), p2 = divided(c->before_weight, before_all);
	double pooled, error;

	if (b->seconds_after > 0 && b->seconds_before > 0)
		return is_certain_rate(p1 * n1, b->seconds_after, p2 * n2, b->seconds_before);
	if (n1 < 1 || n2 < 1)
		return false;
	pooled = (p1 * n1 + p2 * n2) / (n1 + n2);
	error = sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
	return error > 0 && fabs(p1 - p2) / error > Z_99;
}

static int by_name(const void *x, const void *y)
{
	const struct method_weight *a = x, *b = y;

	return a->name < b->name ? -1 : a->name > b->name;
}

static struct jfrec_stacks_change change_of(const struct jfrec_stacks *s, const struct both *b,
					    const struct method_weight *after,
					    const struct method_weight *before, bool by_total)
{
	const struct method_weight *any = after ? after : before;
	struct jfrec_stacks_change c = { .name = s->book.names.list[any->name].text };

	c.after_weight = !after ? 0 : by_total ? after->total : after->self;
	c.before_weight = !before ? 0 : by_total ? before->total : before->self;
	c.after = divided(c.after_weight, b->all_after);
	c.before = divided(c.before_weight, b->all_before);
	return c;
}

/* Walk over both lists, which are in the order of names. */
static size_t join(const struct jfrec_stacks *s, struct both *b, bool by_total, double after_all,
		   double before_all)
{
	size_t i = 0, j = 0, count = 0;

	while (i < b->after.count || j < b->before.count) {
		const struct method_weight *x = i < b->after.count ? &b->after.list[i] : NULL;
		const struct method_weight *y = j < b->before.count ? &b->before.list[j] : NULL;
		struct jfrec_stacks_change c;

		if (x && y && x->name != y->name) {
			if (x->name < y->name)
				y = NULL;
			else
				x = NULL;
		}
		i += x != NULL;
		j += y != NULL;
		c = change_of(s, b, x, y, by_total);
		if (!c.after_weight && !c.before_weight)
			continue;
		c.is_certain = is_certain(b, &c, after_all, before_all);
		b->list[count++] = c;
	}
	return count;
}

static int by_change(const void *x, const void *y)
{
	const struct jfrec_stacks_change *a = x, *b = y;
	double d = fabs(b->after - b->before) - fabs(a->after - a->before);

	return d < 0 ? -1 : d > 0 ? 1 : strcmp(a->name, b->name);
}

struct jfrec_stacks_changes {
	struct jfrec_stacks_change *list;
	size_t count;
};

void jfrec_stacks_changes_free(struct jfrec_stacks_changes *c)
{
	if (!c)
		return;
	free(c->list);
	free(c);
}

size_t jfrec_stacks_changes_count(const struct jfrec_stacks_changes *c)
{
	return c->count;
}

const struct jfrec_stacks_change *jfrec_stacks_changes_get(const struct jfrec_stacks_changes *c,
							   size_t i)
{
	return i < c->count ? &c->list[i] : NULL;
}

struct jfrec_stacks_changes *jfrec_stacks_compare(struct jfrec_stacks *s, size_t kind,
						  bool by_total, enum jfrec_stacks_measure by,
						  struct jfrec_error *err)
{
	struct jfrec_stacks_changes *to = calloc(1, sizeof(*to));
	struct tree *after = tree_of(s, 0, kind), *before = tree_of(s, 1, kind);
	struct both b = { 0 };

	b.all_after = measure(s, 0, kind, after, by);
	b.all_before = measure(s, 1, kind, before, by);
	if (by == JFREC_STACKS_PER_CPU_SECOND && !(b.all_after > 0 && b.all_before > 0)) {
		jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			   "%s has no samples of CPU time to compare by",
			   b.all_before > 0 ? "the second recording" : "the first recording");
		free(to);
		return NULL;
	}
	b.samples_after = after ? after->nodes[0].total.samples : 0;
	b.samples_before = before ? before->nodes[0].total.samples : 0;
	if (by != JFREC_STACKS_SHARES) {
		b.seconds_after = b.all_after;
		b.seconds_before = b.all_before;
	}
	if (to && methods_of(s, kind, after, BY_SELF, &b.after) == 0 &&
	    methods_of(s, kind, before, BY_SELF, &b.before) == 0)
		b.list = calloc(b.after.count + b.before.count + 1, sizeof(*b.list));
	if (b.list) {
		qsort(b.after.list, b.after.count, sizeof(*b.after.list), by_name);
		qsort(b.before.list, b.before.count, sizeof(*b.before.list), by_name);
		to->count = join(s, &b, by_total,
				 measure(s, 0, kind, after, JFREC_STACKS_SHARES),
				 measure(s, 1, kind, before, JFREC_STACKS_SHARES));
		qsort(b.list, to->count, sizeof(*b.list), by_change);
		to->list = b.list;
	}
	methods_fini(&b.after);
	methods_fini(&b.before);
	if (b.list)
		return to;
	free(to);
	jfrec_fail_memory(err);
	return NULL;
}
