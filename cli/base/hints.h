/* SPDX-License-Identifier: MIT */
/*
 * hints.h - suggest our option for one that belongs to another tool
 */
#ifndef JFREC_CLI_BASE_HINTS_H
#define JFREC_CLI_BASE_HINTS_H

#include <stdbool.h>

/* "ps", "jps", "-l", or "4711 JFR.check": say how that is typed here.  False: it is none of these. */
bool hints_first_word(int count, char *const *words);

/* "start 4711 name=foo": the same of operands that are options of jcmd. */
bool hints_operands(const char *command, int count, char *const *words);

#endif
