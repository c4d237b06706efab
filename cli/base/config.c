/* SPDX-License-Identifier: MIT */
/*
 * config.c - read default values from configuration files
 */
#include "base/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

#define SYSTEM_FILE "/etc/jfrec/config.yaml"

/* The options before the command, and what they led to: there is one of it. */
static struct {
	const char *files[CONFIG_FILES_MAX]; /* of --config */
	size_t file_count;
	bool ignore;
	char user_file[PATH_MAX]; /* "": there is no home directory */
	struct config_values *config;
} state;

int config_add_file(const char *path)
{
	if (state.file_count == CONFIG_FILES_MAX) {
		fprintf(stderr, "jfrec: --config is given more than %d times\n", CONFIG_FILES_MAX);
		return EXIT_USAGE;
	}
	state.files[state.file_count++] = path;
	return EXIT_DONE;
}

void config_ignore(void)
{
	state.ignore = true;
}

/* Paths in these variables are full ones, or they do not count (XDG Base Directory). */
static const char *user_file(void)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int len = 0;

	if (base && *base == '/')
		len = snprintf(state.user_file, PATH_MAX, "%s/jfrec/config.yaml", base);
	else if (home && *home == '/')
		len = snprintf(state.user_file, PATH_MAX, "%s/.config/jfrec/config.yaml", home);
	if (len >= PATH_MAX)
		state.user_file[0] = '\0';
	return state.user_file;
}

const char *config_file(size_t i)
{
	if (state.ignore)
		return NULL;
	if (i == 0)
		return SYSTEM_FILE;
	if (i == 1)
		return user_file();
	return i - 2 < state.file_count ? state.files[i - 2] : NULL;
}

/*
 * Only what was named must be there.  $HOME may be another user's, as under sudo: what we may not
 * see there is not ours.
 */
static bool may_be_missing(size_t i, const struct jfrec_error *err)
{
	return i < 2 && err->code == JFREC_EIO &&
	       (err->sys == ENOENT || err->sys == ENOTDIR || (i == 1 && err->sys == EACCES));
}

/* Who is root with the home directory of another user does not do what that one wrote down. */
static bool is_anothers(size_t i, const char *path, const struct jfrec_error *err)
{
	char text[sizeof(err->text) + 100];

	if (i != 1 || err->code != JFREC_EPERMISSION)
		return false;
	snprintf(text, sizeof(text), "ignored, since %s; --config names it explicitly", err->text);
	say(path, text);
	return true;
}

static int read_one(struct config_values *c, size_t i, const char *path, struct jfrec_error *err)
{
	return i == 1 ? config_values_read_own(c, path, err) : config_values_read(c, path, err);
}

static int read_files(struct config_values *c)
{
	const char *path;

	for (size_t i = 0; (path = config_file(i)); i++) {
		struct jfrec_error err;

		if (!*path || read_one(c, i, path, &err) == 0 || may_be_missing(i, &err) ||
		    is_anothers(i, path, &err))
			continue;
		say(path, err.text);
		return err.code == JFREC_EINVAL ? EXIT_USAGE : EXIT_FAILED;
	}
	return EXIT_DONE;
}

int config_get(const struct config_values **config)
{
	struct jfrec_error err;
	int status = EXIT_DONE;

	if (!state.config) {
		state.config = config_values_new(&err);
		if (!state.config) {
			fprintf(stderr, "jfrec: %s\n", err.text);
			return EXIT_FAILED;
		}
		status = read_files(state.config);
	}
	*config = state.config;
	return status;
}

const char *config_text(const struct config_values *c, enum config_key key)
{
	const struct config_value *v = config_values_get(c, key);

	return v->count ? v->texts[0] : NULL;
}

bool config_flag(const struct config_values *c, enum config_key key)
{
	const char *text = config_text(c, key);

	return text && strcmp(text, "true") == 0;
}

int config_fail(const struct config_values *c, enum config_key key, const char *sentence)
{
	const struct config_value *v = config_values_get(c, key);

	fprintf(stderr, "jfrec: %s: line %u: %s: %s\n", v->path, v->line, v->key, sentence);
	return EXIT_USAGE;
}
