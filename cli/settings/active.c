/* SPDX-License-Identifier: MIT */
/*
 * active.c - jfrec settings active: show the settings that a recording or JVM uses
 *
 * A recording says what its JVM applied: the settings of all recordings that ran in it,
 * together.  A JVM says what each of its recordings asks for.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/for_each_jvm.h"
#include "jvm/recordings.h"
#include "recording/open_recordings.h"
#include "settings/commands.h"
#include "settings/events.h"

struct options {
	struct for_each_jvm each;
	const char *name;
	bool off;
	bool yaml, jfc; /* as a settings file */
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "off", "also show event types that are off", struct options, off),
	OPT_FLAG(0, "yaml", "print them as a settings file, jfrec-settings(5)", struct options, yaml),
	OPT_FLAG(0, "jfc", "print them as a .jfc file", struct options, jfc),
	OPT_STRING('n', "name", "NAME", "of a JVM: only the recording with this name or id", struct options, name),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

/* Settings: objects of objects, by event and by name ------------------------------------------- */

static void print_event(const char *event, json_t *settings)
{
	const char *before = is_event_off(settings) ? "off, " : "", *name;
	size_t others = json_object_size(settings) - !!json_object_get(settings, "enabled");
	json_t *value;

	print_name(event);
	printf("%*s  ", strlen(event) < 34 ? 34 - (int)strlen(event) : 0, "");
	if (others == 0)
		fputs(is_event_off(settings) ? "off" : "on", stdout);
	json_object_foreach(settings, name, value)
	{
		const char *text = json_string_value(value);

		if (strcmp(name, "enabled") == 0)
			continue;
		fputs(before, stdout);
		print_name(name);
		putchar(' ');
		print_name(*text ? text : "\"\"");
		before = ", ";
	}
	putchar('\n');
}

static void print_events(json_t *events, bool with_off)
{
	const char *event;
	json_t *settings;
	size_t off = 0;

	json_object_foreach(events, event, settings)
	{
		off += is_event_off(settings);
		if (with_off || !is_event_off(settings))
			print_event(event, settings);
	}
	if (off && !with_off)
		printf("%zu event types are off (--off shows them)\n", off);
}

/* What begins like a number is not a name, but stands for one that the JVM did not tell. */
static int put_event(struct jfrec_settings *s, const char *event, json_t *settings,
		     struct jfrec_error *err)
{
	const char *name;
	json_t *value;

	if (*event >= '0' && *event <= '9')
		return 0;
	json_object_foreach(settings, name, value)
	{
		if (jfrec_settings_put(s, event, name, json_string_value(value), err) < 0)
			return -1;
	}
	return 0;
}

static int write_settings(struct jfrec_settings *s, json_t *events, bool jfc,
			  struct jfrec_error *err)
{
	const char *event;
	json_t *settings;

	json_object_foreach(events, event, settings)
	{
		if (put_event(s, event, settings, err) < 0)
			return -1;
	}
	return jfrec_settings_write(s, jfc ? JFREC_SETTINGS_JFC : JFREC_SETTINGS_YAML,
				    write_stdout, NULL, err);
}

/* Print the settings as a file of them, and free them. */
static int print_file(json_t *events, bool jfc)
{
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_new(&err);
	int ret = s ? write_settings(s, events, jfc, &err) : -1, status = EXIT_FAILED;

	if (ret == 0)
		status = finish_stdout();
	else if (err.code == JFREC_EOUTPUT)
		status = report_write_failure(err.sys);
	else
		fprintf(stderr, "jfrec: %s\n", err.text);
	jfrec_settings_free(s);
	json_decref(events);
	return status;
}

/* Of a recording ------------------------------------------------------------------------------- */

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

/* Row i is what another value was changed to. */
static bool is_change(const struct jfrec_active *a, size_t i)
{
	return i > 0 && jfrec_active_setting_get(a, i - 1)->until_ns;
}

static json_t *time_json(int64_t ns)
{
	char text[40];

	return ns > 0 && ns < INT64_MAX ? json_string(iso_time(text, sizeof(text), ns))
					: json_null();
}

/* A length of time or a size; null where there is no limit. */
static json_t *limit_json(int64_t n)
{
	return n > 0 && n < INT64_MAX ? json_integer(n) : json_null();
}

/* clang-format off */
static json_t *active_recording_json(const struct jfrec_active_recording *r)
{
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "id", (json_int_t)r->id,
			 "name", text_json(r->name),
			 "destination", text_json(r->destination),
			 "started", time_json(r->start_ns),
			 "firstSeen", time_json(r->first_ns),
			 "lastSeen", time_json(r->last_ns),
			 "durationNanos", limit_json(r->duration_ns),
			 "maxAgeNanos", limit_json(r->max_age_ns),
			 "maxSize", limit_json((int64_t)r->max_size));
}

static json_t *change_json(const struct jfrec_active_setting *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "time", time_json(s->since_ns),
			 "event", text_json(s->event),
			 "setting", text_json(s->name),
			 "from", text_json(s[-1].value),
			 "to", text_json(s->value));
}
/* clang-format on */

static json_t *active_json(const struct jfrec_active *a)
{
	json_t *recordings = json_array(), *changes = json_array();

	for (size_t i = 0; i < jfrec_active_recording_count(a); i++)
		json_array_append_new(recordings,
				      active_recording_json(jfrec_active_recording_get(a, i)));
	for (size_t i = 0; i < jfrec_active_setting_count(a); i++) {
		if (is_change(a, i))
			json_array_append_new(changes, change_json(jfrec_active_setting_get(a, i)));
	}
	return json_pack("{s:o, s:o, s:o}", "activeRecordings", recordings, "events", active_events(a),
			 "changes", changes);
}

static void print_active_recordings(const struct jfrec_active *a)
{
	char started[40];

	if (jfrec_active_recording_count(a) == 0)
		return;
	puts("  ID  STARTED                         NAME, FILE");
	for (size_t i = 0; i < jfrec_active_recording_count(a); i++) {
		const struct jfrec_active_recording *r = jfrec_active_recording_get(a, i);

		printf("%4" PRIu64 "  %-30s  ", r->id,
		       iso_time(started, sizeof(started), r->start_ns));
		print_name(or_dash(r->name));
		if (r->destination) {
			fputs(", ", stdout);
			print_name(r->destination);
		}
		putchar('\n');
	}
	putchar('\n');
}

static void print_change(const struct jfrec_active_setting *s)
{
	char since[40];

	printf("%s  ", iso_time(since, sizeof(since), s->since_ns));
	print_name(s->event);
	putchar('#');
	print_name(s->name);
	putchar(' ');
	print_name(*s[-1].value ? s[-1].value : "\"\"");
	fputs(" -> ", stdout);
	print_name(*s->value ? s->value : "\"\"");
	putchar('\n');
}

static int print_active(const struct jfrec_active *a, bool with_off)
{
	const char *head = "\nChanges during the recording:\n";
	json_t *events = active_events(a);

	print_active_recordings(a);
	print_events(events, with_off);
	json_decref(events);
	for (size_t i = 0; i < jfrec_active_setting_count(a); i++) {
		if (!is_change(a, i))
			continue;
		fputs(head, stdout);
		print_change(jfrec_active_setting_get(a, i));
		head = "";
	}
	return finish_stdout();
}

static int show_recording(const struct options *w, bool json, char **paths)
{
	struct jfrec_reader *r;
	struct jfrec_active *a;
	struct jfrec_error err;
	int status;

	if (w->each.attach.trace)
		confine_tell();
	r = open_confined(CONFINE_READING, paths, 1);
	if (!r)
		return EXIT_FAILED;
	if (json)
		envelope_read(r, paths, 1);
	a = jfrec_active_read(r, &err);
	if (!a) {
		status = report_failure(r, &err);
	} else if (jfrec_active_setting_count(a) == 0) {
		say(paths[0], "it does not say which settings it was made with: it has no "
			      "jdk.ActiveSetting");
		status = EXIT_FAILED;
	} else if (w->yaml || w->jfc) {
		status = print_file(active_events(a), w->jfc);
	} else {
		status = json ? print_document("settings-active", active_json(a)) : print_active(a, w->off);
	}
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_active_free(a);
	jfrec_reader_close(r);
	return status;
}

/* Of a JVM ------------------------------------------------------------------------------------- */

static json_t *asked_json(const struct jfrec_jfr_recording *r)
{
	json_t *object = recordings_json(r);

	json_object_set_new(object, "events", recordings_settings_json(r));
	return object;
}

static void print_asked(const struct jfrec_jfr_recording *r, const char *before, bool with_off)
{
	json_t *events = recordings_settings_json(r);

	printf("%sRecording %" PRIu64 ", ", before, r->id);
	print_name(r->name);
	printf(" (%s):\n", recordings_state_text(r->state));
	print_events(events, with_off);
	json_decref(events);
}

/* A file has the settings of one recording. */
static int print_file_of(const struct each_jvm *j, const struct jfrec_jfr_recordings *list,
			 bool jfc)
{
	if (jfrec_jfr_recordings_count(list) == 1)
		return print_file(recordings_settings_json(jfrec_jfr_recordings_get(list, 0)),
				  jfc);
	if (jfrec_jfr_recordings_count(list) == 0) {
		fprintf(stderr, "jfrec: process %d: there is no recording\n", j->jvm->pid);
		return EXIT_FAILED;
	}
	fprintf(stderr, "jfrec: process %d: it has several recordings; select one by its id with "
			"--name\n", j->jvm->pid);
	recordings_print(stderr, list);
	return EXIT_USAGE;
}

static int show_jvm(struct each_jvm *j, void *ctx)
{
	const struct options *w = ctx;
	struct jfrec_error err;
	struct jfrec_jfr_recordings *list = jfrec_jfr_list(j->session, w->name, true, &err);
	size_t count = list ? jfrec_jfr_recordings_count(list) : 0;
	json_t *array = json_array();

	if (!list || w->yaml || w->jfc) {
		int status = list ? print_file_of(j, list, w->jfc) : for_each_jvm_fail(j, &err);

		jfrec_jfr_recordings_free(list);
		json_decref(array);
		return status;
	}
	if (j->each->target.all && !j->result)
		printf("Process %d:\n", j->jvm->pid);
	for (size_t i = 0; i < count; i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		if (j->result)
			json_array_append_new(array, asked_json(r));
		else
			print_asked(r, i ? "\n" : "", w->off);
	}
	if (count == 0 && !j->result)
		puts("No recordings.");
	if (j->result)
		json_object_set(j->result, "recordings", array);
	json_decref(array);
	jfrec_jfr_recordings_free(list);
	return EXIT_DONE;
}

/* ---------------------------------------------------------------------------------------------- */

/* What names a file is one; "./4711" does where there is a JVM of that pid, too. */
static bool is_recording(const char *operand)
{
	return strcmp(operand, "-") == 0 || strchr(operand, '/') || access(operand, F_OK) == 0;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .each.command = self };

	if (!opt_parse(&p, &w))
		return p.status;
	if (w.yaml && w.jfc)
		return report_usage(self, "only one format can be given");
	if ((w.yaml || w.jfc) && (w.each.json || w.each.target.all))
		return report_usage(self, "a settings file describes one recording; omit --%s",
				    w.each.json ? "json" : "all");
	if (argc - p.first_operand == 1 && is_recording(argv[p.first_operand])) {
		if (w.name || !target_is_any(&w.each.target))
			return report_usage(self, "%s is a recording; JVMs cannot be selected",
					    argv[p.first_operand]);
		return show_recording(&w, w.each.json, argv + p.first_operand);
	}
	return for_each_jvm(&w.each, &p, show_jvm, &w);
}

const struct command settings_active = {
	.name = "settings active",
	.args = "RECORDING|TARGET",
	.examples = "  jfrec settings active app.jfr\n"
		    "  jfrec settings active Shop\n",
	.summary = "show the settings that a recording or JVM uses",
	.about =
		"Show the settings that were in force in a recording, the recordings that ran,\n"
		"and the changes; or the settings of each recording of a JVM.  TARGET is a pid,\n"
		"or a part of the main class or jar; an operand that names a file is a RECORDING.",
	.opts = opts,
	.run = run,
};
