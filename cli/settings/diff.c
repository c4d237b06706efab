/* SPDX-License-Identifier: MIT */
/*
 * diff.c - jfrec settings diff: compare two settings
 *
 * Either may be settings by name or in a file, those that a recording was made
 * with, or those of a recording that a JVM makes.
 */
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/recordings.h"
#include "recording/open_recordings.h"
#include "settings/commands.h"
#include "settings/events.h"
#include "settings/source.h"

struct options {
	const struct command *self;
	struct attach_opts attach;
	const char *name, *home;
	bool off, json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "off", "also compare event types that are off in both", struct options, off),
	OPT_STRING('n', "name", "NAME", "for a JVM: the recording with this name or id", struct options, name),
	OPT_GROUP_ALONE(memory_rows),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	JDK_HOME_ROW(struct options, home),
	OPT_GROUP(attach_rows, struct options, attach),
	{ 0 },
};
/* clang-format on */

/* What is compared ----------------------------------------------------------------------------- */

/* Settings files are text: the first bytes tell recordings, gzip and zstd. */
static bool is_recording(const char *path)
{
	static const char *const magics[] = { "FLR", "\x1f\x8b", "\x28\xb5\x2f\xfd" };
	char bytes[4] = "";
	FILE *file = fopen(path, "re");
	size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (file)
		fclose(file);
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (len >= strlen(magics[i]) && memcmp(bytes, magics[i], strlen(magics[i])) == 0)
			return true;
	}
	return false;
}

static json_t *of_recording(char *path)
{
	struct jfrec_reader *r = open_recordings(&path, 1);
	struct jfrec_error err;
	struct jfrec_active *a;
	json_t *events = NULL;

	if (r)
		envelope_read(r, &path, 1);
	a = r ? jfrec_active_read(r, &err) : NULL;
	if (r && !a)
		report_failure(r, &err);
	else if (a && !jfrec_active_setting_count(a))
		say(path, "it does not say which settings it was made with: it has no "
			  "jdk.ActiveSetting");
	else if (a)
		events = active_events(a);
	jfrec_active_free(a);
	jfrec_reader_close(r);
	return events;
}

static json_t *of_settings(const char *word, const char *home)
{
	struct jfrec_settings *s = settings_open(word, home);
	json_t *events = s ? settings_events(s) : NULL;

	jfrec_settings_free(s);
	return events;
}

static json_t *of_list(const char *word, const struct jfrec_jfr_recordings *list)
{
	size_t count = jfrec_jfr_recordings_count(list);

	if (count == 1)
		return recordings_settings_json(jfrec_jfr_recordings_get(list, 0));
	say(word, count ? "the JVM has several recordings; select one with --name"
			: "the JVM has no recording");
	return NULL;
}

static json_t *of_jvm(const struct options *w, const char *word)
{
	struct target t = { .query = { .target = word, .without_names = true } };
	struct jfrec_jfr_recordings *recordings = NULL;
	struct jfrec_session *session;
	struct jfrec_jvms *list;
	struct jfrec_error err;
	json_t *events = NULL;

	if (target_select(w->self, &t, &list))
		return NULL;
	session = attach_opts_open(&w->attach, jfrec_jvms_get(list, 0), &err);
	if (session)
		recordings = jfrec_jfr_list(session, w->name, true, &err);
	if (recordings)
		events = of_list(word, recordings);
	else
		report_jvm_failure(jfrec_jvms_get(list, 0)->pid, &err);
	jfrec_jfr_recordings_free(recordings);
	jfrec_session_close(session);
	jfrec_jvms_free(list);
	return events;
}

/* Recordings are hostile, JVMs take rights, and settings a library. */
static void confine_if_recordings(const struct options *w, char **words)
{
	bool is_file = true;

	for (int i = 0; i < 2; i++)
		is_file &= access(words[i], F_OK) == 0 && is_recording(words[i]);
	if (w->attach.trace)
		confine_tell();
	if (is_file)
		confine_to(CONFINE_READING, words, 2);
}

static json_t *open_side(const struct options *w, char *word)
{
	bool is_file = strchr(word, '/') || access(word, F_OK) == 0;

	if (!is_file && word[strspn(word, "0123456789")] == '\0')
		return of_jvm(w, word);
	if (is_file && is_recording(word))
		return of_recording(word);
	return of_settings(word, w->home);
}

/* Comparing ------------------------------------------------------------------------------------ */

/* "1000 ms" is "1 s". */
static bool is_same_value(const char *a, const char *b)
{
	int64_t left, right;

	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0 ||
	       (jfrec_settings_parse_span(a, &left) && jfrec_settings_parse_span(b, &right) &&
		left == right);
}

static const char *value_of(json_t *settings, const char *name)
{
	return json_string_value(json_object_get(settings, name));
}

static void compare(json_t *to, const char *name, json_t *a, json_t *b)
{
	const char *left = value_of(a, name), *right = value_of(b, name);

	if (!is_same_value(left, right))
		json_object_set_new(to, name,
				    json_pack("[o, o]", text_json(left), text_json(right)));
}

/* The settings that differ: arrays of both values; NULL: none. */
static json_t *compare_event(json_t *a, json_t *b)
{
	json_t *changed = json_object(), *value;
	const char *name;

	json_object_foreach(a, name, value) compare(changed, name, a, b);
	json_object_foreach(b, name, value)
	{
		if (!json_object_get(a, name))
			compare(changed, name, a, b);
	}
	if (json_object_size(changed))
		return changed;
	json_decref(changed);
	return NULL;
}

static void add_event(json_t *changed, const char *event, json_t *a, json_t *b, bool with_off)
{
	json_t *settings;

	/* An event that is off on one side and unknown to the other is off on both. */
	if (!with_off && (!a || is_event_off(a)) && (!b || is_event_off(b)))
		return;
	settings = compare_event(a, b);
	if (settings)
		json_object_set_new(changed, event, settings);
}

static json_t *compare_all(json_t *a, json_t *b, bool with_off)
{
	json_t *changed = json_object(), *settings;
	const char *event;

	json_object_foreach(a, event, settings)
		add_event(changed, event, settings, json_object_get(b, event), with_off);
	json_object_foreach(b, event, settings)
	{
		if (!json_object_get(a, event))
			add_event(changed, event, NULL, settings, with_off);
	}
	return changed;
}

/* In words ------------------------------------------------------------------------------------- */

static const char *shown(const char *name, json_t *value)
{
	const char *text = json_string_value(value);

	if (!text)
		return "not set";
	if (strcmp(name, "enabled") == 0)
		return strcmp(text, "true") == 0 ? "on" : strcmp(text, "false") == 0 ? "off" : text;
	return *text ? text : "\"\"";
}

static void print_change(const char *before, const char *name, json_t *pair)
{
	fputs(before, stdout);
	if (strcmp(name, "enabled") != 0) {
		print_name(name);
		putchar(' ');
	}
	print_name(shown(name, json_array_get(pair, 0)));
	fputs(" -> ", stdout);
	print_name(shown(name, json_array_get(pair, 1)));
}

/* Only one side has it: what that says. */
static void print_one_side(const char *word, json_t *settings)
{
	const char *name, *before = ": ";
	json_t *value;

	fputs("only in ", stdout);
	print_name(word);
	json_object_foreach(settings, name, value)
	{
		fputs(before, stdout);
		if (strcmp(name, "enabled") != 0) {
			print_name(name);
			putchar(' ');
		}
		print_name(shown(name, value));
		before = ", ";
	}
}

static void print_event(const char *event, json_t *pairs, json_t *a, json_t *b, char *const *words)
{
	const char *name, *before = "";
	json_t *pair;

	print_name(event);
	printf("%*s  ", strlen(event) < 34 ? 34 - (int)strlen(event) : 0, "");
	if (!a || !b) {
		print_one_side(words[!a], a ? a : b);
	} else {
		json_object_foreach(pairs, name, pair)
		{
			print_change(before, name, pair);
			before = ", ";
		}
	}
	putchar('\n');
}

static int print_words(json_t *changed, json_t *a, json_t *b, char *const *words)
{
	json_t *pairs;
	const char *event;

	json_object_foreach(changed, event, pairs)
		print_event(event, pairs, json_object_get(a, event), json_object_get(b, event),
			    words);
	if (json_object_size(changed) == 0)
		puts("Both record the same.");
	json_decref(changed);
	return finish_stdout();
}

/* ---------------------------------------------------------------------------------------------- */

static int diff(const struct options *w, char **words)
{
	json_t *a, *b, *changed;
	int ret = EXIT_FAILED;

	confine_if_recordings(w, words);
	a = open_side(w, words[0]);
	b = a ? open_side(w, words[1]) : NULL;
	if (a && b) {
		changed = compare_all(a, b, w->off);
		ret = w->json ? print_document("settings-diff",
						 json_pack("{s:o, s:o, s:o}", "from",
							   text_json(words[0]), "to",
							   text_json(words[1]), "changed", changed))
			      : print_words(changed, a, b, words);
	}
	json_decref(a);
	json_decref(b);
	return ret;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .self = self };

	if (!opt_parse(&p, &w))
		return p.status;
	if (argc - p.first_operand != 2)
		return report_usage(self, "name two settings to compare");
	return diff(&w, argv + p.first_operand);
}

const struct command settings_diff = {
	.name = "settings diff",
	.args = "A B",
	.examples = "  jfrec settings diff continuous profile\n"
		    "  jfrec settings diff profile app.jfr\n",
	.summary = "compare two settings",
	.about =
		"Compare two settings, event by event.  Each may be a name or a file of settings,\n"
		"a recording (the settings that its JVM used), or the pid of a JVM (the settings\n"
		"of its recording).",
	.opts = opts,
	.run = run,
};
