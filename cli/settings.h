/* SPDX-License-Identifier: MIT */
/*
 * settings.h - the sub-commands of `jfrec settings`
 */
#ifndef JFREC_CLI_SETTINGS_H
#define JFREC_CLI_SETTINGS_H

#include "command.h"

extern const struct command settings_active, settings_check, settings_cost, settings_diff;
extern const struct command settings_explain, settings_list, settings_set, settings_show;

#endif
