/* SPDX-License-Identifier: MIT */
/*
 * query.c - jfrec query: answer a question that the user writes
 */
#include "base/question.h"
#include "view/view_opts.h"

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct view_opts o = { .view.command = self };
	int status, count;

	if (!opt_parse(&p, &o))
		return p.status;
	argv += p.first_operand;
	count = argc - p.first_operand;
	status = question_find(self, argv, count, false, "SELECT * FROM GarbageCollection",
			       "a recording or a JVM");
	if (status == EXIT_DONE)
		status = view_opts_finish(&o);
	if (status != EXIT_DONE)
		return status;
	o.view.query = argv[0];
	if (count == 1 && !o.view.from.jvm)
		return report_usage(self, "name a recording or a JVM after the query");
	return view_opts_show(&o, argv + 1, count - 1);
}

const struct command cmd_query = {
	.name = "query",
	.args = "QUERY RECORDING...|TARGET",
	.examples = "  jfrec query 'SELECT cause, duration FROM GarbageCollection' app.jfr\n"
		    "  jfrec query --csv 'SELECT P99(duration) FROM GCPhasePause' app.jfr\n",
	.summary = "run a query over the events of a recording",
	.about = "Run a query over the events of a recording, and show the result as a table. The\n"
		 "language is that of the JDK's views, with more; jfrec-query(7) describes it.\n"
		 "TARGET is a running JVM; jfrec reads the last minutes that it recorded.",
	.opts = view_rows,
	.run = run,
};
