/* SPDX-License-Identifier: MIT */
/*
 * yaml.c - read small YAML documents strictly
 */
#include "settings/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/error.h"
#include "base/small_file.h"
#include "jfrec-tool.h"
#include "settings/file.h"

#define MAX_DEPTH 40
#define MAX_NODES 20000

struct parser {
	yaml_parser_t yaml;
	struct arena *arena;
	struct jfrec_yaml_node *root;
	struct jfrec_yaml_node *open[MAX_DEPTH]; /* lists and maps that have not ended */
	unsigned depth, nodes, documents;
	const char *key; /* that waits for its value */
	yaml_mark_t key_mark;
	struct jfrec_error *err;
};

static int fail_at(struct jfrec_error *err, size_t line, size_t column, const char *text)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "line %zu, column %zu: %s", line,
			  column, text);
}

int jfrec_yaml_fail(const struct jfrec_yaml_node *at, struct jfrec_error *err, const char *format,
		    ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fail_at(err, at->line, at->column, text);
}

int jfrec_yaml_fail_key(const struct jfrec_yaml_node *at, struct jfrec_error *err,
			const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fail_at(err, at->key_line, at->key_column, text);
}

int jfrec_yaml_bool(const struct jfrec_yaml_node *n, bool *value, struct jfrec_error *err)
{
	bool is_true = n->kind == JFREC_YAML_TEXT && !n->quoted && strcmp(n->text, "true") == 0;

	if (!is_true && (n->kind != JFREC_YAML_TEXT || n->quoted || strcmp(n->text, "false") != 0))
		return jfrec_yaml_fail(n, err, "%s must be true or "
					       "false", n->key ? n->key : "this");
	*value = is_true;
	return 0;
}

static int fail_event(struct parser *p, const yaml_event_t *e, const char *text)
{
	return fail_at(p->err, e->start_mark.line + 1, e->start_mark.column + 1, text);
}

/* Nodes ---------------------------------------------------------------------------------------- */

static struct jfrec_yaml_node *container(const struct parser *p)
{
	return p->depth ? p->open[p->depth - 1] : NULL;
}

static bool has_key(const struct jfrec_yaml_node *map, const char *key)
{
	for (const struct jfrec_yaml_node *n = map->first; n; n = n->next) {
		if (strcmp(n->key, key) == 0)
			return true;
	}
	return false;
}

static const char *text_of(struct parser *p, const yaml_event_t *e)
{
	const char *text = (const char *)e->data.scalar.value;

	if (memchr(text, '\0', e->data.scalar.length)) {
		fail_event(p, e, "a text contains a NUL byte");
		return NULL;
	}
	text = arena_strndup(p->arena, text, e->data.scalar.length);
	if (!text)
		jfrec_fail_memory(p->err);
	return text;
}

static int take_key(struct parser *p, const yaml_event_t *e)
{
	if (e->type != YAML_SCALAR_EVENT)
		return fail_event(p, e, "a key must be a text");
	p->key = text_of(p, e);
	if (!p->key)
		return -1;
	p->key_mark = e->start_mark;
	if (has_key(container(p), p->key))
		return fail_event(p, e, "this key occurs twice");
	return 0;
}

/* Add a node to the list or map at hand, or as the root. */
static struct jfrec_yaml_node *add(struct parser *p, const yaml_event_t *e,
				   enum jfrec_yaml_kind kind)
{
	struct jfrec_yaml_node *in = container(p), *n;

	if (++p->nodes > MAX_NODES) {
		fail_event(p, e, "the document has too many elements");
		return NULL;
	}
	n = arena_zalloc(p->arena, 1, sizeof(*n));
	if (!n) {
		jfrec_fail_memory(p->err);
		return NULL;
	}
	n->kind = kind;
	n->line = (unsigned)e->start_mark.line + 1;
	n->column = (unsigned)e->start_mark.column + 1;
	n->key = p->key;
	n->key_line = (unsigned)p->key_mark.line + 1;
	n->key_column = (unsigned)p->key_mark.column + 1;
	p->key = NULL;
	if (!in)
		p->root = n;
	else if (in->last)
		in->last->next = n;
	else
		in->first = n;
	if (in)
		in->last = n;
	return n;
}

static int take_scalar(struct parser *p, const yaml_event_t *e)
{
	struct jfrec_yaml_node *n = add(p, e, JFREC_YAML_TEXT);

	if (!n)
		return -1;
	n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	n->text = text_of(p, e);
	return n->text ? 0 : -1;
}

static int begin(struct parser *p, const yaml_event_t *e, enum jfrec_yaml_kind kind)
{
	struct jfrec_yaml_node *n;

	if (p->depth == MAX_DEPTH)
		return fail_event(p, e, "this is nested too deeply");
	n = add(p, e, kind);
	if (!n)
		return -1;
	p->open[p->depth++] = n;
	return 0;
}

/* Events --------------------------------------------------------------------------------------- */

static bool has_extras(const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_ALIAS_EVENT:
		return true;
	case YAML_SCALAR_EVENT:
		return e->data.scalar.anchor || e->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT:
		return e->data.sequence_start.anchor || e->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT:
		return e->data.mapping_start.anchor || e->data.mapping_start.tag;
	default:
		return false;
	}
}

static bool is_value(const yaml_event_t *e)
{
	return e->type == YAML_SCALAR_EVENT || e->type == YAML_SEQUENCE_START_EVENT ||
	       e->type == YAML_MAPPING_START_EVENT;
}

static int take(struct parser *p, const yaml_event_t *e)
{
	const struct jfrec_yaml_node *in = container(p);

	if (has_extras(e))
		return fail_event(p, e, "anchors, aliases and tags are not allowed here");
	if (is_value(e) && in && in->kind == JFREC_YAML_MAP && !p->key)
		return take_key(p, e);
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		return p->documents++ ? fail_event(p, e, "there is a second document") : 0;
	case YAML_SCALAR_EVENT:
		return take_scalar(p, e);
	case YAML_SEQUENCE_START_EVENT:
		return begin(p, e, JFREC_YAML_LIST);
	case YAML_MAPPING_START_EVENT:
		return begin(p, e, JFREC_YAML_MAP);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		p->depth--;
		return 0;
	default:
		return 0;
	}
}

static int fail_syntax(struct parser *p)
{
	const yaml_parser_t *y = &p->yaml;

	if (y->error == YAML_MEMORY_ERROR)
		return jfrec_fail_memory(p->err);
	if (y->error == YAML_READER_ERROR)
		return jfrec_fail(p->err, JFREC_EINVAL, y->problem_offset, "byte %zu: %s",
				  y->problem_offset, y->problem);
	return fail_at(p->err, y->problem_mark.line + 1, y->problem_mark.column + 1,
		       y->problem ? y->problem : "this is not YAML");
}

static int parse_all(struct parser *p)
{
	for (bool more = true; more;) {
		yaml_event_t e;
		int ret;

		if (!yaml_parser_parse(&p->yaml, &e))
			return fail_syntax(p);
		more = e.type != YAML_STREAM_END_EVENT;
		ret = take(p, &e);
		yaml_event_delete(&e);
		if (ret < 0)
			return -1;
	}
	return 0;
}

static struct jfrec_yaml_node *empty_map(struct arena *a, struct jfrec_error *err)
{
	struct jfrec_yaml_node *n = arena_zalloc(a, 1, sizeof(*n));

	if (!n) {
		jfrec_fail_memory(err);
		return NULL;
	}
	n->kind = JFREC_YAML_MAP;
	n->line = n->column = 1;
	return n;
}

struct jfrec_yaml_node *yaml_parse(struct arena *a, const void *bytes, size_t len,
				   struct jfrec_error *err)
{
	struct parser p = { .arena = a, .err = err };
	int ret;

	if (len > YAML_MAX_BYTES) {
		jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "it is larger than 1 MiB");
		return NULL;
	}
	if (!yaml_parser_initialize(&p.yaml)) {
		jfrec_fail_memory(err);
		return NULL;
	}
	yaml_parser_set_input_string(&p.yaml, bytes, len);
	ret = parse_all(&p);
	yaml_parser_delete(&p.yaml);
	if (ret < 0)
		return NULL;
	return p.root ? p.root : empty_map(a, err);
}

struct jfrec_yaml_node *yaml_read(struct arena *a, const char *path, struct jfrec_error *err)
{
	size_t len;
	char *bytes = small_file_read(path, YAML_MAX_BYTES, &len, err);
	struct jfrec_yaml_node *root = bytes ? yaml_parse(a, bytes, len, err) : NULL;

	free(bytes);
	return root;
}

/* Documents ------------------------------------------------------------------------------------ */

struct jfrec_yaml {
	struct arena arena;
	struct jfrec_yaml_node *root;
};

struct jfrec_yaml *jfrec_yaml_parse(const void *bytes, size_t len, struct jfrec_error *err)
{
	struct jfrec_yaml *y = calloc(1, sizeof(*y));

	if (!y) {
		jfrec_fail_memory(err);
		return NULL;
	}
	y->root = yaml_parse(&y->arena, bytes, len, err);
	if (y->root)
		return y;
	jfrec_yaml_free(y);
	return NULL;
}

struct jfrec_yaml *jfrec_yaml_read(const char *path, bool only_own, struct jfrec_error *err)
{
	size_t len = 0;
	char *bytes = only_own ? file_read_own(path, YAML_MAX_BYTES, &len, err)
			       : small_file_read(path, YAML_MAX_BYTES, &len, err);
	struct jfrec_yaml *y = bytes ? jfrec_yaml_parse(bytes, len, err) : NULL;

	free(bytes);
	return y;
}

const struct jfrec_yaml_node *jfrec_yaml_root(const struct jfrec_yaml *y)
{
	return y->root;
}

void jfrec_yaml_free(struct jfrec_yaml *y)
{
	if (!y)
		return;
	arena_fini(&y->arena);
	free(y);
}
