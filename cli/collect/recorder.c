/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - keep a recording running in one JVM
 */
#include "collect/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/grown_text.h"
#include "jvm/stalls.h"

/* 1: it runs; 0: it does not; -1: *err is set. */
static int runs(struct jfrec_session *s, struct jfrec_error *err)
{
	struct jfrec_jfr_recordings *list = jfrec_jfr_list(s, NULL, false, err);
	int found = 0;

	if (!list)
		return -1;
	for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		if (strcmp(r->name, RECORDER_NAME) == 0 && r->state <= JFREC_JFR_RUNNING)
			found = 1;
	}
	jfrec_jfr_recordings_free(list);
	return found;
}

static bool is_profile(const struct jfrec_jfr_settings *model)
{
	const char *name;

	for (size_t i = 0; (name = jfrec_profiles_get(i)) != NULL; i++) {
		if (model->text == jfrec_profile_text(name))
			return true;
	}
	return false;
}

static int fit(struct jfrec_session *session, int jdk, const struct jfrec_jfr_settings *model,
	       struct jfrec_dictionary *d, struct grown_text *made, struct jfrec_error *err)
{
	struct jfrec_settings *s = jfrec_settings_parse(model->text, model->len, err);
	int ret = -1;

	if (s && jfrec_settings_fit(s, d, NULL, NULL, err) == 0 &&
	    (!is_profile(model) || stalls_leave_out(session, jdk, s, err) >= 0))
		ret = jfrec_settings_write(s, JFREC_SETTINGS_JFC, grown_text_append, made, err);
	jfrec_settings_free(s);
	return ret;
}

/* A .jfc file of what was written for any JVM, with what the JDK of this one knows. */
static int make_file(struct jfrec_session *s, const struct jfrec_jfr_settings *model,
		     struct grown_text *made, struct jfrec_error *err)
{
	struct jfrec_jvm_version *version = jfrec_session_version(s, err);
	struct jfrec_dictionary *d = version ? jfrec_dictionary_new(version->jdk, err) : NULL;
	int ret = -1;

	if (d)
		ret = fit(s, version->jdk, model, d, made, err);
	jfrec_dictionary_free(d);
	jfrec_free(version);
	return ret;
}

static int start_with(struct jfrec_session *s, const struct collect_jvms *wish,
		      const struct jfrec_jfr_settings *file, uint64_t *id, struct jfrec_error *err)
{
	struct jfrec_jfr_option options[4];
	struct jfrec_jfr_start_options o = { .struct_size = sizeof(o), .options = options };
	struct jfrec_jfr_started *started;

	options[o.count++] = (struct jfrec_jfr_option){ "name", RECORDER_NAME };
	options[o.count++] = (struct jfrec_jfr_option){ "maxsize", wish->max_size };
	if (wish->max_age)
		options[o.count++] = (struct jfrec_jfr_option){ "maxage", wish->max_age };
	if (file->len) {
		o.settings = file;
		o.settings_count = 1;
	} else {
		options[o.count++] = (struct jfrec_jfr_option){ "settings", wish->settings };
	}
	started = jfrec_jfr_start(s, &o, err);
	if (!started)
		return -1;
	*id = started->id;
	jfrec_jfr_started_free(started);
	return 1;
}

static int start(struct jfrec_session *s, const struct collect_jvms *wish, uint64_t *id,
		 struct jfrec_error *err)
{
	struct grown_text made = { 0 };
	struct jfrec_jfr_settings file = wish->file;
	int ret = -1;

	if (!wish->is_model || make_file(s, &wish->file, &made, err) == 0) {
		if (wish->is_model)
			file = (struct jfrec_jfr_settings){ made.bytes, made.len };
		ret = start_with(s, wish, &file, id, err);
	}
	free(made.bytes);
	return ret;
}

int recorder_ensure(const struct jfrec_jvm *jvm, const struct collect_jvms *wish, bool dry,
		    uint64_t *id, struct jfrec_error *err)
{
	const struct jfrec_session_options options = { .struct_size = sizeof(options) };
	struct jfrec_session *s = jfrec_session_open(jvm, &options, err);
	int ret;

	if (!s)
		return -1;
	*id = 0;
	ret = runs(s, err);
	if (ret == 0)
		ret = dry ? 1 : start(s, wish, id, err);
	else if (ret > 0)
		ret = 0;
	jfrec_session_close(s);
	return ret;
}
