/* SPDX-License-Identifier: MIT */
/*
 * where_literal.c - parse numbers, sizes, durations and times in an expression
 *
 *	10  -3  2.5  1e6  0x7f00       numbers
 *	10ms  1.5 s  +30s  -10m        durations
 *	4kB  1.5 MB  100 Mbit          amounts of data
 *	75%                            0.75, as percentages are recorded
 *	2026-11-20T09:47:05Z           points in time
 *
 * Units are those that `jfr print` shows, with a blank in front or without.
 * Its prefixes are powers of 1024, so kB and KiB are the same here.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timeparse.h"
#include "read/where_parse.h"

#define BILLION 1000000000

/* Beyond are infinity and zero. */
#define MAX_EXPONENT 400

/* A decimal number as it was written. */
struct decimal {
	uint64_t whole;
	int64_t billionths;
	int exponent;
	bool is_long; /* too long for .whole */
};

static double decimal_value(const struct decimal *d)
{
	double v;

	/* A quotient of integers is rounded once, and so is what compilers make of it. */
	if (d->whole < 9000000)
		v = (double)((int64_t)d->whole * BILLION + d->billionths) / BILLION;
	else
		v = (double)d->whole + (double)d->billionths / BILLION;
	return d->exponent < 0 ? v / pow(10, -d->exponent) : v * pow(10, d->exponent);
}

/* The same times a factor; negative if a minus stands in front. */
static struct number number_of(const struct decimal *d, uint64_t times, bool negative)
{
	struct number n = { .d = decimal_value(d) * (double)times };
	uint64_t product;

	if (negative)
		n.d = -n.d;
	if (!d->billionths && !d->exponent && !__builtin_mul_overflow(d->whole, times, &product)) {
		n.whole = !negative || product <= (uint64_t)INT64_MAX;
		n.huge = product > (uint64_t)INT64_MAX;
		n.i = (int64_t)(negative ? -product : product);
	} else if (n.d == floor(n.d) && fabs(n.d) < 0x1p53) {
		n.whole = true;
		n.i = (int64_t)n.d;
	}
	return n;
}

static const char *read_hex(const char *s, struct decimal *d)
{
	for (; isxdigit((unsigned char)*s); s++) {
		int digit = isdigit((unsigned char)*s) ? *s - '0' : (*s | 0x20) - 'a' + 10;

		d->is_long |= d->whole >> 60 != 0;
		d->whole = d->whole << 4 | (unsigned)digit;
	}
	return s;
}

static const char *read_digits(const char *s, struct decimal *d)
{
	for (; isdigit((unsigned char)*s); s++) {
		d->is_long |= __builtin_mul_overflow(d->whole, (uint64_t)10, &d->whole);
		d->is_long |= __builtin_add_overflow(d->whole, (uint64_t)(*s - '0'), &d->whole);
	}
	return s;
}

static const char *read_exponent(const char *s, struct decimal *d)
{
	const char *digits = s + 1;
	int sign = 1, e = 0;

	if ((*s | 0x20) != 'e')
		return s;
	if (*digits == '+' || *digits == '-')
		sign = *digits++ == '-' ? -1 : 1;
	if (!isdigit((unsigned char)*digits))
		return s;
	for (; isdigit((unsigned char)*digits); digits++)
		e = e > MAX_EXPONENT ? e : e * 10 + (*digits - '0');
	d->exponent = sign * e;
	return digits;
}

static const char *read_decimal(const char *s, struct decimal *d)
{
	int64_t whole;

	*d = (struct decimal){ 0 };
	if (s[0] == '0' && (s[1] | 0x20) == 'x' && isxdigit((unsigned char)s[2]))
		return read_hex(s + 2, d);
	s = read_digits(s, d);
	/* The fraction after a whole part that is known already. */
	if (s[0] == '.' && isdigit((unsigned char)s[1])) {
		s = parse_decimal(s - 1, &whole, &d->billionths);
		if (!s)
			return NULL;
	}
	return read_exponent(s, d);
}

/* Units ---------------------------------------------------------------------------------------- */

static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(s, word, len) == 0;
}

/* "kB", "KiB", "M", "Mbit", "kB/s" and their like. */
static bool amount_unit(const char *s, size_t len, uint64_t *times, bool *bits)
{
	static const char prefixes[] = "kMGTPE";
	const char *prefix = *s == 'K' ? prefixes : strchr(prefixes, *s);

	*times = 1;
	*bits = false;
	if (prefix) {
		*times <<= 10 * (prefix - prefixes + 1);
		s++;
		len--;
		if (len > 1 && *s == 'i') {
			s++;
			len--;
		}
		if (len == 0)
			return true;
	}
	if (len > 2 && memcmp(s + len - 2, "/s", 2) == 0)
		len -= 2;
	if (is_word(s, len, "B"))
		return true;
	if (!prefix && (is_word(s, len, "byte") || is_word(s, len, "bytes")))
		return true;
	*bits = true;
	return is_word(s, len, "bit") || is_word(s, len, "bits") || is_word(s, len, "bps");
}

/* The letters of a unit at s. */
static size_t unit_len(const char *s)
{
	size_t len = 0;

	while (isalpha((unsigned char)s[len]))
		len++;
	if (len && s[len] == '/' && s[len + 1] == 's' && !isalpha((unsigned char)s[len + 2]))
		len += 2;
	return len;
}

static bool set_span(struct literal *l, const struct decimal *d, const struct time_scale *scale)
{
	double ns = decimal_value(d) * 1e9 / (double)scale->over * (double)scale->times;

	l->kind = LITERAL_SPAN;
	if (d->exponent) {
		if (!(ns < 0x1p63))
			return false;
		l->ns = (int64_t)ns;
	} else if (d->whole > (uint64_t)INT64_MAX ||
		   !time_scale_ns(scale, (int64_t)d->whole, d->billionths, &l->ns)) {
		return false;
	}
	if (l->sign == '-')
		l->ns = -l->ns;
	return true;
}

/*
 * Take the unit. 1, 0 if there is none, or -1 if it cannot be that.  What follows a blank may be
 * another word of the expression.
 */
static int read_unit(const char **text, struct literal *l, const struct decimal *d)
{
	const char *s = *text + strspn(*text, " \t\n");
	size_t len = unit_len(s);
	bool negative = l->sign == '-';
	struct time_scale scale;
	uint64_t times;

	if (*s == '%') {
		*text = s + 1;
		l->number = number_of(d, 1, negative);
		l->number = (struct number){ .d = l->number.d / 100 };
		return 1;
	}
	if (!len)
		return 0;
	if (time_scale_named(s, len, &scale)) {
		*text = s + len;
		return set_span(l, d, &scale) ? 1 : -1;
	}
	if (amount_unit(s, len, &times, &l->bits)) {
		l->kind = LITERAL_AMOUNT;
		l->number = number_of(d, times, negative);
		*text = s + len;
		return 1;
	}
	if (is_word(s, len, "Hz")) {
		*text = s + len;
		return 0;
	}
	return s == *text ? -1 : 0;
}

static bool is_date(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n == 4 && s[4] == '-' && isdigit((unsigned char)s[5]);
}

int literal_read(const char **text, struct literal *l, const char **why)
{
	const char *s = *text;
	struct decimal d;
	int got;

	*l = (struct literal){ .kind = LITERAL_NUMBER };
	if (*s == '+' || *s == '-')
		l->sign = *s++;
	if (!isdigit((unsigned char)*s))
		return 0;
	if (!l->sign && is_date(s)) {
		l->kind = LITERAL_TIME;
		*text = parse_iso_time(s, &l->ns);
		*why = "an invalid time; write 2026-11-20T09:47:05Z";
		return *text ? 1 : -1;
	}
	s = read_decimal(s, &d);
	*why = "a number that is too long";
	if (!s || d.is_long)
		return -1;
	l->number = number_of(&d, 1, l->sign == '-');
	*why = "an invalid number or unit; units are ns, us, ms, s, m, h, d, B, kB, MB, GB, bit "
	       "and %";
	got = read_unit(&s, l, &d);
	if (got < 0 || isalnum((unsigned char)*s) || *s == '_')
		return -1;
	*text = s;
	return 1;
}
