/* SPDX-License-Identifier: MIT */
/*
 * commands.c - commands of findings, made ready to be pasted into a shell
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "jfrec-tool.h"

/* What advice says in place of the operand. */
#define PLACE "RECORDING"

char *command_text(const struct analyze_report *r, const struct jfrec_evidence *e)
{
	char *operand, *text = NULL;

	if (e->is_whole)
		return strdup(e->text);
	operand = jfrec_shell_word(r->operand);
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
	operand = jfrec_shell_word(r->operand);
	if (operand && asprintf(&text, "%.*s%s%s", (int)(at - advice), advice, operand,
				at + strlen(PLACE)) < 0)
		text = NULL;
	free(operand);
	return text;
}
