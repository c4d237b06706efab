/* SPDX-License-Identifier: MIT */
/*
 * commands.c - commands of findings, made ready to be pasted into a shell
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

/* What advice says in place of the operand. */
#define PLACE "RECORDING"

/* The operand as a word of the shell; NULL when memory is gone. */
static char *quoted(const char *operand)
{
	bool is_plain = *operand && strcspn(operand, " \t\n'\"$`\\*?;&|<>()[]{}#~!") == strlen(operand);
	char *text = malloc(4 * strlen(operand) + 3), *to = text;

	if (!text || is_plain)
		return text ? strcpy(text, operand) : NULL;
	*to++ = '\'';
	for (; *operand; operand++) {
		if (*operand == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *operand;
	}
	strcpy(to, "'");
	return text;
}

char *command_text(const struct analyze_report *r, const struct jfrec_evidence *e)
{
	char *operand, *text = NULL;

	if (e->is_whole)
		return strdup(e->text);
	operand = quoted(r->operand);
	if (operand && asprintf(&text, "jfrec %s %s", e->text, operand) < 0)
		text = NULL;
	free(operand);
	return text;
}

char *advice_text(const struct analyze_report *r, const char *advice)
{
	const char *at = strstr(advice, PLACE);
	char *operand, *text = NULL;

	if (!at || !r->operand)
		return strdup(advice);
	operand = quoted(r->operand);
	if (operand && asprintf(&text, "%.*s%s%s", (int)(at - advice), advice, operand,
				at + strlen(PLACE)) < 0)
		text = NULL;
	free(operand);
	return text;
}
