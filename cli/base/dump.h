/* SPDX-License-Identifier: MIT */
/*
 * dump.h - print all options of all commands, for completions and tests
 */
#ifndef JFREC_CLI_BASE_DUMP_H
#define JFREC_CLI_BASE_DUMP_H

#include "base/command.h"

/*
 * A line for each option: command, letter, name, the name of its value, the words that it
 * takes, and its line of help, separated by tabs.  Returns an exit code.
 */
int dump_options(const struct command *const *commands, size_t count);

#endif
