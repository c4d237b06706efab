/* SPDX-License-Identifier: MIT */
/*
 * secret_name.h - recognise names of what is secret
 */
#ifndef JFREC_EDIT_SECRET_NAME_H
#define JFREC_EDIT_SECRET_NAME_H

#include <stdbool.h>

/* Does the name or label of a field say that its value is secret: userPassword, "API key"? */
bool name_is_secret(const char *name);

#endif
