/* SPDX-License-Identifier: MIT */
/*
 * config.c - read the tool's configuration file
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/near.h"
#include "settings/file.h"
#include "settings/yaml.h"

/* Nobody has as many settings or files of rules for one recording. */
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
} keys[JFREC_CONFIG_COUNT] = {
	[JFREC_CONFIG_OUTPUT_DIRECTORY] = { "output-directory", FORM_PATH },
	[JFREC_CONFIG_OUTPUT_NAME] = { "output-name", FORM_NAME },
	[JFREC_CONFIG_COMPRESS] = { "compress", FORM_COMPRESSION },
	[JFREC_CONFIG_SETTINGS] = { "settings", FORM_NAMES_OR_PATHS },
	[JFREC_CONFIG_TIME_ZONE] = { "time-zone", FORM_TEXT },
	[JFREC_CONFIG_RULES] = { "rules", FORM_PATHS },
	[JFREC_CONFIG_REDACT_HOSTS] = { "redact-hosts", FORM_FLAG },
	[JFREC_CONFIG_REDACT_PATHS] = { "redact-paths", FORM_FLAG },
};

struct jfrec_config {
	struct jfrec_config_value values[JFREC_CONFIG_COUNT];
	struct arena arena;
};

/* A file as it is read. */
struct reading {
	struct jfrec_config *config;
	struct jfrec_config_value values[JFREC_CONFIG_COUNT];
	const char *path;
	struct jfrec_error *err;
};

struct jfrec_config *jfrec_config_new(struct jfrec_error *err)
{
	struct jfrec_config *c = calloc(1, sizeof(*c));

	for (size_t i = 0; c && i < JFREC_CONFIG_COUNT; i++)
		c->values[i].key = keys[i].name;
	if (!c)
		jfrec_fail_memory(err);
	return c;
}

void jfrec_config_free(struct jfrec_config *c)
{
	if (!c)
		return;
	arena_fini(&c->arena);
	free(c);
}

const struct jfrec_config_value *jfrec_config_get(const struct jfrec_config *c,
						  enum jfrec_config_key key)
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
	full = arena_alloc(&r->config->arena, directory + len + 1);
	if (!full) {
		jfrec_fail_memory(r->err);
		return NULL;
	}
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
	const char *text;

	if (n->kind != JFREC_YAML_TEXT || !*n->text) {
		jfrec_yaml_fail(n, r->err, "this is a text, and not empty");
		return NULL;
	}
	if (form == FORM_PATH || form == FORM_PATHS ||
	    (form == FORM_NAMES_OR_PATHS && is_path(n->text)))
		return full_path(r, n->text);
	text = arena_strndup(&r->config->arena, n->text, strlen(n->text));
	if (!text)
		jfrec_fail_memory(r->err);
	return text;
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
				       "%s is a name without a directory; see output-directory",
				       n->key);
	if (form == FORM_COMPRESSION && strcmp(n->text, "gzip") != 0 &&
	    strcmp(n->text, "zstd") != 0 && strcmp(n->text, "none") != 0)
		return jfrec_yaml_fail(n, r->err, "%s is gzip, zstd or none", n->key);
	return 0;
}

/* The items of a list, or the one text. */
static int take_texts(struct reading *r, const struct jfrec_yaml_node *n, enum form form,
		      struct jfrec_config_value *value)
{
	bool is_list =
		n->kind == JFREC_YAML_LIST && (form == FORM_PATHS || form == FORM_NAMES_OR_PATHS);
	const char **texts = arena_zalloc(&r->config->arena, MAX_TEXTS, sizeof(*texts));

	if (!texts)
		return jfrec_fail_memory(r->err);
	value->texts = texts;
	for (const struct jfrec_yaml_node *i = is_list ? n->first : n; i;
	     i = is_list ? i->next : NULL) {
		if (value->count == MAX_TEXTS)
			return jfrec_yaml_fail(i, r->err, "these are more than %d", MAX_TEXTS);
		texts[value->count] = take_text(r, i, form);
		if (!texts[value->count++])
			return -1;
	}
	return 0;
}

/* Files ---------------------------------------------------------------------------------------- */

static int fail_key(struct reading *r, const struct jfrec_yaml_node *n)
{
	struct near near = { .name = n->key };
	char list[NEAR_LIST_MAX];

	for (size_t i = 0; i < JFREC_CONFIG_COUNT; i++)
		near_offer(&near, keys[i].name);
	return jfrec_yaml_fail_key(n, r->err, "there is no key %.60s%s", n->key,
				   near_list(&near, list));
}

static int take_value(struct reading *r, const struct jfrec_yaml_node *n)
{
	size_t i = 0;

	while (i < JFREC_CONFIG_COUNT && strcmp(keys[i].name, n->key) != 0)
		i++;
	if (i == JFREC_CONFIG_COUNT)
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
				       "a configuration is `key: value`, a line for each");
	for (const struct jfrec_yaml_node *n = root->first; n; n = n->next) {
		if (take_value(r, n) < 0)
			return -1;
	}
	for (size_t i = 0; i < JFREC_CONFIG_COUNT; i++) {
		if (!r->values[i].path)
			continue;
		r->values[i].key = keys[i].name;
		r->config->values[i] = r->values[i];
	}
	return 0;
}

static int read_root(struct jfrec_config *c, const char *path, const struct jfrec_yaml_node *root,
		     struct jfrec_error *err)
{
	struct reading r = { .config = c, .err = err };

	r.path = arena_strndup(&c->arena, path, strlen(path));
	return r.path ? take_document(&r, root) : jfrec_fail_memory(err);
}

int jfrec_config_read(struct jfrec_config *c, const char *path, struct jfrec_error *err)
{
	struct arena nodes = { 0 };
	struct jfrec_yaml_node *root = yaml_read(&nodes, path, err);
	int ret = root ? read_root(c, path, root, err) : -1;

	arena_fini(&nodes);
	return ret;
}

int jfrec_config_read_own(struct jfrec_config *c, const char *path, struct jfrec_error *err)
{
	struct arena nodes = { 0 };
	size_t len;
	char *bytes = file_read_own(path, YAML_MAX_BYTES, &len, err);
	struct jfrec_yaml_node *root = bytes ? yaml_parse(&nodes, bytes, len, err) : NULL;
	int ret = root ? read_root(c, path, root, err) : -1;

	free(bytes);
	arena_fini(&nodes);
	return ret;
}
