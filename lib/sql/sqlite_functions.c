/* SPDX-License-Identifier: MIT */
/*
 * sqlite_functions.c - SQL: functions for stack traces, times and percentiles
 *
 *	top_frame(stack)          its first method
 *	frame_count(stack)        how many it has
 *	has_frame(stack, 'glob')  is there one that the glob covers?
 *	bucket(time, '10s')       when the time's interval of that length began
 *	utc(time)                 as text: 2026-11-20T09:47:05.651208645Z
 *	ns('...')                 nanoseconds of a point in time or of a duration in text
 *	percentile(value, 99)     as `jfrec view` computes it
 *	median(value)
 */
#include "sql/sqlite.h"

#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/timeparse.h"
#include "base/timetext.h"
#include "format/clock.h"
#include "jfrec-tool.h"

/* Stack traces --------------------------------------------------------------------------------- */

static const char *text_of(sqlite3_value *v, size_t *len)
{
	const char *text = (const char *)sqlite3_value_text(v);

	*len = text ? (size_t)sqlite3_value_bytes(v) : 0;
	return text;
}

static size_t frame_len(const char *at, size_t left)
{
	const char *end = memchr(at, ';', left);

	return end ? (size_t)(end - at) : left;
}

static void top_frame(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	size_t len;
	const char *text = text_of(argv[0], &len);

	(void)argc;
	if (text && len)
		sqlite3_result_text(to, text, (int)frame_len(text, len), SQLITE_TRANSIENT);
}

static void frame_count(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	size_t len;
	const char *text = text_of(argv[0], &len);
	int64_t count = len > 0;

	(void)argc;
	if (!text)
		return;
	for (size_t i = 0; i < len; i++)
		count += text[i] == ';';
	sqlite3_result_int64(to, count);
}

/* The whole frame, or its method without the parameters. */
static bool frame_matches(const char *glob, size_t glob_len, const char *frame, size_t len)
{
	const char *bracket = memchr(frame, '(', len);

	return glob_match_text(glob, glob_len, frame, len) ||
	       (bracket && glob_match_text(glob, glob_len, frame, (size_t)(bracket - frame)));
}

static void has_frame(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	size_t len, glob_len;
	const char *text = text_of(argv[0], &len), *glob = text_of(argv[1], &glob_len);
	bool found = false;

	(void)argc;
	if (!text || !glob)
		return;
	while (!found && len) {
		size_t n = frame_len(text, len);

		found = frame_matches(glob, glob_len, text, n);
		n += n < len;
		text += n;
		len -= n;
	}
	sqlite3_result_int(to, found);
}

/* Times ---------------------------------------------------------------------------------------- */

static void bucket(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	const char *text = (const char *)sqlite3_value_text(argv[1]);
	int64_t ns = sqlite3_value_int64(argv[0]), step, rest;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	if (!text || !jfrec_parse_duration(text, &step)) {
		sqlite3_result_error(to, "bucket() takes a time and a duration such as '10s'", -1);
		return;
	}
	rest = ns % step;
	sqlite3_result_int64(to, long_subtract(ns, rest < 0 ? rest + step : rest));
}

static void utc(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	struct second_text second = { 0 };
	char text[TIMETEXT_MAX], *end;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	end = put_full_time(text, &second, timespan_from_ns(sqlite3_value_int64(argv[0])), 0);
	sqlite3_result_text(to, text, (int)(end - text), SQLITE_TRANSIENT);
}

static void to_ns(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	const char *text = (const char *)sqlite3_value_text(argv[0]), *end;
	int64_t ns;

	(void)argc;
	if (!text)
		return;
	end = parse_iso_time(text, &ns);
	if ((end && !*end) || jfrec_parse_duration(text, &ns))
		sqlite3_result_int64(to, ns);
	else
		sqlite3_result_error(to,
				     "ns() takes a time such as '2026-11-20T09:47:05Z' or a "
				     "duration such as '10ms'",
				     -1);
}

/* Percentiles ---------------------------------------------------------------------------------- */

struct samples {
	double *items;
	size_t count, room;
	double percent;
};

static bool add_sample(struct samples *s, double d)
{
	if (s->count == s->room) {
		size_t room = s->room ? s->room * 2 : 256;
		double *items = sqlite3_realloc64(s->items, room * sizeof(*items));

		if (!items)
			return false;
		s->items = items;
		s->room = room;
	}
	s->items[s->count++] = d;
	return true;
}

static void sample(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	struct samples *s = sqlite3_aggregate_context(to, sizeof(*s));

	if (!s) {
		sqlite3_result_error_nomem(to);
		return;
	}
	s->percent = argc > 1 ? sqlite3_value_double(argv[1]) : 50;
	if (!(s->percent >= 0 && s->percent <= 100)) {
		sqlite3_result_error(to, "percentile() takes a value and a number from 0 to 100",
				     -1);
		return;
	}
	if (sqlite3_value_numeric_type(argv[0]) == SQLITE_INTEGER ||
	    sqlite3_value_numeric_type(argv[0]) == SQLITE_FLOAT) {
		if (!add_sample(s, sqlite3_value_double(argv[0])))
			sqlite3_result_error_nomem(to);
	}
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Between the two that it lies between, as the JDK's views have it. */
static double percentile_of(const struct samples *s)
{
	double x = (double)(s->count + 1) * s->percent / 100;
	size_t i = (size_t)x;

	if (i == 0)
		return s->items[0];
	if (i >= s->count)
		return s->items[s->count - 1];
	return s->items[i - 1] + (x - (double)i) * (s->items[i] - s->items[i - 1]);
}

static void end_samples(sqlite3_context *to)
{
	struct samples *s = sqlite3_aggregate_context(to, 0);

	if (!s)
		return;
	if (s->count) {
		qsort(s->items, s->count, sizeof(*s->items), compare);
		sqlite3_result_double(to, percentile_of(s));
	}
	sqlite3_free(s->items);
	s->items = NULL;
}

/* ---------------------------------------------------------------------------------------------- */

int sqlite_add_functions(sqlite3 *db)
{
	static const struct {
		const char *name;
		int count; /* of arguments */
		void (*plain)(sqlite3_context *, int, sqlite3_value **);
		void (*step)(sqlite3_context *, int, sqlite3_value **);
		void (*end)(sqlite3_context *);
	} functions[] = {
		{ "top_frame", 1, top_frame, NULL, NULL },
		{ "frame_count", 1, frame_count, NULL, NULL },
		{ "has_frame", 2, has_frame, NULL, NULL },
		{ "bucket", 2, bucket, NULL, NULL },
		{ "utc", 1, utc, NULL, NULL },
		{ "ns", 1, to_ns, NULL, NULL },
		{ "percentile", 2, NULL, sample, end_samples },
		{ "median", 1, NULL, sample, end_samples },
	};
	int got = SQLITE_OK;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions) && got == SQLITE_OK; i++)
		got = sqlite3_create_function_v2(
			db, functions[i].name, functions[i].count,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
			functions[i].plain, functions[i].step, functions[i].end, NULL);
	return got;
}
