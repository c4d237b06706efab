/* SPDX-License-Identifier: MIT */
/*
 * events.c - write settings as JSON, grouped by event
 */
#include "settings/events.h"

#include <string.h>

#include "base/report.h"
#include "jfrec-tool.h"

void put_setting(json_t *events, const char *event, const char *name, const char *value)
{
	json_t *settings = json_object_get(events, event);

	if (!settings) {
		settings = json_object();
		json_object_set_new(events, event, settings);
	}
	json_object_set_new(settings, name, text_json(value));
}

json_t *settings_events(struct jfrec_settings *s)
{
	json_t *events = jfrec_settings_list(s, NULL) < 0 ? NULL : json_object();

	for (size_t i = 0; events && i < jfrec_settings_count(s); i++) {
		const struct jfrec_setting *row = jfrec_settings_get(s, i);

		put_setting(events, row->event, row->name, row->value);
	}
	return events;
}

json_t *active_events(const struct jfrec_active *a)
{
	json_t *events = json_object();

	for (size_t i = 0; i < jfrec_active_setting_count(a); i++) {
		const struct jfrec_active_setting *s = jfrec_active_setting_get(a, i);

		if (!s->until_ns)
			put_setting(events, s->event, s->name, s->value);
	}
	return events;
}

bool is_event_off(json_t *settings)
{
	const char *enabled = json_string_value(json_object_get(settings, "enabled"));

	return enabled && strcmp(enabled, "false") == 0;
}
