/* SPDX-License-Identifier: MIT */
/*
 * stop.c - stop a recording: JFR.stop
 */
#include <inttypes.h>
#include <stdio.h>

#include "jfr/disk_space.h"
#include "jfr/jfr.h"

/* Is the recording no longer there, or at least no longer running? */
static bool has_ended(struct jfrec_session *s, uint64_t id)
{
	struct jfrec_jfr_recordings *list = jfrec_jfr_list(s, NULL, false, NULL);
	bool running = !list;

	for (size_t i = 0; list && i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		if (r->id == id && r->state <= JFREC_JFR_RUNNING)
			running = true;
	}
	jfrec_jfr_recordings_free(list);
	return !running;
}

int jfrec_jfr_stop(struct jfrec_session *s, uint64_t id, struct jfrec_error *err)
{
	char number[24];
	struct jfrec_jfr_option name = { "name", number };
	struct command_text text;
	struct jfr_answer a;
	struct disk_space room;
	int ret;

	snprintf(number, sizeof(number), "%" PRIu64, id);
	if (disk_space_look(s, &room, err) < 0 || disk_space_for_stop(&room, err) < 0 ||
	    jfr_compose(s, JFREC_JFR_STOP, &name, 1, &text, err) < 0)
		return -1;
	ret = jfr_ask(s, JFREC_JFR_STOP, text.text, &a, err);
	command_text_fini(&text);
	if (ret < 0)
		return -1;
	/* Silence means neither this nor that. */
	if (!reply_is_success(&a.r) && !(a.r.meaning == REPLY_EMPTY && has_ended(s, id)))
		ret = reply_fail(JFREC_JFR_STOP, &a.r, err);
	jfr_answer_fini(&a);
	return ret;
}
