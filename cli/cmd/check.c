/* SPDX-License-Identifier: MIT */
/*
 * check.c - jfrec check: the recordings of a JVM
 */
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "jvm/for_each_jvm.h"
#include "jvm/recordings.h"

struct options {
	struct for_each_jvm each;
	const char *name;
	bool verbose;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING('n', "name", "NAME", "only the recording with this name or id", struct options, name),
	OPT_FLAG(0, "verbose", "also show the settings of all events", struct options, verbose),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

static json_t *checked_json(const struct jfrec_jfr_recording *r)
{
	json_t *object = recordings_json(r);

	if (r->settings)
		json_object_set_new(object, "settings", recordings_settings_json(r));
	return object;
}

/* ---------------------------------------------------------------------------------------------- */

/* Text of several lines, each of them harmless. */
static void print_lines(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);

		if (line)
			print_name(line);
		putchar('\n');
		free(line);
		text += len + (text[len] == '\n');
	}
}

static void print_settings(const struct jfrec_jfr_recordings *list)
{
	for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		fputs("\nSettings of ", stdout);
		print_name(r->name);
		puts(":\n");
		print_lines(r->settings ? r->settings : "");
	}
}

static void print_list(const struct each_jvm *j, const struct jfrec_jfr_recordings *list,
		       bool verbose)
{
	if (j->each->target.all)
		printf("Process %d:\n", j->jvm->pid);
	if (jfrec_jfr_recordings_count(list) == 0)
		puts("No recordings.");
	recordings_print(stdout, list);
	if (verbose)
		print_settings(list);
}

static int check(struct each_jvm *j, void *ctx)
{
	const struct options *w = ctx;
	struct jfrec_error err;
	struct jfrec_jfr_recordings *list = jfrec_jfr_list(j->session, w->name, w->verbose, &err);
	json_t *array;

	if (!list)
		return for_each_jvm_fail(j, &err);
	if (j->result) {
		array = json_array();
		for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++)
			json_array_append_new(array,
					      checked_json(jfrec_jfr_recordings_get(list, i)));
		json_object_set_new(j->result, "recordings", array);
	} else {
		print_list(j, list, w->verbose);
	}
	jfrec_jfr_recordings_free(list);
	return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .each = { .command = self, .in_parallel = true } };

	if (!opt_parse(&p, &w))
		return p.status;
	return for_each_jvm(&w.each, &p, check, &w);
}

const struct command cmd_check = {
	.name = "check",
	.args = "TARGET",
	.examples = "  jfrec check Shop\n"
		    "  jfrec check --verbose Shop\n",
	.summary = "list the recordings of a JVM",
	.about =
		"List the recordings of a JVM, with their limits and, with --verbose, the\n"
		"settings of their events.  TARGET is a pid, or a part of the main class or jar.",
	.opts = opts,
	.run = run,
};
