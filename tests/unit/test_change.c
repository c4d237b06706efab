/* SPDX-License-Identifier: MIT */
/* test_change.c - settings that could be others: their text, and which events would stay */
#include "cost/change.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

static const struct {
	const char *name, *text;
	const char *event; /* NULL: refused */
	const char *setting, *to;
	enum change_kind kind;
} texts[] = {
	{ "threshold", "jdk.A#threshold=20 ms", "jdk.A", "threshold", "20 ms", CHANGE_THRESHOLD },
	{ "a_plus_in_front", "+jdk.A#enabled=false", "jdk.A", "enabled", "false", CHANGE_ENABLED },
	{ "a_glob", "*#period=everyChunk", "*", "period", "everyChunk", CHANGE_PERIOD },
	{ "an_equal_sign_in_the_value", "A#filter=a=b", "A", "filter", "a=b", CHANGE_OTHER },
	{ "throttle", "A#throttle=100/s", "A", "throttle", "100/s", CHANGE_THROTTLE },
	{ "throttle_off", "A#throttle=off", "A", "throttle", "off", CHANGE_THROTTLE },
	{ "stacks", "A#stackTrace=true", "A", "stackTrace", "true", CHANGE_STACKS },
	{ "no_event", "#threshold=1ms", NULL, NULL, NULL, CHANGE_OTHER },
	{ "only_a_plus", "+#threshold=1ms", NULL, NULL, NULL, CHANGE_OTHER },
	{ "no_setting", "A#=1ms", NULL, NULL, NULL, CHANGE_OTHER },
	{ "no_value", "A#threshold", NULL, NULL, NULL, CHANGE_OTHER },
	{ "no_hash", "threshold=1ms", NULL, NULL, NULL, CHANGE_OTHER },
	{ "nothing", "", NULL, NULL, NULL, CHANGE_OTHER },
	{ "no_time", "A#threshold=soon", NULL, NULL, NULL, CHANGE_OTHER },
	{ "no_unit", "A#threshold=20", NULL, NULL, NULL, CHANGE_OTHER },
	{ "no_such_unit", "A#threshold=20 weeks", NULL, NULL, NULL, CHANGE_OTHER },
	{ "before_zero", "A#threshold=-1 ms", NULL, NULL, NULL, CHANGE_OTHER },
	{ "longer_than_time", "A#threshold=99999999999 d", NULL, NULL, NULL, CHANGE_OTHER },
	{ "a_period_of_nothing", "A#period=0 ms", NULL, NULL, NULL, CHANGE_OTHER },
	{ "a_throttle_without_time", "A#throttle=100/", NULL, NULL, NULL, CHANGE_OTHER },
	{ "a_flag_that_is_none", "A#enabled=1", NULL, NULL, NULL, CHANGE_OTHER },
};

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct jfrec_error err = { 0 };
		struct change c;
		int ret = change_init(&c, texts[i].text, &err);

		test_begin(texts[i].name);
		CHECK(ret == (texts[i].event ? 0 : -1));
		CHECK(ret == 0 || (err.code == JFREC_EINVAL && err.text[0]));
		if (ret < 0)
			continue;
		CHECK(strcmp(c.told.event, texts[i].event) == 0);
		CHECK(strcmp(c.told.setting, texts[i].setting) == 0);
		CHECK(strcmp(c.told.to, texts[i].to) == 0);
		CHECK(c.kind == texts[i].kind);
		change_fini(&c);
	}
}

/* How many of `count` events stay that begin `apart` ns after each other. */
static unsigned kept(const struct effect *e, unsigned count, int64_t apart, int64_t duration)
{
	struct effect_state state = { .origin_ns = 7 * S };
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++)
		n += effect_keeps(e, &state, 7 * S + i * apart, duration);
	idmap_fini(&state.windows);
	return n;
}

static void test_effects(void)
{
	struct effect e = EFFECT_NONE;

	test_begin("no_effect_keeps_all");
	CHECK(kept(&e, 10, S, 0) == 10 && kept(&e, 10, S, -5) == 10);
	test_begin("a_threshold_keeps_what_is_as_long");
	e.least_ns = 20 * MS;
	CHECK(kept(&e, 1, S, 20 * MS) == 1 && kept(&e, 1, S, 20 * MS - 1) == 0);
	test_begin("off_keeps_nothing");
	e.drops_all = true;
	CHECK(kept(&e, 10, S, S) == 0);

	test_begin("one_of_ten_periods");
	e = EFFECT_NONE;
	e.one_of = 10;
	e.slot_ns = S;
	CHECK(kept(&e, 100, S, 0) == 10);
	test_begin("two_of_five_periods");
	e.one_of = 2.5;
	CHECK(kept(&e, 100, S, 0) == 40);
	test_begin("all_events_of_an_occasion_stay");
	e.one_of = 10;
	CHECK(kept(&e, 400, S / 1000, 0) == 400);
	test_begin("an_occasion_may_come_late");
	CHECK(kept(&e, 100, S + S / 1000, 0) == 10);

	test_begin("a_throttle_counts_in_each_second");
	e = EFFECT_NONE;
	e.throttle = (struct throttle){ .limit = 3, .window_ns = S };
	CHECK(kept(&e, 100, S / 10, 0) == 30);
	test_begin("a_throttle_that_is_not_reached");
	e.throttle.limit = 10;
	CHECK(kept(&e, 100, S / 10, 0) == 100);
}

static void test_values(void)
{
	struct throttle t;
	struct period p;
	int64_t ns;

	test_begin("values_of_jvms");
	CHECK(setting_span("0 s", &ns) && ns == 0);
	CHECK(setting_span("0", &ns) && ns == 0);
	CHECK(setting_span("10000000 ns", &ns) && ns == 10 * MS);
	CHECK(!setting_span("", &ns) && !setting_span("off", &ns));
	CHECK(setting_period("1000 ms", &p) && p.ns == S && p.a_chunk == 0);
	CHECK(setting_period("everyChunk", &p) && p.ns == 0 && p.a_chunk == 2);
	CHECK(setting_period("endChunk", &p) && p.a_chunk == 1);
	CHECK(setting_throttle("500/s", &t) && t.limit == 500 && t.window_ns == S);
	CHECK(setting_throttle("3/m", &t) && t.limit == 3 && t.window_ns == 60 * S);
	CHECK(setting_throttle("off", &t) && t.limit == HUGE_VAL);
	CHECK(!setting_throttle("10ms", &t));
}

int main(void)
{
	test_texts();
	test_values();
	test_effects();
	return test_end();
}
