/* SPDX-License-Identifier: MIT */
/*
 * secrets.c - texts of a report without what is secret
 *
 * The rules are those of `jfrec scrub`, with its fixed mask and without a salt: so the same
 * recording gives the same page. What was taken away in one place is not searched for in others.
 */
#include "report/secrets.h"

#include <string.h>

#include "edit/rules.h"
#include "read/select.h"

int secrets_init(struct secrets *s, struct jfrec_error *err)
{
	s->rules = jfrec_rules_new(err);
	return s->rules ? jfrec_rules_add(s->rules, "default", err) : -1;
}

void secrets_fini(struct secrets *s)
{
	jfrec_rules_free(s->rules);
	buffer_fini(&s->room[0]);
	buffer_fini(&s->room[1]);
}

static bool is_in(const char *list, const char *text)
{
	return !list || (text && list_matches(list, text, strlen(text)));
}

/* Rules for fields whose names say that they are secret need the recording's types. */
static bool looks_at(const struct rule *rule, const struct text_spot *spot)
{
	return !rule->secret_fields && is_in(rule->event, spot->event) &&
	       is_in(rule->field, spot->field) &&
	       rule_is_for(rule, spot->name, spot->name ? strlen(spot->name) : 0);
}

/* One rule after the other: what one leaves is what the next one sees. */
const char *secrets_redact(struct secrets *s, const struct text_spot *spot, const char *text)
{
	size_t len = strlen(text);
	rule_set possible;
	unsigned at = 0;

	if (!s->rules)
		return text;
	possible = rules_possible(s->rules, text, len);
	for (unsigned i = 0; i < s->rules->count; i++) {
		const struct rule *rule = &s->rules->rules[i];
		struct buffer *to = &s->room[at];

		if (!rule_set_has(&possible, i) || !looks_at(rule, spot))
			continue;
		buffer_clear(to);
		if (!rule_apply(s->rules, rule, text, len, to, NULL, NULL))
			continue;
		len = to->len;
		buffer_u8(to, 0);
		if (to->failed)
			return RULES_MASK;
		text = (const char *)to->data;
		at = !at;
	}
	return text;
}
