/* SPDX-License-Identifier: MIT */
/*
 * beside.h - an answer as text on standard output, and beside it as a document elsewhere
 *
 * `jfrec mcp` shows both to its clients, and a question is too dear to be asked twice. So a command
 * that prints text looks whether its document is wanted, too, and prints that as well:
 *
 *	if (beside_begin()) {
 *		print_document("list", ...);
 *		beside_end();
 *	}
 */
#ifndef JFREC_CLI_BASE_BESIDE_H
#define JFREC_CLI_BASE_BESIDE_H

#include <stdbool.h>

/* Documents go to the descriptor of that number.  False: that is none. */
bool beside_use(const char *number);

/* Is a document wanted beside the text? */
bool beside_is_wanted(void);

/* If one is, what standard output gets from here on is the document, or a piece of it. */
bool beside_begin(void);
void beside_end(void);

#endif
