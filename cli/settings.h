/* SPDX-License-Identifier: MIT */
/*
 * settings.h - the sub-commands of `jfrec settings`
 */
#ifndef JFREC_CLI_SETTINGS_H
#define JFREC_CLI_SETTINGS_H

#include "command.h"

extern const struct command settings_active, settings_cost, settings_explain, settings_list;
extern const struct command settings_set, settings_show;

#endif
