/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - a recording that is kept going in a JVM
 */
#include "collect/recorder.h"

#include <string.h>

/* 1: it runs; 0: it does not; -1: *err is set. */
static int runs(struct jfrec_session *s, struct jfrec_error *err)
{
	struct jfrec_jfr_recordings *list = jfrec_jfr_check(s, NULL, false, err);
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

static int start(struct jfrec_session *s, const struct collect_jvms *wish, uint64_t *id,
		 struct jfrec_error *err)
{
	struct jfrec_jfr_option options[4];
	struct jfrec_jfr_start_options o = { .options = options };
	struct jfrec_jfr_started started;

	options[o.count++] = (struct jfrec_jfr_option){ "name", RECORDER_NAME };
	options[o.count++] = (struct jfrec_jfr_option){ "maxsize", wish->max_size };
	if (wish->max_age)
		options[o.count++] = (struct jfrec_jfr_option){ "maxage", wish->max_age };
	if (wish->file.len) {
		o.settings = &wish->file;
		o.settings_count = 1;
	} else {
		options[o.count++] = (struct jfrec_jfr_option){ "settings", wish->settings };
	}
	if (jfrec_jfr_start(s, &o, &started, err) < 0)
		return -1;
	*id = started.id;
	jfrec_jfr_started_fini(&started);
	return 1;
}

int recorder_ensure(const struct jfrec_jvm *jvm, const struct collect_jvms *wish, bool dry,
		    uint64_t *id, struct jfrec_error *err)
{
	const struct jfrec_session_options options = { 0 };
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
