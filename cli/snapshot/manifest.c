/* SPDX-License-Identifier: MIT */
/*
 * manifest.c - tell what a snapshot has, what each step cost, and why the rest is missing
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "snapshot/taken.h"

static const char *const states[] = {
	[TAKEN_SKIPPED] = "skipped", [TAKEN_DONE] = "done",	[TAKEN_PARTLY] = "partly",
	[TAKEN_NOTHING] = "nothing", [TAKEN_FAILED] = "failed",
};

static bool has_file(const struct taken *t)
{
	return t->state == TAKEN_DONE || t->state == TAKEN_PARTLY;
}

static json_t *time_json(int64_t ns)
{
	char text[40];

	return ns ? json_string(iso_time(text, sizeof(text), ns)) : json_null();
}

/* Safepoints while it was taken, those of other causes included; nothing where they are not known.
 */
static void tell_safepoints(const struct taken *t, json_t *to)
{
	if (!t->before.is_known || !t->after.is_known || t->after.count < t->before.count)
		return;
	json_object_set_new(to, "safepoints", json_integer((json_int_t)(t->after.count - t->before.count)));
	json_object_set_new(to, "safepointNs",
			    json_integer(
				    (json_int_t)((t->after.seconds - t->before.seconds) * 1e9)));
}

static json_t *step_json(const struct taken *t)
{
	json_t *to = json_pack("{s:s, s:s}", "name", t->step->name, "state", states[t->state]);

	json_object_set_new(to, "file", has_file(t) ? json_string(t->step->file) : json_null());
	json_object_set_new(to, "why", *t->said ? text_json(t->said) : json_null());
	json_object_set_new(to, "cost", json_string(t->step->cost));
	json_object_set_new(to, "began", time_json(t->began_ns));
	json_object_set_new(to, "durationNs", json_integer((json_int_t)t->took_ns));
	if (has_file(t))
		json_object_set_new(to, "bytes", json_integer((json_int_t)t->bytes));
	if (t->is_scrubbed)
		json_object_set_new(to, "redactedLines", json_integer((json_int_t)t->redacted));
	tell_safepoints(t, to);
	return to;
}

void taken_tell(const struct taken_list *l, const struct jfrec_jvm *jvm, json_t *to)
{
	json_t *steps = json_array();
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	for (size_t i = 0; i < l->count; i++)
		json_array_append_new(steps, step_json(&l->all[i]));
	json_object_set_new(to, "host", text_json(host));
	json_object_set_new(to, "main", text_json(jvm->main));
	json_object_set_new(to, "java", text_json(jvm->version));
	json_object_set_new(to, "uid", json_integer(jvm->uid));
	json_object_set_new(to, "user", text_json(jvm->user));
	json_object_set_new(to, "container", text_json(jvm->container));
	json_object_set_new(to, "started", time_json(jvm->started_ns));
	json_object_set_new(to, "whole", json_boolean(taken_is_whole(l)));
	json_object_set_new(to, "steps", steps);
}

bool taken_is_whole(const struct taken_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->all[i].state != TAKEN_DONE && l->all[i].state != TAKEN_NOTHING)
			return false;
	}
	return true;
}

static bool is_missing(const struct taken *t)
{
	return t->state != TAKEN_DONE && t->state != TAKEN_NOTHING;
}

/* Steps that failed for the same reason share a line: "threads-1, flags: SENTENCE". */
void taken_say_missing(const struct taken_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct taken *t = &l->all[i];
		bool is_said = false;

		for (size_t k = 0; k < i; k++)
			is_said |= is_missing(&l->all[k]) && strcmp(l->all[k].said, t->said) == 0;
		if (!is_missing(t) || is_said)
			continue;
		fprintf(stderr, "jfrec: %s", t->step->name);
		for (size_t k = i + 1; k < l->count; k++) {
			if (is_missing(&l->all[k]) && strcmp(l->all[k].said, t->said) == 0)
				fprintf(stderr, ", %s", l->all[k].step->name);
		}
		fputs(": ", stderr);
		put_name(stderr, *t->said ? t->said : "failed");
		fputc('\n', stderr);
	}
}
