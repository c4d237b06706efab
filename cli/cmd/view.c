/* SPDX-License-Identifier: MIT */
/*
 * view.c - jfrec view: answer a question about a recording with a table
 */
#include <string.h>
#include <unistd.h>

#include "view/view_opts.h"

/* The list of views needs no recording. */
static bool is_list(int operands, char *const *argv)
{
	return operands == 1 && strcmp(argv[0], "views") == 0;
}

/* Nobody said of what it is to be shown. */
static bool is_bare_view(const char *operand)
{
	return access(operand, F_OK) != 0 && view_is_known(operand);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct view_opts o = { .view.command = self };
	int status, operands;

	if (!opt_parse(&p, &o))
		return p.status;
	if (!o.view.from.jvm && !has_operands(self, &p, "a view and the recording or JVM to show it of"))
		return EXIT_USAGE;
	status = view_opts_finish(&o);
	if (status != EXIT_DONE)
		return status;
	argv += p.first_operand;
	operands = argc - p.first_operand;
	if (operands > (o.view.from.jvm ? 0 : 1) || is_list(operands, argv)) {
		o.view.name = argv[0];
		argv++;
		operands--;
	} else if (o.view.format != VIEW_TEXT) {
		return report_usage(self, "a format needs a view: see `jfrec view views`");
	} else if (operands && is_bare_view(argv[0])) {
		return report_usage(self, "name the recording or JVM to show %s of, too", argv[0]);
	}
	return view_show(&o.view, argv, operands);
}

const struct command cmd_view = {
	.name = "view",
	.args = "[VIEW] RECORDING...|TARGET",
	.summary = "answer a question about a recording with a table",
	.about = "Show a view of a recording: a table that answers a question, such as\n"
		 "hot-methods, gc-pauses, allocation-by-class or contention-by-site, exactly as\n"
		 "`jfr view` of JDK 25 does. `jfrec view views` lists all views; without VIEW,\n"
		 "those that have something to show of this recording are listed.\n"
		 "\n"
		 "VIEW can also be an event type, whose events are shown; types, the event types\n"
		 "of the recording; all-views; or all-events. After a type the rest of a query\n"
		 "can follow: 'ThreadPark ORDER BY duration LIMIT 9'. TARGET is a running JVM, of\n"
		 "which the last minutes are read.",
	.opts = view_rows,
	.run = run,
};
