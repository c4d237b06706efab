/* SPDX-License-Identifier: MIT */
/*
 * settings.c - jfrec settings: show, check, compare and change recording settings
 */
#include "settings/commands.h"

static const struct opt opts[] = { { 0 } };

static const struct command *const subs[] = {
	&settings_list,
	&settings_show,
	&settings_set,
	&settings_check,
	&settings_diff,
	&settings_explain,
	&settings_active,
	&settings_cost,
	NULL,
};

const struct command cmd_settings = {
	.name = "settings",
	.args = "COMMAND [ARGUMENT...]",
	.examples = "  jfrec settings list\n"
		    "  jfrec settings explain CPULoad\n",
	.summary = "show, change, check and compare recording settings",
	.about =
		"Recording settings determine which events a JVM records, and how.  They are\n"
		"stored in the JDK's .jfc files, or in YAML.",
	.opts = opts,
	.run = command_run_sub,
	.subs = subs,
};
