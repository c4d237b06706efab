/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "test.h"

/* Under other names, beside those of this C library. */
#define memcpy	own_memcpy
#define memmove own_memmove
void *own_memcpy(void *restrict to, const void *restrict from, size_t n);
void *own_memmove(void *to, const void *from, size_t n);
#include "../../tools/static_copy.c"
#undef memcpy
#undef memmove

#define FROM 256

static void fill(unsigned char *bytes, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (unsigned char)(i * 31 + seed * 7 + i / 256);
}

/* To `distance` bytes from where it is; nothing else changes. */
static void check_move(size_t n, int distance)
{
	unsigned char here[3 * FROM], there[3 * FROM];

	fill(here, sizeof(here), (unsigned)n);
	fill(there, sizeof(there), (unsigned)n);
	memmove(there + FROM + distance, there + FROM, n);
	CHECK(own_memmove(here + FROM + distance, here + FROM, n) == here + FROM + distance);
	CHECK(memcmp(here, there, sizeof(here)) == 0);
}

static void check_copy(size_t n)
{
	unsigned char from[FROM + 1], to[FROM + 2] = { 0 };

	fill(from, sizeof(from), 1);
	CHECK(own_memcpy(to + 1, from, n) == to + 1);
	CHECK(memcmp(to + 1, from, n) == 0);
	CHECK(to[0] == 0 && to[n + 1] == 0);
}

int main(void)
{
	test_begin("places_that_overlap");
	for (size_t n = 0; n <= FROM; n++) {
		for (int distance = -200; distance <= 200; distance += 1 + (distance % 7 == 0))
			check_move(n, distance);
	}
	test_begin("places_that_do_not");
	for (size_t n = 0; n <= FROM; n++)
		check_copy(n);
	return test_end();
}
