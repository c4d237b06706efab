/* SPDX-License-Identifier: MIT */
/*
 * user_rules_file.c - the rules of a user, and the files that they are read from
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/user_rules.h"
#include "base/error.h"
#include "jfrec-tool.h"

struct jfrec_user_rules *jfrec_user_rules_new(struct jfrec_error *err)
{
	struct jfrec_user_rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		jfrec_fail_memory(err);
	return rules;
}

void jfrec_user_rules_free(struct jfrec_user_rules *rules)
{
	if (!rules)
		return;
	jfrec_dictionary_free(rules->newest);
	arena_fini(&rules->arena);
	free(rules);
}

static int read_file(struct jfrec_user_rules *rules, const struct jfrec_yaml_node *root,
		     const char *name, struct jfrec_error *err)
{
	const char *file = arena_strndup(&rules->arena, name, strlen(name));

	if (!file)
		return jfrec_fail_memory(err);
	if (root->kind != JFREC_YAML_MAP || !root->first)
		return jfrec_yaml_fail(root, err, "a file of rules begins with `rules:`");
	for (const struct jfrec_yaml_node *n = root->first; n; n = n->next) {
		if (strcmp(n->key, "rules") != 0 || n->kind != JFREC_YAML_MAP)
			return jfrec_yaml_fail_key(n, err, "a file of rules has only `rules:`, and "
						   "below it the rules by their names");
		for (const struct jfrec_yaml_node *rule = n->first; rule; rule = rule->next) {
			if (user_rule_read(rules, rule, file, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* The document may be NULL, with *err set; it is freed. */
static int read_document(struct jfrec_user_rules *rules, struct jfrec_yaml *yaml, const char *name,
			 struct jfrec_error *err)
{
	int ret = yaml ? read_file(rules, jfrec_yaml_root(yaml), name, err) : -1;

	jfrec_yaml_free(yaml);
	return ret;
}

int jfrec_user_rules_load(struct jfrec_user_rules *rules, const char *path,
			  struct jfrec_error *err)
{
	return read_document(rules, jfrec_yaml_read(path, false, err), path, err);
}

int jfrec_user_rules_add(struct jfrec_user_rules *rules, const void *text, size_t len,
			 const char *name, struct jfrec_error *err)
{
	return read_document(rules, jfrec_yaml_parse(text, len, err), name, err);
}

size_t jfrec_user_rules_count(const struct jfrec_user_rules *rules)
{
	return rules->count;
}

const struct jfrec_rule_info *jfrec_user_rules_get(const struct jfrec_user_rules *rules, size_t i)
{
	const struct user_rule *r = rules->first;

	while (r && i--)
		r = r->next;
	return r ? &r->rule.info : NULL;
}
