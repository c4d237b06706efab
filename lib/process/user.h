/* SPDX-License-Identifier: MIT */
/*
 * user.h - look up user names
 */
#ifndef JFREC_PROCESS_USER_H
#define JFREC_PROCESS_USER_H

#include <stdbool.h>
#include <stdint.h>

/* To be freed; NULL if the uid has no name here. */
char *user_name(uint32_t uid);

/* Of a name, or a number. False if there is no such name. */
bool user_find(const char *user, uint32_t *uid);

#endif
