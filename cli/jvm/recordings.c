/* SPDX-License-Identifier: MIT */
/*
 * recordings.c - list a JVM's recordings, and select one of them
 */
#include "jvm/recordings.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

const char *recordings_state_text(enum jfrec_jfr_state state)
{
	static const char *const names[] = {
		[JFREC_JFR_NEW] = "new",	 [JFREC_JFR_DELAYED] = "delayed",
		[JFREC_JFR_RUNNING] = "running", [JFREC_JFR_STOPPED] = "stopped",
		[JFREC_JFR_CLOSED] = "closed",
	};

	return names[state];
}

/* clang-format off */
json_t *recordings_json(const struct jfrec_jfr_recording *r)
{
	return json_pack("{s:I, s:o, s:s, s:o, s:o, s:o}",
			 "id", (json_int_t)r->id,
			 "name", text_json(r->name),
			 "state", recordings_state_text(r->state),
			 "duration", text_json(r->duration),
			 "maxAge", text_json(r->max_age),
			 "maxSize", text_json(r->max_size));
}
/* clang-format on */

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

void recordings_print(FILE *to, const struct jfrec_jfr_recordings *list)
{
	if (jfrec_jfr_recordings_count(list) > 0)
		fprintf(to, "%4s  %-8s  %-8s  %-8s  %-8s  %s\n", "ID", "STATE", "DURATION",
			"MAX-AGE", "MAX-SIZE", "NAME");
	for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		fprintf(to, "%4" PRIu64 "  %-8s  %-8s  %-8s  %-8s  ", r->id,
			recordings_state_text(r->state), or_dash(r->duration), or_dash(r->max_age),
			or_dash(r->max_size));
		put_name(to, r->name);
		fputc('\n', to);
	}
}

/* Settings ------------------------------------------------------------------------------------- */

/* Where the next "key=" begins: after a comma, since values may have commas of their own. */
static const char *next_setting(const char *at, const char *end)
{
	const char *word;

	while ((at = memchr(at, ',', (size_t)(end - at)))) {
		word = ++at;
		while (at < end && isalnum((unsigned char)*at))
			at++;
		if (at > word && at < end && *at == '=')
			return word;
	}
	return NULL;
}

/* "enabled=true,period=1000 ms" as an object. */
static json_t *settings_json(const char *at, const char *end)
{
	json_t *object = json_object();

	while (at && at < end) {
		const char *next = next_setting(at, end), *stop = next ? next - 1 : end;
		const char *sign = memchr(at, '=', (size_t)(stop - at));
		char key[64];

		if (sign && (size_t)(sign - at) < sizeof(key)) {
			snprintf(key, sizeof(key), "%.*s", (int)(sign - at), at);
			json_object_set_new(object, key,
					    json_stringn(sign + 1, (size_t)(stop - sign - 1)));
		}
		at = next;
	}
	return object;
}

/* Of lines " CPU Load (jdk.CPULoad)", "   [enabled=true]". */
json_t *recordings_settings_json(const struct jfrec_jfr_recording *r)
{
	json_t *object = json_object();
	char event[256] = "";

	for (const char *line = r->settings ? r->settings : ""; *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		const char *end = line + strcspn(line, "\n");
		const char *open = memrchr(line, '(', (size_t)(end - line));

		if (strncmp(line, "   [", 4) == 0 && end[-1] == ']' && *event)
			json_object_set_new(object, event, settings_json(line + 4, end - 1));
		else if (open && end[-1] == ')')
			snprintf(event, sizeof(event), "%.*s", (int)(end - open - 2), open + 1);
	}
	return object;
}

/* Which one is meant --------------------------------------------------------------------------- */

/* A name of digits is an id, as for the JVM. */
static bool is_meant(const struct jfrec_jfr_recording *r, const char *name)
{
	if (!name)
		return true;
	if (name[strspn(name, "0123456789")] == '\0')
		return r->id == strtoull(name, NULL, 10);
	return strcmp(r->name, name) == 0;
}

static int say_none(const struct each_jvm *j, const char *name)
{
	fprintf(stderr, "jfrec: process %d: there is no recording", j->jvm->pid);
	if (name) {
		fputc(' ', stderr);
		put_name(stderr, name);
		fputs("; `jfrec check` lists them\n", stderr);
	} else {
		fputs("; `jfrec start` starts one\n", stderr);
	}
	return EXIT_FAILED;
}

static int say_several(const struct each_jvm *j, const struct jfrec_jfr_recordings *list)
{
	size_t count = jfrec_jfr_recordings_count(list);

	fprintf(stderr,
		"jfrec: process %d: it has several recordings; select one by its id, such as --name "
		"%" PRIu64 "\n",
		j->jvm->pid, jfrec_jfr_recordings_get(list, count - 1)->id);
	recordings_print(stderr, list);
	return EXIT_USAGE;
}

int recordings_select(const struct each_jvm *j, const char *name, uint64_t *id)
{
	struct jfrec_error err;
	struct jfrec_jfr_recordings *list = jfrec_jfr_list(j->session, NULL, false, &err);
	size_t found = 0;
	int status = EXIT_DONE;

	if (!list)
		return for_each_jvm_fail(j, &err);
	for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		if (!is_meant(r, name))
			continue;
		found++;
		*id = r->id;
	}
	if (found == 0)
		status = say_none(j, name);
	else if (found > 1)
		status = say_several(j, list);
	jfrec_jfr_recordings_free(list);
	return status;
}
