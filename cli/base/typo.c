/* SPDX-License-Identifier: MIT */
/*
 * typo.c - find the known word nearest to a mistyped one
 */
#include "base/typo.h"

#include <stdio.h>
#include <string.h>

#include "jfrec-tool.h"

static size_t difference(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b);

	return x > y ? x - y : y - x;
}

void typo_offer(struct typo *t, const char *candidate)
{
	uint32_t distance = jfrec_name_distance(t->word, candidate);

	if (distance == JFREC_NOT_NEAR)
		return;
	/* The beginning of a name is as near as one letter: of these, the shortest. */
	if (t->meant && (distance > t->distance ||
			 (distance == t->distance &&
			  difference(t->word, candidate) >= difference(t->word, t->meant))))
		return;
	t->meant = candidate;
	t->distance = distance;
}

const char *typo_text(const struct typo *t, char text[TYPO_TEXT_MAX])
{
	*text = '\0';
	if (t->meant)
		snprintf(text, TYPO_TEXT_MAX, "; did you mean %.60s?", t->meant);
	return text;
}
