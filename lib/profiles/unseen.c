/* SPDX-License-Identifier: MIT */
/*
 * unseen.c - what a profile does not show, as exported files say it
 */
#include "profiles/unseen.h"
#include "stacks/stacks.h"

size_t unseen_of(const struct jfrec_stacks *s, size_t kind, struct unseen to[static UNSEEN_MAX])
{
	const struct doubts *d = &s->profiles[0][kind].doubts;
	const struct unseen all[UNSEEN_MAX] = {
		{ "stackless", "samples without a stack trace", d->stackless },
		{ "failed", "samples that failed", d->failed },
		{ "lost", "samples that were lost", d->lost },
		{ "other", "samples added up as [other]",
		  stacks_other(s, stacks_tree(s, 0, kind)).samples },
		{ "truncated", "stacks deeper than was recorded", d->truncated },
		{ "lost_bytes", "bytes of events that the JVM lost", data_loss_bytes(&d->data_loss) },
	};
	size_t count = 0;

	for (size_t i = 0; i < UNSEEN_MAX; i++) {
		if (all[i].count)
			to[count++] = all[i];
	}
	return count;
}
