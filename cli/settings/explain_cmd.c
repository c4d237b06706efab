/* SPDX-License-Identifier: MIT */
/*
 * explain_cmd.c - jfrec settings explain: explain an event or a profile
 */
#include "common/report.h"
#include "settings/commands.h"
#include "settings/dictionary.h"
#include "settings/explain.h"

enum { OPT_JDK = 256 };

static const struct opt opts[] = {
	{ OPT_JDK, "jdk", "VERSION", "as in that JDK, such as 17; else the newest" },
	{ 'j', "json", NULL, "print one JSON object" },
	{ 0 },
};

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	const char *word;
	bool json = false;
	int letter, jdk = 0;

	while ((letter = opt_next(&p)) != OPT_END) {
		switch (letter) {
		case OPT_HELP:
			return command_help(self);
		case OPT_JDK:
			if (take_jdk(self, &jdk, p.value) != EXIT_DONE)
				return EXIT_USAGE;
			break;
		case 'j':
			json = true;
			break;
		default:
			return EXIT_USAGE;
		}
	}
	if (!has_operands(self, &p, "the event or the profile to explain"))
		return EXIT_USAGE;
	if (p.first_operand + 1 < argc)
		return report_usage(self, "it explains one event or profile at a time");
	word = argv[p.first_operand];
	return jfrec_profile_text(word) ? explain_profile(word, jdk, json)
					: explain_event(word, jdk, json);
}

const struct command settings_explain = {
	.name = "settings explain",
	.args = "EVENT|PROFILE",
	.summary = "say what an event records and costs",
	.about = "Say what an event records, what it costs, which JDKs have it, and what its\n"
		 "settings and fields are; or what a profile of ours is for, and what is in it.",
	.opts = opts,
	.run = run,
};
