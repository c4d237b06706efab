/* SPDX-License-Identifier: MIT */
/*
 * view.c - jfr view: what is typed, and refused, as the JDK does
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "jdk/called_as.h"
#include "view/show.h"

/* The words between the command and the file. */
struct view_words {
	char *const *at;
	int count;
	struct view_request view;
};

/* "--width 80": 1, with *value set; 0: it is another option; -1 after saying what is missing. */
static int take_value(struct view_words *w, const char *name, const char **value)
{
	if (!w->count || strcmp(w->at[0], name) != 0)
		return 0;
	if (w->count < 2) {
		jfr_fail_usage("view", "missing value for %s", name);
		return -1;
	}
	*value = w->at[1];
	w->at += 2;
	w->count -= 2;
	return 1;
}

/* As Integer.parseInt(): a sign and digits. */
static int take_integer(struct view_words *w, const char *name, int *to)
{
	const char *value, *digits;
	int taken = take_value(w, name, &value);
	char *end;
	long n;

	if (taken <= 0)
		return taken < 0 ? EXIT_USAGE : EXIT_DONE;
	digits = value + (*value == '-' || *value == '+');
	errno = 0;
	n = strtol(value, &end, 10);
	if (!*digits || strspn(digits, "0123456789") != strlen(digits) || errno || n > INT32_MAX ||
	    n < INT32_MIN)
		return jfr_fail_usage("view", "could not parse integer value %s", value);
	*to = (int)n;
	return EXIT_DONE;
}

static int take_truncate(struct view_words *w)
{
	struct jfrec_answer_options *t = &w->view.table;
	const char *value;
	int taken = take_value(w, "--truncate", &value);

	if (taken <= 0)
		return taken < 0 ? EXIT_USAGE : EXIT_DONE;
	t->truncate_beginning = strcasecmp(value, "beginning") == 0;
	t->truncate_end = strcasecmp(value, "end") == 0;
	if (t->truncate_beginning || t->truncate_end)
		return EXIT_DONE;
	return jfr_fail_usage("view", "truncate must be 'beginning' or 'end'");
}

/* One pass over the options, each in its turn, from the front. */
static int take_options(struct view_words *w)
{
	int status;

	if (w->count && strcmp(w->at[0], "--verbose") == 0) {
		w->view.table.verbose = true;
		w->at++;
		w->count--;
	}
	status = take_truncate(w);
	if (status == EXIT_DONE)
		status = take_integer(w, "--cell-height", &w->view.table.cell_height);
	return status == EXIT_DONE ? take_integer(w, "--width", &w->view.table.width) : status;
}

static int take_words(struct view_words *w)
{
	if (!w->count)
		return jfr_fail_usage("view", "must specify a view or event type");
	while (w->count) {
		int before = w->count, status = take_options(w);

		if (status != EXIT_DONE)
			return status;
		if (w->count == 1 && w->at[0][0] != '-') {
			w->view.name = w->at[0];
			return EXIT_DONE;
		}
		if (w->count == before)
			return jfr_fail_usage("view", "unknown option %s", w->at[0]);
	}
	return jfr_fail_usage("view", "must specify option <view>");
}

/* The file is the last word, and was looked at before (words.c). */
static int run(const struct command *self, int argc, char **argv)
{
	struct view_words w = {
		.at = argv + 1,
		.count = argc - 2,
		.view = { .command = self, .is_jfr = true },
	};
	int status = take_words(&w);

	if (status != EXIT_DONE)
		return status;
	if (w.view.table.cell_height < 0)
		return jfr_fail("view", "a cell has one row at least, not %d",
				w.view.table.cell_height);
	return view_show(&w.view, argv + argc - 1, 1);
}

const struct command jfr_view = { .name = "view", .run = run };

void jfr_view_explain(FILE *to)
{
	static const struct {
		const char *title, *category;
	} groups[] = {
		{ "Java virtual machine views:\n", "jvm" },
		{ "\nEnvironment views:\n", "environment" },
		{ "\nApplication views:\n", "application" },
	};

	fputs("  --verbose               Displays the query that makes up the view\n"
	      "\n"
	      "  --width <integer>       The width of the view in characters. Default value "
	      "depends on the view\n"
	      "\n"
	      "  --truncate <mode>       How to truncate content that exceeds space in a table "
	      "cell.\n"
	      "                          Mode can be 'beginning' or 'end'. Default value is "
	      "'end'\n"
	      "\n"
	      "  --cell-height <integer> Maximum number of rows in a table cell. Default value "
	      "depends on the view\n"
	      "\n"
	      "  <view>                  Name of the view or event type to display. See list "
	      "below for\n"
	      "                          available views\n"
	      "\n"
	      "  <file>                  Location of the recording file (.jfr)\n"
	      "\n",
	      to);
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		fputs(groups[i].title, to);
		if (view_print_names(to, groups[i].category, 3) != EXIT_DONE)
			return;
	}
	fputs("\n The <view> parameter can be an event type name. Use the 'jfr view types <file>'\n"
	      " to see a list. To display all views, use 'jfr view all-views <file>'. To display\n"
	      " all events, use 'jfr view all-events <file>'.\n"
	      "\nExample usage:\n"
	      "\n jfr view gc recording.jfr\n"
	      "\n jfr view --width 160 hot-methods recording.jfr\n"
	      "\n jfr view --verbose allocation-by-class recording.jfr\n"
	      "\n jfr view contention-by-site recording.jfr\n"
	      "\n jfr view jdk.GarbageCollection recording.jfr\n"
	      "\n jfr view --cell-height 10 ThreadStart recording.jfr\n"
	      "\n jfr view --truncate beginning SystemProcess recording.jfr\n\n",
	      to);
}
