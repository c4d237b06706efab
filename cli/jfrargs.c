/* SPDX-License-Identifier: MIT */
/*
 * jfrargs.c - options for Flight Recorder on the command line
 */
#include "jfrargs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

/* No settings file is as long as that. */
#define SETTINGS_MAX (8 << 20)

const char *jfrargs_get(const struct jfrargs *a, const char *key)
{
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->options[i].key, key) == 0)
			return a->options[i].value;
	}
	return NULL;
}

/* Check the option and keep it. Only "settings" may come several times. */
static int add(struct jfrargs *a, const struct command *c, enum jfrec_jfr_command command,
	       const char *name, const char *key, const char *value)
{
	struct jfrec_jfr_option o = { key, value };
	struct jfrec_error err;

	if (jfrargs_get(a, key) && strcmp(key, "settings") != 0) {
		report_usage(c, "%s is given twice", name);
		return -1;
	}
	if (jfrec_jfr_check_option(command, &o, &err) < 0) {
		report_usage(c, "%s: %s", name, err.text);
		return -1;
	}
	if (a->count == JFRARGS_MAX) {
		report_usage(c, "there are more than %d options", JFRARGS_MAX);
		return -1;
	}
	a->options[a->count++] = o;
	return 0;
}

static const char *name_of(const struct command *c, int letter)
{
	const struct opt *o = c->opts;

	while (o->letter && o->letter != letter)
		o++;
	return o->name;
}

int jfrargs_take(struct jfrargs *a, const struct command *c, enum jfrec_jfr_command command,
		 const struct jfrargs_row *rows, int letter, const char *value)
{
	char name[64];

	for (; rows->letter; rows++) {
		if (rows->letter != letter)
			continue;
		snprintf(name, sizeof(name), "--%s", name_of(c, letter));
		return add(a, c, command, name, rows->key, rows->value ? rows->value : value) < 0
			       ? -1
			       : 1;
	}
	return 0;
}

int jfrargs_set(struct jfrargs *a, const struct command *c, const char *text)
{
	const char *sign = strchr(text, '=');
	char *key;

	if (!sign) {
		report_usage(c, "--set %s: it is EVENT#SETTING=VALUE or OPTION=VALUE", text);
		return -1;
	}
	key = strndup(text, (size_t)(sign - text));
	if (!key || a->key_count == JFRARGS_MAX) {
		free(key);
		fputs("jfrec: out of memory\n", stderr);
		return -1;
	}
	a->keys[a->key_count++] = key;
	return add(a, c, JFREC_JFR_START, "--set", key, sign + 1);
}

/* Settings files ------------------------------------------------------------------------------- */

/* These are the JVM's, whatever lies in our directory. */
static bool is_known_name(const char *value)
{
	return strcmp(value, "default") == 0 || strcmp(value, "profile") == 0 ||
	       strcmp(value, "none") == 0;
}

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "jfrec: cannot use the settings file %s: %s\n", path, why);
	return -1;
}

static int read_all(int fd, char *to, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, to + got, len - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		got += (size_t)n;
	}
	return 0;
}

static int read_settings(struct jfrargs *a, const char *path, int fd)
{
	struct stat st;
	char *text;

	if (fstat(fd, &st) < 0)
		return fail(path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail(path, "it is no regular file");
	if (st.st_size == 0 || st.st_size >= SETTINGS_MAX)
		return fail(path, st.st_size ? "it has 8 MB or more" : "it is empty");
	text = malloc((size_t)st.st_size);
	if (!text)
		return fail(path, strerror(ENOMEM));
	a->files[a->file_count++] = (struct jfrec_jfr_settings){ text, (size_t)st.st_size };
	return read_all(fd, text, (size_t)st.st_size) < 0 ? fail(path, "cannot read it") : 0;
}

int jfrargs_settings(struct jfrargs *a, const struct command *c, const char *value)
{
	int fd, ret;

	if (is_known_name(value) || (!strchr(value, '/') && access(value, F_OK) < 0))
		return add(a, c, JFREC_JFR_START, "--settings", "settings", value);
	if (a->file_count == JFRARGS_FILES_MAX) {
		report_usage(c, "there are more than %d settings files", JFRARGS_FILES_MAX);
		return -1;
	}
	fd = open(value, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return fail(value, strerror(errno));
	ret = read_settings(a, value, fd);
	close(fd);
	return ret;
}

void jfrargs_fini(struct jfrargs *a)
{
	for (size_t i = 0; i < a->file_count; i++)
		free((void *)a->files[i].text);
	for (size_t i = 0; i < a->key_count; i++)
		free(a->keys[i]);
	*a = (struct jfrargs){ 0 };
}
