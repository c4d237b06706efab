/* SPDX-License-Identifier: MIT */
/*
 * test_timeparse.c - times as people write them, in zones, and relative to a recording
 */
#include "jfrec-tool.h"
#include "test.h"

#define S   INT64_C(1000000000)
#define DAY (86400 * S)

static const struct {
	const char *text;
	int base; /* -1: it is not a time */
	int64_t ns;
} rows[] = {
	{ "09:30", JFREC_TIME_OF_DAY, 34200 * S },
	{ "9:30", JFREC_TIME_OF_DAY, 34200 * S },
	{ "09:30:00.5", JFREC_TIME_OF_DAY, 34200 * S + S / 2 },
	{ "23:59:59.999999999", JFREC_TIME_OF_DAY, DAY - 1 },
	{ "1970-01-02", JFREC_LOCAL_TIME, DAY },
	{ "1970-01-02T09:30", JFREC_LOCAL_TIME, DAY + 34200 * S },
	{ "1970-01-02 09:30:01.25", JFREC_LOCAL_TIME, DAY + 34201 * S + S / 4 },
	{ "09:30:01.250 (1970-01-02)", JFREC_LOCAL_TIME, DAY + 34201 * S + S / 4 },
	{ "1970-01-02T09:30Z", JFREC_SINCE_1970, DAY + 34200 * S },
	{ "1970-01-02T09:30:00+01:00", JFREC_SINCE_1970, DAY + 30600 * S },
	{ "1970-01-02T09:30:00.5-0130", JFREC_SINCE_1970, DAY + 39600 * S + S / 2 },
	{ "1795168089.5", JFREC_SINCE_1970, 1795168089 * S + S / 2 },
	{ "+30s", JFREC_SINCE_START, 30 * S },
	{ "-10m", JFREC_BEFORE_END, 600 * S },
	{ "x", -1, 0 },
	{ "09", JFREC_SINCE_1970, 9 * S },
	{ "09:", -1, 0 },
	{ "25:00", -1, 0 },
	{ "09:30x", -1, 0 },
	{ "09:30\r", -1, 0 },
	{ " 09:30", -1, 0 },
	{ "09:30 (1970-01-02", -1, 0 },
	{ "09:30 (1970-01-02) ", -1, 0 },
	{ "1970-01-02T09:30:00+19:00", -1, 0 },
	{ "1970-01-02T", -1, 0 },
};

static void test_text(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct jfrec_time t = { 0 };
		bool is_time = jfrec_time_parse(rows[i].text, &t);

		test_begin(rows[i].text);
		CHECK(is_time == (rows[i].base >= 0));
		if (is_time && rows[i].base >= 0) {
			CHECK((int)t.base == rows[i].base);
			CHECK(t.ns == rows[i].ns);
		}
	}
}

/* An hour ahead, and two from the tenth day on. */
static int32_t summer(void *ctx, int64_t seconds)
{
	(void)ctx;
	return seconds < 10 * 86400 ? 3600 : 7200;
}

static int64_t resolve(const char *text, int64_t start_ns, int64_t end_ns, const int64_t *from_ns)
{
	struct jfrec_time_frame frame = { start_ns, end_ns, summer, NULL };
	struct jfrec_time t = { 0 };

	CHECK(jfrec_time_parse(text, &t));
	return jfrec_time_resolve_in(&t, &frame, from_ns);
}

static void test_local(void)
{
	test_begin("local times, before and in summer");
	CHECK(resolve("1970-01-03T12:00", 0, 0, NULL) == 2 * DAY + 11 * 3600 * S);
	CHECK(resolve("1970-01-20T12:00", 0, 0, NULL) == 19 * DAY + 10 * 3600 * S);
	CHECK(resolve("1970-01-20T12:00Z", 0, 0, NULL) == 19 * DAY + 12 * 3600 * S);
}

/* From 21:30 on the first to 03:30 on the third day, in UTC; an hour later in the zone. */
static void test_time_of_day(void)
{
	int64_t start = 21 * 3600 * S + 1800 * S, end = 2 * DAY + 3 * 3600 * S + 1800 * S;
	int64_t none = INT64_MIN, from;

	test_begin("times of day within a recording");
	CHECK(resolve("23:00", start, end, NULL) == 22 * 3600 * S);
	CHECK(resolve("22:00", start, end, NULL) == DAY + 21 * 3600 * S);
	CHECK(resolve("04:00", start, end, &none) == DAY + 3 * 3600 * S);
	from = resolve("06:00", start, end, NULL);
	CHECK(from == DAY + 5 * 3600 * S);
	CHECK(resolve("04:00", start, end, &from) == 2 * DAY + 3 * 3600 * S);
}

/* An hour within one day: other times are of that day. */
static void test_other_time_of_day(void)
{
	int64_t start = 11 * 3600 * S, end = 12 * 3600 * S, none = INT64_MIN;

	test_begin("times of day outside of it");
	CHECK(resolve("09:30", start, end, NULL) == 8 * 3600 * S + 1800 * S);
	CHECK(resolve("23:30", start, end, NULL) == 22 * 3600 * S + 1800 * S);
	CHECK(resolve("09:30", start, end, &none) == 8 * 3600 * S + 1800 * S);
}

/* What a damaged header may say. */
static void test_extremes(void)
{
	test_begin("extreme spans");
	CHECK(resolve("+100000d", INT64_MAX, INT64_MAX, NULL) == INT64_MAX);
	CHECK(resolve("-100000d", INT64_MIN, INT64_MIN, NULL) == INT64_MIN);
	resolve("09:30", INT64_MIN, INT64_MAX, NULL);
	resolve("09:30", INT64_MAX, INT64_MIN, NULL);
	resolve("09:30", INT64_MIN, INT64_MIN, NULL);
	resolve("09:30", INT64_MAX, INT64_MAX, NULL);
}

int main(void)
{
	test_text();
	test_local();
	test_time_of_day();
	test_other_time_of_day();
	test_extremes();
	return test_end();
}
