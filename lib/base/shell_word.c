/* SPDX-License-Identifier: MIT */
/*
 * shell_word.c - a name as one word of a command that is pasted into a shell
 */
#include "base/shell_word.h"

#include <stdlib.h>
#include <string.h>

/* Of these no shell makes anything else. */
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-:@+,%"

char *shell_word(const char *name)
{
	char *word = malloc(4 * strlen(name) + 3), *to = word;

	if (!word || (*name && name[strspn(name, PLAIN)] == '\0'))
		return word ? strcpy(word, name) : NULL;
	*to++ = '\'';
	for (; *name; name++) {
		if (*name == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *name;
	}
	strcpy(to, "'");
	return word;
}
