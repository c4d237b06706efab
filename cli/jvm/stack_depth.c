/* SPDX-License-Identifier: MIT */
/*
 * stack_depth.c - how deep stack traces of a JVM's first recording are
 *
 * With the JDK's 64 frames, applications of Spring, Spark or JRuby lose a quarter of their stacks'
 * ends, and with them who asked.  It can be changed only before the first recording.
 */
#include "jvm/stack_depth.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "opts/output_opts.h"

/* No stack of these was deeper. */
#define FRAMES 160

/* What JVMs take. */
#define LEAST 1
#define MOST  2048

static int take(const struct opt_given *g, void *to)
{
	struct stack_depth_opts *o = to;
	uint64_t frames;

	o->keep = strcmp(g->value, "keep") == 0;
	if (o->keep)
		return EXIT_DONE;
	if (!parse_count(g->value, &frames) || frames < LEAST || frames > MOST)
		return report_usage(g->command, "--stack-depth is a number of frames from %d to %d, "
				    "or keep", LEAST, MOST);
	o->frames = (unsigned)frames;
	return EXIT_DONE;
}

/* clang-format off */
const struct opt stack_depth_rows[] = {
	OPT_CALL_ALL(0, "stack-depth", "N|keep", "frames of stack traces in the first recording", take, NULL),
	{ 0 },
};
/* clang-format on */

static void note(const struct each_jvm *j, unsigned frames)
{
	if (j->result)
		json_object_set_new(j->result, "stackDepth",
				    frames ? json_integer((json_int_t)frames) : json_null());
}

/* Is that what the JVM has?  Its answer has a line "Stack depth: 64". */
static bool has(const char *said, const char *frames)
{
	static const char label[] = "Stack depth: ";
	const char *at = strstr(said, label);
	size_t len = strlen(frames);

	at = at ? at + strlen(label) : "";
	return strncmp(at, frames, len) == 0 && (at[len] == '\n' || !at[len]);
}

static int set_chosen(const struct each_jvm *j, unsigned chosen)
{
	char frames[16];
	const struct jfrec_jfr_option option = { "stackdepth", frames };
	struct jfrec_error err;
	char *said = jfrec_jfr_configure(j->session, NULL, 0, &err);
	bool is_set;

	if (!said)
		return for_each_jvm_fail(j, &err);
	snprintf(frames, sizeof(frames), "%u", chosen);
	is_set = has(said, frames);
	jfrec_free(said);
	if (!is_set && !(said = jfrec_jfr_configure(j->session, &option, 1, &err)))
		return for_each_jvm_fail(j, &err);
	if (!is_set)
		jfrec_free(said);
	note(j, is_set ? 0 : chosen);
	return EXIT_DONE;
}

int stack_depth_prepare(const struct each_jvm *j, const struct stack_depth_opts *o)
{
	struct jfrec_error err;
	int deepened;

	if (o->frames)
		return set_chosen(j, o->frames);
	deepened = o->keep ? 0 : jfrec_jfr_deepen_stacks(j->session, FRAMES, &err);
	if (deepened < 0)
		return for_each_jvm_fail(j, &err);
	note(j, deepened ? FRAMES : 0);
	if (!deepened)
		return EXIT_DONE;
	fprintf(stderr,
		"jfrec: process %d: stack traces have up to %d frames from now on, instead of 64 "
		"(--stack-depth keep leaves that)\n",
		j->jvm->pid, FRAMES);
	return EXIT_DONE;
}
