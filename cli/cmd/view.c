/* SPDX-License-Identifier: MIT */
/*
 * view.c - jfrec view: show a table that answers a common question
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/question.h"
#include "view/latency.h"
#include "view/view_opts.h"

/* The list of views needs no recording. */
static bool is_list(int operands, char *const *argv)
{
	return operands == 1 && strcmp(argv[0], "views") == 0;
}

/* No operand says of what it is to be shown. */
static bool is_bare_view(const char *operand)
{
	return access(operand, F_OK) != 0 && view_is_known(operand);
}

/* Of what is shown, "types" and "all-views" stand for views. */
static bool is_view(const char *operand)
{
	static const char *const words[] = { "types", "all-views", "all-events" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcasecmp(operand, words[i]) == 0)
			return true;
	}
	return view_is_known(operand) || is_latency(operand);
}

/* RECORDING VIEW or TARGET VIEW is understood, too: the view goes to the front. */
static void view_to_front(char **operands, int count)
{
	const char *last = operands[count - 1];

	bool is_recording = question_is_recording(operands[0]);

	if (question_is_recording(last))
		return;
	if (is_view(operands[0]) ? is_recording && is_view(last) : is_recording || is_view(last))
		question_to_front(operands, count - 1);
}

struct options {
	struct view_opts show;
	struct opt_list views;
	const char *by;
};

static const struct opt opts[] = {
	OPT_GROUP(view_rows, struct options, show),
	OPT_LIST(0, "views", "FILE", "read views of your own from FILE, too", struct options, views),
	OPT_ONCE(0, "by", "FIELD", "with latency-of: a row for each value of it", struct options, by),
	{ 0 },
};

/* latency-of EVENT RECORDING... */
static int show_latency(struct view_opts *o, const char *by, char *const *operands, int count)
{
	const struct command *self = o->view.command;
	const char *fault;
	char *query;
	int status;

	if (count < 1 || (count < 2 && !o->view.from.jvm))
		return report_usage(self, "name an event type and a recording or a JVM after "
					  "latency-of, as in jfrec view latency-of jdk.SocketRead app.jfr");
	query = latency_query(operands[0], by, &fault);
	if (!query)
		return report_usage(self, "%s", fault);
	o->view.query = query;
	status = view_opts_show(o, operands + 1, count - 1);
	free(query);
	return status;
}

static int show(const struct command *self, struct opt_parser *p, struct options *all)
{
	struct view_opts o = all->show;
	char **argv = p->argv;
	int status, operands;

	o.view.files = all->views;
	if (!o.view.from.jvm && !has_operands(self, p, "a view and a recording or JVM"))
		return EXIT_USAGE;
	status = view_opts_finish(&o);
	if (status != EXIT_DONE)
		return status;
	argv += p->first_operand;
	operands = p->argc - p->first_operand;
	if (operands > 1)
		view_to_front(argv, operands);
	if (operands && is_latency(argv[0]))
		return show_latency(&o, all->by, argv + 1, operands - 1);
	if (all->by)
		return report_usage(self, "--by is for latency-of; a query can GROUP BY any field: "
					  "jfrec-query(7)");
	if (operands > (o.view.from.jvm ? 0 : 1) || is_list(operands, argv)) {
		o.view.name = argv[0];
		argv++;
		operands--;
	} else if (operands && is_bare_view(argv[0])) {
		return report_usage(self, "name a recording or a JVM after %s", argv[0]);
	}
	return view_opts_show(&o, argv, operands);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options all = { .show.view.command = self };
	int status = opt_parse(&p, &all) ? show(self, &p, &all) : p.status;

	opt_list_fini(&all.views);
	return status;
}

const struct command cmd_view = {
	.name = "view",
	.args = "[VIEW] RECORDING...|TARGET",
	.examples = "  jfrec view hot-methods app.jfr\n"
		    "  jfrec view gc-pauses Shop\n",
	.summary = "show a table that answers a common question",
	.about = "Show a view of a recording: a table such as hot-methods, gc-pauses,\n"
		 "allocation-by-class or contention-by-site, exactly as `jfr view` of JDK 25\n"
		 "prints it. `jfrec view views` lists all views. Without VIEW, list the views that\n"
		 "have something to show for this recording.\n"
		 "\n"
		 "VIEW can be `latency-of EVENT`, for percentiles of the durations of such events.\n"
		 "It can also be an event type, to show its events; `types`, to list the event\n"
		 "types of the recording; all-views; or all-events. The rest of a query can\n"
		 "follow an event type: 'ThreadPark ORDER BY duration LIMIT 9'. TARGET is a\n"
		 "running JVM; jfrec reads the last minutes that it recorded.",
	.opts = opts,
	.run = run,
};
