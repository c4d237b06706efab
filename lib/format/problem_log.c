/* SPDX-License-Identifier: MIT */
/*
 * problem_log.c - problems that are reported later, in another order than they were met
 */
#include "format/problem_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * A copy that lives as long as the log: the recording may go on to its next file before the problem
 * is reported. NULL without a name.
 */
static const char *keep_name(struct problem_log *log, const char *name)
{
	const char *last = log->name_count ? log->names[log->name_count - 1] : "";
	char *copy;

	if (!name || (log->name_count && strcmp(last, name) == 0))
		return name ? last : NULL;
	copy = strdup(name);
	if (copy && !array_push(log->names, log->name_count, log->name_room, copy)) {
		free(copy);
		copy = NULL;
	}
	return copy ? copy : "a recording"; /* no memory for its name */
}

static void leave_out(struct problem_log *log, const struct jfrec_problem *problem)
{
	log->left_out++;
	log->left_out_damage += problem->damage;
	log->left_out_lost += problem->lost;
	log->last = *problem;
	log->last.input = keep_name(log, problem->input);
}

void problem_log_add(void *ctx, const struct jfrec_problem *problem)
{
	struct problem_log *log = ctx;
	struct logged_problem kept = { *problem };
	char *text = log->count < PROBLEM_LOG_MAX ? strdup(problem->text) : NULL;

	kept.problem.text = text;
	kept.problem.input = keep_name(log, problem->input);
	if (!text || !array_push(log->items, log->count, log->room, kept)) {
		free(text);
		leave_out(log, problem);
	}
}

/* One sentence for all that were not kept, or for which there was no memory. */
static void tell_left_out(const struct problem_log *log, struct problems *p)
{
	char text[128];
	struct jfrec_problem rest = {
		.damage = log->left_out_damage > 0,
		.input = log->last.input,
		.offset = log->last.offset,
		.lost = log->left_out_lost,
		.text = text,
	};

	snprintf(text, sizeof(text),
		 "%" PRIu64 " more problems up to byte %" PRIu64 ", in which %" PRIu64
		 " bytes are lost",
		 log->left_out, log->last.offset, log->left_out_lost);
	problem_tell(p, &rest);
	p->damage += log->left_out_damage - rest.damage;
	p->told += log->left_out - 1;
}

void problem_log_tell(struct problem_log *log, struct problems *p)
{
	for (size_t i = 0; i < log->count; i++) {
		problem_tell(p, &log->items[i].problem);
		free((char *)log->items[i].problem.text);
	}
	if (log->left_out)
		tell_left_out(log, p);
	free(log->items);
	for (size_t i = 0; i < log->name_count; i++)
		free(log->names[i]);
	free(log->names);
	*log = (struct problem_log){ 0 };
}
