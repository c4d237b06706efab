/* SPDX-License-Identifier: MIT */
/*
 * settings_costly.c - are frequent events recorded without a threshold?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "OverAggressiveRecordingSetting", NULL };

static const struct reads inputs[] = {
	READS("jdk.ActiveSetting", PERIODIC),
	{ 0 },
};

static void judge(void *state, struct judging *j)
{
	static const char *const types[] = { "jdk.ThreadPark", "jdk.JavaMonitorEnter",
					     "jdk.JavaMonitorWait", "jdk.ThreadSleep" };
	const char *first = NULL;
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const char *threshold = type_setting(j, types[i], SETTING_THRESHOLD);
		const char *enabled = type_setting(j, types[i], SETTING_ENABLED);

		if (!threshold || setting_ns(threshold) != 0 || !enabled ||
		    strcmp(enabled, "true") != 0)
			continue;
		show_name(j, JFREC_EVIDENCE_SETTING, "recorded without a threshold",
			  textf(j, "%s, %s events", types[i],
				count_text(j, (double)type_count(j, types[i]))),
			  NAN);
		/* Only of these two is it known to hurt. */
		if (i < 2 && !n++)
			first = types[i];
	}
	if (!n) {
		summarize(j, "Frequent events have a threshold");
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, n > 1 ? "%s is recorded without a threshold, as is another frequent event"
			   : "%s is recorded without a threshold",
		  first);
	show_command(j, "settings cost");
}

const struct rule rule_settings_costly = {
	.info = {
		.id = "settings-costly",
		.jmc = jmc,
		.question = "Are frequent events recorded without a threshold?",
		.matters = "Without a threshold, every short wait is recorded: millions of "
			   "events that cost time and push out others.",
		.computes = "Looks whether the last threshold of jdk.ThreadPark and "
			    "jdk.JavaMonitorEnter is 0.",
		.advice = "Give them a threshold, as `--set jdk.ThreadPark#threshold=10ms` does; `jfrec "
			  "settings cost RECORDING --set jdk.ThreadPark#threshold=10ms` shows what "
			  "that saves",
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.judge = judge,
};
