/* SPDX-License-Identifier: MIT */
/*
 * events.h - write settings as JSON, grouped by event
 */
#ifndef JFREC_CLI_SETTINGS_EVENTS_H
#define JFREC_CLI_SETTINGS_EVENTS_H

#include <jansson.h>

#include "base/command.h"
#include "jfrec-tool.h"

/* Set one. */
void put_setting(json_t *events, const char *event, const char *name, const char *value);

/* What a JVM would take of these settings; NULL: no memory. */
json_t *settings_events(struct jfrec_settings *s);

/* The settings of a recording that were in force at last. */
json_t *active_events(const struct jfrec_active *a);

/* Is the event whose settings these are off? */
bool is_event_off(json_t *settings);

#endif
