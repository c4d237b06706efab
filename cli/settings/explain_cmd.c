/* SPDX-License-Identifier: MIT */
/*
 * explain_cmd.c - jfrec settings explain: explain an event or a profile
 */
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/report.h"
#include "opts/dictionary.h"
#include "settings/commands.h"
#include "settings/explain.h"
#include "settings/source.h"

struct options {
	int jdk; /* 0: the newest */
	const char *home;
	bool json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_CALL(0, "jdk", "VERSION", "as in this JDK, such as 17 (default: the newest)", take_jdk, struct options, jdk),
	JDK_HOME_ROW(struct options, home),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	{ 0 },
};
/* clang-format on */

static int explain_as(const char *word, const struct options *o, bool json)
{
	char *path;
	int status;

	switch (settings_find(word, o->home, &path)) {
	case SETTINGS_PROFILE:
	case SETTINGS_FILE:
		status = explain_profile(word, path, o->jdk, json);
		break;
	default:
		status = explain_event(word, o->jdk, json);
		break;
	}
	free(path);
	return status;
}

static int explain(const char *word, const struct options *o)
{
	int status = explain_as(word, o, o->json);

	if (status == EXIT_DONE && beside_begin()) {
		status = explain_as(word, o, true);
		beside_end();
	}
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };
	const char *word;

	if (!opt_parse(&p, &o))
		return p.status;
	if (!has_operands(self, &p, "the event or the profile to explain"))
		return EXIT_USAGE;
	if (p.first_operand + 1 < argc)
		return report_usage(self, "it explains one event or profile at a time");
	word = argv[p.first_operand];
	return explain(word, &o);
}

const struct command settings_explain = {
	.name = "settings explain",
	.args = "EVENT|PROFILE|FILE",
	.examples = "  jfrec settings explain CPULoad\n"
		    "  jfrec settings explain profile\n",
	.summary = "explain an event or a profile",
	.about =
		"Explain an event: what it records, what it costs, which JDKs have it, its\n"
		"settings and its fields; or explain a built-in profile, or a settings file of\n"
		"a JDK or of your own, and its contents.",
	.opts = opts,
	.run = run,
};
