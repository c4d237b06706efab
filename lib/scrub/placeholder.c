/* SPDX-License-Identifier: MIT */
/*
 * placeholder.c - recognise what stands in the place of a secret
 */
#include "scrub/placeholder.h"

#include <string.h>
#include <strings.h>

#include "scrub/common_word.h"
#include "scrub/random_text.h"

/* What programs write for a value that is not there, or not shown, and what is said of one. */
static bool is_said_of_secrets(const char *word, size_t len)
{
	static const char *const words[] = {
		"null",	    "nil",	 "none",     "undefined", "true",     "false",	  "yes",
		"no",	    "on",	 "off",	     "n/a",	  "na",	      "empty",	  "blank",
		"unset",    "set",	 "required", "optional",  "mandatory", "missing", "invalid",
		"incorrect", "wrong",	 "expired",  "changed",	  "hidden",   "masked",	  "protected",
		"redacted", "removed",	 "omitted",  "filtered",  "include",  "omit",	  "disabled",
		"enabled",  "ok",	 "failed",   "denied",	  "unknown",  "not",	  "is",
		"was",	    "must",	 "should",   "cannot",	  "has",      "default",  "string",
		"secured",  "encrypted", "present",  "absent",	  "same-origin", "provided", "unchanged",
		"accepted", "rejected",	 "verified", "updated",	  "revoked",  "generated", "sensitive",
		"confidential", "private", "valid",  "bad",	  "basic",    "bearer",	  "digest",
		"token",   "tokens",	 "header",  "scheme",	  "credentials",
		"varchar",  "text",	 "char",     "int",	  "object",   "function", "input",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strlen(words[i]) == len && strncasecmp(words[i], word, len) == 0)
			return true;
	}
	return false;
}

/* "****", "xxxx", "....", "----", "????". */
static bool is_repeated(const char *text, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		if (text[i] != text[0])
			return false;
	}
	return text[0] && strchr(len < 3 ? "*.-_?#" : "*xX.-_?#", text[0]);
}

/* "%s", "${X}", "{{ x }}", "#{x}", "<your password>", "[hidden]", "$1", ":password", "@pwd". */
bool is_template(const char *text, size_t len)
{
	static const char *const begins[] = { "${", "{{", "#{", "%{", "<%", "$(", "%(" };

	if (len <= 3 && text[0] && strchr("$%:?", text[0]))
		return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (len >= 2 && memcmp(text, begins[i], 2) == 0)
			return true;
	}
	return len > 2 && text[0] == '<' && text[len - 1] == '>' && is_common(text + 1, len - 2);
}

/* In a description of arguments: "--password PASSWORD". */
static bool is_metavariable(const char *text, size_t len)
{
	static const char *const names[] = { "PASSWORD", "PASSWD", "PASS",  "PASSPHRASE", "SECRET",
					     "TOKEN",	 "KEY",	   "APIKEY", "API_KEY",	  "STRING",
					     "TEXT",	 "VALUE",  "FILE",  "PATH",	  "USER" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i]) == len && memcmp(names[i], text, len) == 0)
			return true;
	}
	return false;
}

/* "must not be empty", "is too short": a sentence. */
static bool is_remark(const char *text, size_t len)
{
	static const char *const begins[] = { "is ",  "are ",	"was ",	   "must ",   "should ", "may ",
					      "has ", "cannot ", "can't ", "does ",   "do ",	 "not ",
					      "too ", "needs ",	"required ", "invalid ", "at least " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (len > strlen(begins[i]) && strncasecmp(begins[i], text, strlen(begins[i])) == 0)
			return true;
	}
	return false;
}

/* "type":"string": what a schema says of a value. */
static bool is_schema(const char *text, size_t len)
{
	return len > 6 && strncasecmp(text, "type", 4) == 0 && strchr("\"':=", text[4]);
}

/* "passwords: 3" */
static bool is_count(const char *text, size_t len)
{
	return len <= 2 && text[0] >= '0' && text[0] <= '9' &&
	       (len == 1 || (text[1] >= '0' && text[1] <= '9'));
}

bool is_placeholder(const char *text, size_t len)
{
	while (len && text[0] && strchr(" \"'`[", text[0]))
		text++, len--;
	while (len && text[len - 1] && strchr(" \"'`.,;!)]", text[len - 1]))
		len--;
	return len == 0 || is_count(text, len) || is_repeated(text, len) ||
	       is_template(text, len) || is_said_of_secrets(text, len) ||
	       is_metavariable(text, len) || is_remark(text, len) || is_schema(text, len);
}

bool is_path(const char *text, size_t len)
{
	struct text_span piece;
	size_t slashes = 0;

	for (size_t i = 0; i < len; i++)
		slashes += text[i] == '/';
	return slashes >= 2 && (text[0] == '/' || (text[0] == '.' && text[1] == '/')) &&
	       !find_random(text, len, 0, &piece);
}

bool plausible_literal(const char *value, size_t len)
{
	return !is_placeholder(value, len) && !is_path(value, len);
}
