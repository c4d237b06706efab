/* SPDX-License-Identifier: MIT */
/*
 * jfr_opts.c - options that set Flight Recorder's options
 */
#include "opts/jfr_opts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/config.h"
#include "base/report.h"
#include "base/small_file.h"
#include "jfrec-tool.h"
#include "opts/dictionary.h"

/* No settings file is as long as that. */
#define SETTINGS_MAX (8 << 20)

const char *jfr_opts_get(const struct jfr_opts *a, const char *key)
{
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->options[i].key, key) == 0)
			return a->options[i].value;
	}
	return NULL;
}

/* "1.5s" as "1500ms", also "-1.5m" of a moment: JVMs take whole numbers.  To be freed, or NULL. */
static char *in_whole_units(const char *value)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = { { "s", NS_PER_SECOND }, { "ms", NS_PER_MS }, { "us", 1000 }, { "ns", 1 } };
	bool is_back = *value == '-';
	size_t i = 0;
	char *text;
	int64_t ns;

	if (!strchr(value, '.') || !jfrec_parse_duration(value + is_back, &ns))
		return NULL;
	while (ns % units[i].ns)
		i++;
	if (asprintf(&text, "%s%" PRId64 "%s", is_back ? "-" : "", ns / units[i].ns,
		     units[i].name) < 0)
		return NULL;
	return text;
}

/* Settings of events whose values are durations. */
static bool is_span_of_event(const char *key)
{
	static const char *const names[] = { "#threshold", "#period", "#cutoff" };
	const char *sign = strrchr(key, '#');

	for (size_t i = 0; sign && i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(sign, names[i]) == 0)
			return true;
	}
	return false;
}

/* What a JVM does not take because of a fraction is kept as it takes it. */
static const char *value_for_jvm(struct jfr_opts *a, enum jfrec_jfr_command command,
				 const char *key, const char *value)
{
	struct jfrec_jfr_option o = { key, value };
	struct jfrec_error err;
	char *whole;

	if (a->key_count == JFR_OPTS_MAX ||
	    (!is_span_of_event(key) && jfrec_jfr_option_valid(command, &o, &err) == 0))
		return value;
	o.value = whole = in_whole_units(value);
	if (!whole || jfrec_jfr_option_valid(command, &o, &err) < 0) {
		free(whole);
		return value;
	}
	a->keys[a->key_count++] = whole;
	return whole;
}

/* Check the option and keep it. Only "settings" may come several times. */
static int add(struct jfr_opts *a, const struct command *c, enum jfrec_jfr_command command,
	       const char *name, const char *key, const char *value)
{
	struct jfrec_jfr_option o = { key, value_for_jvm(a, command, key, value) };
	struct jfrec_error err;

	if (jfr_opts_get(a, key) && strcmp(key, "settings") != 0) {
		report_usage(c, "%s can be given only once", name);
		return -1;
	}
	if (jfrec_jfr_option_valid(command, &o, &err) < 0) {
		report_usage(c, "%s: %s", name, err.text);
		return -1;
	}
	if (a->count == JFR_OPTS_MAX) {
		report_usage(c, "there are more than %d options", JFR_OPTS_MAX);
		return -1;
	}
	a->options[a->count++] = o;
	return 0;
}

int jfr_opts_set(struct jfr_opts *a, const struct command *c, const char *text)
{
	const char *sign = strchr(text, '=');
	char *key;

	if (!sign) {
		report_usage(c, "--set %s: use EVENT#SETTING=VALUE or OPTION=VALUE", text);
		return -1;
	}
	key = setting_key(text, (size_t)(sign - text));
	if (!key || a->key_count == JFR_OPTS_MAX) {
		free(key);
		say_out_of_memory();
		return -1;
	}
	a->keys[a->key_count++] = key;
	if (add(a, c, JFREC_JFR_START, "--set", key, sign + 1) < 0)
		return -1;
	a->is_set[a->count - 1] = true;
	return 0;
}

/* Settings files ------------------------------------------------------------------------------- */

/* These are the JVM's, whatever lies in our directory; and so is what no file is called. */
static bool is_of_jvm(const char *value)
{
	return strcmp(value, "default") == 0 || strcmp(value, "none") == 0 ||
	       (!strchr(value, '/') && access(value, F_OK) < 0);
}

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "jfrec: cannot use the settings file %s: %s\n", path, why);
	return -1;
}

/* Neither XML nor an end of it: what a JVM cannot read, but we can. */
static bool is_yaml(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && strchr(" \t\r\n\xEF\xBB\xBF", text[i]) && text[i])
		i++;
	return i < len && text[i] != '<';
}

/* What is wrong with it should be known before anything is done to a JVM. */
static int check_yaml(const struct jfr_opts_file *f)
{
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_parse(f->text, f->len, &err);

	jfrec_settings_free(s);
	return s ? 0 : fail(f->name, err.text);
}

static int read_path(struct jfr_opts_file *f)
{
	struct jfrec_error err;

	f->text = f->owned = small_file_read(f->name, SETTINGS_MAX - 1, &f->len, &err);
	if (!f->owned)
		return fail(f->name, err.text);
	if (f->len == 0 || f->len >= SETTINGS_MAX)
		return fail(f->name, f->len ? "it has 8 MiB or more" : "it is empty");
	f->is_model = is_yaml(f->text, f->len);
	return f->is_model ? check_yaml(f) : 0;
}

int jfr_opts_settings(struct jfr_opts *a, const struct command *c, const char *value)
{
	const char *profile = jfrec_profile_text(value);
	struct jfr_opts_file *f = &a->files[a->file_count];

	if (!profile && is_of_jvm(value))
		return add(a, c, JFREC_JFR_START, "--settings", "settings", value);
	if (a->file_count == JFR_OPTS_FILES_MAX) {
		report_usage(c, "there are more than %d settings files", JFR_OPTS_FILES_MAX);
		return -1;
	}
	a->file_count++;
	*f = (struct jfr_opts_file){ .name = value };
	if (!profile)
		return read_path(f);
	f->text = profile;
	f->len = strlen(profile);
	f->is_model = f->is_profile = true;
	return 0;
}

int jfr_opts_default_settings(struct jfr_opts *a, const struct command *c, const char *otherwise)
{
	const struct config_value *value;
	const struct config_values *config;
	int status;

	if (a->file_count || jfr_opts_get(a, "settings"))
		return EXIT_DONE;
	status = config_get(&config);
	if (status != EXIT_DONE)
		return status;
	value = config_values_get(config, CONFIG_SETTINGS);
	for (size_t i = 0; i < value->count; i++) {
		if (jfr_opts_settings(a, c, value->texts[i]) < 0)
			return config_fail(config, CONFIG_SETTINGS, "these cannot be used");
	}
	if (value->count || !otherwise)
		return EXIT_DONE;
	a->is_default = true;
	return jfr_opts_settings(a, c, otherwise) < 0 ? EXIT_USAGE : EXIT_DONE;
}

int jfr_opts_take_row(const struct opt_given *g, void *to)
{
	const struct jfr_opts_key *key = g->opt->how;
	const char *before = jfr_opts_get(to, key->key);
	char name[64];

	if (key->value && before && strcmp(before, key->value) != 0)
		return report_usage(g->command, "--%s contradicts an option before it",
				    g->opt->name);
	snprintf(name, sizeof(name), "--%s", g->opt->name);
	return add(to, g->command, key->command, name, key->key,
		   key->value ? key->value : g->value) < 0
		       ? EXIT_USAGE
		       : EXIT_DONE;
}

int jfr_opts_take_settings(const struct opt_given *g, void *to)
{
	return jfr_opts_settings(to, g->command, g->value) < 0 ? EXIT_USAGE : EXIT_DONE;
}

int jfr_opts_take_set(const struct opt_given *g, void *to)
{
	return jfr_opts_set(to, g->command, g->value) < 0 ? EXIT_USAGE : EXIT_DONE;
}

/* clang-format off */
const struct opt unchecked_rows[] = {
	OPT_FLAG(0, "unchecked", "accept settings that no JDK has or understands", struct jfr_opts, unchecked),
	{ 0 },
};

const struct opt settings_rows[] = {
	OPT_CALL_ALL('s', "settings", "NAME|FILE", "a built-in profile, one of the JVM's, or a file", jfr_opts_take_settings, NULL),
	OPT_CALL_ALL(0, "set", "KEY=VALUE", "EVENT#SETTING=VALUE or OPTION=VALUE", jfr_opts_take_set, NULL),
	OPT_GROUP_ALONE(unchecked_rows),
	{ 0 },
};
/* clang-format on */

void jfr_opts_fini(struct jfr_opts *a)
{
	for (size_t i = 0; i < a->file_count; i++)
		free(a->files[i].owned);
	for (size_t i = 0; i < a->key_count; i++)
		free(a->keys[i]);
	*a = (struct jfr_opts){ 0 };
}
