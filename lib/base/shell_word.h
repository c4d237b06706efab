/* SPDX-License-Identifier: MIT */
/*
 * shell_word.h - names of files as words of a shell
 */
#ifndef JFREC_BASE_SHELL_WORD_H
#define JFREC_BASE_SHELL_WORD_H

/*
 * The name of a file as one word of a command that is pasted into a shell: as it is, or in quotes;
 * with ./ in front where it would be an option; and in the form $'...' of bash, zsh and ksh if it
 * is not UTF-8 or has characters that a terminal obeys.  To be freed; NULL when memory
 * is exhausted.
 */
char *shell_word(const char *name);

#endif
