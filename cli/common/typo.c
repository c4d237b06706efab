/* SPDX-License-Identifier: MIT */
/*
 * typo.c - find the known word nearest to a mistyped one
 */
#include "common/typo.h"

#include <string.h>

#define MAX_WORD 32

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

unsigned typo_distance(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b);
	unsigned d[MAX_WORD + 1][MAX_WORD + 1];

	if (m > MAX_WORD || n > MAX_WORD)
		return MAX_WORD;
	for (size_t i = 0; i <= m; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= n; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		for (size_t j = 1; j <= n; j++) {
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				       d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[m][n];
}

void typo_offer(struct typo *t, const char *candidate)
{
	unsigned distance = typo_distance(t->word, candidate);
	size_t len = strlen(t->word);

	/* The beginning of a word is a good guess, too. */
	if (len >= 2 && strncmp(t->word, candidate, len) == 0)
		distance = 1;
	if (distance > 1 + len / 4 || (t->meant && distance >= t->distance))
		return;
	t->meant = candidate;
	t->distance = distance;
}
