/* SPDX-License-Identifier: MIT */
/*
 * buffers_lost.c - did the JVM lose events?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "BufferLost", NULL };

static const struct reads inputs[] = {
	READS("jdk.DataLoss", OCCURS),
	{ 0 },
};

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t bytes =
		f->lost_bytes > f->lost_largest_total ? f->lost_bytes : f->lost_largest_total;

	(void)state;
	judge_by(j, (double)f->lost_events);
	if (!f->lost_events) {
		summarize(j, "The JVM lost no events");
		return;
	}
	summarize(j, "The JVM lost events %llu time%s, at least %s, the first at %s",
		  (unsigned long long)f->lost_events, plural((double)f->lost_events),
		  bytes_text(j, (double)bytes), time_text(j, f->lost_from_ns));
	show_quantity(j, "bytes lost, at least", (double)bytes, JFREC_UNIT_BYTES);
	show_command(j, "print --events jdk.DataLoss");
}

const struct rule rule_buffers_lost = {
	.info = {
		.id = "buffers-lost",
		.jmc = jmc,
		.question = "Did the JVM lose events?",
		.matters = "Events are lost when the JVM makes them faster than it can write "
			   "them. All counts and sums are then too low.",
		.computes = "Counts jdk.DataLoss. The bytes lost are at least the sum of the amounts, "
			    "and at least the largest total of a thread.",
		.measures = "buffers lost",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = 1,
		.advice = "Give Flight Recorder more memory (-XX:FlightRecorderOptions:memorysize=64m), "
			  "or record less: `jfrec settings cost RECORDING` shows which events take "
			  "most",
		.beware = "A JVM that loses much loses these events, too. What was lost is missing "
			  "in all other findings.",
		.differs = "In JDK Mission Control the score falls with the number lost: fifteen lost "
			   "buffers are ok.",
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.judge = judge,
};
