/* SPDX-License-Identifier: MIT */
/*
 * pages.c - resources: rules, pages of help, and how to go about it
 */
#include "mcp/pages.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "jfrec.h"
#include "mcp/words.h"

#define SKILL "jfrec://skill"

extern const struct embedded_file embedded_skill[];

const char *pages_skill(void)
{
	return embedded_skill[0].text;
}

static void add(json_t *list, const char *uri, const char *name, const char *description,
		const char *mime)
{
	json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "uri", uri, "name", name,
					      "description", description, "mimeType", mime));
}

json_t *pages_list(void)
{
	json_t *list = json_array();
	char uri[100];

	add(list, SKILL, "skill", "How to find what is wrong with a JVM, step by step",
	    "text/markdown");
	add(list, "jfrec://help/where", "where",
	    "Expressions that select events, for `where` and `during`", "text/plain");
	for (size_t i = 0; i < jfrec_rule_count(); i++) {
		const struct jfrec_rule_info *rule = jfrec_rule_get(i);

		snprintf(uri, sizeof(uri), "jfrec://rules/%s", rule->id);
		add(list, uri, rule->id, rule->question, "text/plain");
	}
	return json_pack("{s:o}", "resources", list);
}

json_t *pages_templates(void)
{
	return json_pack("{s:[{s:s, s:s, s:s, s:s}]}", "resourceTemplates", "uriTemplate",
			 "jfrec://rules/{rule}", "name", "rule", "description",
			 "What a rule of `analyze` asks, and how it computes its answer",
			 "mimeType", "text/plain");
}

json_t *pages_read(const char *uri)
{
	if (strcmp(uri, SKILL) != 0)
		return NULL;
	return json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", SKILL, "mimeType",
			 "text/markdown", "text", pages_skill());
}

bool pages_have(const char *uri)
{
	const char *name = words_rule_of(uri);

	return name ? jfrec_rule_find(name) != NULL : words_topic_of(uri) != NULL;
}
