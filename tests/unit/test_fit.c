/* SPDX-License-Identifier: MIT */
/* test_fit.c - whether varints fill an event, at once and one by one */
#include "format/fit.h"

#include "test.h"

static uint64_t state = 42;

static uint64_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Bytes of which many are above 0x7f, in long rows. */
static void fill(uint8_t *bytes, unsigned size)
{
	uint64_t odds = random_number() % 17;

	for (unsigned i = 0; i < size; i++)
		bytes[i] = random_number() % 16 < odds ? 0x80 | (random_number() & 0x7f)
						       : random_number() & 0x7f;
}

static unsigned how_many(const uint8_t *pos, const uint8_t *stop)
{
	unsigned n = 0;

	for (; pos < stop; n++)
		pos = varint_step(pos);
	return n;
}

static void check_size(unsigned size)
{
	uint8_t bytes[FILL_MAX + FILL_STEP];
	unsigned wrong = 0, filled = 0;

	for (unsigned turn = 0; turn < 2000; turn++) {
		unsigned n;

		fill(bytes, sizeof(bytes));
		n = how_many(bytes, bytes + size);
		for (unsigned k = n ? n - 1 : 0; k <= n + 9; k++) {
			bool is = varints_skip(bytes, bytes + sizeof(bytes), k) == bytes + size;

			filled += is;
			wrong += varints_fill(bytes, bytes + size, k) != is;
		}
	}
	CHECK_INT(wrong, 0);
	CHECK(filled > 100);
}

/* What steps over many at once ends where single steps do, and not beyond the end. */
static void test_many(void)
{
	uint8_t bytes[2000];
	unsigned wrong = 0;

	test_begin("many_numbers_at_once");
	for (unsigned turn = 0; turn < 300; turn++) {
		const uint8_t *stop = bytes + sizeof(bytes) / 2 + turn, *at = bytes;
		unsigned n = 0;

		fill(bytes, sizeof(bytes));
		memset(bytes + turn, turn % 3 ? 1 : 0x80, turn % 100); /* none ends, or each */
		for (; at < stop; n++) {
			wrong += varints_skip(bytes, bytes + sizeof(bytes), n) != at;
			wrong += varints_skip(bytes, at, n) != at;
			wrong += n && varints_skip(bytes, at - 1, n);
			at = varint_step(at);
		}
	}
	CHECK_INT(wrong, 0);
}

static void test_minus_ones(void)
{
	uint8_t bytes[FILL_MAX + FILL_STEP];

	test_begin("numbers_of_nine_bytes");
	memset(bytes, 0xff, sizeof(bytes));
	for (unsigned n = 1; n <= 7; n++) {
		CHECK(varints_fill(bytes, bytes + 9 * n, n));
		CHECK(!varints_fill(bytes, bytes + 9 * n, n + 1));
		CHECK(!varints_fill(bytes, bytes + 9 * n, n - 1));
		CHECK(!varints_fill(bytes, bytes + 9 * n - 1, n));
		CHECK(n == 7 || !varints_fill(bytes, bytes + 9 * n + 1, n));
	}
}

int main(void)
{
	test_begin("as_many_bytes_as_there_may_be");
	for (unsigned size = 0; size <= FILL_MAX; size++)
		check_size(size);
	test_minus_ones();
	test_many();
	return test_end();
}
