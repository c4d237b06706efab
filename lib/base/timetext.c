/* SPDX-License-Identifier: MIT */
/*
 * timetext.c - format points in time and durations as Java does
 *
 * The calendar is the Gregorian one, extended to all years.  A recording may hold
 * any 64-bit number, so years beyond 292 million occur; no libc function is asked.
 */
#include "base/timetext.h"

#include "base/number.h"

#include <stdbool.h>
#include <string.h>

/* 32 bits, unlike those of clock_now.h: dividing by them is most of what printing a time takes. */
#define NS_PER_SECOND	1000000000
#define NS_PER_MS	1000000
#define SECONDS_PER_DAY 86400

/* The year has astronomical numbering: 0 is 1 BC. */
struct date {
	int64_t year;
	unsigned month, day;
};

/* A timespan without its sign. */
struct length {
	uint64_t seconds;
	uint32_t nanos;
};

static inline int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Years are taken to begin in March here, so that a leap day is the last day of
 * its year, its four years and its 400 years.
 */
static struct date date_from_days(int64_t days_since_1970)
{
	const int64_t days_from_0000_03_01_to_1970 = 719468;
	int64_t days = days_since_1970 + days_from_0000_03_01_to_1970;
	int64_t era = floor_div(days, 146097);
	unsigned rest = (unsigned)(days - era * 146097);
	unsigned century, four, year, month;

	century = min(rest / 36524, 3);
	rest -= century * 36524;
	four = rest / 1461;
	rest -= four * 1461;
	year = min(rest / 365, 3);
	rest -= year * 365;

	/* March to July, and August to December, are 153 days: 31 30 31 30 31. */
	month = (5 * rest + 2) / 153;
	rest -= (153 * month + 2) / 5;

	return (struct date){
		.year = era * 400 + century * 100 + four * 4 + year + (month >= 10),
		.month = month < 10 ? month + 3 : month - 9,
		.day = rest + 1,
	};
}

/* Days since 1970, and the second of that day, in a zone; never overflows. */
static int64_t local_day(int64_t seconds, int32_t offset_s, unsigned *second_of_day)
{
	int64_t day = floor_div(seconds, SECONDS_PER_DAY);
	int64_t rest = seconds % SECONDS_PER_DAY;

	if (rest < 0)
		rest += SECONDS_PER_DAY;
	rest += offset_s;
	day += floor_div(rest, SECONDS_PER_DAY);
	*second_of_day = (unsigned)(rest - floor_div(rest, SECONDS_PER_DAY) * SECONDS_PER_DAY);
	return day;
}

/* Four digits at least, a plus above 9999. */
static char *put_year(char *at, int64_t year)
{
	uint64_t n = year < 0 ? -(uint64_t)year : (uint64_t)year;

	if (year < 0)
		*at++ = '-';
	else if (year > 9999)
		*at++ = '+';
	if (n <= 9999)
		return put_digits(at, (uint32_t)n, 4);
	return put_u64(at, n);
}

static char *put_date(char *at, struct date date)
{
	at = put_year(at, date.year);
	*at++ = '-';
	at = put_2digits(at, date.month);
	*at++ = '-';
	return put_2digits(at, date.day);
}

char *put_utc_offset(char *at, int32_t offset_s)
{
	unsigned offset = (unsigned)(offset_s < 0 ? -offset_s : offset_s);

	if (offset == 0) {
		*at++ = 'Z';
		return at;
	}
	*at++ = offset_s < 0 ? '-' : '+';
	at = put_2digits(at, offset / 3600);
	*at++ = ':';
	at = put_2digits(at, offset / 60 % 60);
	if (offset % 60 == 0)
		return at;
	*at++ = ':';
	return put_2digits(at, offset % 60);
}

static char *put_clock(char *at, unsigned second_of_day)
{
	at = put_2digits(at, second_of_day / 3600);
	*at++ = ':';
	at = put_2digits(at, second_of_day / 60 % 60);
	*at++ = ':';
	return put_2digits(at, second_of_day % 60);
}

static void make_second(struct second_text *memo, int64_t seconds, int32_t offset_s)
{
	unsigned second_of_day;
	int64_t day = local_day(seconds, offset_s, &second_of_day);

	memo->seconds = seconds;
	memo->offset_s = offset_s;
	memo->valid = true;
	memo->date_len = (uint8_t)(put_date(memo->date, date_from_days(day)) - memo->date);
	memo->zone_len = (uint8_t)(put_utc_offset(memo->zone, offset_s) - memo->zone);
	memo->whole_minute = second_of_day % 60 == 0;
	put_clock(memo->clock, second_of_day);
}

static inline void remember_second(struct second_text *memo, int64_t seconds, int32_t offset_s)
{
	if (!memo->valid || memo->seconds != seconds || memo->offset_s != offset_s)
		make_second(memo, seconds, offset_s);
}

/*
 * A copy of the whole array and a step over the part that counts: for a length
 * that a compiler does not know it makes a loop, or an instruction slow to start.
 */
#define PUT_FIRST(at, array, n) ((char *)memcpy((at), (array), sizeof(array)) + (n))

static char *put_text(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len);
	return at + len;
}

/* Nothing, or a point and three, six or nine digits, as few as possible. */
static char *put_fraction_by_threes(char *at, uint32_t nanos)
{
	if (nanos == 0)
		return at;
	*at++ = '.';
	if (nanos % 1000 != 0)
		return put_digits(at, nanos, 9);
	if (nanos % 1000000 != 0)
		return put_digits(at, nanos / 1000, 6);
	return put_digits(at, nanos / 1000000, 3);
}

char *put_iso_time(char *at, struct second_text *memo, struct timespan t, int32_t offset_s)
{
	bool no_seconds;

	remember_second(memo, t.seconds, offset_s);
	no_seconds = memo->whole_minute && t.nanos == 0;
	at = PUT_FIRST(at, memo->date, memo->date_len);
	*at++ = 'T';
	at = PUT_FIRST(at, memo->clock, no_seconds ? 5 : 8);
	at = put_fraction_by_threes(at, (uint32_t)t.nanos);
	return PUT_FIRST(at, memo->zone, memo->zone_len);
}

char *put_full_time(char *at, struct second_text *memo, struct timespan t, int32_t offset_s)
{
	remember_second(memo, t.seconds, offset_s);
	at = PUT_FIRST(at, memo->date, memo->date_len);
	*at++ = 'T';
	at = PUT_FIRST(at, memo->clock, sizeof(memo->clock));
	*at++ = '.';
	at = put_digits(at, (uint32_t)t.nanos, 9);
	return PUT_FIRST(at, memo->zone, memo->zone_len);
}

/* Java's pattern is "yyyy", the year of an era, and the era is not shown: 1 BC is 0001. */
static char *put_date_before_christ(char *at, int64_t seconds, int32_t offset_s)
{
	unsigned second_of_day;
	struct date date = date_from_days(local_day(seconds, offset_s, &second_of_day));

	date.year = 1 - date.year;
	return put_date(at, date);
}

char *put_print_time(char *at, struct second_text *memo, struct timespan t, int32_t offset_s,
		     unsigned decimals)
{
	const int64_t year_1 = INT64_C(-62135596800);
	uint32_t nanos = (uint32_t)t.nanos;

	remember_second(memo, t.seconds, offset_s);
	at = PUT_FIRST(at, memo->clock, sizeof(memo->clock));
	*at++ = '.';
	at = put_digits(at, decimals == 3 ? nanos / NS_PER_MS : nanos, decimals);
	at = put_text(at, " (");
	if (t.seconds < year_1 - offset_s)
		at = put_date_before_christ(at, t.seconds, offset_s);
	else
		at = PUT_FIRST(at, memo->date, memo->date_len);
	*at++ = ')';
	return at;
}

static struct length length_of(struct timespan d)
{
	if (d.seconds >= 0)
		return (struct length){ (uint64_t)d.seconds, (uint32_t)d.nanos };
	if (d.nanos == 0)
		return (struct length){ -(uint64_t)d.seconds, 0 };
	return (struct length){ -(uint64_t)d.seconds - 1, NS_PER_SECOND - (uint32_t)d.nanos };
}

/* "17M": one component of an ISO duration, which carries the sign of the whole. */
static char *put_component(char *at, bool negative, uint64_t v, char unit)
{
	if (v == 0)
		return at;
	if (negative)
		*at++ = '-';
	at = put_u64(at, v);
	*at++ = unit;
	return at;
}

char *put_iso_span(char *at, struct timespan d)
{
	struct length len = length_of(d);
	bool negative = d.seconds < 0;
	unsigned seconds = (unsigned)(len.seconds % 60);

	if (len.seconds == 0 && len.nanos == 0)
		return put_text(at, "PT0S");
	at = put_text(at, "PT");
	at = put_component(at, negative, len.seconds / 3600, 'H');
	at = put_component(at, negative, len.seconds / 60 % 60, 'M');
	if (len.nanos == 0)
		return put_component(at, negative, seconds, 'S');

	if (negative)
		*at++ = '-';
	at = put_u64(at, seconds);
	*at++ = '.';
	at = put_digits(at, len.nanos, 9);
	while (at[-1] == '0')
		at--;
	*at++ = 'S';
	return at;
}

char *put_span_in_ns(char *at, struct timespan d)
{
	struct length len = length_of(d);

	if (d.seconds < 0)
		*at++ = '-';
	if (len.seconds < UINT64_MAX / NS_PER_SECOND)
		return put_u64(at, len.seconds * NS_PER_SECOND + len.nanos);
	at = put_u64(at, len.seconds);
	return put_digits(at, len.nanos, 9);
}

/* Round half up to three significant digits; less than three stay. */
static uint32_t round_to_three_digits(uint32_t v)
{
	uint32_t unit = 1;

	while (v >= unit * 1000)
		unit *= 10;
	return (v + unit / 2) / unit * unit;
}

/* v / 10^decimals in three significant digits; those beyond are known to be zero. */
static char *put_three_digits(char *at, uint32_t v, unsigned decimals)
{
	uint32_t unit = 1;

	for (; v >= 1000; v /= 10)
		decimals--;
	if (decimals == 0)
		return put_u64(at, v);
	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	at = put_u64(at, v / unit);
	*at++ = '.';
	return put_digits(at, v % unit, decimals);
}

static uint64_t round_to_multiple(uint64_t v, uint64_t unit)
{
	return (v + unit / 2) / unit * unit;
}

/*
 * To three significant digits below a minute, and above to the smaller of the two
 * units that will be shown.  Below a minute what is under a millisecond is dropped
 * before, above a minute what is under a second: only from there on does half of
 * a unit decide.  Below a microsecond all three digits are shown anyway.
 */
static struct length round_length(struct length len)
{
	if (len.seconds == 0) {
		uint32_t nanos = round_to_three_digits(len.nanos);

		return (struct length){ nanos / NS_PER_SECOND, nanos % NS_PER_SECOND };
	}
	if (len.seconds < 60) {
		uint32_t ms = (uint32_t)len.seconds * 1000 + len.nanos / NS_PER_MS;

		ms = round_to_three_digits(ms);
		return (struct length){ ms / 1000, ms % 1000 * NS_PER_MS };
	}
	if (len.seconds < 3600)
		return (struct length){ len.seconds + (len.nanos >= NS_PER_SECOND / 2), 0 };
	if (len.seconds < SECONDS_PER_DAY)
		return (struct length){ round_to_multiple(len.seconds, 60), 0 };
	return (struct length){ round_to_multiple(len.seconds, 3600), 0 };
}

static char *put_two_units(char *at, uint64_t n, const char *unit, uint64_t m, const char *subunit)
{
	at = put_u64(at, n);
	at = put_text(at, unit);
	at = put_u64(at, m);
	return put_text(at, subunit);
}

char *put_span_with_ms(char *at, struct timespan d, int decimals)
{
	struct length len = round_length(length_of(d));
	uint64_t s = len.seconds;

	if (s == 0 && len.nanos == 0)
		return put_text(at, "0 s");
	if (d.seconds < 0)
		*at++ = '-';
	if (s == 0) {
		at = decimals < 0 ? put_three_digits(at, len.nanos, 6)
				  : put_java_fixed(at, len.nanos / 1e6,
						   decimals < 9 ? (unsigned)decimals : 9);
		return put_text(at, " ms");
	}
	if (s < 60) {
		at = put_three_digits(at, (uint32_t)s * 1000 + len.nanos / NS_PER_MS, 3);
		return put_text(at, " s");
	}
	if (s < 3600)
		return put_two_units(at, s / 60, " m ", s % 60, " s");
	if (s < SECONDS_PER_DAY)
		return put_two_units(at, s / 3600, " h ", s / 60 % 60, " m");
	return put_two_units(at, s / SECONDS_PER_DAY, " d ", s / 3600 % 24, " h");
}

char *put_print_span(char *at, struct timespan d)
{
	return put_span_with_ms(at, d, -1);
}

char *put_exact_span(char *at, struct timespan d)
{
	/* Java's way: the nanoseconds become a double, and that is divided. */
	__extension__ __int128 ns = (__int128)d.seconds * NS_PER_SECOND + d.nanos;

	at = put_java_fixed(at, (double)ns / 1e9, 9);
	return put_text(at, " s");
}
