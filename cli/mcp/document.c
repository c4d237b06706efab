/* SPDX-License-Identifier: MIT */
/*
 * document.c - the JSON document of an answer, as much of it at a time as there is room for
 */
#include "mcp/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/harmless.h"

/* Deeper than any document of a command is. */
#define MOST_DEPTH 64

/* What is left of a long text, at least. */
#define LEAST_TEXT 40

/* Texts ---------------------------------------------------------------------------------------- */

struct cleaning {
	document_text_fn *fn;
	void *ctx;
	unsigned depth;
	bool failed;
};

static json_t *clean(struct cleaning *c, const json_t *value);

static json_t *clean_text(struct cleaning *c, const json_t *value)
{
	char *text = harmless_copy(json_string_value(value), json_string_length(value));
	json_t *now;

	if (text)
		text = c->fn(c->ctx, text);
	now = text ? json_string(text) : NULL;
	free(text);
	return now;
}

static json_t *clean_object(struct cleaning *c, const json_t *value)
{
	json_t *to = json_object(), *member;
	const char *key;

	json_object_foreach((json_t *)value, key, member)
	{
		char *name = harmless_copy(key, strlen(key));

		c->failed |= !name || json_object_set_new(to, name, clean(c, member)) < 0;
		free(name);
	}
	return to;
}

static json_t *clean_array(struct cleaning *c, const json_t *value)
{
	json_t *to = json_array(), *item;
	size_t i;

	json_array_foreach(value, i, item) c->failed |=
		json_array_append_new(to, clean(c, item)) < 0;
	return to;
}

/* A copy; the original has one owner for each of its parts, too. */
static json_t *clean(struct cleaning *c, const json_t *value)
{
	json_t *now;

	if (c->depth == MOST_DEPTH) {
		c->failed = true;
		return NULL;
	}
	c->depth++;
	now = json_is_string(value)   ? clean_text(c, value)
	      : json_is_object(value) ? clean_object(c, value)
	      : json_is_array(value)  ? clean_array(c, value)
				      : json_incref((json_t *)value);
	c->depth--;
	return now;
}

json_t *document_read(const char *bytes, size_t len, document_text_fn *fn, void *ctx)
{
	struct cleaning c = { .fn = fn, .ctx = ctx };
	json_t *raw = len ? json_loadb(bytes, len, JSON_ALLOW_NUL, NULL) : NULL, *document;

	if (!raw)
		return NULL;
	document = clean(&c, raw);
	json_decref(raw);
	if (!c.failed && json_is_object(document))
		return document;
	json_decref(document);
	return NULL;
}

/* Room ----------------------------------------------------------------------------------------- */

size_t document_size(const json_t *value)
{
	return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

static json_t *shrink(json_t *value, size_t room);

static json_t *shrink_text(json_t *value, size_t room)
{
	size_t len = json_string_length(value), most = room > LEAST_TEXT ? room : LEAST_TEXT;
	const char *text = json_string_value(value);
	json_t *shorter;
	char *copy;

	/* Some characters take more room than in the text. */
	most = most * len / document_size(value);
	if (most >= len)
		return json_incref(value);
	while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	copy = strndup(text, most);
	shorter = copy ? json_sprintf("%s...", copy) : NULL;
	free(copy);
	return shorter ? shorter : json_null();
}

/* So many of the first items as fit, of which one that is too large alone is shrunk. */
static json_t *shrink_array(json_t *value, size_t room)
{
	json_t *to = json_array(), *item;
	size_t i, used = 2;

	json_array_foreach(value, i, item)
	{
		size_t size = document_size(item) + 1;

		if (used + size > room && i)
			break;
		used += size;
		json_array_append_new(to, used > room ? shrink(json_incref(item), room - 2)
						      : json_incref(item));
	}
	return to;
}

/* What is small stays; what is not shares the room that is left. */
static json_t *shrink_object(json_t *value, size_t room)
{
	size_t left = room, large = json_object_size(value), before = large + 1;
	json_t *to = json_object(), *member;
	const char *key;

	/* Each time round the share grows by what small members leave of theirs. */
	while (large && large < before) {
		size_t share = left / large, sum = 2;

		before = large;
		large = 0;
		json_object_foreach(value, key, member)
		{
			size_t size = document_size(member) + strlen(key) + 4;

			if (size <= share)
				sum += size;
			else
				large++;
		}
		left = sum < room ? room - sum : 0;
	}
	json_object_foreach(value, key, member)
	{
		size_t size = document_size(member) + strlen(key) + 4,
		       share = large ? left / large : room;

		json_object_set_new(to, key,
				    size <= share ? json_incref(member)
						  : shrink(json_incref(member), share));
	}
	return to;
}

/* The value, which it takes, in no more room, or not much more. */
static json_t *shrink(json_t *value, size_t room)
{
	json_t *now;

	if (document_size(value) <= room)
		return value;
	now = json_is_string(value)   ? shrink_text(value, room)
	      : json_is_object(value) ? shrink_object(value, room)
	      : json_is_array(value)  ? shrink_array(value, room)
				      : json_incref(value);
	json_decref(value);
	return now;
}

/* The array ------------------------------------------------------------------------------------ */

static json_t *largest_member(const json_t *object)
{
	json_t *largest = NULL, *member;
	size_t most = 0;
	const char *key;

	json_object_foreach((json_t *)object, key, member)
	{
		size_t size =
			json_is_object(member) || json_is_array(member) ? document_size(member) : 0;

		if (size > most) {
			most = size;
			largest = member;
		}
	}
	return largest;
}

/*
 * What all of it is about: the way there is that of the largest parts, through lists of one, and
 * the same whatever the room is.
 */
static json_t *main_array(const json_t *document)
{
	json_t *at = (json_t *)document, *found = NULL;

	while (at) {
		if (json_is_array(at))
			found = at;
		at = json_is_object(at) ? largest_member(at)
		     : json_array_size(at) == 1 && json_is_object(json_array_get(at, 0))
			     ? json_array_get(at, 0)
			     : NULL;
	}
	return found;
}

/* Into the array what fits; returns how many. */
static uint64_t put_items(json_t *array, const json_t *items, uint64_t skip, size_t room)
{
	size_t used = 0, i = (size_t)skip;

	for (; i < json_array_size(items); i++) {
		json_t *item = json_array_get(items, i);
		size_t size = document_size(item) + 1;

		if (used + size > room && i > skip)
			break;
		json_array_append_new(array, size > room ? shrink(json_incref(item), room)
							 : json_incref(item));
		used += size;
	}
	return i - skip;
}

static bool leads_to(const json_t *value, const json_t *array)
{
	json_t *member;
	const char *key;
	size_t i;

	if (value == array)
		return true;
	json_array_foreach(value, i, member)
	{
		if (leads_to(member, array))
			return true;
	}
	json_object_foreach((json_t *)value, key, member)
	{
		if (leads_to(member, array))
			return true;
	}
	return false;
}

/* What is not the array, which is empty by now, nor on the way to it shares the room. */
static void shrink_rest(json_t *value, const json_t *array, size_t room)
{
	json_t *member;
	const char *key;
	void *next;

	if (document_size(value) <= room)
		return;
	if (json_is_array(value))
		shrink_rest(json_array_get(value, 0), array, room);
	json_object_foreach_safe(value, next, key, member)
	{
		size_t share = room / json_object_size(value);

		if (leads_to(member, array))
			shrink_rest(member, array, room / 2);
		else if (document_size(member) > share)
			json_object_set_new(value, key, shrink(json_incref(member), share));
	}
}

bool document_fit(json_t *document, uint64_t skip, size_t room, uint64_t *next)
{
	json_t *array = main_array(document), *items;
	size_t total = json_array_size(array), rest;
	bool is_cut = false;

	*next = total;
	if (!array || (!skip && document_size(document) <= room))
		return true;
	items = json_copy(array);
	json_array_clear(array);
	shrink_rest(document, array, room / 2);
	rest = document_size(document);
	*next = skip < total ? skip + put_items(array, items, skip, room > rest ? room - rest : 0)
			     : total;
	is_cut = *next < total;
	json_decref(items);
	return !is_cut;
}
