/* SPDX-License-Identifier: MIT */
/*
 * typo.h - find the known word nearest to a mistyped one
 */
#ifndef JFREC_CLI_BASE_TYPO_H
#define JFREC_CLI_BASE_TYPO_H

#include <stdint.h>

/* Of all candidates offered, the one that was most likely meant. */
struct typo {
	const char *word;
	const char *meant; /* or NULL */
	uint32_t distance;
};

void typo_offer(struct typo *t, const char *candidate);

#define TYPO_TEXT_MAX 100

/* "; did you mean NAME?", or "". */
const char *typo_text(const struct typo *t, char text[TYPO_TEXT_MAX]);

#endif
