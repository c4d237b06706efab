/* SPDX-License-Identifier: MIT */
/*
 * secret_words.h - recognise names and values that look like secrets
 */
#ifndef JFREC_SCRUB_SECRET_WORDS_H
#define JFREC_SCRUB_SECRET_WORDS_H

#include "scrub/rules.h"
#include "scrub/secret_name.h"

/* For rule.plausible: can the word be what the text around it says that it is? */
bool plausible_password(const char *word, size_t len); /* after "password " */
bool plausible_strong(const char *word, size_t len);   /* after a user, or a short word */
bool plausible_value(const char *word, size_t len);    /* after "password is" */
bool plausible_token(const char *word, size_t len);    /* after "token " */
bool plausible_short(const char *word, size_t len);    /* after "pass=" */
bool plausible_value_of_token(const char *word, size_t len); /* after "token=" */
bool plausible_token_assignment(const char *pair, size_t len); /* "token=..." as a whole */
bool plausible_code(const char *word, size_t len);     /* after "PIN: " */
bool plausible_mix(const char *word, size_t len);      /* anywhere near "password" */
bool plausible_licence(const char *word, size_t len);  /* after "licence key" */
bool plausible_pair(const char *pair, size_t len);     /* "password=..." as a whole */
bool plausible_in_brackets(const char *word, size_t len); /* after "password [" */
bool plausible_argument(const char *word, size_t len);    /* of setPassword(...) */
bool plausible_in_url(const char *word, size_t len);	  /* between ":" and "@", with "/" and "?" */
bool plausible_bearer(const char *word, size_t len);
bool plausible_basic(const char *word, size_t len); /* base64 of user:password */
bool plausible_userinfo(const char *text, size_t len);	/* all of "user:password@host" */
bool plausible_slashed(const char *text, size_t len);	/* all of "user/password@host" */
bool plausible_option(const char *text, size_t len);	/* "--password x" as a whole */
bool plausible_values(const char *text, size_t len);	/* after "values", in SQL */
bool plausible_auth(const char *word, size_t len);	/* of a key "auth" */

/* For rule.find: what a command is given as a password, such as in "mysql -pWord". */
bool find_tool_password(const char *text, size_t len, size_t from, struct text_span *piece);

/* For rule.find: secret_forms.c. */
bool find_card_number(const char *text, size_t len, size_t from, struct text_span *piece);
bool find_pgpass(const char *text, size_t len, size_t from, struct text_span *piece);

#endif
