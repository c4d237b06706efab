/* SPDX-License-Identifier: MIT */
/*
 * lex.c - the words of a query
 */
#include "query/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

static bool is_separator(char c)
{
	return c && strchr("=,;()", c) != NULL;
}

bool lex_more(struct lexer *l)
{
	while (is_space(*l->at))
		l->at++;
	return *l->at != '\0';
}

bool lex_accept(struct lexer *l, const char *first, const char *second)
{
	const char *before = l->at, *words[] = { first, second };

	for (int i = 0; i < 2 && words[i]; i++) {
		size_t len = strlen(words[i]);

		lex_more(l);
		if (strncasecmp(l->at, words[i], len) != 0) {
			l->at = before;
			l->word = NULL;
			return false;
		}
		l->word = l->at;
		l->at += len;
	}
	return true;
}

int lex_fail(struct lexer *l, const char *format, ...)
{
	char sentence[sizeof(l->err->text)];
	const char *at;
	va_list args;

	if (!l->word)
		lex_more(l);
	at = l->word ? l->word : l->at;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	return jfrec_fail(l->err, JFREC_EEXPRESSION, (uint64_t)(at - l->text), "%s", sentence);
}

const char *lex_next(struct lexer *l, char *quote)
{
	char *word, *to, inside = 0;

	if (quote)
		*quote = 0;
	l->word = NULL;
	if (!lex_more(l)) {
		lex_fail(l, "Unexpected EOF reached");
		return NULL;
	}
	word = to = arena_alloc(l->arena, strlen(l->at) + 1);
	if (!word) {
		jfrec_fail_memory(l->err);
		return NULL;
	}
	l->word = l->at;
	if (is_separator(*l->at)) {
		*to++ = *l->at++;
		*to = '\0';
		return word;
	}
	if (quote && (*l->at == '\'' || *l->at == '"'))
		*quote = *l->at;
	for (; *l->at && (inside || (!is_space(*l->at) && !is_separator(*l->at))); l->at++) {
		if (inside ? *l->at == inside : *l->at == '\'' || *l->at == '"')
			inside = inside ? 0 : *l->at;
		else
			*to++ = *l->at;
	}
	if (inside) {
		lex_fail(l, "Could not find match %c", inside);
		return NULL;
	}
	*to = '\0';
	return word;
}

const char *lex_peek(struct lexer *l, char *quote)
{
	const char *before = l->at, *word = lex_next(l, quote);

	l->at = before;
	return word;
}

bool lex_splits(const char *name)
{
	for (; *name; name++) {
		if (is_space(*name) || is_separator(*name) || *name == '\'' || *name == '"')
			return true;
	}
	return false;
}
