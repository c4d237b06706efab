/* SPDX-License-Identifier: MIT */
/*
 * source.c - open settings by name or from a file
 */
#include "settings/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "settings/jdk_home.h"

static struct jfrec_settings *read_file(const char *path)
{
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_read(path, &err);

	if (!s)
		say(path, err.text);
	return s;
}

static struct jfrec_settings *make_none(void)
{
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_new(&err);

	if (!s)
		say("none", err.text);
	return s;
}

static struct jfrec_settings *read_profile(const char *name)
{
	const char *text = jfrec_profile_text(name);
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_parse(text, strlen(text), &err);

	if (!s)
		say(name, err.text);
	return s;
}

/* Of several JDKs the first one counts, unless an option names one. */
static void note_others(const char *word, const struct jdk_homes *homes, const char *path)
{
	const char *home = getenv("JAVA_HOME");
	size_t count = jdk_homes_having(homes, word);

	if (count < 2 || (home && *home))
		return;
	fputs("jfrec: ", stderr);
	put_name(stderr, word);
	fprintf(stderr, ": %zu JDKs here have it; this is ", count);
	put_name(stderr, path);
	fputs("; --jdk-home selects another\n", stderr);
}

static char *find_in_jdk(const char *name, const char *jdk_home)
{
	struct jdk_homes homes = { 0 };
	char *path;

	if (jdk_home)
		jdk_homes_only(&homes, jdk_home);
	else
		jdk_homes_find(&homes);
	path = jdk_homes_file(&homes, name);
	if (path && !jdk_home)
		note_others(name, &homes, path);
	jdk_homes_fini(&homes);
	return path;
}

/* `default` is the JDK's, as for `jfrec start`, whatever lies in this directory. */
static bool is_file(const char *word)
{
	return strchr(word, '/') || (strcmp(word, "default") != 0 && access(word, F_OK) == 0);
}

enum settings_kind settings_find(const char *word, const char *jdk_home, char **path)
{
	*path = NULL;
	if (strcmp(word, "none") == 0)
		return SETTINGS_NONE;
	if (!jdk_home && jfrec_profile_text(word))
		return SETTINGS_PROFILE;
	*path = is_file(word) ? strdup(word) : find_in_jdk(word, jdk_home);
	return *path ? SETTINGS_FILE : SETTINGS_UNKNOWN;
}

struct jfrec_settings *settings_open(const char *word, const char *jdk_home)
{
	struct jfrec_settings *s;
	char *path;

	switch (settings_find(word, jdk_home, &path)) {
	case SETTINGS_NONE:
		return make_none();
	case SETTINGS_PROFILE:
		return read_profile(word);
	case SETTINGS_FILE:
		s = read_file(path);
		free(path);
		return s;
	default:
		say(word, "no such file, and no settings of that name in a JDK here; `jfrec "
			  "settings list` lists the names, --jdk-home selects a JDK");
		return NULL;
	}
}

bool changes_take(struct changes *c, const char *key, size_t key_len, const char *value,
		  size_t value_len)
{
	char *new_key = strndup(key, key_len), *new_value = strndup(value, value_len);
	struct change *list = reallocarray(c->list, c->count + 1, sizeof(*list));
	size_t i = 0;

	if (list)
		c->list = list;
	if (!new_key || !new_value || !list) {
		free(new_key);
		free(new_value);
		return false;
	}
	while (i < c->count && strcmp(list[i].key, new_key) != 0)
		i++;
	if (i < c->count) {
		free(list[i].key);
		free(list[i].value);
	} else {
		c->count++;
	}
	list[i] = (struct change){ new_key, new_value };
	return true;
}

void changes_fini(struct changes *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].key);
		free(c->list[i].value);
	}
	free(c->list);
	*c = (struct changes){ 0 };
}
