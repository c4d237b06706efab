/* SPDX-License-Identifier: MIT */
/*
 * shell_word.h - a name as one word of a command that is pasted into a shell
 */
#ifndef JFREC_BASE_SHELL_WORD_H
#define JFREC_BASE_SHELL_WORD_H

/* In quotes where it needs them: whoever made the name may mean harm. To be freed; NULL: no memory. */
char *shell_word(const char *name);

#endif
