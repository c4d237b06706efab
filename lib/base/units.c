/* SPDX-License-Identifier: MIT */
/*
 * units.c - format amounts with units, as `jfr print` does
 *
 * Amounts are counted in powers of 1024 but written with the prefixes of powers
 * of 1000, k included: that is how the JDK's tool has it.
 */
#include "base/units.h"

#include "base/number.h"

#include <stddef.h>
#include <string.h>

static char *put_text(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len);
	return at + len;
}

/*
 * The JDK takes the integer part of log(n) / log(1024) in doubles, which reaches 5
 * and 6 a little below 1024^5 and 1024^6.  These are the first n of each.
 */
static unsigned power_of_1024(uint64_t n)
{
	static const uint64_t first[] = {
		UINT64_C(1) << 10, UINT64_C(1) << 20,	    UINT64_C(1) << 30,
		UINT64_C(1) << 40, (UINT64_C(1) << 50) - 3, (UINT64_C(1) << 60) - 6208,
	};
	unsigned e = 0;

	while (e < sizeof(first) / sizeof(first[0]) && n >= first[e])
		e++;
	return e;
}

/* "kB/s", "Mbit", ...; without a prefix the names are other ones. */
static char *put_prefixed_unit(char *at, char prefix, unsigned amount)
{
	static const char *const units[] = {
		[AMOUNT_BYTES] = "B",
		[AMOUNT_BITS] = "bit",
		[AMOUNT_BYTES | AMOUNT_PER_SECOND] = "B/s",
		[AMOUNT_BITS | AMOUNT_PER_SECOND] = "bps",
	};

	*at++ = ' ';
	*at++ = prefix;
	return put_text(at, units[amount]);
}

static char *put_plain_unit(char *at, uint64_t n, unsigned amount)
{
	switch (amount) {
	case AMOUNT_BYTES:
		return put_text(at, n == 1 ? " byte" : " bytes");
	case AMOUNT_BITS:
		return put_text(at, n == 1 ? " bit" : " bits");
	case AMOUNT_BYTES | AMOUNT_PER_SECOND:
		return put_text(at, " byte/s");
	default:
		return put_text(at, " bps");
	}
}

char *put_amount(char *at, int64_t n, unsigned amount)
{
	uint64_t size = n < 0 ? -(uint64_t)n : (uint64_t)n;
	unsigned e = power_of_1024(size);

	if (n == INT64_MIN)
		return put_text(at, "N/A");
	if (e == 0) {
		at = put_i64(at, n);
		return put_plain_unit(at, size, amount);
	}
	/* Not in integers: the double nearest to 1.15 * 2^60 / 2^60 prints as 1.2. */
	at = put_java_fixed(at, (double)n / (double)(UINT64_C(1) << 10 * e), 1);
	return put_prefixed_unit(at, "kMGTPE"[e - 1], amount);
}

char *put_exact_amount(char *at, int64_t n, unsigned amount)
{
	at = put_i64(at, n);
	at = put_text(at, amount & AMOUNT_BITS ? " bit" : " byte");
	if (n > 1)
		*at++ = 's';
	if (amount & AMOUNT_PER_SECOND)
		at = put_text(at, "/s");
	return at;
}

char *put_percentage(char *at, double v, bool exact)
{
	double percent = 100 * v;

	if (__builtin_isfinite(percent))
		at = put_java_fixed(at, percent, exact ? 9 : 2);
	else
		at = put_java_double(at, percent);
	*at++ = '%';
	return at;
}

char *put_address(char *at, int64_t v)
{
	uint64_t address = (uint64_t)v;
	int digits = 8;

	while (digits < 16 && address >> 4 * digits != 0)
		digits++;
	at = put_text(at, "0x");
	while (digits-- > 0)
		*at++ = "0123456789ABCDEF"[address >> 4 * digits & 15];
	return at;
}
