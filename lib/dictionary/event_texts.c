/* SPDX-License-Identifier: MIT */
/*
 * event_texts.c - the descriptions of events, written for this project
 */
#include "dictionary/event_texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jfrec-tool.h"
#include "settings/yaml.h"

struct event_texts {
	struct arena arena;
	struct jfrec_yaml_node *root;
};

struct event_texts *event_texts_new(const char *yaml, struct jfrec_error *err)
{
	struct event_texts *t = calloc(1, sizeof(*t));

	if (!t) {
		jfrec_fail_memory(err);
		return NULL;
	}
	t->root = yaml_parse(&t->arena, yaml, strlen(yaml), err);
	if (!t->root) {
		event_texts_free(t);
		return NULL;
	}
	return t;
}

void event_texts_free(struct event_texts *t)
{
	if (!t)
		return;
	arena_fini(&t->arena);
	free(t);
}

static const struct jfrec_yaml_node *child(const struct jfrec_yaml_node *of, const char *key)
{
	const struct jfrec_yaml_node *n = of && of->kind == JFREC_YAML_MAP ? of->first : NULL;

	while (n && strcmp(n->key, key) != 0)
		n = n->next;
	return n;
}

const char *event_texts_get(const struct event_texts *t, const char *event, const char *what)
{
	const struct jfrec_yaml_node *n = child(child(t->root, event), what);

	return n && n->kind == JFREC_YAML_TEXT ? n->text : NULL;
}
