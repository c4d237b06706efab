/* SPDX-License-Identifier: MIT */
/*
 * heaviest.c - which event types fill a recording
 *
 * usage: heaviest RECORDING
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/summary.h>

static int by_bytes(const void *a, const void *b)
{
	const struct jfrec_type_summary *const *x = a, *const *y = b;

	return ((*x)->bytes < (*y)->bytes) - ((*x)->bytes > (*y)->bytes);
}

static int print_heaviest(const struct jfrec_summary *s)
{
	size_t count = jfrec_summary_type_count(s);
	const struct jfrec_type_summary **types = calloc(count + 1, sizeof(*types));
	uint64_t all = 0;

	if (!types)
		return -1;
	for (size_t i = 0; i < count; i++) {
		types[i] = jfrec_summary_type_get(s, i);
		all += types[i]->bytes;
	}
	qsort(types, count, sizeof(*types), by_bytes);
	for (size_t i = 0; i < count && i < 10 && types[i]->bytes > 0; i++)
		printf("%5.1f %%  %8" PRIu64 "  %s\n",
		       100.0 * (double)types[i]->bytes / (double)all, types[i]->count,
		       types[i]->name);
	free(types);
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: heaviest RECORDING" };
	struct jfrec_reader *r = argc == 2 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_summary *s = r ? jfrec_summarize(r, false, &err) : NULL;
	int ret = s ? print_heaviest(s) : -1;

	if (ret < 0)
		fprintf(stderr, "heaviest: %s\n", s ? "out of memory" : err.text);
	jfrec_summary_free(s);
	jfrec_reader_close(r);
	return ret < 0;
}
