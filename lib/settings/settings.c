/* SPDX-License-Identifier: MIT */
/*
 * settings.c - create, read, merge and write recording settings
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/small_file.h"
#include "base/utf8.h"
#include "settings/formats.h"
#include "settings/grammar.h"
#include "settings/model.h"

void settings_changed(struct jfrec_settings *s)
{
	free(s->rows);
	free(s->options);
	s->rows = NULL;
	s->options = NULL;
	s->row_count = s->option_count = 0;
}

static struct jfrec_settings *allocate(struct jfrec_error *err)
{
	struct jfrec_settings *s = calloc(1, sizeof(*s));

	if (!s)
		jfrec_fail_memory(err);
	return s;
}

struct jfrec_settings *jfrec_settings_new(struct jfrec_error *err)
{
	struct jfrec_settings *s = allocate(err);

	if (!s)
		return NULL;
	s->root = element_add(&s->arena, NULL, "configuration");
	if (s->root && element_set(&s->arena, s->root, "version", "2.0") == 0 &&
	    element_set(&s->arena, s->root, "label", "Custom") == 0)
		return s;
	jfrec_fail_memory(err);
	jfrec_settings_free(s);
	return NULL;
}

void jfrec_settings_free(struct jfrec_settings *s)
{
	if (!s)
		return;
	settings_changed(s);
	arena_fini(&s->arena);
	free(s);
}

/* Reading -------------------------------------------------------------------------------------- */

static bool has_prefix(const char *bytes, size_t len, const char *prefix, size_t prefix_len)
{
	return len >= prefix_len && memcmp(bytes, prefix, prefix_len) == 0;
}

static unsigned line_of(const char *bytes, const char *at)
{
	unsigned line = 1;

	for (; bytes < at; bytes++)
		line += *bytes == '\n';
	return line;
}

/* The JVM takes nothing else, whatever the file itself declares.  bytes[len] is 0. */
static int check_encoding(const char *bytes, size_t len, struct jfrec_error *err)
{
	const char *end = bytes + len;

	if (has_prefix(bytes, len, "\xff\xfe", 2) || has_prefix(bytes, len, "\xfe\xff", 2))
		return jfrec_fail(err, JFREC_EFORMAT, 0,
				  "line 1: it is UTF-16; settings files are UTF-8");
	if (has_prefix(bytes, len, "FLR", 4))
		return jfrec_fail(err, JFREC_EFORMAT, 0,
				  "line 1: it is a recording, not a settings file");
	for (const char *at = bytes; at < end;) {
		size_t n = utf8_length(at);

		if (!n || !*at)
			return jfrec_fail(
				err, JFREC_EFORMAT, (uint64_t)(at - bytes),
				"line %u: byte 0x%02x is not text; settings files are UTF-8",
				line_of(bytes, at), (unsigned char)*at);
		at += n;
	}
	return 0;
}

/* XML begins with a `<`, perhaps after white space; YAML as we read it never does. */
static bool is_xml(const char *bytes)
{
	return bytes[strspn(bytes, " \t\r\n")] == '<';
}

static struct element *parse(struct arena *a, const char *bytes, size_t len,
			     struct jfrec_error *err)
{
	if (check_encoding(bytes, len, err) < 0)
		return NULL;
	if (has_prefix(bytes, len, "\xef\xbb\xbf", 3)) {
		bytes += 3;
		len -= 3;
	}
	if (!bytes[strspn(bytes, " \t\r\n")]) {
		jfrec_fail(err, JFREC_EFORMAT, 0, "line 1: it is empty");
		return NULL;
	}
	return is_xml(bytes) ? jfc_read(a, bytes, len, err)
			     : settings_from_yaml(a, bytes, len, err);
}

struct jfrec_settings *jfrec_settings_parse(const void *bytes, size_t len, struct jfrec_error *err)
{
	struct jfrec_settings *s;
	char *copy;

	if (len > SETTINGS_MAX_BYTES) {
		jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "it is larger than 1 MiB");
		return NULL;
	}
	s = allocate(err);
	copy = s ? arena_strndup(&s->arena, bytes, len) : NULL;
	if (s && !copy)
		jfrec_fail_memory(err);
	if (copy)
		s->root = parse(&s->arena, copy, len, err);
	if (s && s->root)
		return s;
	jfrec_settings_free(s);
	return NULL;
}

struct jfrec_settings *jfrec_settings_read(const char *path, struct jfrec_error *err)
{
	size_t len;
	char *bytes = small_file_read(path, SETTINGS_MAX_BYTES, &len, err);
	struct jfrec_settings *s = bytes ? jfrec_settings_parse(bytes, len, err) : NULL;

	free(bytes);
	return s;
}

/* Joining -------------------------------------------------------------------------------------- */

static const struct element *find_control(const struct element *root, const char *name)
{
	const struct element *e = NULL;

	while ((e = settings_next_control(root, e))) {
		if (!e->stray && element_is_named(e, name))
			return e;
	}
	return NULL;
}

bool jfrec_settings_has_control(const struct jfrec_settings *s, const char *name)
{
	return find_control(s->root, name);
}

static int check_controls(const struct jfrec_settings *s, const struct jfrec_settings *from,
			  struct jfrec_error *err)
{
	const struct element *e = NULL;

	while ((e = settings_next_control(from->root, e))) {
		const char *name = e->stray ? NULL : element_get(e, "name");

		if (name && find_control(s->root, name))
			return element_fail(e, err,
					    "Control with '%.100s' is declared in multiple files",
					    name);
	}
	return 0;
}

int jfrec_settings_add(struct jfrec_settings *s, const struct jfrec_settings *from,
		       struct jfrec_error *err)
{
	if (check_controls(s, from, err) < 0)
		return -1;
	settings_changed(s);
	for (const struct element *e = from->root->first; e; e = e->next) {
		if (element_copy(&s->arena, s->root, e) < 0)
			return jfrec_fail_memory(err);
	}
	return 0;
}

static bool is_known(const struct element *e, jfrec_settings_known_fn *known, void *ctx)
{
	const char *name = element_get(e, "name");

	if (e->kind == ELEMENT_EVENT)
		return !name || known(ctx, name, NULL);
	if (e->kind == ELEMENT_SETTING && name && element_get(e->parent, "name"))
		return known(ctx, element_get(e->parent, "name"), name);
	return true;
}

void jfrec_settings_restrict(struct jfrec_settings *s, jfrec_settings_known_fn *known, void *ctx)
{
	struct element *next;

	settings_changed(s);
	for (struct element *e = s->root; e; e = next) {
		bool keep = is_known(e, known, ctx);

		next = keep ? element_next(s->root, e) : element_behind(s->root, e);
		if (!keep)
			element_remove(e);
	}
}

/* Writing -------------------------------------------------------------------------------------- */

int jfrec_settings_write(const struct jfrec_settings *s, enum jfrec_settings_format format,
			 jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	struct buffer b = { 0 };
	int ret = 0, sys;

	if (format == JFREC_SETTINGS_JFC)
		jfc_write(&b, s->root);
	else
		ret = settings_to_yaml(&b, s->root, err);
	if (ret == 0 && b.failed)
		ret = jfrec_fail_memory(err);
	if (ret == 0 && (sys = write(ctx, b.data, b.len)) != 0)
		ret = jfrec_fail_output(err, sys);
	buffer_fini(&b);
	return ret;
}

/* What it says of itself ----------------------------------------------------------------------- */

const char *jfrec_settings_label(const struct jfrec_settings *s)
{
	return element_get(s->root, "label");
}

const char *jfrec_settings_description(const struct jfrec_settings *s)
{
	return element_get(s->root, "description");
}

const char *jfrec_settings_provider(const struct jfrec_settings *s)
{
	return element_get(s->root, "provider");
}
