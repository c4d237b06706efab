/* SPDX-License-Identifier: MIT */
/*
 * config_values.c - read the values of a configuration file
 *
 *	output-directory: /var/tmp/recordings
 *	output-name: "%n-%t.jfr"
 *	compress: zstd
 *	settings: [continuous, own.yaml]
 *	time-zone: Europe/Berlin
 *	rules: rules.yaml
 *	redact-hosts: true
 *	redact-paths: false
 */
#include "base/config_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/owned.h"
#include "base/typo.h"
#include "jfrec-tool.h"

/* More settings or files of rules for one recording are refused. */
#define MAX_TEXTS 4

enum form {
	FORM_TEXT,
	FORM_NAME, /* of a file, without a directory */
	FORM_FLAG,
	FORM_COMPRESSION,
	FORM_PATH,
	FORM_PATHS,	     /* one or a list */
	FORM_NAMES_OR_PATHS, /* a list, too; what has a slash or a suffix of YAML is a path */
};

static const struct {
	const char *name;
	enum form form;
} keys[CONFIG_COUNT] = {
	[CONFIG_OUTPUT_DIRECTORY] = { "output-directory", FORM_PATH },
	[CONFIG_OUTPUT_NAME] = { "output-name", FORM_NAME },
	[CONFIG_COMPRESS] = { "compress", FORM_COMPRESSION },
	[CONFIG_SETTINGS] = { "settings", FORM_NAMES_OR_PATHS },
	[CONFIG_TIME_ZONE] = { "time-zone", FORM_TEXT },
	[CONFIG_RULES] = { "rules", FORM_PATHS },
	[CONFIG_REDACT_HOSTS] = { "redact-hosts", FORM_FLAG },
	[CONFIG_REDACT_PATHS] = { "redact-paths", FORM_FLAG },
	[CONFIG_VIEWS] = { "views", FORM_PATHS },
};

struct config_values {
	struct config_value values[CONFIG_COUNT];
	struct owned *owned;
};

/* A file as it is read. */
struct reading {
	struct config_values *config;
	struct config_value values[CONFIG_COUNT];
	const char *path;
	struct jfrec_error *err;
};

struct config_values *config_values_new(struct jfrec_error *err)
{
	struct config_values *c = calloc(1, sizeof(*c));

	for (size_t i = 0; c && i < CONFIG_COUNT; i++)
		c->values[i].key = keys[i].name;
	if (!c)
		jfrec_fail_memory(err);
	return c;
}

void config_values_free(struct config_values *c)
{
	if (!c)
		return;
	owned_free(&c->owned);
	free(c);
}

const struct config_value *config_values_get(const struct config_values *c,
					     enum config_key key)
{
	return &c->values[key];
}

/* Values --------------------------------------------------------------------------------------- */

/* The path from the directory of the file that names it. */
static const char *full_path(struct reading *r, const char *path)
{
	const char *slash = strrchr(r->path, '/');
	size_t directory = slash ? (size_t)(slash - r->path + 1) : 0, len = strlen(path);
	char *full;

	if (path[0] == '/')
		directory = 0;
	full = owned_allocate(&r->config->owned, directory + len + 1, r->err);
	if (!full)
		return NULL;
	memcpy(full, r->path, directory);
	memcpy(full + directory, path, len + 1);
	return full;
}

/* As for --settings, where what has no slash is a name, if no file of that name is there. */
static bool is_path(const char *text)
{
	const char *dot = strrchr(text, '.');

	return strchr(text, '/') || (dot && (strcmp(dot, ".yaml") == 0 ||
					     strcmp(dot, ".yml") == 0 || strcmp(dot, ".jfc") == 0));
}

static const char *take_text(struct reading *r, const struct jfrec_yaml_node *n, enum form form)
{
	if (n->kind != JFREC_YAML_TEXT || !*n->text) {
		jfrec_yaml_fail(n, r->err, "the value must be a text that is not empty");
		return NULL;
	}
	if (form == FORM_PATH || form == FORM_PATHS ||
	    (form == FORM_NAMES_OR_PATHS && is_path(n->text)))
		return full_path(r, n->text);
	return owned_copy(&r->config->owned, n->text, strlen(n->text), r->err);
}

static int check_text(struct reading *r, const struct jfrec_yaml_node *n, enum form form)
{
	bool flag;

	if (form == FORM_FLAG)
		return jfrec_yaml_bool(n, &flag, r->err);
	if (n->kind != JFREC_YAML_TEXT)
		return 0; /* a list, or it is refused later */
	if (form == FORM_NAME && strchr(n->text, '/'))
		return jfrec_yaml_fail(n, r->err,
				       "%s must be a name without a directory; see "
				       "output-directory",
				       n->key);
	if (form == FORM_COMPRESSION && strcmp(n->text, "gzip") != 0 &&
	    strcmp(n->text, "zstd") != 0 && strcmp(n->text, "none") != 0)
		return jfrec_yaml_fail(n, r->err, "%s must be gzip, zstd or none", n->key);
	return 0;
}

/* The items of a list, or the one text. */
static int take_texts(struct reading *r, const struct jfrec_yaml_node *n, enum form form,
		      struct config_value *value)
{
	bool is_list =
		n->kind == JFREC_YAML_LIST && (form == FORM_PATHS || form == FORM_NAMES_OR_PATHS);
	const char **texts = owned_allocate(&r->config->owned, MAX_TEXTS * sizeof(*texts), r->err);

	if (!texts)
		return -1;
	value->texts = texts;
	for (const struct jfrec_yaml_node *i = is_list ? n->first : n; i;
	     i = is_list ? i->next : NULL) {
		if (value->count == MAX_TEXTS)
			return jfrec_yaml_fail(i, r->err, "the list has more than %d "
							  "entries", MAX_TEXTS);
		texts[value->count] = take_text(r, i, form);
		if (!texts[value->count++])
			return -1;
	}
	return 0;
}

/* Files ---------------------------------------------------------------------------------------- */

static int fail_key(struct reading *r, const struct jfrec_yaml_node *n)
{
	struct typo typo = { .word = n->key };
	char meant[TYPO_TEXT_MAX];

	for (size_t i = 0; i < CONFIG_COUNT; i++)
		typo_offer(&typo, keys[i].name);
	return jfrec_yaml_fail_key(n, r->err, "there is no key %.60s%s", n->key,
				   typo_text(&typo, meant));
}

static int take_value(struct reading *r, const struct jfrec_yaml_node *n)
{
	size_t i = 0;

	while (i < CONFIG_COUNT && strcmp(keys[i].name, n->key) != 0)
		i++;
	if (i == CONFIG_COUNT)
		return fail_key(r, n);
	r->values[i].path = r->path;
	r->values[i].line = n->key_line;
	if (check_text(r, n, keys[i].form) < 0)
		return -1;
	return take_texts(r, n, keys[i].form, &r->values[i]);
}

static int take_document(struct reading *r, const struct jfrec_yaml_node *root)
{
	if (root->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(root, r->err,
				       "a configuration file must have lines of the form `key: "
				       "value`");
	for (const struct jfrec_yaml_node *n = root->first; n; n = n->next) {
		if (take_value(r, n) < 0)
			return -1;
	}
	for (size_t i = 0; i < CONFIG_COUNT; i++) {
		if (!r->values[i].path)
			continue;
		r->values[i].key = keys[i].name;
		r->config->values[i] = r->values[i];
	}
	return 0;
}

/* The document is then freed; NULL with *err set is allowed. */
static int take_file(struct config_values *c, const char *path, struct jfrec_yaml *y,
		     struct jfrec_error *err)
{
	struct reading r = { .config = c, .err = err };

	r.path = y ? owned_copy(&c->owned, path, strlen(path), err) : NULL;
	if (r.path && take_document(&r, jfrec_yaml_root(y)) < 0)
		r.path = NULL;
	jfrec_yaml_free(y);
	return r.path ? 0 : -1;
}

int config_values_read(struct config_values *c, const char *path, struct jfrec_error *err)
{
	return take_file(c, path, jfrec_yaml_read(path, false, err), err);
}

int config_values_read_own(struct config_values *c, const char *path, struct jfrec_error *err)
{
	return take_file(c, path, jfrec_yaml_read(path, true, err), err);
}
