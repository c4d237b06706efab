/* SPDX-License-Identifier: MIT */
/*
 * first_samples.c - what the first allocation sample of each thread may weigh
 */
#include "stacks/first_samples.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/clock.h"

/*
 * A sample of a virtual thread that weighs so many times the median is taken for the first of its
 * carrier: of weights spread as waiting times are, one in a million is beyond.
 */
#define FAR_BEYOND 20

void first_samples_fini(struct first_samples *f)
{
	free(f->list);
	idmap_fini(&f->by_thread);
	*f = (struct first_samples){ 0 };
}

static void count_other(struct first_samples *f, struct first_sample *of, int64_t weight)
{
	of->others++;
	of->others_sum += (double)weight;
	f->others++;
	f->others_sum += (double)weight;
}

int first_samples_offer(struct first_samples *f, struct first_sample *one, bool *has_displaced)
{
	uint32_t *place = idmap_put(&f->by_thread, one->thread, (uint32_t)f->count);
	struct first_sample *kept, later;

	*has_displaced = false;
	if (!place)
		return -1;
	if (*place == f->count)
		return array_push(f->list, f->count, f->room, *one) ? 1 : -1;
	kept = &f->list[*place];
	if (one->at >= kept->at) {
		count_other(f, kept, one->weight);
		return 0;
	}
	later = *kept;
	kept->at = one->at;
	kept->weight = one->weight;
	kept->place = one->place;
	count_other(f, kept, later.weight);
	*one = later;
	*has_displaced = true;
	return 1;
}

static int compare_weights(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The most that the first sample of a virtual thread may weigh; INT64_MAX: any weight. */
static int64_t bound_of_virtual(const struct first_samples *f)
{
	int64_t *weights = malloc((f->count + 1) * sizeof(*weights)), bound = INT64_MAX;
	size_t n = 0;

	for (size_t i = 0; weights && i < f->count; i++) {
		if (f->list[i].is_virtual)
			weights[n++] = f->list[i].weight;
	}
	if (n >= 3) {
		qsort(weights, n, sizeof(*weights), compare_weights);
		if (__builtin_mul_overflow(weights[n / 2], FAR_BEYOND, &bound))
			bound = INT64_MAX;
	}
	free(weights);
	return bound;
}

static int64_t mean_of(double sum, uint64_t count)
{
	return double_to_long(sum / (double)count);
}

static int64_t fair_weight(const struct first_samples *f, const struct first_sample *one,
			   int64_t bound)
{
	if (one->is_virtual)
		return bound;
	if (one->others)
		return mean_of(one->others_sum, one->others);
	return f->others ? mean_of(f->others_sum, f->others) : INT64_MAX;
}

void first_samples_settle(struct first_samples *f)
{
	int64_t bound = bound_of_virtual(f);

	for (size_t i = 0; i < f->count; i++) {
		struct first_sample *one = &f->list[i];
		int64_t fair = fair_weight(f, one, bound);

		one->fair = one->weight < fair ? one->weight : fair;
	}
}
