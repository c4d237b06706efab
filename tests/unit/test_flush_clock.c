/* SPDX-License-Identifier: MIT */
/* test_flush_clock.c - when a flush is looked for */
#include "stream/flush_clock.h"
#include "test.h"

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)

/* Flushes by the JVM's clock, each seen so much later, the clocks being a day apart. */
static const int64_t day = 86400 * SECOND;

static void each_second(void)
{
	struct due d = { 0 };

	test_begin("each_second");
	CHECK_INT(due_pause_ms(&d, 5 * SECOND), DUE_POLL_MS);
	due_note(&d, day + 10 * SECOND, day + 10 * SECOND + 20 * MS, 10 * SECOND + 20 * MS);
	CHECK_INT(due_pause_ms(&d, 10 * SECOND + 20 * MS), DUE_POLL_MS);
	due_note(&d, day + 11 * SECOND, day + 11 * SECOND + 30 * MS, 11 * SECOND + 30 * MS);
	/* At 12 s, and somewhat later; however late it was seen that is where it stays. */
	CHECK_INT(due_pause_ms(&d, 11 * SECOND + 30 * MS), 980);
	due_note(&d, day + 12 * SECOND, day + 12 * SECOND + 400 * MS, 12 * SECOND + 400 * MS);
	CHECK_INT(due_pause_ms(&d, 12 * SECOND + 400 * MS), 610);
	CHECK_INT(due_pause_ms(&d, 13 * SECOND + 20 * MS), DUE_POLL_MS);
}

static void seldom(void)
{
	struct due d = { 0 };

	test_begin("seldom");
	due_note(&d, day + 10 * SECOND, day + 10 * SECOND, 10 * SECOND);
	due_note(&d, day + 30 * SECOND, day + 30 * SECOND, 30 * SECOND);
	CHECK_INT(due_pause_ms(&d, 30 * SECOND), 1000);
	CHECK_INT(due_pause_ms(&d, 49 * SECOND + 900 * MS), 110);
}

static void clocks_that_step(void)
{
	struct due d = { 0 };

	test_begin("clocks_that_step");
	due_note(&d, day, day, 10 * SECOND);
	/* Back by an hour, and forth. */
	due_note(&d, day - 3600 * SECOND, day - 3600 * SECOND, 11 * SECOND);
	CHECK_INT(due_pause_ms(&d, 11 * SECOND), DUE_POLL_MS);
	due_note(&d, day + 2 * SECOND, day + 2 * SECOND, 12 * SECOND);
	CHECK_INT(due_pause_ms(&d, 12 * SECOND), DUE_POLL_MS);
	/* Only the JVM's clock is wrong, as that of a container with one of its own. */
	due_note(&d, day + 3 * SECOND, 5 * SECOND, 13 * SECOND);
	CHECK_INT(due_pause_ms(&d, 13 * SECOND), 1000);
	due_note(&d, INT64_MAX, INT64_MIN, 14 * SECOND);
	due_note(&d, INT64_MIN, INT64_MAX, 15 * SECOND);
	CHECK_INT(due_pause_ms(&d, 15 * SECOND), DUE_POLL_MS);
}

int main(void)
{
	each_second();
	seldom();
	clocks_that_step();
	return test_end();
}
