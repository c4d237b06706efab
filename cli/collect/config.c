/* SPDX-License-Identifier: MIT */
/*
 * config.c - parse the configuration of `jfrec collect`: jfrec-collect(5)
 *
 *	directory: /var/lib/jfrec       must be there
 *	name: "%n-%p-%t.jfr"
 *	compress: zstd                  gzip, none
 *	limits:
 *	  file-size: 100m               then another file is begun
 *	  size: 10g                     of all files
 *	  files: 1000
 *	  age: 7d
 *	  free: 1g                      left on the disk
 *	run: [ /usr/local/bin/ship ]    for each new file
 *	run-timeout: 60s
 *	report: html                    on each new file; or a map:
 *	  format: html                  markdown, json
 *	  on: "JavaErrorThrow[where]"   only of files with such an event
 *	  finding: warning              only of files with such a finding
 *	  timeout: 60s
 *	export: /var/lib/jfrec-lake     the tables of each new file; or a map:
 *	  directory: /var/lib/jfrec-lake
 *	  events: "jdk.GC*,SocketRead"  only of these
 *	  partition: date,service
 *	  labels: { service: shop }
 *	  label-from-name: "{service}-*"
 *	  stack: frames                 string
 *	  timeout: 60s
 *	leftovers: true                 of JVMs that were killed
 *	repositories: [ /var/tmp/jfr ]  where these are
 *	jvms:
 *	  - name: Shop                  and user:, container:, or all: true
 *	    settings: profile           the recording that is kept going
 *	    max-size: 250m
 *	    max-age: 6h
 */
#include "collect/config.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outname.h"
#include "base/small_file.h"
#include "base/typo.h"
#include "jfrec-tool.h"

#define DEFAULT_NAME	 "%n-%p-%t.jfr"
#define DEFAULT_MAX_SIZE "250m"
#define RUN_TIMEOUT_MS	 60000
#define MAX_RUN_MS	 86400000

/* Greatest settings file; the JDK's own have 40 KB. */
#define MAX_SETTINGS (8 << 20)

/* The message for a value that is wrong. */
#define FINDING_MAX 240

/* A document on its way into the configuration. */
struct draft {
	struct collect_config *config;
	const char *base; /* where settings files are looked for */
	struct jfrec_error *err;
};

/* A key, and who takes its value. */
struct key {
	const char *name;
	int (*take)(struct draft *d, const struct jfrec_yaml_node *n, void *to);
	size_t offset; /* in what is being filled */
};

/* Values --------------------------------------------------------------------------------------- */

static int take_text(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	const char **text = to;

	if (n->kind != JFREC_YAML_TEXT || !*n->text)
		return jfrec_yaml_fail(n, d->err, "%s is a text", n->key ? n->key : "this");
	for (const char *s = n->text; *s; s++) {
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return jfrec_yaml_fail(n, d->err, "%s has a control character in it",
					       n->key ? n->key : "this");
	}
	*text = n->text;
	return 0;
}

/* A path that is the same from wherever it is read. */
static int take_path(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	const char **path = to;

	if (take_text(d, n, to) < 0)
		return -1;
	if (**path != '/')
		return jfrec_yaml_fail(n, d->err, "%s must be a full "
						  "path", n->key ? n->key : "this");
	return 0;
}

static int take_size(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	uint64_t *size = to;

	if (n->kind == JFREC_YAML_TEXT && jfrec_parse_size(n->text, size) && *size <= INT64_MAX)
		return 0;
	return jfrec_yaml_fail(n, d->err, "%s must be a size, such as 100m or 10g", n->key);
}

static int take_count(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	uint64_t *count = to;
	char *end;

	if (n->kind == JFREC_YAML_TEXT && *n->text >= '1' && *n->text <= '9') {
		errno = 0;
		*count = strtoull(n->text, &end, 10);
		if (!*end && !errno)
			return 0;
	}
	return jfrec_yaml_fail(n, d->err, "%s must be a number of at least 1", n->key);
}

static int take_span(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	int64_t *ns = to;

	if (n->kind == JFREC_YAML_TEXT && jfrec_parse_duration(n->text, ns))
		return 0;
	return jfrec_yaml_fail(n, d->err, "%s must be a time, such as 12h or 7d", n->key);
}

static int take_timeout(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	int *ms = to;
	int64_t ns;

	if (take_span(d, n, &ns) < 0)
		return -1;
	if (ns < 1000000 || ns / 1000000 > MAX_RUN_MS)
		return jfrec_yaml_fail(n, d->err, "%s must be from 1ms to 1d", n->key);
	*ms = (int)(ns / 1000000);
	return 0;
}

static int take_bool(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	return jfrec_yaml_bool(n, to, d->err);
}

/* Texts, each taken by a function, with NULL after the last. */
static int take_list(struct draft *d, const struct jfrec_yaml_node *n, const char ***list,
		     int (*take)(struct draft *d, const struct jfrec_yaml_node *n, void *to))
{
	size_t count = 1;

	for (const struct jfrec_yaml_node *k = n->first; k; k = k->next)
		count++;
	*list = owned_allocate(&d->config->owned, (count + 1) * sizeof(**list), d->err);
	if (!*list)
		return -1;
	if (n->kind == JFREC_YAML_TEXT)
		return take(d, n, &(*list)[0]);
	if (n->kind != JFREC_YAML_LIST || !n->first)
		return jfrec_yaml_fail(n, d->err, "%s must be a text or a list of texts", n->key);
	count = 0;
	for (const struct jfrec_yaml_node *k = n->first; k; k = k->next) {
		if (take(d, k, &(*list)[count++]) < 0)
			return -1;
	}
	return 0;
}

static int take_command(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	const char ***run = to;

	if (take_list(d, n, run, take_text) < 0)
		return -1;
	if ((*run)[0][0] == '/')
		return 0;
	return jfrec_yaml_fail(n->first ? n->first : n, d->err, "the command must be a full path");
}

static int take_paths(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	return take_list(d, n, to, take_path);
}

static int take_compress(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	static const struct {
		const char *name;
		enum jfrec_compression how;
	} rows[] = { { "none", JFREC_PLAIN }, { "gzip", JFREC_GZIP }, { "zstd", JFREC_ZSTD } };
	enum jfrec_compression *how = to;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		*how = rows[i].how;
		if (n->kind == JFREC_YAML_TEXT && strcmp(n->text, rows[i].name) == 0)
			return 0;
	}
	return jfrec_yaml_fail(n, d->err, "%s must be gzip, zstd or none", n->key);
}

/* The report ----------------------------------------------------------------------------------- */

static int take_format(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	const char **format = to;

	for (size_t i = 0; n->kind == JFREC_YAML_TEXT && i < jfrec_report_formats_count(); i++) {
		*format = jfrec_report_formats_get(i);
		if (strcmp(n->text, *format) == 0)
			return 0;
	}
	return jfrec_yaml_fail(n, d->err, "%s must be html, markdown or json", n->key);
}

static int take_finding(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	enum jfrec_severity *severity = to;

	for (*severity = JFREC_SEVERITY_INFO; *severity <= JFREC_SEVERITY_WARNING; ++*severity) {
		if (n->kind == JFREC_YAML_TEXT &&
		    strcmp(n->text, jfrec_severity_name(*severity)) == 0)
			return 0;
	}
	return jfrec_yaml_fail(n, d->err, "%s must be info or warning", n->key);
}

/* The beginning of a chunk: expressions are compiled by a reader. */
static int check_where(const char *where, struct jfrec_error *why)
{
	static const unsigned char chunk[68] = { 'F', 'L', 'R', 0, 0, 2, 0, 1, [15] = 68,
						 [63] = 1, [67] = 1 };
	struct jfrec_reader *r = jfrec_reader_open_memory(chunk, sizeof(chunk), NULL, why);
	int ret = r ? jfrec_reader_where(r, where, why) : -1;

	jfrec_reader_close(r);
	return ret;
}

/* "EVENT" or "EVENT[WHERE]", where brackets may be, too: as --on of jfrec stream. */
static int take_on(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	struct collect_report *report = to;
	struct jfrec_error why;
	const char *text = "", *bracket;
	size_t len;

	if (take_text(d, n, &text) < 0)
		return -1;
	bracket = strchr(text, '[');
	len = strlen(text);
	if (bracket == text || (bracket && (text[len - 1] != ']' || text + len - bracket < 3)))
		return jfrec_yaml_fail(n, d->err, "%s must be an event, such as 'JavaErrorThrow' or "
						  "'GarbageCollection[duration > 1s]'", n->key);
	report->events = owned_copy(&d->config->owned, text,
				    bracket ? (size_t)(bracket - text) : len, d->err);
	if (!bracket)
		return report->events ? 0 : -1;
	report->where = owned_copy(&d->config->owned, bracket + 1,
				   (size_t)(text + len - bracket) - 2, d->err);
	if (!report->events || !report->where)
		return -1;
	if (check_where(report->where, &why) == 0)
		return 0;
	return jfrec_yaml_fail(n, d->err, "%s: %s", n->key, why.text);
}

/* What is in the name is known only later; but which % there are is not. */
static int take_name(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	static const struct jfrec_jvm any = { .pid = 1, .main = "Main" };
	const char **name = to;
	struct jfrec_error why;
	char path[NAME_MAX];

	if (take_text(d, n, to) < 0)
		return -1;
	if (strchr(*name, '/') || **name == '.')
		return jfrec_yaml_fail(n, d->err,
				       "%s must be a file name without / that does not begin "
				       "with a dot",
				       n->key);
	if (outname_make(*name, &any, 0, path, sizeof(path) / 2, &why) < 0)
		return jfrec_yaml_fail(n, d->err, "%s", why.text);
	return 0;
}

/* Maps ----------------------------------------------------------------------------------------- */

static int fail_key(struct draft *d, const struct jfrec_yaml_node *n, const struct key *keys,
		    const char *what)
{
	struct typo typo = { .word = n->key };
	char meant[TYPO_TEXT_MAX];

	for (; keys->name; keys++)
		typo_offer(&typo, keys->name);
	return jfrec_yaml_fail_key(n, d->err, "there is no key %.60s in %s%s", n->key, what,
				   typo_text(&typo, meant));
}

static int take_keys(struct draft *d, const struct jfrec_yaml_node *map, const struct key *keys,
		     void *to, const char *what)
{
	if (map->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(map, d->err, "%s is a map", what);
	for (const struct jfrec_yaml_node *n = map->first; n; n = n->next) {
		const struct key *k = keys;

		while (k->name && strcmp(k->name, n->key) != 0)
			k++;
		if (!k->name)
			return fail_key(d, n, keys, what);
		if (k->take(d, n, (char *)to + k->offset) < 0)
			return -1;
	}
	return 0;
}

static int take_limits(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	static const struct key keys[] = {
		{ "file-size", take_size, offsetof(struct collect_limits, file_size) },
		{ "size", take_size, offsetof(struct collect_limits, size) },
		{ "files", take_count, offsetof(struct collect_limits, files) },
		{ "age", take_span, offsetof(struct collect_limits, age_ns) },
		{ "free", take_size, offsetof(struct collect_limits, free) },
		{ NULL, NULL, 0 },
	};
	struct collect_limits *limits = to;

	if (take_keys(d, n, keys, to, "limits") < 0)
		return -1;
	if (limits->file_size && limits->size && limits->file_size > limits->size)
		return jfrec_yaml_fail(n, d->err,
				       "file-size must not be larger than size");
	return 0;
}

static int take_report(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	static const struct key keys[] = {
		{ "format", take_format, offsetof(struct collect_report, format) },
		{ "on", take_on, 0 },
		{ "finding", take_finding, offsetof(struct collect_report, finding) },
		{ "timeout", take_timeout, offsetof(struct collect_report, timeout_ms) },
		{ NULL, NULL, 0 },
	};
	struct collect_report *report = to;

	if (n->kind == JFREC_YAML_TEXT)
		return take_format(d, n, &report->format);
	report->format = "html";
	return take_keys(d, n, keys, report, "report");
}

/* The tables ----------------------------------------------------------------------------------- */

/* "service: shop", any number of them. */
static int take_labels(struct draft *d, const struct jfrec_yaml_node *map, void *to)
{
	struct collect_export *export = to;
	size_t count = 0;

	if (map->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(map, d->err, "%s is a map", map->key);
	for (const struct jfrec_yaml_node *n = map->first; n; n = n->next)
		count++;
	export->labels = owned_allocate(&d->config->owned, (count + 1) * sizeof(*export->labels),
					d->err);
	if (!export->labels)
		return -1;
	for (const struct jfrec_yaml_node *n = map->first; n; n = n->next) {
		struct jfrec_label *label = &export->labels[export->label_count];

		label->key = n->key;
		if (take_text(d, n, &label->value) < 0)
			return -1;
		export->label_count++;
	}
	return 0;
}

/* As a string, or as a list of frames. */
static int take_stack(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	bool *frames = to;

	if (n->kind == JFREC_YAML_TEXT) {
		*frames = strcmp(n->text, "frames") == 0;
		if (*frames || strcmp(n->text, "string") == 0)
			return 0;
	}
	return jfrec_yaml_fail(n, d->err, "%s must be string or frames", n->key);
}

static int take_export(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	static const struct key keys[] = {
		{ "directory", take_path, offsetof(struct collect_export, directory) },
		{ "events", take_text, offsetof(struct collect_export, events) },
		{ "partition", take_text, offsetof(struct collect_export, partition) },
		{ "labels", take_labels, 0 },
		{ "label-from-name", take_text, offsetof(struct collect_export, name_pattern) },
		{ "stack", take_stack, offsetof(struct collect_export, stack_frames) },
		{ "timeout", take_timeout, offsetof(struct collect_export, timeout_ms) },
		{ NULL, NULL, 0 },
	};
	struct collect_export *export = to;

	export->partition = "date";
	if (n->kind == JFREC_YAML_TEXT)
		return take_path(d, n, &export->directory);
	if (take_keys(d, n, keys, export, "export") < 0)
		return -1;
	if (export->directory)
		return 0;
	return jfrec_yaml_fail(n, d->err, "directory:, where the tables go, is missing in export");
}

/* The JVM's own options, as it takes them. */
static int take_option(struct draft *d, const struct jfrec_yaml_node *n, const char *key,
		       const char **to)
{
	struct jfrec_jfr_option option = { .key = key };
	struct jfrec_error why;

	if (take_text(d, n, to) < 0)
		return -1;
	option.value = *to;
	if (jfrec_jfr_option_valid(JFREC_JFR_START, &option, &why) == 0)
		return 0;
	return jfrec_yaml_fail(n, d->err, "%s", why.text);
}

static int take_max_size(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	uint64_t bytes;

	return take_size(d, n, &bytes) < 0 ? -1 : take_option(d, n, "maxsize", to);
}

static int take_max_age(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	return take_option(d, n, "maxage", to);
}

/* A jfrec_settings_finding_fn that keeps the first thing that is wrong. */
static void keep_first(void *ctx, const struct jfrec_settings_finding *f)
{
	char *text = ctx;

	if (!f->wrong || *text)
		return;
	snprintf(text, FINDING_MAX, "line %u: %s%s%s%s%s%s%s%s", f->line,
		 f->event ? f->event : "", f->setting ? "#" : "", f->setting ? f->setting : "",
		 f->event || !f->option ? "" : f->option, f->event || f->option ? ": " : "",
		 f->text, f->remedy ? "; " : "", f->remedy ? f->remedy : "");
}

/* What is wrong with it should be known before a JVM is asked to use it. */
static int check_settings(struct draft *d, const struct jfrec_yaml_node *n, struct collect_jvms *to)
{
	struct jfrec_error why = { 0 };
	struct jfrec_settings *s = jfrec_settings_parse(to->file.text, to->file.len, &why);
	char wrong[FINDING_MAX] = "";
	int ret = 0;

	/* Without libxml2 a .jfc file is as good as the JVM finds it. */
	if (!s && why.code == JFREC_EUNSUPPORTED)
		return 0;
	if (!s || jfrec_settings_check(s, 0, keep_first, wrong, &why) < 0)
		ret = jfrec_yaml_fail(n, d->err, "%.100s: %.200s", n->text, why.text);
	else if (*wrong)
		ret = jfrec_yaml_fail(n, d->err, "%.100s: %s", n->text, wrong);
	jfrec_settings_free(s);
	return ret;
}

/* Neither XML nor an end of it: what a JVM cannot read, but we can. */
static bool is_model(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] && strchr(" \t\r\n\xEF\xBB\xBF", text[i]))
		i++;
	return i < len && text[i] != '<';
}

static int read_settings(struct draft *d, const struct jfrec_yaml_node *n, const char *path,
			 struct collect_jvms *to)
{
	struct jfrec_error why;
	size_t len;
	char *text, *bytes = small_file_read(path, MAX_SETTINGS, &len, &why);

	if (!bytes)
		return jfrec_yaml_fail(n, d->err, "cannot open %.150s: %s", path, why.text);
	text = len && len <= MAX_SETTINGS ? owned_copy(&d->config->owned, bytes, len, d->err)
					  : NULL;
	free(bytes);
	if (!text && len && len <= MAX_SETTINGS)
		return -1;
	if (!text)
		return jfrec_yaml_fail(n, d->err, "%.150s is not a settings file: it is %s", path,
				       len ? "too large" : "empty");
	to->file = (struct jfrec_jfr_settings){ text, strlen(text) };
	to->is_model = is_model(text, to->file.len);
	return check_settings(d, n, to);
}

/* A name that neither we nor every JDK has would fail in each pass. */
static int fail_profile(struct draft *d, const struct jfrec_yaml_node *n)
{
	struct typo typo = { .word = n->text };
	char meant[TYPO_TEXT_MAX];
	const char *name;

	for (size_t i = 0; (name = jfrec_profiles_get(i)) != NULL; i++)
		typo_offer(&typo, name);
	typo_offer(&typo, "default");
	typo_offer(&typo, "profile");
	return jfrec_yaml_fail(n, d->err,
			       "there is no profile %.60s; name a settings file by its path: "
			       "./%.60s.jfc%s",
			       n->text, n->text, typo_text(&typo, meant));
}

static bool is_path(const char *text)
{
	const char *dot = strrchr(text, '.');

	return strchr(text, '/') || (dot && (strcmp(dot, ".jfc") == 0 || strcmp(dot, ".yaml") == 0 ||
					     strcmp(dot, ".yml") == 0));
}

/* A built-in profile, a name that each JDK knows, or a file, relative to the configuration. */
static int take_settings(struct draft *d, const struct jfrec_yaml_node *n, void *to)
{
	struct collect_jvms *jvms = to;
	const char *profile;
	char path[PATH_MAX];

	if (take_text(d, n, &jvms->settings) < 0)
		return -1;
	if (is_path(n->text)) {
		snprintf(path, sizeof(path), "%s%s%s", n->text[0] == '/' ? "" : d->base,
			 n->text[0] == '/' ? "" : "/", n->text);
		return read_settings(d, n, path, jvms);
	}
	profile = jfrec_profile_text(n->text);
	if (profile) {
		jvms->file = (struct jfrec_jfr_settings){ profile, strlen(profile) };
		jvms->is_model = true;
		return 0;
	}
	if (strcmp(n->text, "default") != 0 && strcmp(n->text, "profile") != 0)
		return fail_profile(d, n);
	return take_option(d, n, "settings", &jvms->settings);
}

struct jvms_draft {
	struct collect_jvms jvms;
	bool all;
};

static int check_jvms(struct draft *d, const struct jfrec_yaml_node *n, const struct jvms_draft *j)
{
	const struct jfrec_jvm_query *q = &j->jvms.query;
	bool narrowed = q->target || q->user || q->container;

	if (!narrowed && !j->all)
		return jfrec_yaml_fail(n, d->err,
				       "an entry of jvms needs name:, user:, container: or all: "
				       "true");
	if (narrowed && j->all)
		return jfrec_yaml_fail(n, d->err,
				       "all: true cannot be combined with name, user or container");
	if (!j->jvms.settings && (j->jvms.max_size || j->jvms.max_age))
		return jfrec_yaml_fail(
			n, d->err, "max-size and max-age need settings:, which starts a recording");
	return 0;
}

static int take_one_jvms(struct draft *d, const struct jfrec_yaml_node *n, struct collect_jvms *to)
{
	static const struct key keys[] = {
		{ "name", take_text, offsetof(struct jvms_draft, jvms.query.target) },
		{ "user", take_text, offsetof(struct jvms_draft, jvms.query.user) },
		{ "container", take_text, offsetof(struct jvms_draft, jvms.query.container) },
		{ "all", take_bool, offsetof(struct jvms_draft, all) },
		{ "settings", take_settings, offsetof(struct jvms_draft, jvms) },
		{ "max-size", take_max_size, offsetof(struct jvms_draft, jvms.max_size) },
		{ "max-age", take_max_age, offsetof(struct jvms_draft, jvms.max_age) },
		{ NULL, NULL, 0 },
	};
	struct jvms_draft j = { .all = false };

	if (take_keys(d, n, keys, &j, "an entry of jvms") < 0 || check_jvms(d, n, &j) < 0)
		return -1;
	if (!j.jvms.max_size)
		j.jvms.max_size = DEFAULT_MAX_SIZE;
	j.jvms.query.struct_size = sizeof(j.jvms.query);
	j.jvms.query.without_names = true;
	*to = j.jvms;
	return 0;
}

static int take_jvms(struct draft *d, const struct jfrec_yaml_node *list, void *to)
{
	struct collect_config *c = to;
	size_t count = 0;

	for (const struct jfrec_yaml_node *n = list->first; n; n = n->next)
		count++;
	if (list->kind != JFREC_YAML_LIST || !count)
		return jfrec_yaml_fail(list, d->err,
				       "jvms must be a list of the JVMs to collect from");
	c->jvms = owned_allocate(&c->owned, count * sizeof(*c->jvms), d->err);
	if (!c->jvms)
		return -1;
	for (const struct jfrec_yaml_node *n = list->first; n; n = n->next) {
		if (take_one_jvms(d, n, &c->jvms[c->jvm_count]) < 0)
			return -1;
		c->jvm_count++;
	}
	return 0;
}

/* All ------------------------------------------------------------------------------------------ */

static int take_document(struct draft *d, const struct jfrec_yaml_node *root)
{
	static const struct key keys[] = {
		{ "directory", take_path, offsetof(struct collect_config, directory) },
		{ "name", take_name, offsetof(struct collect_config, name) },
		{ "compress", take_compress, offsetof(struct collect_config, compress) },
		{ "limits", take_limits, offsetof(struct collect_config, limits) },
		{ "run", take_command, offsetof(struct collect_config, run) },
		{ "run-timeout", take_timeout, offsetof(struct collect_config, run_timeout_ms) },
		{ "report", take_report, offsetof(struct collect_config, report) },
		{ "export", take_export, offsetof(struct collect_config, export) },
		{ "leftovers", take_bool, offsetof(struct collect_config, leftovers) },
		{ "repositories", take_paths, offsetof(struct collect_config, repositories) },
		{ "jvms", take_jvms, 0 },
		{ NULL, NULL, 0 },
	};
	struct collect_config *c = d->config;

	if (take_keys(d, root, keys, c, "the document") < 0)
		return -1;
	if (!c->directory)
		return jfrec_yaml_fail(root, d->err, "directory:, where the files go, is missing");
	if (!c->jvms)
		return jfrec_yaml_fail(root, d->err,
				       "jvms:, the JVMs to collect from, is missing");
	/* Tables are named after their recording, and stay when that is removed. */
	if (c->export.directory && !strstr(c->name, "%t"))
		return jfrec_yaml_fail(root, d->err,
				       "export needs %%t in name, so that no recording ever has "
				       "the name of an older one");
	return 0;
}

static struct collect_config defaults(void)
{
	return (struct collect_config){
		.name = DEFAULT_NAME,
		.compress = JFREC_PLAIN,
		.run_timeout_ms = RUN_TIMEOUT_MS,
		.report = { .timeout_ms = RUN_TIMEOUT_MS },
		.export = { .timeout_ms = RUN_TIMEOUT_MS },
		.leftovers = true,
	};
}

/* The document is then the configuration's; NULL with *err set is allowed. */
static int finish(struct collect_config *c, struct jfrec_yaml *document, const char *base,
		  struct jfrec_error *err)
{
	struct draft d = { .config = c, .base = base, .err = err };

	*c = defaults();
	c->document = document;
	if (document && take_document(&d, jfrec_yaml_root(document)) == 0)
		return 0;
	collect_config_fini(c);
	return -1;
}

int collect_config_parse(struct collect_config *c, const void *bytes, size_t len,
			 const char *directory, struct jfrec_error *err)
{
	return finish(c, jfrec_yaml_parse(bytes, len, err), directory, err);
}

int collect_config_read(struct collect_config *c, const char *path, struct jfrec_error *err)
{
	const char *slash = strrchr(path, '/');
	char *base = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");
	int ret;

	if (!base)
		return jfrec_fail_memory(err);
	ret = finish(c, jfrec_yaml_read(path, false, err), base, err);
	free(base);
	return ret;
}

void collect_config_fini(struct collect_config *c)
{
	jfrec_yaml_free(c->document);
	owned_free(&c->owned);
	*c = (struct collect_config){ .run = NULL };
}
