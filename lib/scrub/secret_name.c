/* SPDX-License-Identifier: MIT */
/*
 * secret_name.c - recognise names of what is secret
 */
#include "scrub/secret_name.h"

#include <stddef.h>
#include <string.h>

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(word, list[i]) == 0)
			return true;
	}
	return false;
}

#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof(*(list)))

#define MAX_NAME 128

/* A name without case and what parts its words, and its last two words. */
struct plain_name {
	char all[MAX_NAME + 1];
	const char *last, *before_last;
};

static void make_plain(struct plain_name *p, const char *name)
{
	size_t n = 0, last = 0, before_last = 0;
	bool parted = false;

	if (strlen(name) > MAX_NAME)
		name += strlen(name) - MAX_NAME;
	for (char before = 0; *name; before = *name++) {
		if (!is_lower(*name) && !is_upper(*name) && !is_digit(*name)) {
			parted = true;
			continue;
		}
		if (n > last && (parted || (is_upper(*name) && !is_upper(before)))) {
			before_last = last;
			last = n;
		}
		parted = false;
		p->all[n++] = is_upper(*name) ? (char)(*name | 0x20) : *name;
	}
	while (n > last + 1 && is_digit(p->all[n - 1]))
		n--;
	p->all[n] = '\0';
	p->last = p->all + last;
	p->before_last = p->all + before_last;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && strcmp(name + len - n, end) == 0;
}

static bool ends_with_any(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, list[i]) == 0 || ends_with(name, list[i]))
			return true;
	}
	return false;
}

/* Written in one word: "dbpass", "accesstoken". */
static bool ends_like_secret(const char *name)
{
	static const char *const others[] = { "compass", "bypass", "encompass", "surpass",
					      "askpass" };

	if (ends_with(name, "pass"))
		return !ends_with_any(name, others, sizeof(others) / sizeof(*others));
	return ends_with(name, "token") || ends_with(name, "tokens") || ends_with(name, "pwd") ||
	       ends_with(name, "jwt");
}

/* What desktops and terminals call their sessions, and what only sounds like a secret. */
static bool is_known_otherwise(const char *all)
{
	static const char *const others[] = {
		"xdgsessionid",	      "termsessionid",	    "itermsessionid", "securitysessionid",
		"desktopsessionid",   "xdgactivationtoken", "needclientauth", "wantclientauth",
		"loginsessionid",     "consolesessionid",   "secretary",      "secretaries",
		"secretariat",
	};

	return ends_with_any(all, others, sizeof(others) / sizeof(*others));
}

static bool has_any(const char *name, const char *const *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strstr(name, parts[i]))
			return true;
	}
	return false;
}

#define HAS_ANY(name, list) has_any(name, list, sizeof(list) / sizeof(*(list)))

/* What describes a secret is not one. */
static const char *const about[] = {
	"name",	    "names",	"policy",   "length",	"count",    "type",	"file",
	"path",	    "expiry",	"state",    "status",	"field",    "provider", "class",
	"size",	    "ttl",	"url",	    "uri",	"rule",	    "hint",	"enabled",
	"endpoint", "store",	"algorithm", "location", "encoder", "validity", "timeout",
	"format",   "issuer",	"audience", "realm",	"scope",	"mode",	"prefix",
	"required", "strength", "attempts", "minutes",	"seconds",  "millis",	"expiration",
	"version",  "iterations", "retries", "limit",	"interval", "encoding", "parameter",
	"manager",  "service",	"handler",  "filter",	"factory",  "resolver",	"validator",
	"generator", "method",	"thread",   "duration", "lifetime", "age",	"locked",
};

/* The name in plain letters.  False if it only says something about a secret. */
static bool look_at(struct plain_name *p, const char *name)
{
	if (!name)
		return false;
	make_plain(p, name);
	return !IS_ONE_OF(p->last, about) && !is_known_otherwise(p->all);
}

/* Of "tokenValue" and "pwdBytes" only the first word says what it is. */
static void drop_neutral_word(struct plain_name *p)
{
	static const char *const neutral[] = {
		"value", "text",  "string", "str", "raw", "plain",  "bytes", "chars",
		"data",	 "hex",	  "base64", "b64", "new", "old",    "header", "encoded",
	};
	size_t len = (size_t)(p->last - p->all);

	if (!IS_ONE_OF(p->last, neutral))
		return;
	p->all[len] = '\0';
	p->last = p->before_last;
}

/* "maxTokens", "prompt_tokens": numbers of words, which language models call so. */
static bool counts_tokens(const struct plain_name *p)
{
	static const char *const counts[] = {
		"max", "min", "num", "total", "prompt", "completion", "input", "output",
		"used", "available", "remaining", "context", "requested", "per",
	};

	return (ends_with(p->all, "tokens") || strcmp(p->all, "tokens") == 0) && HAS_ANY(p->all, counts);
}

bool name_is_secret(const char *name)
{
	static const char *const parts[] = {
		"password",   "passwd",	    "passphrase",    "passcode",   "secret",
		"credential", "apikey",	    "accesskey",     "accountkey", "privatekey",
		"signingkey", "authkey",    "encryptionkey", "masterkey",  "sharedkey",
		"sessionkey", "licensekey", "licencekey",    "storagekey", "connectionstring",
		"pincode",    "sessionid",  "authorization", "cookie",	   "authtoken",
		"passwort",   "kennwort",   "motdepasse",    "wachtwoord", "senha",
		"sshkey",     "clientkey",  "servicekey",    "appkey",	   "cipherkey",
		"aeskey",     "hmackey",    "cryptokey",     "authcode",   "otpcode",
		"resetcode",  "recoverycode", "backupcode",  "securitycode", "verificationcode",
		"seedphrase", "mnemonic",   "csrf",	     "xsrf",	   "creditcard",
		"cardnumber", "ccnumber",   "contrasena",    "passkey",	   "deploykey",
		"adminkey",   "jwtkey",	    "decryptionkey", "unsealkey",  "subscriptionkey",
	};
	static const char *const last_words[] = {
		"pass", "pwd",	 "pw",	   "pin",    "otp", "cvv",  "cvc",  "psk",
		"jwt",	"token", "tokens", "bearer", "dsn", "auth", "sas",  "totp",
		"cvv2",
	};
	struct plain_name p;

	if (!look_at(&p, name))
		return false;
	if (HAS_ANY(p.all, parts))
		return true;
	drop_neutral_word(&p);
	return (IS_ONE_OF(p.last, last_words) || ends_like_secret(p.all)) && !counts_tokens(&p);
}

/* Copy what can be the name of a property, a header or a variable. */
static bool copy_name(char name[MAX_NAME + 1], const char *text, size_t len)
{
	if (len == 0 || len > MAX_NAME)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!is_lower(text[i]) && !is_upper(text[i]) && !is_digit(text[i]) &&
		    (!text[i] || !strchr("_.:/[]-$", text[i])))
			return false;
	}
	memcpy(name, text, len);
	name[len] = '\0';
	return true;
}

bool text_is_secret_name(const char *text, size_t len)
{
	char name[MAX_NAME + 1];

	/* The working directory, which shells note, is none. */
	return copy_name(name, text, len) && strcmp(name, "PWD") != 0 &&
	       strcmp(name, "OLDPWD") != 0 && name_is_secret(name);
}

/* A count of tokens, or the number of a session, is none. */
bool name_is_secret_number(const char *name)
{
	static const char *const parts[] = {
		"password", "passwd",	    "passcode",	    "pincode",	  "otpcode",
		"authcode", "securitycode", "verificationcode", "resetcode", "recoverycode",
		"backupcode", "creditcard", "cardnumber",   "ccnumber",	  "secretcode",
		"onetimecode", "accesscode", "logincode",
	};
	static const char *const last_words[] = { "pin", "otp", "totp", "cvv", "cvv2", "cvc", "secret" };
	struct plain_name p;

	if (!look_at(&p, name))
		return false;
	if (HAS_ANY(p.all, parts))
		return true;
	drop_neutral_word(&p);
	return IS_ONE_OF(p.last, last_words);
}

/* Its last word is that of a secret that people choose, and not only random characters. */
bool text_is_password_name(const char *text, size_t len)
{
	static const char *const ends[] = { "password", "passwd", "passphrase", "passcode", "pwd",
					    "pass",	"passwords", "secret",	"word",	     "phrase",
					    "credential", "creds" };
	char name[MAX_NAME + 1];
	struct plain_name p;

	while (len && strchr(" \t\"'\\[]", text[len - 1]))
		len--;
	if (!copy_name(name, text, len))
		return true;
	make_plain(&p, name);
	return ends_with_any(p.all, ends, sizeof(ends) / sizeof(*ends));
}

bool text_is_about_secrets(const char *text, size_t len)
{
	static const char *const ends[] = { "manager", "encoder", "policy", "filename", "provider",
					    "ref",     "refs",	  "keyref", "credentialsid", "level" };
	char name[MAX_NAME + 1];
	struct plain_name p;

	while (len && strchr(" \t\"'\\", text[len - 1]))
		len--;
	if (!copy_name(name, text, len))
		return false;
	make_plain(&p, name);
	return IS_ONE_OF(p.last, about) || ends_with_any(p.all, ends, sizeof(ends) / sizeof(*ends));
}

bool text_is_secret_number(const char *text, size_t len)
{
	char name[MAX_NAME + 1];

	return copy_name(name, text, len) && name_is_secret_number(name);
}
