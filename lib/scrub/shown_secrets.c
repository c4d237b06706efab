/* SPDX-License-Identifier: MIT */
/*
 * shown_secrets.c - texts of a recording as people are shown them, without what is secret
 *
 * The rules are those of `jfrec scrub`, with its fixed mask and without a salt: so the same
 * recording gives the same page.  What was found in the texts that it learnt from, such as the
 * values of properties, is taken away from all others; what is only found in one that is shown
 * is not.
 */
#include "scrub/shown_secrets.h"

#include <string.h>

#include "read/select.h"
#include "scrub/encoded.h"
#include "scrub/hunted.h"
#include "scrub/rules.h"

int secrets_init(struct secrets *s, struct jfrec_error *err)
{
	s->rules = jfrec_scrub_rules_new(err);
	return s->rules ? jfrec_scrub_rules_add(s->rules, "default", err) : -1;
}

void secrets_fini(struct secrets *s)
{
	jfrec_scrub_rules_free(s->rules);
	for (size_t i = 0; i < sizeof(s->room) / sizeof(*s->room); i++)
		buffer_fini(&s->room[i]);
	text_set_fini(&s->found);
	digest_map_fini(&s->known);
	*s = (struct secrets){ 0 };
}

static bool is_in(const char *list, const char *text)
{
	return !list || (text && list_matches(list, text, strlen(text)));
}

/* Rules for fields and structs whose names say that they are secret need the types. */
static bool looks_at(const struct rule *rule, const struct text_spot *spot)
{
	return !rule->secret_fields && !rule->behind_names && is_in(rule->event, spot->event) &&
	       is_in(rule->field, spot->field) &&
	       rule_is_for(rule, spot->name, spot->name ? strlen(spot->name) : 0);
}

static bool is_known(struct secrets *s, const struct text_spot *spot, const char *text)
{
	struct digest d = DIGEST_INIT;
	uint64_t *at;

	digest_bytes(&d, text, strlen(text));
	if (spot->name)
		digest_bytes(&d, spot->name, strlen(spot->name));
	at = digest_map_put(&s->known, d);
	if (at && *at)
		return true;
	if (at)
		*at = 1;
	s->found.failed |= !at;
	return false;
}

bool secrets_learn(struct secrets *s, const struct text_spot *spot, const char *text)
{
	struct hunted hunted = { &s->found, &s->room[2], 0 };
	size_t len = strlen(text);
	rule_set possible;

	if (!s->rules || is_known(s, spot, text))
		return !s->found.failed;
	possible = rules_possible(s->rules, text, len);
	for (unsigned i = 0; i < s->rules->count; i++) {
		const struct rule *rule = &s->rules->rules[i];

		if (!rule_set_has(&possible, i) || !looks_at(rule, spot))
			continue;
		buffer_clear(&s->room[0]);
		rule_apply(s->rules, rule, text, len, &s->room[0], hunted_add, &hunted);
	}
	s->has_new = true;
	return !s->found.failed && !s->room[0].failed && !s->room[2].failed;
}

/* Of so many secrets the other forms are searched for. */
#define MAX_ENCODED 10000

static bool make_ready(struct secrets *s)
{
	uint32_t count = s->found.count;

	for (uint32_t i = 0; s->has_new && i < count && i < MAX_ENCODED; i++)
		encoded_add(&s->found, s->found.texts[i].bytes, s->found.texts[i].len);
	if (s->has_new && text_set_ready(&s->found) < 0)
		return false;
	s->has_new = false;
	return true;
}

/* Take away what was found elsewhere; NULL if nothing is in the text. */
static const char *take_found(struct secrets *s, const char *text, size_t len, struct buffer *to)
{
	const uint8_t *from = (const uint8_t *)text;
	size_t at, equal, taken = 0;

	buffer_clear(to);
	while (text_set_find(&s->found, from + taken, len - taken, &at, &equal)) {
		buffer_put(to, from + taken, at);
		buffer_put(to, RULES_MASK, strlen(RULES_MASK));
		taken += at + equal;
	}
	if (taken == 0)
		return NULL;
	buffer_put(to, from + taken, len - taken);
	buffer_u8(to, 0);
	return to->failed ? RULES_MASK : (const char *)to->data;
}

/* One rule after the other: what one leaves is what the next one sees. */
const char *secrets_redact(struct secrets *s, const struct text_spot *spot, const char *text)
{
	size_t len = strlen(text);
	const char *shown;
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
	if (!make_ready(s))
		return RULES_MASK;
	shown = s->found.count ? take_found(s, text, len, &s->room[2]) : NULL;
	return shown ? shown : text;
}
