/* SPDX-License-Identifier: MIT */
/*
 * weight_text.c - weights for people: "24.9 s", "30.7 GB", "1,243"
 */
#include "stacks/weight_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct unit {
	double size;
	const char *name;
};

static const struct unit times[] = {
	{ 3600e9, "h" }, { 60e9, "min" }, { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" },
};

static const struct unit sizes[] = {
	{ 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 1, "bytes" },
};

static void put_scaled(char *to, const struct unit *units, size_t count, double weight)
{
	double magnitude = weight < 0 ? -weight : weight;
	const struct unit *u = units;

	while (u < units + count - 1 && magnitude < u->size)
		u++;
	magnitude /= u->size;
	snprintf(to, WEIGHT_TEXT_MAX, "%.*f %s",
		 u == units + count - 1 ? 0 : magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0,
		 weight / u->size, u->name);
}

/* A comma before each three digits, from the right. */
static void put_count(char *to, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIi64, n);

	for (int i = 0; i < len; i++) {
		*to++ = digits[i];
		if (digits[i] != '-' && i + 1 < len && (len - 1 - i) % 3 == 0)
			*to++ = ',';
	}
	*to = '\0';
}

const char *weight_text(char to[static WEIGHT_TEXT_MAX], enum profile_unit unit, int64_t weight)
{
	if (unit == UNIT_NS)
		put_scaled(to, times, sizeof(times) / sizeof(*times), (double)weight);
	else if (unit == UNIT_BYTES)
		put_scaled(to, sizes, sizeof(sizes) / sizeof(*sizes), (double)weight);
	else
		put_count(to, weight);
	return to;
}

const char *share_text(char to[static WEIGHT_TEXT_MAX], int64_t part, int64_t of)
{
	snprintf(to, WEIGHT_TEXT_MAX, "%.1f %%", of ? 100.0 * (double)part / (double)of : 0.0);
	return to;
}
