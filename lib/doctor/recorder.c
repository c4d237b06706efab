/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - check whether a JVM replies, and assess its recordings
 *
 * Flight Recorder is not asked unless it is in use: the first question loads it.
 */
#include <inttypes.h>

#include "base/deadline.h"
#include "base/error.h"
#include "base/options.h"
#include "doctor/diagnosis.h"
#include "jfr/jfr.h"
#include "jfrec-tool.h"

/* Codes after which there is no use in trying. */
static bool keeps_out(enum jfrec_code code)
{
	return code == JFREC_ENOJVM || code == JFREC_EPERMISSION || code == JFREC_EATTACH ||
	       code == JFREC_EDIED;
}

static bool is_kept_out(const struct jfrec_diagnosis *d)
{
	for (size_t i = 0; i < jfrec_diagnosis_count(d); i++) {
		if (keeps_out(jfrec_diagnosis_get(d, i)->code))
			return true;
	}
	return false;
}

static bool is_limited(const struct jfrec_jfr_recording *r)
{
	return r->duration || r->max_size || r->max_age;
}

/* JDK 11 and later end themselves when the disk is full. */
static void fail_unlimited(struct jfrec_diagnosis *d, int pid, const struct jfrec_jfr_recording *r)
{
	diagnosis_add(d, "recordings", JFREC_FINDING_WRONG,
		      "recording %" PRIu64 " has no limit and may fill the disk", r->id);
	diagnosis_mend(d, "jfrec stop --name %" PRIu64 " %d, and start it with --max-size", r->id,
		       pid);
}

static void check_limits(struct jfrec_diagnosis *d, int pid,
			 const struct jfrec_jfr_recordings *list)
{
	size_t count = jfrec_jfr_recordings_count(list), unlimited = 0;

	for (size_t i = 0; i < count; i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		if (r->state > JFREC_JFR_RUNNING || is_limited(r))
			continue;
		fail_unlimited(d, pid, r);
		unlimited++;
	}
	if (!count)
		diagnosis_add(d, "recordings", JFREC_FINDING_OK, "none now");
	else if (!unlimited)
		diagnosis_add(d, "recordings", JFREC_FINDING_OK, "%zu, with a limit", count);
}

/* 0, or -1 with *why set. */
static int check_recordings(struct jfrec_diagnosis *d, struct jfrec_session *s,
			    struct jfrec_error *why)
{
	struct jfrec_jfr_recordings *list;
	bool used;

	if (jfr_is_in_use(s, &used, why) < 0)
		return -1;
	if (!used) {
		diagnosis_add(d, "recordings", JFREC_FINDING_OK,
			      "none; Flight Recorder has not been used yet");
		return 0;
	}
	list = jfrec_jfr_list(s, NULL, false, why);
	if (!list)
		return -1;
	check_limits(d, session_jvm(s)->pid, list);
	jfrec_jfr_recordings_free(list);
	return 0;
}

static void fail_asked(struct jfrec_diagnosis *d, const char *check, const struct jfrec_error *why)
{
	diagnosis_fail(d, check, why);
	if (why->code == JFREC_ETIMEOUT)
		diagnosis_mend(d,
			       "check whether another tool is using the listener, such as jcmd, "
			       "jstack, jattach or an agent being loaded, and stop it");
}

static void ask(struct jfrec_diagnosis *d, struct jfrec_session *s)
{
	struct jfrec_error why;
	int64_t began = deadline_now();
	struct jfrec_jvm_version *version = jfrec_session_version(s, &why);

	if (!version) {
		fail_asked(d, "answer", &why);
		return;
	}
	jfrec_free(version);
	diagnosis_add(d, "answer", JFREC_FINDING_OK, "within %" PRId64 " ms",
		      (deadline_now() - began) / 1000000 + 1);
	if (check_recordings(d, s, &why) < 0)
		fail_asked(d, "recordings", &why);
}

/* Whatever else makes attaching fail has been found before. */
static void add_unasked(struct jfrec_diagnosis *d, int pid)
{
	diagnosis_add(d, "answer", JFREC_FINDING_UNKNOWN,
		      "not asked: its attach listener would have to be started first");
	diagnosis_mend(d, "jfrec doctor --attach %d", pid);
}

int jfrec_diagnosis_ask(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm,
			const struct jfrec_session_options *options, struct jfrec_error *err)
{
	struct jfrec_session_options o;
	struct jfrec_session *s;
	struct jfrec_error why;

	if (options_take(&o, sizeof(o), options, err) < 0)
		return -1;
	if (is_kept_out(d)) {
		diagnosis_add(d, "answer", JFREC_FINDING_UNKNOWN,
			      "not asked, because of the problem above");
		return diagnosis_check(d, err);
	}
	s = jfrec_session_open(jvm, &o, &why);
	if (s)
		ask(d, s);
	else if (why.code == JFREC_EATTACH && o.no_signal)
		add_unasked(d, jvm->pid);
	else
		fail_asked(d, "answer", &why);
	jfrec_session_close(s);
	return diagnosis_check(d, err);
}
