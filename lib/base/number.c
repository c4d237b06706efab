/* SPDX-License-Identifier: MIT */
/*
 * number.c - format numbers as Java does
 *
 * The heart is shortest(): the shortest decimal that reads back as the same
 * double, in integer arithmetic, after the idea of R. Giulietti's "The Schubfach
 * way to render doubles", which Java also uses since JDK 19.
 *
 * Everything nearer to c * 2^q than half of 2^q reads back as c * 2^q.  Choose k
 * so that 10^k <= 2^q < 10^(k+1): then this interval holds at least one multiple
 * of 10^k, and at most one of 10^(k+1), which is shorter.  What has to be decided
 * is which side of an integer some numbers of the form x * 2^q / 10^k lie on, and
 * 10^-k to 128 bits suffices for that: see scale().
 */
#include "base/number.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128_t;

/* digits * 10^exponent */
struct decimal {
	uint64_t digits;
	int exponent;
};

/* c * 2^q; the neighbour below is half as far as the one above if `lopsided` */
struct binary {
	uint64_t c;
	int q;
	bool negative;
	bool lopsided;
};

#define DOUBLE_FRACTION_BITS 52
#define DOUBLE_MIN_Q	     (-1074)
#define FLOAT_FRACTION_BITS  23
#define FLOAT_MIN_Q	     (-149)

/* No more than 17 digits are needed to tell two doubles apart. */
#define MAX_DIGITS 17

static const uint64_t power_of_10[] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};

/*
 * The first 192 bits of 10^-300, 10^-280 .. 10^320.  Any power between is one of
 * these times a power_of_10, and its first 128 bits come out right (checked for
 * all that are needed).
 */
#define COARSE_STEP   20
#define COARSE_LOWEST (-300)

static const uint64_t coarse_power_of_10[][3] = {
	{ 0xab70fe17c79ac6ca, 0x6dbd630a48aaf406, 0x8cc946f70d834e0b }, /* 10^-300 */
	{ 0xe858ad248f5c22c9, 0xd1b3400f8f9cff68, 0xf910f9f648232f14 },
	{ 0x9d71ac8fada6c9b5, 0x6f773fc3603db4a9, 0x463d96ff273dc67d },
	{ 0xd5605fcdcf32e1d6, 0xfb1e4a9a90880a64, 0xeb30854f603da8fc },
	{ 0x9096ea6f3848984f, 0x3ff0d2c85def7621, 0x94bf6773709bddab },
	{ 0xc3f490aa77bd60fc, 0xbedbfc4411068a9c, 0xf7954e1cea8679b1 },
	{ 0x84c8d4dfd2c63f3b, 0x29ecd9f40041e073, 0x75a99f7943138e73 },
	{ 0xb3f4e093db73a093, 0x59ed216765690f56, 0x8fe5b452e6b166cd },
	{ 0xf3e2f893dec3f126, 0x5a89dba3c3efccfa, 0xd8ecb58659be9c90 },
	{ 0xa54394fe1eedb8fe, 0xc2974eb4ee658828, 0x9f36c7501c2ffa80 },
	{ 0xdff9772470297ebd, 0x59787e2b93bc56f7, 0x40626443927a9c5b },
	{ 0x97c560ba6b0919a5, 0xdccd879fc967d41a, 0x021da8c6f15375a1 },
	{ 0xcdb02555653131b6, 0x3792f412cb06794d, 0x256bfa5628f185f9 },
	{ 0x8b61313bbabce2c6, 0x2323ac4b3b3da015, 0x3b62be7bc1a0042b },
	{ 0xbce5086492111aea, 0x88f4bb1ca6bcf584, 0x181ea8059f76532a },
	{ 0x8000000000000000, 0x0000000000000000, 0x0000000000000000 }, /* 10^0 */
	{ 0xad78ebc5ac620000, 0x0000000000000000, 0x0000000000000000 },
	{ 0xeb194f8e1ae525fd, 0x5dcfab0800000000, 0x0000000000000000 },
	{ 0x9f4f2726179a2245, 0x01d762422c946590, 0xd910000000000000 },
	{ 0xd7e77a8f87daf7fb, 0xdc33745ec97be906, 0x3298e889d933b040 },
	{ 0x924d692ca61be758, 0x593c2626705f9c56, 0x72047108d3e55592 },
	{ 0xc646d63501a1511d, 0xb281e1fd541501b8, 0xbfc0ba97646c0c8f },
	{ 0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2, 0x5c6658d409fb8bf7 },
	{ 0xb616a12b7fe617aa, 0x577b986b314d6009, 0x2381cf8591999d63 },
	{ 0xf6c69a72a3989f5b, 0x8aad549e57273d45, 0x0e4709b7db8059dc },
	{ 0xa738c6bebb12d16c, 0xb428f8ac016561db, 0x40a0f74cda221398 },
	{ 0xe2a0b5dc971f303a, 0x2e44ae64840fd61d, 0xe028965c3f580abc },
	{ 0x9991a6f3d6bf1765, 0xacca6da1e0a8ef29, 0x036ee4519d59a838 },
	{ 0xd01fef10a657842c, 0x2d2b7569b0432d85, 0x05ff7caf730b919d },
	{ 0x8d07e33455637eb2, 0xdb0b487b6423e1e8, 0x7ec63730f500b406 },
	{ 0xbf21e44003acdd2c, 0xe0470a63e6bd56c3, 0x52522c084fc8e10e },
	{ 0x81842f29f2cce375, 0xe6a1158300d46640, 0x21ceb9ec7b8c62ed }, /* 10^320 */
};

#define EIGHT_DIGITS 100000000
#define EACH_ZERO    UINT64_C(0x3030303030303030)

/* The values of eight digits, the first one in the lowest byte. */
static uint64_t eight_digits(uint32_t v)
{
	uint64_t halves = v / 10000 | (uint64_t)(v % 10000) << 32;
	/* Two, then four divisions at once, as products that are exact for numbers so small. */
	uint64_t hundreds = halves * 10486 >> 20 & UINT64_C(0x7f0000007f);
	uint64_t quarters = hundreds | (halves - hundreds * 100) << 16;
	uint64_t tens = quarters * 103 >> 10 & UINT64_C(0x000f000f000f000f);

	return tens | (quarters - tens * 10) << 8;
}

static void put_eight_digits(char *at, uint32_t v)
{
	uint64_t text = eight_digits(v) + EACH_ZERO;

	memcpy(at, &text, sizeof(text));
}

/* v in exactly n digits, with leading zeros. */
static char *put_n_digits(char *at, uint64_t v, int n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char *end = at + n;

	for (; n >= 8; n -= 8, v /= EIGHT_DIGITS)
		put_eight_digits(at + n - 8, (uint32_t)(v % EIGHT_DIGITS));
	for (; n >= 2; n -= 2, v /= 100)
		memcpy(at + n - 2, pairs + v % 100 * 2, 2);
	if (n > 0)
		*at = (char)('0' + v % 10);
	return end;
}

static int count_digits(uint64_t v)
{
	/* 1233 / 4096 is just above log10(2). */
	int n = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (n == 0 || v >= power_of_10[n]);
}

/* Without leading zeros; writes eight bytes, whatever the number is. */
static inline char *put_eight_digits_at_most(char *at, uint32_t v)
{
	/* How many there are does not wait for the digits: what comes next begins there. */
	unsigned n = (unsigned)count_digits(v);
	uint64_t text = (eight_digits(v) + EACH_ZERO) >> 8 * (8 - n);

	memcpy(at, &text, sizeof(text));
	return at + n;
}

static char *put_zeros(char *at, int n)
{
	memset(at, '0', (size_t)n);
	return at + n;
}

char *put_u64(char *at, uint64_t v)
{
	uint64_t rest;

	if (v < 10) {
		*at = (char)('0' + v);
		return at + 1;
	}
	rest = v / EIGHT_DIGITS;
	if (!rest)
		return put_eight_digits_at_most(at, (uint32_t)v);
	/* Of 20 digits at most, four are left. */
	if (rest < EIGHT_DIGITS) {
		at = put_eight_digits_at_most(at, (uint32_t)rest);
	} else {
		at = put_eight_digits_at_most(at, (uint32_t)(rest / EIGHT_DIGITS));
		put_eight_digits(at, (uint32_t)(rest % EIGHT_DIGITS));
		at += 8;
	}
	put_eight_digits(at, (uint32_t)(v % EIGHT_DIGITS));
	return at + 8;
}

char *put_i64(char *at, int64_t v)
{
	if (v >= 0)
		return put_u64(at, (uint64_t)v);
	*at++ = '-';
	return put_u64(at, -(uint64_t)v);
}

char *put_2digits(char *at, unsigned v)
{
	return put_n_digits(at, v, 2);
}

char *put_digits(char *at, uint32_t v, unsigned width)
{
	return put_n_digits(at, v, (int)width);
}

/* The integer part of log2(10^p), right for every p below. */
static int floor_log2_of_power_of_10(int p)
{
	return p * 1741647 >> 19;
}

/* The integer part of log10(2^q), or of log10(3/4 * 2^q), right for every double. */
static int floor_log10_of_power_of_2(int q, bool three_quarters)
{
	return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/* The first 128 bits of 10^p, and one unit more: never too small.  -292 <= p <= 324 */
static uint128_t high_bits_of_power_of_10(int p)
{
	/* Shifted to be positive, since C divides toward zero. */
	unsigned n = (unsigned)(p - COARSE_LOWEST);
	const uint64_t *coarse = coarse_power_of_10[n / COARSE_STEP];
	uint64_t fine = power_of_10[n % COARSE_STEP];
	uint128_t high, middle, low;

	/* 256 bits of product, of which the topmost is the highest or the one below. */
	fine <<= __builtin_clzll(fine);
	low = (uint128_t)coarse[2] * fine;
	middle = (uint128_t)coarse[1] * fine + (uint64_t)(low >> 64);
	high = (uint128_t)coarse[0] * fine + (uint64_t)(middle >> 64);
	if (!(high >> 127))
		high = high << 1 | (uint64_t)middle >> 63;
	return high + 1;
}

/*
 * x * g / 2^128, with the lowest bit set if that is not an integer, so that
 * comparing the result with an even integer is comparing the exact value.
 *
 * x < 2^60, and g is the power above, too large by 1 at most: an exact integer
 * comes out too large by less than 2^-68, which is not seen.  All else that is
 * compared here is at least 2^-63 away from the even integers, as exact fractions
 * show for each exponent of a double, and so stays on its side of them.
 */
static uint64_t scale(uint64_t x, uint128_t g)
{
	uint128_t low = (uint128_t)(uint64_t)g * x;
	uint128_t high = (g >> 64) * x + (uint64_t)(low >> 64);

	return (uint64_t)(high >> 64) | ((uint64_t)high != 0);
}

/*
 * The shortest decimal that reads back as b; of several, the nearest.  Java
 * prints two digits at least, and so prefers the nearest of two digits to one of
 * a single digit: 4.9E-324, not 5E-324.
 */
static struct decimal shortest(struct binary b)
{
	int k = floor_log10_of_power_of_2(b.q, b.lopsided);
	uint128_t g = high_bits_of_power_of_10(-k);
	int shift = b.q + floor_log2_of_power_of_10(-k) + 1; /* 1..4 */

	/* In quarters of 10^k, for the ends of the interval to be integers times 2^q. */
	uint64_t value = scale(4 * b.c << shift, g);
	uint64_t lower = scale((4 * b.c - (b.lopsided ? 1 : 2)) << shift, g);
	uint64_t upper = scale((4 * b.c + 2) << shift, g);
	uint64_t below = value / 4;

	/* A tie is read as the even neighbour: the ends belong to an even c. */
	lower += b.c & 1;
	upper -= b.c & 1;

	if (below < 10) {
		struct decimal d = shortest((struct binary){ 10 * b.c, b.q, false, false });

		d.exponent--;
		return d;
	}
	if (below >= 100) {
		uint64_t tens = below / 10;
		bool down = lower <= 40 * tens;
		bool up = 40 * (tens + 1) <= upper;

		if (down != up)
			return (struct decimal){ tens + up, k + 1 };
	}

	bool down = lower <= 4 * below;
	bool up = 4 * (below + 1) <= upper;
	uint64_t middle = 4 * below + 2;

	if (down && up)
		up = value > middle || (value == middle && (below & 1));
	return (struct decimal){ below + up, k };
}

static struct decimal without_trailing_zeros(struct decimal d)
{
	while (d.digits % 10 == 0) {
		d.digits /= 10;
		d.exponent++;
	}
	return d;
}

/* Split an IEEE number, of which the lowest bits are the fraction. */
static struct binary split(uint64_t fraction, int biased_exponent, int fraction_bits, int min_q)
{
	if (biased_exponent == 0)
		return (struct binary){ .c = fraction, .q = min_q };
	return (struct binary){
		.c = fraction | UINT64_C(1) << fraction_bits,
		.q = biased_exponent - 1 + min_q,
		.lopsided = fraction == 0 && biased_exponent > 1,
	};
}

static struct binary split_double(double v)
{
	struct binary b;
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	b = split(bits & ((UINT64_C(1) << DOUBLE_FRACTION_BITS) - 1),
		  bits >> DOUBLE_FRACTION_BITS & 0x7ff, DOUBLE_FRACTION_BITS, DOUBLE_MIN_Q);
	b.negative = bits >> 63;
	return b;
}

static struct binary split_float(float v)
{
	struct binary b;
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	b = split(bits & ((UINT32_C(1) << FLOAT_FRACTION_BITS) - 1),
		  bits >> FLOAT_FRACTION_BITS & 0xff, FLOAT_FRACTION_BITS, FLOAT_MIN_Q);
	b.negative = bits >> 31;
	return b;
}

/* 1234.5; of the n digits, `point` (which may be negative) are before the point. */
static char *put_plain(char *at, uint64_t digits, int n, int point)
{
	if (point <= 0) {
		*at++ = '0';
		*at++ = '.';
		at = put_zeros(at, -point);
		return put_n_digits(at, digits, n);
	}
	if (point < n) {
		uint64_t unit = power_of_10[n - point];

		at = put_n_digits(at, digits / unit, point);
		*at++ = '.';
		return put_n_digits(at, digits % unit, n - point);
	}
	at = put_n_digits(at, digits, n);
	at = put_zeros(at, point - n);
	*at++ = '.';
	*at++ = '0';
	return at;
}

/* 1.2345E-67 */
static char *put_scientific(char *at, uint64_t digits, int n, int point)
{
	if (n == 1) {
		n = 2;
		digits *= 10;
	}
	at = put_plain(at, digits, n, 1);
	*at++ = 'E';
	return put_i64(at, point - 1);
}

static char *put_binary(char *at, struct binary b)
{
	struct decimal d;
	int n, point;

	if (b.negative)
		*at++ = '-';
	if (b.c == 0)
		return put_plain(at, 0, 1, 1);
	d = without_trailing_zeros(shortest(b));
	n = count_digits(d.digits);
	point = n + d.exponent;
	if (-3 < point && point <= 7)
		return put_plain(at, d.digits, n, point);
	return put_scientific(at, d.digits, n, point);
}

static char *put_not_finite(char *at, double v)
{
	const char *text = v != v ? "NaN" : v < 0 ? "-Infinity" : "Infinity";
	size_t len = strlen(text);

	memcpy(at, text, len);
	return at + len;
}

char *put_java_double(char *at, double v)
{
	if (!__builtin_isfinite(v))
		return put_not_finite(at, v);
	return put_binary(at, split_double(v));
}

char *put_java_float(char *at, float v)
{
	if (!__builtin_isfinite(v))
		return put_not_finite(at, v);
	return put_binary(at, split_float(v));
}

/* d with `decimals` digits after the point at most, rounded HALF_UP. */
static struct decimal round_half_up(struct decimal d, int decimals)
{
	int excess = -decimals - d.exponent;
	uint64_t unit;

	if (excess <= 0)
		return d;
	if (excess > MAX_DIGITS)
		return (struct decimal){ 0, -decimals };
	unit = power_of_10[excess];
	return (struct decimal){ (d.digits + unit / 2) / unit, -decimals };
}

char *put_java_fixed(char *at, double v, unsigned decimals)
{
	struct binary b = split_double(v);
	struct decimal d = { 0, 0 };
	int n;

	assert(__builtin_isfinite(v) && decimals <= 9);
	if (b.c != 0)
		d = round_half_up(shortest(b), (int)decimals);
	if (b.negative)
		*at++ = '-';

	/* As an integer of 10^-decimals, then move the last digits after the point. */
	n = count_digits(d.digits);
	if (n + d.exponent <= 0)
		n = 1 - d.exponent;
	at = put_n_digits(at, d.digits, n);
	at = put_zeros(at, d.exponent + (int)decimals);
	if (decimals > 0) {
		memmove(at - decimals + 1, at - decimals, decimals);
		at[-(int)decimals] = '.';
		at++;
	}
	return at;
}
