/* SPDX-License-Identifier: MIT */
/* test_idle_jvms.c - JVMs that have nothing to collect are looked at a few at a time */
#include "collect/idle_jvms.h"

#include "test.h"

#define ALL 100

static struct jfrec_jvm jvm_of(int pid, uint32_t uid)
{
	return (struct jfrec_jvm){ .pid = pid, .start_ticks = (uint64_t)pid * 10, .uid = uid };
}

/* One pass over so many of that user; how many it looks at, and each one's count of looks. */
static size_t pass(struct idle_jvms *q, int count, uint32_t uid, unsigned looks[ALL])
{
	size_t looked = 0;

	idle_jvms_begin(q);
	for (int i = 0; i < count; i++) {
		struct jfrec_jvm jvm = jvm_of(1000 + i, uid);

		if (idle_jvms_skips(q, &jvm))
			continue;
		looked++;
		looks[i]++;
		idle_jvms_note(q, &jvm, true);
	}
	idle_jvms_end(q);
	return looked;
}

static void test_few(void)
{
	struct idle_jvms q = { .items = NULL };
	unsigned looks[ALL] = { 0 };

	test_begin("few_are_all_looked_at");
	for (int i = 0; i < 4; i++)
		CHECK_INT((int64_t)pass(&q, QUIET_LOOKS, 7, looks), QUIET_LOOKS);
	idle_jvms_fini(&q);
}

static void test_many(void)
{
	struct idle_jvms q = { .items = NULL };
	unsigned looks[ALL] = { 0 }, most = 0, least = 9;

	test_begin("of_many_some_in_each_pass");
	CHECK_INT((int64_t)pass(&q, ALL, 7, looks), ALL);
	for (int i = 0; i < 8; i++)
		CHECK_INT((int64_t)pass(&q, ALL, 7, looks), QUIET_LOOKS);

	test_begin("each_has_its_turn");
	for (int i = 0; i < ALL; i++) {
		most = looks[i] > most ? looks[i] : most;
		least = looks[i] < least ? looks[i] : least;
	}
	CHECK(least >= 3 && most <= 4);

	test_begin("another_user_is_not_held_up");
	idle_jvms_begin(&q);
	for (int i = 0; i < QUIET_LOOKS; i++) {
		struct jfrec_jvm jvm = jvm_of(5000 + i, 8);

		CHECK(!idle_jvms_skips(&q, &jvm));
		idle_jvms_note(&q, &jvm, true);
	}
	idle_jvms_fini(&q);
}

static void test_change(void)
{
	struct idle_jvms q = { .items = NULL };
	struct jfrec_jvm last = jvm_of(1000 + ALL - 1, 7), other = last;
	unsigned looks[ALL] = { 0 };

	test_begin("who_has_something_is_always_looked_at");
	pass(&q, ALL, 7, looks);
	pass(&q, ALL, 7, looks);
	idle_jvms_note(&q, &last, false);
	idle_jvms_begin(&q);
	CHECK(!idle_jvms_skips(&q, &last));
	CHECK_INT((int64_t)q.count, ALL - 1);

	test_begin("another_process_of_that_pid_is_another");
	idle_jvms_note(&q, &last, true);
	other.start_ticks++;
	CHECK(!idle_jvms_skips(&q, &other));

	test_begin("who_has_ended_is_forgotten");
	pass(&q, 1, 7, looks);
	CHECK_INT((int64_t)q.count, 1);
	idle_jvms_fini(&q);
}

int main(void)
{
	test_few();
	test_many();
	test_change();
	return test_end();
}
