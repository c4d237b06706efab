/* SPDX-License-Identifier: MIT */
/*
 * beside.c - an answer as text on standard output, and beside it as a document elsewhere
 */
#include "base/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where documents go, and where standard output went before; -1: nowhere. */
static int documents = -1, text = -1;

bool beside_use(const char *number)
{
	char *end;
	long n = strtol(number, &end, 10);

	if (end == number || *end || n <= STDERR_FILENO || n > 1000)
		return false;
	documents = (int)n;
	return true;
}

bool beside_is_wanted(void)
{
	return documents >= 0;
}

bool beside_begin(void)
{
	if (documents < 0)
		return false;
	fflush(stdout);
	text = dup(STDOUT_FILENO);
	if (text < 0)
		return false;
	dup2(documents, STDOUT_FILENO);
	return true;
}

void beside_end(void)
{
	/* Whoever wanted the document may have had enough of it: the text is whole all the same. */
	fflush(stdout);
	clearerr(stdout);
	dup2(text, STDOUT_FILENO);
	close(text);
	text = -1;
}
