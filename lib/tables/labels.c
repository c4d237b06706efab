/* SPDX-License-Identifier: MIT */
/*
 * labels.c - what no recording knows: given, or found in the names of files
 */
#include "tables/labels.h"

#include <string.h>

#include "base/error.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* What every engine takes as the name of a column without quotes. */
static bool is_key(const char *s, size_t len)
{
	if (!len || !is_letter(s[0]))
		return false;
	for (size_t i = 1; i < len; i++) {
		if (!is_letter(s[i]) && (s[i] < '0' || s[i] > '9'))
			return false;
	}
	return true;
}

const char *labels_get(const struct labels *l, const char *key, size_t len)
{
	for (size_t i = 0; i < l->count; i++) {
		if (strncmp(l->items[i].key, key, len) == 0 && !l->items[i].key[len])
			return l->items[i].value;
	}
	return NULL;
}

static int add_label(struct labels *l, const char *key, size_t len, const char *value,
		     struct jfrec_error *err)
{
	struct jfrec_label *new = &l->items[l->count];

	if (!is_key(key, len))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "'%.*s' cannot be a label; use letters, digits and underscores",
				  (int)(len < 64 ? len : 64), key);
	if (labels_get(l, key, len))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "label %.*s is given twice",
				  (int)(len < 64 ? len : 64), key);
	new->key = arena_strndup(&l->arena, key, len);
	new->value = arena_strndup(&l->arena, value, strlen(value));
	if (!new->key || !new->value)
		return jfrec_fail_memory(err);
	l->count++;
	return 0;
}

/* The pattern ---------------------------------------------------------------------------------- */

/* The part that begins there; its length in the pattern, or 0 if a brace is not closed. */
static size_t read_part(const char *at, struct name_part *part)
{
	const char *end;

	*part = (struct name_part){ .takes_any = *at == '*' || *at == '{' };
	if (*at == '*')
		return 1;
	if (*at != '{') {
		part->text = at;
		part->len = strcspn(at, "*{");
		return part->len;
	}
	end = strchr(at, '}');
	part->text = at + 1;
	part->len = end ? (size_t)(end - at - 1) : 0;
	return end ? (size_t)(end - at + 1) : 0;
}

static int read_pattern(struct labels *l, struct jfrec_error *err)
{
	for (const char *at = l->pattern; *at;) {
		struct name_part *part = &l->parts[l->part_count];
		size_t len = read_part(at, part);

		if (!len)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "a brace is not closed in the pattern %s", l->pattern);
		if (part->takes_any && l->part_count && part[-1].takes_any)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "the pattern %s has no text between two labels, so nothing "
					  "says where the first one ends",
					  l->pattern);
		if (part->takes_any && part->text &&
		    add_label(l, part->text, part->len, "", err) < 0)
			return -1;
		l->part_count++;
		at += len;
	}
	return 0;
}

int labels_init(struct labels *l, const struct jfrec_parquet_options *o, struct jfrec_error *err)
{
	size_t most = o->name_pattern ? strlen(o->name_pattern) : 0;

	*l = (struct labels){ .pattern = o->name_pattern };
	l->items = arena_zalloc(&l->arena, o->label_count + most + 1, sizeof(*l->items));
	l->parts = arena_zalloc(&l->arena, most + 1, sizeof(*l->parts));
	if (!l->items || !l->parts)
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < o->label_count; i++) {
		const struct jfrec_label *label = &o->labels[i];

		if (add_label(l, label->key, strlen(label->key), label->value, err) < 0)
			return -1;
	}
	l->given = l->count;
	return l->pattern ? read_pattern(l, err) : 0;
}

void labels_fini(struct labels *l)
{
	arena_fini(&l->arena);
	arena_fini(&l->values);
}

/* Names ---------------------------------------------------------------------------------------- */

/* Where the text of a part is next; NULL: nowhere. The last part must be at the end. */
static const char *find_text(const struct labels *l, size_t part, const char *at)
{
	const struct name_part *p = &l->parts[part];
	size_t left = strlen(at);

	if (part == l->part_count)
		return at + left;
	if (part + 1 == l->part_count)
		return left >= p->len && memcmp(at + left - p->len, p->text, p->len) == 0
			       ? at + left - p->len
			       : NULL;
	return memmem(at, left, p->text, p->len);
}

static bool take_values(struct labels *l, const char *at)
{
	size_t label = l->given;

	for (size_t i = 0; i < l->part_count; i++) {
		const struct name_part *part = &l->parts[i];
		const char *end = part->takes_any ? find_text(l, i + 1, at) : at + part->len;

		if (!part->takes_any && strncmp(at, part->text, part->len) != 0)
			return false;
		if (!end)
			return false;
		if (part->takes_any && part->text) {
			if (end == at)
				return false;
			l->items[label].value = arena_strndup(&l->values, at, (size_t)(end - at));
			label++;
		}
		at = end;
	}
	return !*at;
}

int labels_take_name(struct labels *l, const char *path, struct jfrec_error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (!l->pattern)
		return 0;
	arena_clear(&l->values);
	if (!take_values(l, name))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "the name of %s does not fit the pattern %s", name, l->pattern);
	for (size_t i = l->given; i < l->count; i++) {
		if (!l->items[i].value)
			return jfrec_fail_memory(err);
	}
	return 0;
}
