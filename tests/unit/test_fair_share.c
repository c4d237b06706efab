/* SPDX-License-Identifier: MIT */
/* test_fair_share.c - users take turns, so that one with much to do holds up nobody else */
#include "collect/fair_share.h"

#include "test.h"

#define SECOND INT64_C(1000000000)

/* Take them all, each for as long as its user's take; a letter for each user's. */
static void take_all(struct fair_share *t, const int64_t *cost, char *order)
{
	const struct turn *turn;

	while ((turn = fair_share_next(t)) != NULL) {
		uint32_t uid = t->owners[turn->owner].uid;

		*order++ = (char)('a' + uid);
		fair_share_charge(t, turn, cost[uid]);
	}
	*order = '\0';
}

static void test_order(void)
{
	static const int64_t same[] = { SECOND, SECOND }, slow[] = { 10 * SECOND, SECOND },
			     quick[] = { SECOND / 16, SECOND / 16 };
	struct fair_share t = { .items = NULL };
	char order[32];

	test_begin("one_after_the_other");
	for (size_t i = 0; i < 6; i++)
		CHECK(fair_share_add(&t, i < 4 ? 0 : 1, &t, i));
	take_all(&t, same, order);
	CHECK_TEXT(order, strlen(order), "ababaa");
	fair_share_fini(&t);

	test_begin("each_has_a_slice");
	for (size_t i = 0; i < 6; i++)
		CHECK(fair_share_add(&t, i % 2, &t, i));
	take_all(&t, quick, order);
	CHECK_TEXT(order, strlen(order), "aabbab");
	fair_share_fini(&t);

	test_begin("who_took_long_waits");
	for (size_t i = 0; i < 6; i++)
		CHECK(fair_share_add(&t, i < 3 ? 0 : 1, &t, i));
	take_all(&t, slow, order);
	CHECK_TEXT(order, strlen(order), "abbbaa");
	fair_share_fini(&t);

	test_begin("each_user_in_the_order_of_adding");
	for (size_t i = 0; i < 40; i++)
		CHECK(fair_share_add(&t, 7, &t, i));
	for (size_t i = 0; i < 40; i++)
		CHECK_INT((int64_t)fair_share_next(&t)->number, (int64_t)i);
	CHECK(!fair_share_next(&t));
	fair_share_fini(&t);
}

static void test_cut(void)
{
	struct fair_share t = { .items = NULL };
	const struct turn *turn;
	uint32_t uid = 0;
	size_t count = 0;

	test_begin("who_had_too_much_waits_no_longer");
	for (size_t i = 0; i < 5; i++)
		fair_share_add(&t, i < 3 ? 1000 : 1001, &t, i);
	CHECK(!fair_share_cut(&t, SECOND, &uid, &count));
	turn = fair_share_next(&t);
	fair_share_charge(&t, turn, 2 * SECOND);
	CHECK(fair_share_cut(&t, SECOND, &uid, &count));
	CHECK_INT(uid, 1000);
	CHECK_INT((int64_t)count, 2);
	CHECK(!fair_share_cut(&t, SECOND, &uid, &count));
	CHECK_INT((int64_t)fair_share_next(&t)->number, 3);
	CHECK_INT((int64_t)fair_share_next(&t)->number, 4);
	CHECK(!fair_share_next(&t));
	fair_share_fini(&t);
}

int main(void)
{
	test_order();
	test_cut();
	return test_end();
}
