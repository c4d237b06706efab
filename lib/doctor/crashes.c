/* SPDX-License-Identifier: MIT */
/*
 * crashes.c - name what JVMs left that crashed or were killed
 */
#include "doctor/crashes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/human.h"
#include "base/shell_word.h"
#include "doctor/diagnosis.h"
#include "jfrec-tool.h"
#include "process/user.h"

/* Findings of crashes; the rest is counted. */
#define MOST_NAMED 3

/* "2026-11-26 19:24 UTC" */
static const char *minute_text(char text[32], int64_t ns)
{
	char time[HUMAN_MAX];

	snprintf(text, 32, "%.16s UTC", human_time(time, ns, 0));
	return text;
}

/* " of user app", unless it is ours. */
static const char *user_text(char text[64], uint32_t uid)
{
	char *name = uid == geteuid() ? NULL : user_name(uid);

	*text = '\0';
	if (name)
		snprintf(text, 64, " of user %.40s", name);
	else if (uid != geteuid())
		snprintf(text, 64, " of uid %" PRIu32, uid);
	free(name);
	return text;
}

static void add_crash(struct jfrec_diagnosis *d, const struct jfrec_crash_file *f)
{
	char time[32], user[64];

	diagnosis_add(d, "crashes", JFREC_FINDING_NOTE,
		      "a JVM (process %d%s%s) crashed on %s and left %s, %.600s", f->pid,
		      user_text(user, f->uid), f->is_elsewhere ? ", in its container" : "",
		      minute_text(time, f->modified_ns),
		      f->is_recording ? "what it had recorded" : "a log of it", f->path);
	if (f->is_recording)
		diagnosis_mend(d, f->is_elsewhere ? "copy it out of the container, then: jfrec analyze "
						    "%.900s"
						  : "jfrec analyze %.900s",
			       f->word);
}

/* Of a crash that left both, the recording is enough. */
static bool has_recording(const struct jfrec_crash_files *c, const struct jfrec_crash_file *log)
{
	const struct jfrec_crash_file *f;

	for (size_t i = 0; (f = jfrec_crash_files_get(c, i)) != NULL && f->is_recording; i++) {
		if (f->pid == log->pid && f->uid == log->uid)
			return true;
	}
	return false;
}

static void add_crashes(struct jfrec_diagnosis *d, struct jfrec_crash_files *c, const char *where)
{
	const struct jfrec_crash_file *f;
	size_t named = 0, more = 0;

	if (jfrec_crash_files_find(c, JFREC_CRASH_OF_OTHERS, 0, NULL) < 0)
		return;
	for (size_t i = 0; (f = jfrec_crash_files_get(c, i)) != NULL; i++) {
		if (!f->is_recording && has_recording(c, f))
			continue;
		if (named++ < MOST_NAMED)
			add_crash(d, f);
		else
			more++;
	}
	if (more)
		diagnosis_add(d, "crashes", JFREC_FINDING_NOTE, "there are files of %zu more crashes", more);
	else if (!named)
		diagnosis_add(d, "crashes", JFREC_FINDING_OK, "no JVM that crashed left files in %s", where);
}

void crashes_check_jvm(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm)
{
	struct jfrec_crash_files *c = jfrec_crash_files_new(NULL);

	if (c && jfrec_crash_files_add_jvm(c, jvm, NULL) == 0)
		add_crashes(d, c, "its working directory");
	jfrec_crash_files_free(c);
}

static void check_files(struct jfrec_diagnosis *d)
{
	struct jfrec_jvm_query all = { .struct_size = sizeof(all), .without_names = true };
	struct jfrec_jvms *list = jfrec_jvms_find(&all, NULL);
	struct jfrec_crash_files *c = jfrec_crash_files_new(NULL);

	for (size_t i = 0; c && list && i < jfrec_jvms_count(list); i++)
		jfrec_crash_files_add_jvm(c, jfrec_jvms_get(list, i), NULL);
	if (c) {
		jfrec_crash_files_add_directory(c, ".");
		jfrec_crash_files_add_directory(c, "/tmp");
		add_crashes(d, c, "the working directories of JVMs, this directory and /tmp");
	}
	jfrec_crash_files_free(c);
	jfrec_jvms_free(list);
}

/* Repositories ------------------------------------------------------------------------------- */

static void add_leftovers(struct jfrec_diagnosis *d, const struct jfrec_leftovers *l)
{
	const struct jfrec_leftover *newest = NULL;
	char time[32], user[64], *word;
	size_t count = 0;

	for (size_t i = 0; i < jfrec_leftovers_count(l); i++) {
		const struct jfrec_leftover *at = jfrec_leftovers_get(l, i);

		if (!at->files || !jfrec_leftovers_is_dead(l, i))
			continue;
		count++;
		if (!newest || at->touched_ns > newest->touched_ns)
			newest = at;
	}
	if (!newest) {
		diagnosis_add(d, "left", JFREC_FINDING_OK,
			      "no JVM that was killed left its repository in /tmp");
		return;
	}
	diagnosis_add(
		d, "left", JFREC_FINDING_NOTE,
		"JVMs that were killed left %zu repositor%s in /tmp; %s%s, written until %s, is /tmp/%s",
		count, count == 1 ? "y" : "ies", count == 1 ? "it" : "the newest",
		user_text(user, newest->uid), minute_text(time, newest->touched_ns), newest->name);
	word = shell_word(newest->name);
	if (word)
		diagnosis_mend(d, "jfrec dump /tmp/%s/", word);
	free(word);
}

static void on_failure(void *ctx, const char *name, const struct jfrec_error *err)
{
	(void)ctx, (void)name, (void)err;
}

void crashes_check_host(struct jfrec_diagnosis *d)
{
	struct jfrec_leftovers *l = jfrec_leftovers_new(NULL);

	check_files(d);
	if (!l)
		return;
	jfrec_leftovers_add_directory(l, "/tmp");
	if (jfrec_leftovers_find(l, on_failure, NULL, NULL) == 0)
		add_leftovers(d, l);
	jfrec_leftovers_free(l);
}
