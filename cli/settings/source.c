/* SPDX-License-Identifier: MIT */
/*
 * source.c - open settings by name or from a file
 */
#include "settings/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/report.h"
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

static char *find_in_jdk(const char *name, const char *jdk_home)
{
	struct jdk_homes homes = { 0 };
	char *path;

	if (jdk_home)
		jdk_homes_only(&homes, jdk_home);
	else
		jdk_homes_find(&homes);
	path = jdk_homes_file(&homes, name);
	jdk_homes_fini(&homes);
	return path;
}

char *settings_of_jdk(const char *name)
{
	return find_in_jdk(name, NULL);
}

struct jfrec_settings *settings_open(const char *word, const char *jdk_home)
{
	struct jfrec_settings *s;
	char *path;

	if (strcmp(word, "none") == 0)
		return make_none();
	if (!jdk_home && jfrec_profile_text(word))
		return read_profile(word);
	if (strchr(word, '/') || access(word, F_OK) == 0)
		return read_file(word);
	path = find_in_jdk(word, jdk_home);
	if (!path) {
		say(word, "no such file, and no settings of that name in a JDK here; `jfrec "
			  "settings list` lists the names, --jdk-home selects a JDK");
		return NULL;
	}
	s = read_file(path);
	free(path);
	return s;
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
