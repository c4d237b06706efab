/* SPDX-License-Identifier: MIT */
/*
 * secret_name.h - recognise names of what is secret
 */
#ifndef JFREC_SCRUB_SECRET_NAME_H
#define JFREC_SCRUB_SECRET_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Does the name or label of a field say that its value is secret: userPassword, "API key"? */
bool name_is_secret(const char *name);

/* Is the whole text such a name, as of a property or a header: "X-Auth-Token", "db.password"? */
bool text_is_secret_name(const char *text, size_t len);

/* Does it only say something about a secret: "passwordLength", "secret.name"? */
bool text_is_about_secrets(const char *text, size_t len);

/* Is it one of a secret that may be an ordinary word: "password", "clientSecret", "Kennwort"? */
bool text_is_password_name(const char *text, size_t len);

/* Does the name say that its value is a secret even if it is a number: pin, otpCode? */
bool name_is_secret_number(const char *name);
bool text_is_secret_number(const char *text, size_t len);

#endif
