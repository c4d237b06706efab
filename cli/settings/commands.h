/* SPDX-License-Identifier: MIT */
/*
 * commands.h - the sub-commands of `jfrec settings`
 */
#ifndef JFREC_CLI_SETTINGS_COMMANDS_H
#define JFREC_CLI_SETTINGS_COMMANDS_H

#include "base/command.h"

extern const struct command settings_active, settings_check, settings_cost, settings_diff;
extern const struct command settings_explain, settings_list, settings_set, settings_show;

#endif
