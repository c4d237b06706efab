/* SPDX-License-Identifier: MIT */
/*
 * user_views.h - the views that a user wrote
 */
#ifndef JFREC_CLI_VIEW_USER_VIEWS_H
#define JFREC_CLI_VIEW_USER_VIEWS_H

#include "base/command.h"
#include "base/opt.h"

/*
 * Add those of the files that the configuration names, and then those of --views. Returns an exit
 * code, after saying what is wrong, and where.
 */
int user_views_add(const struct command *c, const struct opt_list *files,
		   struct jfrec_views *views);

#endif
