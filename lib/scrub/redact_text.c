/* SPDX-License-Identifier: MIT */
/*
 * redact_text.c - redact one text, wherever it occurs
 */
#include <string.h>

#include "scrub/encoded.h"
#include "scrub/hunted.h"
#include "scrub/redact.h"

/* The rule that a secret falls under where no rule looks for it. */
#define ELSEWHERE "found elsewhere"

/* Texts ---------------------------------------------------------------------------------------- */

/* One buffer has the text so far, the other one takes what becomes of it. */
static struct buffer *other_text(struct redactor *r, const struct buffer *now)
{
	struct buffer *to = now == &r->texts[0] ? &r->texts[1] : &r->texts[0];

	buffer_clear(to);
	return to;
}

/* A rule_piece_fn: what was taken away is searched for elsewhere. */
static void hunt(void *redactor, const struct rule *rule, const char *piece, size_t len)
{
	struct redactor *r = redactor;
	struct hunted hunted = { &r->all->secrets, &r->decoded, 0 };

	pthread_mutex_lock(&r->all->lock);
	hunted_add(&hunted, rule, piece, len);
	pthread_mutex_unlock(&r->all->lock);
	r->too_common += hunted.too_common;
}

/*
 * Each rule looks at the text as it is in the recording, so that tokens of one
 * are no secrets to the next; but what is taken away to be no secret elsewhere,
 * others do not see.  Returns whether a rule found anything.
 */
static bool collect_text(struct redactor *r, rule_set rules, const struct spot *spot,
			 const char *text, size_t len)
{
	const struct buffer *now = NULL;
	bool found = false;

	for (unsigned i = 0; i < r->rules->count; i++) {
		const struct rule *rule = &r->rules->rules[i];
		struct buffer *to;

		if (!rule_set_has(&rules, i) || !rule_is_for(rule, spot->name, spot->name_len))
			continue;
		to = other_text(r, now);
		if (!rule_apply(r->rules, rule, now ? (const char *)now->data : text,
				now ? now->len : len, to, hunt, r))
			continue;
		found = true;
		if (rule->text_set_from == 0)
			now = to;
	}
	return found;
}

/* Take away what is secret, the longest first where several begin. */
static bool take_secrets(struct redactor *r, const struct spot *spot, const uint8_t *text,
			 size_t len, struct buffer *to)
{
	const char *mask = spot->is_name ? RULES_NAME_MASK : RULES_MASK;
	bool found = false;
	size_t at, equal;

	while (text_set_find(&r->all->secrets, text, len, &at, &equal)) {
		buffer_put(to, text, at);
		buffer_put(to, mask, strlen(mask));
		text += at + equal;
		len -= at + equal;
		found = true;
	}
	if (found)
		buffer_put(to, text, len);
	return found;
}

/* A sample is what is written in the end: in between, secrets are still there. */
static void note(struct redactor *r, const struct spot *spot, const struct redact_cache_entry *c,
		 const struct buffer *now)
{
	const char *type = spot->of ? spot->of->name : spot->type;
	const char *field =
		spot->of ? rule_paths_path(&r->paths, spot->of, spot->step) : spot->field;

	for (unsigned i = 0; i < r->rules->count; i++) {
		if (rule_set_has(&c->rules, i))
			findings_add(&r->redacted.findings, type, field, r->rules->rules[i].name,
				     now->data, now->len);
	}
	if (c->elsewhere)
		findings_add(&r->redacted.findings, type, field, ELSEWHERE, now->data, now->len);
}

static const struct buffer *apply_rules(struct redactor *r, rule_set rules, const struct spot *spot,
					const char *text, size_t len, struct redact_cache_entry *c)
{
	const struct buffer *now = NULL;

	for (unsigned i = 0; i < r->rules->count; i++) {
		const struct rule *rule = &r->rules->rules[i];
		struct buffer *to;

		if (!rule_set_has(&rules, i) || !rule_is_for(rule, spot->name, spot->name_len))
			continue;
		to = other_text(r, now);
		if (!rule_apply(r->rules, rule, now ? (const char *)now->data : text,
				now ? now->len : len, to, NULL, NULL))
			continue;
		now = to;
		rule_set_add(&c->rules, i);
	}
	return now;
}

/*
 * What rules find once escapes that nobody needs are undone, as in "pass\u0077ord=x": a program
 * reads both alike.  The text stays as it is written where they hide nothing.
 */
static const struct buffer *apply_to_unescaped(struct redactor *r, rule_set rules,
					       const struct spot *spot, const struct buffer *plain,
					       struct redact_cache_entry *c)
{
	rule_set possible = rules_possible(r->rules, (const char *)plain->data, plain->len);

	rule_set_keep(&rules, &possible);
	if (!r->collecting)
		return apply_rules(r, rules, spot, (const char *)plain->data, plain->len, c);
	collect_text(r, rules, spot, (const char *)plain->data, plain->len);
	return NULL;
}

/* The same, of a text that is now `now`, if it has changed; so it stays if nothing is found. */
static const struct buffer *look_behind_escapes(struct redactor *r, rule_set rules,
						const struct spot *spot, const char *text,
						size_t len, const struct buffer *now,
						struct redact_cache_entry *c)
{
	struct buffer plain = { 0 }, kept = { 0 };
	const struct buffer *found = NULL;

	if (encoded_unescape(now ? (const char *)now->data : text, now ? now->len : len, &plain)) {
		c->plain = false;
		if (now)
			buffer_put(&kept, now->data, now->len);
		found = apply_to_unescaped(r, rules, spot, &plain, c);
		if (!found && now) {
			struct buffer *to = other_text(r, NULL);

			buffer_put(to, kept.data, kept.len);
			to->failed |= kept.failed;
			found = to;
		}
		now = found;
	}
	r->failed |= plain.failed;
	buffer_fini(&plain);
	buffer_fini(&kept);
	return now;
}

/* Take away what is secret of a text that is now `now`, if it has changed. */
static const struct buffer *take_elsewhere(struct redactor *r, const struct spot *spot,
					   const char *text, size_t len, const struct buffer *now,
					   struct redact_cache_entry *c)
{
	struct buffer *to = other_text(r, now);

	c->elsewhere = take_secrets(r, spot, now ? now->data : (const uint8_t *)text,
				    now ? now->len : len, to);
	return c->elsewhere ? to : now;
}

/* Rules find nothing in the text if the first pass knows that it is plain. */
static const struct buffer *work_out(struct redactor *r, rule_set rules, const struct spot *spot,
				     const char *text, size_t len, bool is_plain,
				     struct redact_cache_entry *c)
{
	const struct buffer *now;
	rule_set all = rules;

	if (is_plain)
		return take_elsewhere(r, spot, text, len, NULL, c);
	if (!rule_set_is_empty(&rules)) {
		rule_set possible = rules_possible(r->rules, text, len);

		rule_set_keep(&rules, &possible);
	}
	if (r->collecting) {
		c->plain = !collect_text(r, rules, spot, text, len);
		look_behind_escapes(r, all, spot, text, len, NULL, c);
		return NULL;
	}
	now = apply_rules(r, rules, spot, text, len, c);
	now = look_behind_escapes(r, all, spot, text, len, now, c);
	return take_elsewhere(r, spot, text, len, now, c);
}

enum { IS_NAME = 1, HAS_NAME = 2, POOLED = 4 };

/* All that decides what becomes of a text. */
static void make_key(struct redactor *r, rule_set rules, const struct spot *spot, const char *text,
		     size_t len)
{
	buffer_clear(&r->key);
	buffer_put(&r->key, &rules, sizeof(rules));
	buffer_u8(&r->key, (uint8_t)((spot->is_name ? IS_NAME : 0) | (spot->name ? HAS_NAME : 0)));
	buffer_varint(&r->key, spot->name_len);
	if (spot->name)
		buffer_put(&r->key, spot->name, spot->name_len);
	buffer_put(&r->key, text, len);
}

/* What the cache knows of the text whose key is r->key. */
enum recalled {
	NOT_KNOWN,
	IS_PLAIN, /* to the rules */
	IS_KNOWN, /* *c and *now say what became of it */
};

static enum recalled recall(struct redactor *r, struct redact_cache_entry *c,
			    const struct buffer **now)
{
	const struct redact_cache *cache = &r->all->cache;
	const struct redact_cache_entry *known;
	enum recalled ret = NOT_KNOWN;

	pthread_mutex_lock(&r->all->lock);
	known = redact_cache_find(cache, &r->key);
	if (known && known->round == cache->round) {
		ret = IS_KNOWN;
		*c = *known;
		if (known->changed) {
			struct buffer *to = other_text(r, NULL);

			buffer_put(to, cache->bytes.data + known->now, known->now_len);
			*now = to;
		}
	} else if (known && known->plain) {
		ret = IS_PLAIN;
	}
	pthread_mutex_unlock(&r->all->lock);
	return ret;
}

/*
 * Count the secrets of the text that are not worth a search, once however many threads look at it;
 * of those that are too long for the cache each time.
 */
static void count_common(struct redactor *r)
{
	struct digest d = DIGEST_INIT;
	uint64_t *counted;

	if (redact_cache_takes(&r->key)) {
		digest_bytes(&d, r->key.data, r->key.len);
		counted = digest_map_put(&r->all->counted, d);
		r->failed |= !counted;
		if (!counted || *counted)
			return;
		*counted = 1;
	}
	r->all->common_secret_count += r->too_common;
}

/* Note what became of it. */
static void keep(struct redactor *r, const struct redact_cache_entry *c, const struct buffer *now)
{
	pthread_mutex_lock(&r->all->lock);
	if (r->too_common)
		count_common(r);
	redact_cache_add(&r->all->cache, &r->key, *c, now);
	pthread_mutex_unlock(&r->all->lock);
	r->too_common = 0;
}

const struct buffer *redact_text(struct redactor *r, rule_set rules, const struct spot *spot,
				 const char *text, size_t len)
{
	struct redact_cache_entry c = { 0 };
	const struct buffer *now = NULL;
	enum recalled known;

	make_key(r, rules, spot, text, len);
	known = recall(r, &c, &now);
	if (known != IS_KNOWN) {
		now = work_out(r, rules, spot, text, len, known == IS_PLAIN, &c);
		keep(r, &c, now);
	}
	if (now)
		note(r, spot, &c, now);
	return now;
}

/* A constant is long once, and what becomes of it may be in many events. */
#define LONGEST_POOLED 4096

static const struct buffer *clip(struct redactor *r, const struct buffer *now)
{
	struct buffer *to;

	if (!now || now->len <= LONGEST_POOLED)
		return now;
	to = other_text(r, now);
	buffer_put(to, RULES_MASK, strlen(RULES_MASK));
	return to;
}

const struct buffer *redact_pooled(struct redactor *r, rule_set rules, const struct spot *spot,
				   const struct pooled *p)
{
	uint64_t place[2] = { r->chunk_number, p->key };
	struct redact_cache_entry c = { 0 };
	const struct buffer *now = NULL;
	const char *text;
	size_t len;

	make_key(r, rules, spot, (const char *)place, sizeof(place));
	if (!r->key.failed)
		r->key.data[sizeof(rules)] |= POOLED;
	if (recall(r, &c, &now) != IS_KNOWN) {
		text = string_text(&r->scratch, p->string, &len);
		if (!text) {
			r->texts[0].failed = true;
			return NULL;
		}
		now = clip(r, work_out(r, rules, spot, text, len, false, &c));
		keep(r, &c, now);
	}
	if (now)
		note(r, spot, &c, now);
	return now;
}

void redact_note_number(struct redactor *r, rule_set rules, const struct spot *spot)
{
	static const uint8_t digit[] = "0";
	struct redact_cache_entry c = { .rules = rules };

	note(r, spot, &c, &(struct buffer){ .data = (uint8_t *)digit, .len = 1 });
}

/* Strings -------------------------------------------------------------------------------------- */

static struct string utf8_of(const struct buffer *text)
{
	return (struct string){ .encoding = STRING_UTF8, .bytes = text->data, .len = text->len };
}

static bool is_latin1(const struct buffer *text)
{
	struct string s = utf8_of(text);
	int32_t c;

	while ((c = string_next(&s)) >= 0) {
		if (c > 0xff)
			return false;
	}
	return true;
}

static void put_latin1(struct buffer *to, const struct buffer *text)
{
	struct string s = utf8_of(text), counted = s;
	uint64_t n = 0;
	int32_t c;

	while (string_next(&counted) >= 0)
		n++;
	buffer_u8(to, STRING_LATIN1);
	buffer_varint(to, n);
	while ((c = string_next(&s)) >= 0)
		buffer_u8(to, (uint8_t)c);
}

void redact_put_units(struct buffer *to, const struct buffer *text)
{
	struct string s = utf8_of(text), counted = s;
	uint64_t n = 0;
	int32_t c;

	while ((c = string_next(&counted)) >= 0)
		n += c > 0xffff ? 2 : 1;
	buffer_varint(to, n);
	while ((c = string_next(&s)) >= 0) {
		if (c > 0xffff) {
			buffer_varint(to, 0xd800 + ((uint32_t)(c - 0x10000) >> 10));
			buffer_varint(to, 0xdc00 + ((uint32_t)c & 0x3ff));
		} else {
			buffer_varint(to, (uint32_t)c);
		}
	}
}

void redact_encode(struct buffer *to, enum string_encoding encoding, const struct buffer *text)
{
	if (encoding == STRING_UTF8) {
		buffer_u8(to, STRING_UTF8);
		buffer_varint(to, text->len);
		buffer_put(to, text->data, text->len);
	} else if (encoding == STRING_LATIN1 && is_latin1(text)) {
		put_latin1(to, text);
	} else {
		buffer_u8(to, STRING_CHARS);
		redact_put_units(to, text);
	}
	to->failed |= text->failed;
}
