/* SPDX-License-Identifier: MIT */
/*
 * window.c - what a JVM has recorded in the last seconds, read by a confined child
 */
#include "top/window.h"

#include "base/clock_now.h"
#include "base/report.h"
#include "recording/open_recordings.h"

json_t *window_failure(const struct jfrec_error *err)
{
	return json_pack("{s:o}", "error", text_json(failure_text(err)));
}

static json_t *nothing(const struct jfrec_repository_info *info)
{
	return json_pack("{s:s}", "error",
			 info->unreadable ? "this JDK makes what it records readable only when a "
					    "chunk is finished"
					  : "nothing was recorded in the last seconds");
}

json_t *window_open(struct window *w, const struct jfrec_jvm *jvm, int64_t length_ns)
{
	struct jfrec_error err;
	struct jfrec_repository *r = jfrec_repository_of_jvm(jvm, &err);
	json_t *why = NULL;

	if (!r)
		return window_failure(&err);
	w->from_ns = real_now_ns() - length_ns;
	jfrec_repository_select_span(r, &w->from_ns, NULL);
	if (!jfrec_repository_describe(r)->chunks)
		why = nothing(jfrec_repository_describe(r));
	else if (!(w->reader = jfrec_repository_read(r, &err)))
		why = window_failure(&err);
	jfrec_repository_close(r);
	if (!why)
		confine_to(CONFINE_READING, NULL, 0);
	return why;
}
