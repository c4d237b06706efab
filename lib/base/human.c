/* SPDX-License-Identifier: MIT */
/*
 * human.c - sizes, rates, spans, shares and times for people
 */
#include "base/human.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/timetext.h"

/* Numbers -------------------------------------------------------------------------------------- */

/*
 * Decimals of v that make three digits; more below 0.01, where zeros behind the point do not count.
 */
static int decimals_of(double v)
{
	double most = fabs(v);
	int decimals = most >= 99.95 || most == 0 ? 0 : most >= 9.995 ? 1 : most >= 0.9995 ? 2 : 3;

	while (decimals >= 3 && decimals < 9 && most * pow(10, decimals - 2) < 1)
		decimals++;
	return decimals;
}

static void drop_zeros(char *text)
{
	size_t len = strlen(text);

	if (!strchr(text, '.'))
		return;
	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	text[len] = '\0';
}

const char *human_number(char to[static HUMAN_MAX], double v)
{
	if (!isfinite(v) || fabs(v) >= 1e15) {
		snprintf(to, HUMAN_MAX, "%.3g", v);
		return to;
	}
	snprintf(to, HUMAN_MAX, "%.*f", decimals_of(v), v);
	drop_zeros(to);
	return to;
}

const char *human_count(char to[static HUMAN_MAX], int64_t n)
{
	char digits[24], *at = to;
	int len = snprintf(digits, sizeof(digits), "%" PRIi64, n);

	for (int i = 0; i < len; i++) {
		*at++ = digits[i];
		if (digits[i] != '-' && i + 1 < len && (len - 1 - i) % 3 == 0)
			*at++ = ',';
	}
	*at = '\0';
	return to;
}

static const char *with_unit(char to[static HUMAN_MAX], double v, const char *unit)
{
	size_t len;

	human_number(to, v);
	len = strlen(to);
	snprintf(to + len, HUMAN_MAX - len, " %s", unit);
	return to;
}

/* Spans ---------------------------------------------------------------------------------------- */

/* From two minutes to two hours: whole seconds, and none where there are none. */
static const char *minutes_text(char to[static HUMAN_MAX], double s, const char *sign)
{
	double minutes = floor(s / 60), rest = floor(s - minutes * 60);

	if (rest < 1)
		snprintf(to, HUMAN_MAX, "%s%.0f min", sign, minutes);
	else
		snprintf(to, HUMAN_MAX, "%s%.0f min %.0f s", sign, minutes, rest);
	return to;
}

const char *human_span(char to[static HUMAN_MAX], double ns)
{
	double most = fabs(ns);

	if (most >= 7200e9)
		return with_unit(to, ns / 3600e9, "h");
	if (most >= 120e9)
		return minutes_text(to, most / 1e9, ns < 0 ? "-" : "");
	if (most >= 999.5e6)
		return with_unit(to, ns / 1e9, "s");
	if (most >= 999.5e3 || most == 0)
		return with_unit(to, ns / 1e6, "ms");
	if (most >= 999.5)
		return with_unit(to, ns / 1e3, "\u00b5s");
	return with_unit(to, ns, "ns");
}

/* Between chunks there are always some ms. */
const char *human_length(char to[static 2 * HUMAN_MAX], int64_t recorded_ns, int64_t length_ns)
{
	char all[HUMAN_MAX];

	human_span(to, (double)recorded_ns);
	if ((double)recorded_ns < 0.99 * (double)length_ns)
		snprintf(to + strlen(to), HUMAN_MAX, " of %s", human_span(all, (double)length_ns));
	return to;
}

/* Sizes ---------------------------------------------------------------------------------------- */

const char *human_bytes(char to[static HUMAN_MAX], double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	unsigned i = 0;

	/* 1023.5 would be written as 1024. */
	for (; fabs(bytes) >= 1023.5 && i < sizeof(units) / sizeof(*units) - 1; i++)
		bytes /= 1024;
	return with_unit(to, bytes, units[i]);
}

const char *human_rate(char to[static HUMAN_MAX], double bytes_per_second)
{
	size_t len = strlen(human_bytes(to, bytes_per_second));

	snprintf(to + len, HUMAN_MAX - len, "/s");
	return to;
}

/* Shares --------------------------------------------------------------------------------------- */

const char *human_share(char to[static HUMAN_MAX], double share)
{
	return with_unit(to, share * 100, "%");
}

const char *human_part(char to[static HUMAN_MAX], double part, double of)
{
	snprintf(to, HUMAN_MAX, "%.1f %%", of ? 100 * part / of : 0);
	return to;
}

/* Measures ------------------------------------------------------------------------------------- */

const char *human_measure(char to[static HUMAN_MAX], enum jfrec_unit unit, double v)
{
	if (isinf(v))
		return strcpy(to, "never");
	switch (unit) {
	case JFREC_UNIT_PERCENT:
		return human_share(to, v);
	case JFREC_UNIT_NS:
		return human_span(to, v);
	case JFREC_UNIT_BYTES:
		return human_bytes(to, v);
	case JFREC_UNIT_BYTES_PER_S:
		return human_rate(to, v);
	case JFREC_UNIT_HERTZ:
		human_number(to, v);
		return strcat(to, "/s");
	default:
		return human_number(to, v);
	}
}

/* Times ---------------------------------------------------------------------------------------- */

const char *human_iso(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s)
{
	struct second_text memo = { 0 };
	char text[TIMETEXT_MAX + 1];

	*put_full_time(text, &memo, timespan_from_ns(ns), offset_s) = '\0';
	return strcpy(to, text);
}

/* Without the six digits of the nanoseconds that are beyond the milliseconds. */
const char *human_iso_ms(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s)
{
	char *point = strchr(human_iso(to, ns, offset_s), '.');

	memmove(point + 4, point + 10, strlen(point + 10) + 1);
	return to;
}

/* Of "2026-11-20T09:47:05.170093773+05:30", so many characters from the T on, which becomes a blank. */
static const char *time_text(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s, size_t rest)
{
	char *t;

	human_iso(to, ns, offset_s);
	t = strchr(to, 'T');
	*t = ' ';
	t[rest] = '\0';
	return to;
}

const char *human_time(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s)
{
	return time_text(to, ns, offset_s, strlen(" 09:47:05"));
}

const char *human_time_ms(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s)
{
	return time_text(to, ns, offset_s, strlen(" 09:47:05.170"));
}

const char *human_clock(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s)
{
	char text[HUMAN_MAX];

	return strcpy(to, strchr(human_time(text, ns, offset_s), ' ') + 1);
}

const char *human_zone(char to[static HUMAN_MAX], int32_t offset_s)
{
	char *end = to + strlen(strcpy(to, "UTC"));

	if (offset_s)
		*put_utc_offset(end, offset_s) = '\0';
	return to;
}
