/* SPDX-License-Identifier: MIT */
/*
 * active.h - find the settings that were in force in a recording
 *
 * A JVM tells them at the start of each chunk and when a recording starts or
 * stops: a jdk.ActiveSetting for each setting of each event type, and a
 * jdk.ActiveRecording for each recording.  The settings are those of all
 * recordings together, as the JVM applies them.
 */
#ifndef JFREC_COST_ACTIVE_H
#define JFREC_COST_ACTIVE_H

#include "base/arena.h"
#include "base/digest.h"
#include "jfrec-tool.h"
#include "read/event.h"

/* The public lists: jfrec/tool/cost.h. */
struct jfrec_active {
	size_t setting_count;
	const struct jfrec_active_setting *settings; /* by event, name and time */
	size_t recording_count;
	const struct jfrec_active_recording *recordings; /* by their first time */
};

/* All zero at first. */
struct active {
	struct jfrec_active told;
	struct jfrec_active_setting *settings;
	struct jfrec_active_recording *recordings;
	size_t setting_room, recording_room;
	struct digest_map latest; /* of event and setting: index + 1 */
	struct digest_map by_id;  /* of recordings, the same */
	struct digest_map texts;  /* each once: its address in `arena` */
	struct arena arena;
};

/* Is it a type whose events active_note() takes? */
bool active_needs(const struct jfrec_type *t);

/* Note what such an event says.  0, or -1 with *err set. */
int active_note(struct active *a, const struct jfrec_event *ev, struct jfrec_error *err);

/* What was noted last of that setting, or NULL. */
const char *active_value(const struct active *a, const char *event, const char *setting);

/* Sort it and make a->told of it; nothing more can be noted. */
void active_finish(struct active *a);

void active_fini(struct active *a);

#endif
