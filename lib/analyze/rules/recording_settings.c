/* SPDX-License-Identifier: MIT */
/*
 * recording_settings.c - do the settings of the recordings fit what they are for?
 */
#include "analyze/rules.h"

enum { ID, NAME, DISK, START };

static const struct reads inputs[] = {
	READS("jdk.ActiveRecording", PERIODIC, "id", "name", "disk", "recordingStart"),
	{ 0 },
};

struct state {
	struct groups recordings; /* id, name */
	int64_t first_start_ns;
	bool has_start, is_in_memory;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	int64_t start = event_long(e, START);

	groups_add(&s->recordings, e,
		   (uint32_t[4]){ (uint32_t)event_long(e, ID), event_text(e, NAME) }, 1, NULL);
	s->is_in_memory |= event_long(e, DISK) == 0;
	if (start > 0 && (!s->has_start || start < s->first_start_ns)) {
		s->first_start_ns = start;
		s->has_start = true;
	}
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->recordings);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	int64_t dropped = s->has_start ? j->facts->start_ns - s->first_start_ns : 0;

	groups_sort(&s->recordings);
	summarize(j, "%u recording%s ran", s->recordings.count, plural(s->recordings.count));
	if (s->recordings.count > 1)
		show_note(j, "%u recordings ran at once: of each setting the lower threshold counted "
			     "for all",
			  s->recordings.count);
	if (dropped > INT64_C(60000000000))
		show_note(j, "the recording began at %s; what is older than %s was dropped, by its "
			     "maxage or maxsize",
			  time_text(j, s->first_start_ns), time_text(j, j->facts->start_ns));
	if (!s->is_in_memory)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "A recording is kept in memory only: a JVM that is killed leaves nothing");
	show_command(j, "view active-recordings");
}

const struct rule rule_recording_settings = {
	.info = {
		.id = "recording-settings",
		.question = "Do the settings of the recordings fit what they are for?",
		.matters = "A recording that is kept in memory only is gone when the JVM "
			   "crashes, just when it is needed.",
		.computes = "Looks at jdk.ActiveRecording: how many ran at once, whether one was kept "
			    "in memory only, whether old data was dropped.",
		.advice = "Start it with --disk, so that `jfrec dump --from-repository` finds it "
			  "after a crash",
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
