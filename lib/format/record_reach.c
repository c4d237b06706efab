/* SPDX-License-Identifier: MIT */
/*
 * record_reach.c - how far bytes can be what a recorder wrote
 */
#include "format/record_reach.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "format/plan.h"
#include "format/pool.h"
#include "format/string.h"

/* Elements of metadata: root, metadata, class, field, annotation; as metadata.c has it. */
#define MAX_NESTING    16
#define MAX_ATTRIBUTES 64

/* Values of types in types. */
#define MAX_DEPTH 16

/* Steps over the bytes; `good` is how far they were right. */
struct look {
	struct cursor c;
	const uint8_t *good;
	const struct known_keys *keys;
	uint64_t odd;
};

static bool is_right(struct look *l)
{
	if (l->c.bad)
		return false;
	l->good = l->c.pos;
	return true;
}

static struct reach reach(const struct look *l, const uint8_t *bytes)
{
	return (struct reach){ (uint64_t)(l->good - bytes), l->odd };
}

/* Keys ----------------------------------------------------------------------------------------- */

static uint64_t key_id(const struct jfrec_type *t, uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15) + t->id;
}

static int add_key(void *ctx, const struct constant *one)
{
	struct known_keys *k = ctx;

	return idmap_put(&k->keys, key_id(one->type, one->key), 1) &&
			       idmap_put(&k->types, one->type->id, 1)
		       ? 0
		       : -1;
}

int known_keys_add(struct known_keys *k, const struct metadata *m, const uint8_t *checkpoint,
		   uint64_t size)
{
	struct jfrec_error why = { 0 };
	int64_t delta;

	pools_each_constant(m, checkpoint, size, &delta, add_key, k, NULL, &why);
	return why.code == JFREC_ENOMEM ? -1 : 0;
}

void known_keys_fini(struct known_keys *k)
{
	idmap_fini(&k->keys);
	idmap_fini(&k->types);
	*k = (struct known_keys){ 0 };
}

static void look_at_key(struct look *l, const struct jfrec_field *f, uint64_t key)
{
	if (!key || !f || !f->type || !l->keys ||
	    idmap_get(&l->keys->types, f->type->id) == IDMAP_NONE)
		return;
	l->odd += idmap_get(&l->keys->keys, key_id(f->type, key)) == IDMAP_NONE;
}

/* Values --------------------------------------------------------------------------------------- */

static bool pass(struct look *l, const struct plan *p, unsigned depth);

static bool pass_array(struct look *l, const struct plan *element, unsigned depth)
{
	uint64_t n = cursor_varint(&l->c);

	if (n > cursor_left(&l->c) || !is_right(l))
		return false;
	for (; n; n--) {
		if (!pass(l, element, depth + 1))
			return false;
	}
	return true;
}

static bool pass(struct look *l, const struct plan *p, unsigned depth)
{
	if (p->fault || depth > MAX_DEPTH)
		return false;
	for (unsigned i = 0; i < p->step_count; i++) {
		const struct step *s = &p->steps[i];

		if (s->wire == WIRE_ARRAY) {
			if (!pass_array(l, s->element, depth))
				return false;
			continue;
		}
		if (s->wire == WIRE_KEY)
			look_at_key(l, s->field, cursor_varint(&l->c));
		else if (s->wire == WIRE_STRING)
			string_skip(&l->c);
		else if (s->wire == WIRE_BOOLEAN && cursor_u8(&l->c) > 1)
			return false;
		else if (s->wire != WIRE_BOOLEAN)
			wire_skip(s->wire, &l->c);
		if (!is_right(l))
			return false;
	}
	return true;
}

static bool pass_varints(struct look *l, unsigned n)
{
	cursor_skip_varints(&l->c, n);
	return is_right(l);
}

/* Checkpoints and other events ----------------------------------------------------------------- */

static bool pass_pool(struct look *l, const struct metadata *m)
{
	const struct jfrec_type *t = metadata_type(m, cursor_varint(&l->c));
	uint64_t n = cursor_varint(&l->c);

	if (!t || t->is_event || n > cursor_left(&l->c) || !is_right(l))
		return false;
	for (; n; n--) {
		if (!pass_varints(l, 1) || !pass(l, plan_of(t), 0))
			return false;
	}
	return true;
}

static void pass_checkpoint(struct look *l, const struct metadata *m)
{
	uint64_t pools;

	/* size, type, start, duration, where the last one is */
	if (!pass_varints(l, 5))
		return;
	cursor_u8(&l->c);
	pools = cursor_varint(&l->c);
	if (!is_right(l))
		return;
	for (; pools && pass_pool(l, m); pools--)
		;
}

static void pass_event(struct look *l, const struct metadata *m, uint64_t type_id)
{
	const struct jfrec_type *t = metadata_type(m, type_id);

	if (t && t->is_event && pass_varints(l, 2))
		pass(l, plan_of(t), 0);
}

/* Metadata ------------------------------------------------------------------------------------- */

enum word {
	WORD_ELEMENT = 1, /* the name of an element */
	WORD_KEY = 2,	  /* of an attribute, as every recorder has them */
	WORD_NAME = 4,	  /* could be that of an annotation's member */
	WORD_NUMBER = 8,
	WORD_BOOLEAN = 16,
	WORD_WANTS_NUMBER = 32, /* the key of one */
	WORD_WANTS_BOOLEAN = 64,
};

struct tree {
	struct look *look;
	const uint8_t *words; /* of each string */
	uint64_t count;
};

static bool is_word(const struct string *s, const char *word)
{
	return s->len == strlen(word) && memcmp(s->bytes, word, s->len) == 0;
}

static bool is_any_word(const struct string *s, const char *const words[])
{
	while (*words && !is_word(s, *words))
		words++;
	return *words;
}

static bool has_only(const struct string *s, bool (*is)(uint8_t c))
{
	uint64_t i = 0;

	while (i < s->len && is(s->bytes[i]))
		i++;
	return s->len && i == s->len;
}

static bool is_digit(uint8_t c)
{
	return c == '-' || (c >= '0' && c <= '9');
}

static bool is_of_name(uint8_t c)
{
	return is_digit(c) || c == '_' || c == '$' || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static uint8_t words_of(const struct string *s)
{
	static const char *const elements[] = { "root",	      "metadata", "class",  "field",
						"annotation", "setting",  "region", NULL };
	static const char *const numbers[] = {
		"id", "class", "dimension", "gmtOffset", "dst", NULL
	};
	static const char *const booleans[] = { "simpleType", "constantPool", NULL };
	static const char *const keys[] = { "name",   "superType", "defaultValue",
					    "locale", "value",	   NULL };
	uint8_t w = 0;

	/* In all three a word is its letters. */
	if (s->encoding < STRING_UTF8)
		return 0;
	w |= is_any_word(s, elements) ? WORD_ELEMENT : 0;
	w |= is_any_word(s, numbers) ? WORD_KEY | WORD_WANTS_NUMBER : 0;
	w |= is_any_word(s, booleans) ? WORD_KEY | WORD_WANTS_BOOLEAN : 0;
	w |= is_any_word(s, keys) || (s->len > 6 && memcmp(s->bytes, "value-", 6) == 0) ? WORD_KEY
											: 0;
	w |= has_only(s, is_digit) ? WORD_NUMBER : 0;
	w |= is_word(s, "true") || is_word(s, "false") ? WORD_BOOLEAN : 0;
	w |= has_only(s, is_of_name) && !is_digit(s->bytes[0]) ? WORD_NAME : 0;
	return w;
}

/* What the next index stands for; no word if there is no such string. */
static uint8_t next_word(const struct tree *t, bool *is_there)
{
	uint64_t i = cursor_varint(&t->look->c);

	*is_there = !t->look->c.bad && i < t->count;
	return *is_there ? t->words[i] : 0;
}

static bool pass_attribute(const struct tree *t)
{
	bool is_there;
	uint8_t key = next_word(t, &is_there), value;

	if (!(key & (WORD_KEY | WORD_NAME)))
		return false;
	t->look->odd += !(key & WORD_KEY);
	value = next_word(t, &is_there);
	return is_there && (!(key & WORD_WANTS_NUMBER) || value & WORD_NUMBER) &&
	       (!(key & WORD_WANTS_BOOLEAN) || value & WORD_BOOLEAN) && is_right(t->look);
}

static bool pass_element(const struct tree *t, unsigned depth)
{
	bool is_there;
	uint64_t n;

	if (depth > MAX_NESTING || !(next_word(t, &is_there) & WORD_ELEMENT))
		return false;
	n = cursor_varint(&t->look->c);
	if (n > MAX_ATTRIBUTES || !is_right(t->look))
		return false;
	for (; n; n--) {
		if (!pass_attribute(t))
			return false;
	}
	n = cursor_varint(&t->look->c);
	if (n > cursor_left(&t->look->c) || !is_right(t->look))
		return false;
	for (; n; n--) {
		if (!pass_element(t, depth + 1))
			return false;
	}
	return true;
}

static void pass_metadata(struct look *l)
{
	struct tree tree = { .look = l };
	uint8_t *words;

	/* size, type, start, duration, number */
	if (!pass_varints(l, 5))
		return;
	tree.count = cursor_varint(&l->c);
	if (tree.count > cursor_left(&l->c) || !is_right(l))
		return;
	words = malloc(tree.count + 1);
	for (uint64_t i = 0; words && i < tree.count; i++) {
		struct string s = string_read(&l->c);

		if (!is_right(l))
			break;
		words[i] = words_of(&s);
	}
	tree.words = words;
	if (words && !l->c.bad)
		pass_element(&tree, 0);
	free(words);
}

struct reach reach_of(const struct metadata *m, const struct known_keys *k, uint64_t type_id,
		      const uint8_t *bytes, uint64_t len)
{
	struct look l = { .c = cursor_over(bytes, len), .good = bytes, .keys = k };

	if (type_id == TYPE_METADATA)
		pass_metadata(&l);
	else if (m && type_id == TYPE_CHECKPOINT)
		pass_checkpoint(&l, m);
	else if (m)
		pass_event(&l, m, type_id);
	return reach(&l, bytes);
}
