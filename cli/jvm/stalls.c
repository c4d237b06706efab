/* SPDX-License-Identifier: MIT */
/*
 * stalls.c - leave out of a profile what a JVM's garbage collector does not bear
 *
 * With generations, ZGC makes allocations stall while it looks after the sampled objects, and JDKs
 * that came later do not record them by default (JDK-8382740).
 */
#include "jvm/stalls.h"

#include <string.h>

int stalls_leave_out(struct jfrec_session *session, int jdk, struct jfrec_settings *s,
		     struct jfrec_error *err)
{
	const char *value = jfrec_settings_value(s, STALLS_EVENT, "enabled");
	int has;

	if (!value || strcmp(value, "true") != 0)
		return 0;
	has = jfrec_session_has_generational_zgc(session, jdk, err);
	if (has <= 0)
		return has;
	return jfrec_settings_set(s, STALLS_SETTING, "false", err) < 0 ? -1 : 1;
}
