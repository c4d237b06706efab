/* SPDX-License-Identifier: MIT */
/*
 * rules_file.c - read scrub rules from a file
 *
 *	salt: TEXT                  for \h
 *	rules:
 *	  - name: customer numbers  in reports
 *	    event: shop.*           globs; any event
 *	    field: note,buyer.id    globs; any field
 *	    named: "*.id"           globs for the event's field `key` or `name`
 *	    not-named: public.*
 *	    match: C-([0-9]{4})[0-9]+
 *	    ignore-case: true       false
 *	    replace: C-\1****       [redacted]
 *	    hash: true              replace: \h
 *	    everywhere: false       true: what was taken away may be nowhere else
 */
#include <string.h>

#include "base/error.h"
#include "jfrec-tool.h"
#include "scrub/rules.h"
#include "scrub/text_set.h"
#include "settings/yaml.h"

/* A rule as it is read. */
struct draft {
	struct rule rule;
	const char *pattern;
	const struct jfrec_yaml_node *hash, *replace, *match;
	bool ignore_case, is_hash, everywhere;
};

static int take_text(const struct jfrec_yaml_node *n, const char **text, struct jfrec_error *err)
{
	if (n->kind != JFREC_YAML_TEXT || !*n->text)
		return jfrec_yaml_fail(n, err, "%s must be a text that is not empty", n->key);
	*text = n->text;
	return 0;
}

/* An empty replacement is one, too: the text is left out. */
static int take_replacement(const struct jfrec_yaml_node *n, const char **text,
			    struct jfrec_error *err)
{
	if (n->kind != JFREC_YAML_TEXT)
		return jfrec_yaml_fail(n, err, "%s is a text", n->key);
	*text = n->text;
	return 0;
}

/* Names are compared in lower case, so that globs must be. */
static int take_names(struct jfrec_scrub_rules *rules, const struct jfrec_yaml_node *n,
		      const char **text, struct jfrec_error *err)
{
	char *copy;

	if (take_text(n, text, err) < 0)
		return -1;
	copy = arena_strndup(&rules->arena, n->text, strlen(n->text));
	if (!copy)
		return jfrec_fail_memory(err);
	for (char *p = copy; *p; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p |= 0x20;
	}
	*text = copy;
	return 0;
}

static int take_key(struct jfrec_scrub_rules *rules, struct draft *d,
		    const struct jfrec_yaml_node *n, struct jfrec_error *err)
{
	if (strcmp(n->key, "name") == 0)
		return take_text(n, &d->rule.name, err);
	if (strcmp(n->key, "event") == 0)
		return take_text(n, &d->rule.event, err);
	if (strcmp(n->key, "field") == 0)
		return take_text(n, &d->rule.field, err);
	if (strcmp(n->key, "named") == 0)
		return take_names(rules, n, &d->rule.named, err);
	if (strcmp(n->key, "not-named") == 0)
		return take_names(rules, n, &d->rule.not_named, err);
	if (strcmp(n->key, "match") == 0) {
		d->match = n;
		return take_text(n, &d->pattern, err);
	}
	if (strcmp(n->key, "replace") == 0) {
		d->replace = n;
		return take_replacement(n, &d->rule.replace, err);
	}
	if (strcmp(n->key, "hash") == 0) {
		d->hash = n;
		return jfrec_yaml_bool(n, &d->is_hash, err);
	}
	if (strcmp(n->key, "ignore-case") == 0)
		return jfrec_yaml_bool(n, &d->ignore_case, err);
	if (strcmp(n->key, "everywhere") == 0)
		return jfrec_yaml_bool(n, &d->everywhere, err);
	return jfrec_yaml_fail(n, err, "a rule has no key %.60s", n->key);
}

static int finish(struct jfrec_scrub_rules *rules, const struct jfrec_yaml_node *n, struct draft *d,
		  struct jfrec_error *err)
{
	struct jfrec_error why;

	if (!d->match)
		return jfrec_yaml_fail(n, err, "a rule needs the key match");
	if (d->is_hash && d->replace)
		return jfrec_yaml_fail(d->hash, err, "hash or replace, with \\h in it");
	if (d->is_hash)
		d->rule.replace = "\\h";
	d->rule.text_set_from = d->everywhere ? TEXT_SET_MIN : 0;
	if (rule_check(&d->rule, d->pattern, d->ignore_case, &why) == 0 &&
	    rules_add(rules, &d->rule, d->pattern, d->ignore_case, &why) == 0)
		return 0;
	if (why.code != JFREC_EINVAL) {
		if (err)
			*err = why;
		return -1;
	}
	return jfrec_yaml_fail(d->match, err, "%s", why.text);
}

static int take_rule(struct jfrec_scrub_rules *rules, const struct jfrec_yaml_node *n,
		     struct jfrec_error *err)
{
	struct draft d = { .rule = { .name = "own rule", .replace = RULES_MASK },
			   .everywhere = true };

	if (n->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(n, err,
				       "a rule must be a map with the key match:");
	for (const struct jfrec_yaml_node *k = n->first; k; k = k->next) {
		if (take_key(rules, &d, k, err) < 0)
			return -1;
	}
	return finish(rules, n, &d, err);
}

static int take_rules(struct jfrec_scrub_rules *rules, const struct jfrec_yaml_node *list,
		      struct jfrec_error *err)
{
	if (list->kind != JFREC_YAML_LIST)
		return jfrec_yaml_fail(list, err, "rules must be a list");
	for (const struct jfrec_yaml_node *n = list->first; n; n = n->next) {
		if (take_rule(rules, n, err) < 0)
			return -1;
	}
	return 0;
}

static int take_salt(struct jfrec_scrub_rules *rules, const struct jfrec_yaml_node *n,
		     struct jfrec_error *err)
{
	const char *salt = NULL;

	return take_text(n, &salt, err) < 0 ? -1 : jfrec_scrub_rules_salt(rules, salt, err);
}

static int take_document(struct jfrec_scrub_rules *rules, const struct jfrec_yaml_node *root,
			 struct jfrec_error *err)
{
	if (root->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(root, err, "the document must be a map with the key rules:");
	for (const struct jfrec_yaml_node *n = root->first; n; n = n->next) {
		int ret = strcmp(n->key, "rules") == 0 ? take_rules(rules, n, err)
			  : strcmp(n->key, "salt") == 0
				  ? take_salt(rules, n, err)
				  : jfrec_yaml_fail(n, err, "unknown key %.60s", n->key);

		if (ret < 0)
			return -1;
	}
	return 0;
}

int jfrec_scrub_rules_load(struct jfrec_scrub_rules *rules, const char *path,
			   struct jfrec_error *err)
{
	struct arena arena = { 0 };
	struct jfrec_yaml_node *root = yaml_read(&arena, path, err);
	int ret = root ? take_document(rules, root, err) : -1;

	arena_fini(&arena);
	return ret;
}
