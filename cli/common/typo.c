/* SPDX-License-Identifier: MIT */
/*
 * typo.c - find the known word nearest to a mistyped one
 */
#include "common/typo.h"

#include <string.h>

#include "jfrec.h"

void typo_offer(struct typo *t, const char *candidate)
{
	uint32_t distance = jfrec_name_distance(t->word, candidate);

	if (distance == JFREC_NOT_NEAR || (t->meant && distance >= t->distance))
		return;
	t->meant = candidate;
	t->distance = distance;
}
