/* SPDX-License-Identifier: MIT */
/*
 * near.c - suggest known names similar to an unknown one
 */
#include "base/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "jfrec-tool.h"

/* Longer names are similar to none. */
#define MAX_NAME 64

/* A name as it is compared: lower case, without '-' and '_'. */
struct word {
	char text[MAX_NAME];
	size_t len;
};

static bool take_word(struct word *w, const char *name)
{
	for (w->len = 0; *name; name++) {
		if (*name == '-' || *name == '_')
			continue;
		if (w->len == MAX_NAME)
			return false;
		w->text[w->len++] = (char)tolower((unsigned char)*name);
	}
	return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * The optimal string alignment distance.  rows[i % 3][j] is that of the first i letters of a and
 * the first j of b; swapping two letters looks two rows back.
 */
static uint32_t edits(const struct word *a, const struct word *b)
{
	uint32_t rows[3][MAX_NAME + 1];

	for (size_t j = 0; j <= b->len; j++)
		rows[0][j] = (uint32_t)j;
	for (size_t i = 1; i <= a->len; i++) {
		const uint32_t *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
		uint32_t *row = rows[i % 3];

		row[0] = (uint32_t)i;
		for (size_t j = 1; j <= b->len; j++) {
			row[j] = least(least(above[j], row[j - 1]) + 1,
				       above[j - 1] + (a->text[i - 1] != b->text[j - 1]));
			if (i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2] &&
			    a->text[i - 2] == b->text[j - 1])
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[a->len % 3][b->len];
}

/* Short ends, as of "id", are those of many names. */
static bool is_end(const struct word *typed, const struct word *name)
{
	return typed->len >= 4 && typed->len < name->len &&
	       memcmp(typed->text, name->text + name->len - typed->len, typed->len) == 0;
}

static uint32_t distance(const struct word *typed, const char *name)
{
	size_t limit = 1 + typed->len / 4;
	struct word word;
	uint32_t n;

	if (!take_word(&word, name) || word.len + limit < typed->len)
		return NEAR_FAR;
	if (typed->len > 1 && typed->len < word.len &&
	    memcmp(typed->text, word.text, typed->len) == 0)
		return 1;
	n = word.len > typed->len + limit ? NEAR_FAR : edits(typed, &word);
	if (n <= limit)
		return n;
	return is_end(typed, &word) ? 2 : NEAR_FAR;
}

uint32_t near_distance(const char *typed, const char *name)
{
	const char *dot = strrchr(name, '.');
	struct word word;

	if (!take_word(&word, typed))
		return NEAR_FAR;
	return least(distance(&word, name), dot ? distance(&word, dot + 1) : NEAR_FAR);
}

uint32_t jfrec_name_distance(const char *typed, const char *name)
{
	return near_distance(typed, name);
}

static size_t difference(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b);

	return x > y ? x - y : y - x;
}

/* Of names that are as near, it is the one that is about as long. */
static bool is_nearer(const struct near *near, uint32_t n, const char *name, size_t than)
{
	uint32_t other = near->items[than].distance;

	return n < other || (n == other && difference(near->name, name) <
						   difference(near->name, near->items[than].name));
}

void near_offer(struct near *near, const char *name)
{
	uint32_t n = near_distance(near->name, name);
	size_t i = MAX_NEAR;

	if (n == NEAR_FAR || !*name || strlen(name) >= sizeof(near->items[0].name))
		return;
	for (size_t k = 0; k < MAX_NEAR; k++) {
		if (strcmp(near->items[k].name, name) == 0)
			return;
	}
	for (; i && (!*near->items[i - 1].name || is_nearer(near, n, name, i - 1)); i--) {
		if (i < MAX_NEAR)
			near->items[i] = near->items[i - 1];
	}
	if (i == MAX_NEAR)
		return;
	near->items[i].distance = n;
	snprintf(near->items[i].name, sizeof(near->items[i].name), "%s", name);
}

size_t near_count(const struct near *near)
{
	size_t n = 0;

	while (n < MAX_NEAR && *near->items[n].name &&
	       near->items[n].distance <= near->items[0].distance + 1)
		n++;
	return n;
}

const char *near_list(const struct near *near, char *list)
{
	size_t count = near_count(near), len = 0;

	list[0] = '\0';
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(list + len, NEAR_LIST_MAX - len, "%s%s%s",
					!i		 ? "; did you mean "
					: i + 1 == count ? " or "
							 : ", ",
					near->items[i].name, i + 1 == count ? "?" : "");
	return list;
}
