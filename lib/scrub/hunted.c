/* SPDX-License-Identifier: MIT */
/*
 * hunted.c - what of a text that a rule takes away is searched for elsewhere
 */
#include "scrub/hunted.h"

#include <string.h>

#include "scrub/encoded.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_hunted(const struct rule *rule, const char *text, size_t len)
{
	return len >= rule->text_set_from && (!rule->distinct || rule->distinct(text, len));
}

static void add(struct hunted *h, const struct rule *rule, const char *text, size_t len)
{
	while (len && is_blank(text[0]))
		text++, len--;
	while (len && is_blank(text[len - 1]))
		len--;
	if (len == 0)
		return;
	if (is_hunted(rule, text, len))
		text_set_add(h->texts, text, len);
	else
		h->too_common++;
	if (encoded_decode(text, len, h->decoded) &&
	    is_hunted(rule, (const char *)h->decoded->data, h->decoded->len))
		text_set_add(h->texts, h->decoded->data, h->decoded->len);
}

static bool is_jvm_option(const char *word, size_t len)
{
	return len > 2 && word[0] == '-' && word[1] == 'X';
}

/* Of "--user=me -x file" also "me" and "file": names of options are no secrets. */
static void add_words(struct hunted *h, const struct rule *rule, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *stop = text, *equals;

		while (stop < end && !is_blank(*stop))
			stop++;
		equals = memchr(text, '=', (size_t)(stop - text));
		if (*text != '-')
			add(h, rule, text, (size_t)(stop - text));
		if (equals && !is_jvm_option(text, (size_t)(stop - text)))
			add(h, rule, equals + 1, (size_t)(stop - equals - 1));
		text = stop + 1;
	}
}

void hunted_add(void *ctx, const struct rule *rule, const char *piece, size_t len)
{
	struct hunted *h = ctx;

	if (rule->text_set_from == 0)
		return;
	add(h, rule, piece, len);
	if (rule->text_set_words)
		add_words(h, rule, piece, len);
}
