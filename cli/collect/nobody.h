/* SPDX-License-Identifier: MIT */
/*
 * nobody.h - let a process of root go on as nobody
 */
#ifndef JFREC_CLI_COLLECT_NOBODY_H
#define JFREC_CLI_COLLECT_NOBODY_H

#include <stdbool.h>

/*
 * Of root: this process goes on with the user and group ID of nobody, 65534, without other groups
 * and capabilities. What is open stays so. keeps_files: what it opens and makes from then on is as
 * if it was root without capabilities; where, confine() says.
 *
 * Who is not root, or may not change its identity, goes on as what it is, without capabilities.
 */
void nobody_become(bool keeps_files);

#endif
