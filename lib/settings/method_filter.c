/* SPDX-License-Identifier: MIT */
/*
 * method_filter.c - check filters of methods, as jdk.MethodTiming and jdk.MethodTrace take them
 *
 * JDK 25 and later (JEP 520) take filters with semicolons between them, white space around each
 * does not count:
 *
 *	com.acme.Shop          all methods of the class
 *	com.acme.Shop::pay     one of them, whatever its arguments; also ::<init> and ::<clinit>
 *	::pay                  that of all classes
 *	@com.acme.Timed        what has the annotation, a method or a class
 *
 * A nested class is com.acme.Shop$Cart.  What is nothing of that is ignored without a word; so is
 * in effect what is correct and still not meant: Shop.pay is the class pay of the package Shop.
 * Names of packages begin with a small letter here, and names of classes with a capital one.
 */
#include "settings/method_filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The length of one filter; longer ones are not corrected. */
#define MAX_ONE 256

enum fault {
	NONE,
	COMMA,
	DOT,
	NESTED,
	SIGN,
	ARGUMENTS,
	WILDCARD,
	SLASH,
	NO_METHOD,
	WORD,
	ANNOTATED,
	SPACE,
	NAME,
};

/* "'%s' ..." */
static const char *const texts[] = {
	[COMMA] = "has a comma; filters have semicolons between them",
	[DOT] = "has a dot before the method; two colons belong there",
	[NESTED] = "has a dot before a nested class; a $ belongs there",
	[SIGN] = "lacks the two colons before the method",
	[ARGUMENTS] = "has arguments; a filter is for all methods of that name",
	[WILDCARD] = "has a wildcard, which no filter can have",
	[SLASH] = "has slashes; packages have dots",
	[NO_METHOD] = "has no method after the two colons",
	[WORD] = "has a word of the language as a name",
	[ANNOTATED] = "has a method after an annotation, which stands alone",
	[SPACE] = "has white space inside",
	[NAME] = "is neither a class nor a method nor an annotation",
};

static const char usage[] = "write com.acme.Shop for a class, com.acme.Shop::pay for a method or "
			    "@com.acme.Timed for an annotation, with semicolons between them";

/* Names ---------------------------------------------------------------------------------------- */

/* Letters beyond ASCII are taken as they are. */
static bool is_name_char(char c, bool first)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80 ||
	       (!first && isdigit((unsigned char)c));
}

static size_t name_length(const char *text)
{
	size_t len = 0;

	while (is_name_char(text[len], len == 0))
		len++;
	return len;
}

static bool is_reserved(const char *text, size_t len)
{
	static const char words[] =
		" abstract assert boolean break byte case catch char class const continue default do "
		"double else enum extends final finally float for goto if implements import "
		"instanceof int interface long native new package private protected public return "
		"short static strictfp super switch synchronized this throw throws transient try "
		"void volatile while true false null _ ";
	char word[MAX_ONE + 3];

	return len < MAX_ONE && snprintf(word, sizeof(word), " %.*s ", (int)len, text) > 0 &&
	       strstr(words, word);
}

static bool is_capital(const char *text)
{
	return isupper((unsigned char)*text);
}

/* A class by its name, unlike a package in capitals, such as COM. */
static bool looks_like_class(const char *text, size_t len)
{
	bool small = false;

	for (size_t i = 1; i < len; i++)
		small |= islower((unsigned char)text[i]) != 0;
	return is_capital(text) && small;
}

/* Of the parts of a name with dots, the length of those up to the first that looks like a class. */
static size_t class_length(const char *text)
{
	size_t at = 0;

	while (text[at]) {
		size_t len = strcspn(text + at, ".");

		if (looks_like_class(text + at, len))
			return at + len;
		at += len + (text[at + len] == '.');
	}
	return at;
}

static enum fault check_names(const char *text)
{
	for (;; text++) {
		size_t len = name_length(text);

		if (!len)
			return NAME;
		if (is_reserved(text, len))
			return WORD;
		text += len;
		if (*text != '.')
			return *text ? NAME : NONE;
	}
}

static enum fault check_method(const char *text)
{
	size_t len = name_length(text);

	if (strcmp(text, "<init>") == 0 || strcmp(text, "<clinit>") == 0)
		return NONE;
	if (!len || text[len])
		return NAME;
	return is_reserved(text, len) ? WORD : NONE;
}

/* One filter ----------------------------------------------------------------------------------- */

/* "a" of n bytes to "b", in place; there is room. */
static void replace(char *at, size_t n, const char *b)
{
	size_t len = strlen(b);

	memmove(at + len, at + n, strlen(at + n) + 1);
	memcpy(at, b, len);
}

/* Take the wildcard away with what it belongs to: "Shop::*" is "Shop". */
static enum fault mend_wildcard(char *one)
{
	size_t len = strlen(one);

	if (len > 3 && strcmp(one + len - 3, "::*") == 0)
		one[len - 3] = '\0';
	else if (len > 2 && strcmp(one + len - 2, ".*") == 0 && class_length(one) == len - 2)
		one[len - 2] = '\0';
	else
		*one = '\0';
	return WILDCARD;
}

/* "Shop.pay", "Shop.<init>", "Shop.Cart", as far as it goes. */
static enum fault mend_dots(char *one)
{
	size_t at = class_length(one), len = strcspn(one + at, ":");
	bool has_method = one[at + len];

	if (one[at] != '.')
		return NONE;
	if (is_capital(one + at + 1)) {
		one[at] = '$';
		return NESTED;
	}
	if (has_method || strchr(one + at + 1, '.'))
		return NONE;
	replace(one + at, 1, "::");
	return DOT;
}

/* Signs that other tools have before a method. */
static enum fault mend_sign(char *one)
{
	static const char *const signs[] = { "->", "#", ":" };

	if (strstr(one, "::"))
		return NONE;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		char *at = strstr(one, signs[i]);

		if (at) {
			replace(at, strlen(signs[i]), "::");
			return SIGN;
		}
	}
	return NONE;
}

static enum fault mend_slashes(char *one)
{
	bool any = false;

	for (char *at = one; *at; at++) {
		any |= *at == '/';
		if (*at == '/')
			*at = '.';
	}
	return any ? SLASH : NONE;
}

static enum fault mend_arguments(char *one)
{
	char *open = strchr(one, '(');

	if (!open)
		return NONE;
	*open = '\0';
	return ARGUMENTS;
}

/* What is left of names in it; *one is empty if it is unknown what was meant. */
static enum fault mend_names(char *one)
{
	char *method = strstr(one, "::");
	enum fault fault, in_class = NONE;

	if (*one == '@') {
		fault = check_names(one + 1);
		if (fault == NAME && method) {
			*method = '\0';
			return ANNOTATED;
		}
	} else if (!method) {
		fault = check_names(one);
	} else if (!method[2]) {
		*method = '\0';
		return method == one ? NAME : NO_METHOD;
	} else if (strcmp(method + 2, "new") == 0) {
		replace(method + 2, strlen("new"), "<init>");
		return WORD;
	} else {
		fault = check_method(method + 2);
		*method = '\0';
		in_class = *one ? check_names(one) : NONE;
		*method = ':';
		fault = fault ? fault : in_class;
	}
	if (fault)
		*one = '\0';
	return fault;
}

/* Fix all that can be, and return what was wrong first. */
static enum fault mend(char *one)
{
	enum fault (*const steps[])(char *) = {
		mend_arguments, mend_slashes, mend_sign, mend_dots, mend_dots, mend_names,
	};
	enum fault first = NONE;

	if (strpbrk(one, "*?"))
		return mend_wildcard(one);
	if (strpbrk(one, " \t")) {
		*one = '\0';
		return SPACE;
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && *one; i++) {
		enum fault fault = steps[i](one);

		first = first ? first : fault;
	}
	return first;
}

/* All of them ---------------------------------------------------------------------------------- */

struct checking {
	struct method_filter_fault *fault;
	enum fault first;
	char better[sizeof(((struct method_filter_fault *)0)->remedy)]; /* all, corrected */
	size_t len;
	bool lost; /* what one should be is not known, or there is no room */
};

static void found(struct checking *c, enum fault fault, const char *one, size_t len)
{
	if (c->first)
		return;
	c->first = fault;
	snprintf(c->fault->text, sizeof(c->fault->text), "'%.*s%s' %s", len < 60 ? (int)len : 60,
		 one, len < 60 ? "" : "...", texts[fault]);
}

static void check_one(struct checking *c, const char *text, size_t len)
{
	/* "::" may take the place of one sign, twice. */
	char one[MAX_ONE + 8];
	enum fault fault;
	int n;

	if (len > MAX_ONE)
		len = MAX_ONE;
	snprintf(one, sizeof(one), "%.*s", (int)len, text);
	fault = mend(one);
	if (fault)
		found(c, fault, text, len);
	n = snprintf(c->better + c->len, sizeof(c->better) - c->len, "%s%s", c->len ? ";" : "",
		     one);
	c->lost |= !*one || (size_t)n >= sizeof(c->better) - c->len;
	if (!c->lost)
		c->len += (size_t)n;
}

/* Java splits at semicolons alone; but a comma is in no name. */
static void check_all(struct checking *c, const char *filter)
{
	for (const char *at = filter; *at; at += *at != '\0') {
		size_t len = strcspn(at, ";,"), skip = strspn(at, " \t\r\n"), kept = len;

		skip = skip < len ? skip : len;
		while (kept > skip && strchr(" \t\r\n", at[kept - 1]))
			kept--;
		if (at[len] == ',')
			found(c, COMMA, filter, strlen(filter));
		if (kept > skip)
			check_one(c, at + skip, kept - skip);
		at += len;
	}
}

bool method_filter_check(const char *filter, struct method_filter_fault *fault)
{
	struct checking c = { .fault = fault };

	check_all(&c, filter);
	if (!c.first)
		return true;
	if (c.lost || !c.len)
		snprintf(fault->remedy, sizeof(fault->remedy), "%s", usage);
	else
		snprintf(fault->remedy, sizeof(fault->remedy), "write %.*s",
			 (int)sizeof(fault->remedy) - 8, c.better);
	return false;
}
