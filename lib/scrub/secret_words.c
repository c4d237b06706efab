/* SPDX-License-Identifier: MIT */
/*
 * secret_words.c - recognise names and values that look like secrets
 */
#include "scrub/secret_words.h"

#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "scrub/common_word.h"
#include "scrub/placeholder.h"
#include "scrub/random_text.h"
#include "scrub/secret_name.h"

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

/* Words in sentences --------------------------------------------------------------------------- */

static bool has_mark(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (word[i] && strchr("!#$%^*?~@+=", word[i]))
			return true;
	}
	return false;
}

bool plausible_password(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	return len >= 5 && k.lower + k.upper > 0 && (k.digits || has_mark(word, len - 1));
}

/* "com.example.Foo2Impl" is a name of a class, and "minLength=8" one of a value. */
static bool is_name(const char *word, size_t len)
{
	for (size_t i = 1; i + 1 < len; i++) {
		if ((word[i] == '.' || word[i] == '=') && char_kind(word[i - 1]) &&
		    char_kind(word[i + 1]))
			return true;
	}
	return false;
}

bool plausible_strong(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);
	bool marked = has_mark(word, len);

	return len >= 8 && k.digits && k.lower + k.upper && (marked || (k.lower && k.upper)) &&
	       !is_name(word, len);
}

bool plausible_value(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	return plausible_password(word, len) || (len >= 5 && k.inner_upper) ||
	       (len >= 6 && k.digits == len);
}

/* "timeout=30m" */
static bool is_setting(const char *word, size_t len)
{
	const char *equals = memchr(word, '=', len);

	return equals && equals + 1 < word + len && char_kind(equals[1]);
}

bool plausible_token(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	return len >= 8 && k.digits && k.lower + k.upper && !is_setting(word, len) &&
	       !is_path(word, len) && !is_common(word, len);
}

bool plausible_short(const char *word, size_t len)
{
	return len >= 4 && kinds_of(word, len).digits < len && plausible_literal(word, len);
}

/* "EndOfFile": words in one, each of a capital and small letters. */
static bool is_camel(const char *word, size_t len)
{
	size_t small = 0, words = 0;

	for (size_t i = 0; i < len; i++) {
		if (is_upper(word[i])) {
			if (words && small < 1 && !is_upper(word[i - 1]))
				return false;
			words++;
			small = 0;
		} else if (is_lower(word[i])) {
			small++;
		} else {
			return false;
		}
	}
	return words >= 2 && small >= 1;
}

/*
 * "token: class" is of a compiler, "Token.java:120" of a stack trace, and
 * "Signature: 0x000806ec" of a processor.
 */
bool plausible_value_of_token(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	if (!plausible_literal(word, len))
		return false;
	if (len > 2 && len <= 10 && word[0] == '0' && word[1] == 'x')
		return false;
	return k.digits == len ? len >= 6 : k.digits || k.inner_upper || len >= 12;
}

/* "token=AbcDef", and "Unexpected token: EndOfFile", which is of a parser. */
bool plausible_token_assignment(const char *pair, size_t len)
{
	size_t at = 0;
	char sign;

	while (at < len && pair[at] != '=' && pair[at] != ':')
		at++;
	sign = at < len ? pair[at] : '=';
	while (at < len && pair[at] && strchr("=:> \t\"'\\", pair[at]))
		at++;
	return plausible_value_of_token(pair + at, len - at) &&
	       (sign == '=' || !is_camel(pair + at, len - at));
}

/* "PasswordEncoder.java:120" is a place in a program. */
bool plausible_pair(const char *pair, size_t len)
{
	static const char *const sources[] = { ".java", ".kt", ".scala", ".groovy", ".clj" };
	size_t line = len;

	while (line && is_digit(pair[line - 1]))
		line--;
	if (line == len || line == 0 || pair[--line] != ':')
		return true;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		size_t n = strlen(sources[i]);

		if (line >= n && memcmp(pair + line - n, sources[i], n) == 0)
			return false;
	}
	return true;
}

bool plausible_code(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	return k.digits >= 2 || (len >= 12 && k.digits && k.lower && k.upper);
}

/* Digits among letters: not "refresher-12", and not "Utf8Decoder". */
bool plausible_mix(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	return len >= 8 &&
	       (k.digit_turns >= 3 || (len >= 16 && k.digits && k.lower >= 3 && k.upper >= 3 &&
				       k.turns * 100 >= len * 35));
}

/* "serial number 0x1a2b" is that of a certificate. */
bool plausible_licence(const char *word, size_t len)
{
	return plausible_mix(word, len) && !(len > 2 && word[0] == '0' && (word[1] | 0x20) == 'x');
}

/* "password (required)" and "Password[]" are none. */
bool plausible_in_brackets(const char *word, size_t len)
{
	if (!plausible_literal(word, len))
		return false;
	return plausible_password(word, len) || len >= 12;
}

/* "setPassword(String)" and "setPassword(arg0)" are of programs. */
bool plausible_argument(const char *word, size_t len)
{
	return plausible_password(word, len) && !memchr(word, '=', len);
}

/* In "http://host:8080/users?mail=a@b" it is a port. */
bool plausible_in_url(const char *word, size_t len)
{
	size_t digits = 0;

	while (digits < len && is_digit(word[digits]))
		digits++;
	return digits > 5 || (digits < len && !strchr("/?#", word[digits])) || digits == 0;
}

bool plausible_bearer(const char *word, size_t len)
{
	return !is_setting(word, len) && (len >= 16 || kinds_of(word, len).digits);
}

bool plausible_basic(const char *word, size_t len)
{
	uint8_t plain[256];
	size_t n = base64_decode(word, len < 336 ? len : 336, plain);
	const uint8_t *colon = memchr(plain, ':', n);

	for (size_t i = 0; i < n; i++) {
		if (plain[i] < ' ' || plain[i] == 0x7f)
			return false;
	}
	return colon && (size_t)(colon - plain) + 1 < n;
}

static bool is_user(const char *word, size_t len)
{
	static const char *const schemes[] = { "mailto", "sip", "sips", "xmpp", "acct", "im" };
	char lower[8] = "";

	for (size_t i = 0; len < sizeof(lower) && i < len; i++)
		lower[i] = (char)(word[i] | 0x20);
	return !IS_ONE_OF(lower, schemes);
}

/* "1.25", "18.2.0": a version, as of an image or a package; with `parts` dots or less. */
static bool is_version(const char *word, size_t len, size_t parts)
{
	size_t dots = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_digit(word[i]) && word[i] != '.')
			return false;
		dots += word[i] == '.';
	}
	return dots && dots <= parts;
}

/* "sha256:0f..." after an image, "v1.2.3" after a repository. */
static bool is_revision(const char *host, size_t len)
{
	return is_version(host, len, 2) ||
	       (len > 3 && memcmp(host, "sha", 3) == 0 && is_digit(host[3])) ||
	       (len > 1 && host[0] == 'v' && is_digit(host[1]));
}

static bool is_network_host(const char *host, size_t len)
{
	return memchr(host, '.', len) || memchr(host, ':', len) || memchr(host, '/', len) ||
	       (len == 9 && memcmp(host, "localhost", len) == 0);
}

/* "user:password@host"; where the host is a single word, the password must look like one. */
bool plausible_userinfo(const char *text, size_t len)
{
	const char *colon, *at;
	size_t n;

	while (len && !char_kind(text[0]))
		text++, len--;
	colon = memchr(text, ':', len);
	at = memrchr(text, '@', len);
	if (!colon || !at || at < colon || !is_user(text, (size_t)(colon - text)))
		return false;
	n = (size_t)(at - colon) - 1;
	len -= (size_t)(at - text) + 1;
	if (is_version(colon + 1, n, 3) || is_revision(at + 1, len))
		return false;
	return is_network_host(at + 1, len) || plausible_strong(colon + 1, n) ||
	       plausible_mix(colon + 1, n);
}

/* "--password  prompt for it" is a description, and so is "--password PASSWORD". */
bool plausible_option(const char *text, size_t len)
{
	static const char *const others[] = { "header", "stdin", "prompt", "command", "cmd", "env",
					      "id", "var" };
	size_t at = len, end = 0;

	while (len && (text[0] == '-' || !char_kind(text[0])))
		text++, len--;
	at = len;
	while (end < len && !strchr(" ,\"'", text[end]))
		end++;
	if (text_is_about_secrets(text, end))
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		size_t n = strlen(others[i]);

		if (end > n && strchr("-._", text[end - n - 1]) &&
		    strncasecmp(text + end - n, others[i], n) == 0)
			return false;
	}

	while (at && !strchr(" ,", text[at - 1]))
		at--;
	while (at < len && strchr("\"'", text[at]))
		at++;
	return at == len || plausible_literal(text + at, len - at);
}

/* "user/password@host", where nothing else says what it is. */
bool plausible_slashed(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len), *at = memrchr(text, '@', len);

	return slash && at && slash < at && plausible_strong(slash + 1, (size_t)(at - slash) - 1) &&
	       !is_revision(at + 1, len - (size_t)(at - text) - 1);
}

/* "(?, ?, :name)": what a statement is given apart from its text. */
bool plausible_values(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\'' || text[i] == '"' || is_digit(text[i]))
			return true;
	}
	return false;
}

bool plausible_auth(const char *word, size_t len)
{
	return plausible_basic(word, len) || plausible_mix(word, len);
}

/* Command lines -------------------------------------------------------------------------------- */

struct tool {
	const char *name;   /* its beginning, if it ends in a star */
	const char *option; /* "": any word */
	bool joined, apart; /* how the password follows */
	char after;	    /* the password is what follows this character in the word; or 0 */
	bool login;	    /* only after the word "login" */
};

static const struct tool tools[] = {
	{ "mysql*", "-p", true, false, 0, false },
	{ "mariadb*", "-p", true, false, 0, false },
	{ "7z*", "-p", true, false, 0, false },
	{ "rar", "-p", true, false, 0, false },
	{ "unrar", "-p", true, false, 0, false },
	{ "sshpass", "-p", true, true, 0, false },
	{ "mongo*", "-p", false, true, 0, false },
	{ "cqlsh", "-p", true, true, 0, false },
	{ "docker", "-p", true, true, 0, true },
	{ "podman", "-p", true, true, 0, true },
	{ "nerdctl", "-p", true, true, 0, true },
	{ "helm", "-p", true, true, 0, true },
	{ "az", "-p", false, true, 0, true },
	{ "oc", "-p", true, true, 0, true },
	{ "curl", "-u", true, true, ':', false },
	{ "curl", "-U", true, true, ':', false },
	{ "curl", "--user", false, true, ':', false },
	{ "curl", "--proxy-user", false, true, ':', false },
	{ "curl", "-b", true, true, '=', false },
	{ "redis-cli", "-a", false, true, 0, false },
	{ "ldap*", "-w", true, true, 0, false },
	{ "sqlcmd", "-P", true, true, 0, false },
	{ "isql", "-P", true, true, 0, false },
	{ "osql", "-P", true, true, 0, false },
	{ "bcp", "-P", true, true, 0, false },
	{ "tsql", "-P", true, true, 0, false },
	{ "ipmitool", "-P", true, true, 0, false },
	{ "zip", "-P", true, true, 0, false },
	{ "unzip", "-P", true, true, 0, false },
	{ "snmp*", "-A", false, true, 0, false },
	{ "snmp*", "-X", false, true, 0, false },
	{ "snmp*", "-c", false, true, 0, false },
	{ "plink", "-pw", false, true, 0, false },
	{ "pscp", "-pw", false, true, 0, false },
	{ "psftp", "-pw", false, true, 0, false },
	{ "nodetool", "-pw", false, true, 0, false },
	{ "smbclient", "-U", true, true, '%', false },
	{ "rpcclient", "-U", true, true, '%', false },
	{ "xfreerdp", "/p:", true, false, 0, false },
	{ "sqlplus", "", true, false, '/', false },
	{ "sqlldr", "", true, false, '/', false },
	{ "expdp", "", true, false, '/', false },
	{ "impdp", "", true, false, '/', false },
	{ "rman", "", true, false, '/', false },
	{ "vault", "login", false, true, 0, false },
	{ "openssl", "pass:", true, false, 0, false },
	{ "openssl", "-k", false, true, 0, false },
	{ "openssl", "-K", false, true, 0, false },
	{ "http", "-a", false, true, ':', false },
	{ "http", "--auth", false, true, ':', false },
	{ "https", "-a", false, true, ':', false },
	{ "https", "--auth", false, true, ':', false },
	{ "etcdctl", "--user", false, true, ':', false },
	{ "mosquitto*", "-P", false, true, 0, false },
	{ "ncftp*", "-p", false, true, 0, false },
	{ "racadm", "-p", false, true, 0, false },
	{ "rdesktop", "-p", false, true, 0, false },
	{ "signtool", "/p", false, true, 0, false },
	{ "certutil", "-p", false, true, 0, false },
	{ "useradd", "-p", false, true, 0, false },
	{ "usermod", "-p", false, true, 0, false },
	{ "ssh-keygen", "-N", false, true, 0, false },
	{ "jmxterm", "-p", false, true, 0, false },
};

static bool is_delimiter(char c)
{
	return (unsigned char)c <= ' ' || strchr(",[]()\"'`;|&<>", c);
}

/* The next word at *at or later, which is moved after it. */
static bool next_word(const char *text, size_t len, size_t *at, struct text_span *word)
{
	while (*at < len && is_delimiter(text[*at]))
		(*at)++;
	word->from = *at;
	while (*at < len && !is_delimiter(text[*at]))
		(*at)++;
	word->to = *at;
	return word->to > word->from;
}

static bool is_tool(const struct tool *t, const char *word, size_t len)
{
	size_t n = strlen(t->name);

	for (size_t i = len; i > 0; i--) {
		if (word[i - 1] == '/' || word[i - 1] == '\\') {
			word += i;
			len -= i;
			break;
		}
	}
	if (len > 4 && memcmp(word + len - 4, ".exe", 4) == 0)
		len -= 4;
	if (t->name[n - 1] == '*')
		return len >= n - 1 && memcmp(word, t->name, n - 1) == 0;
	return len == n && memcmp(word, t->name, n) == 0;
}

static const struct tool *tool_of(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		if (is_tool(&tools[i], word, len))
			return &tools[i];
	}
	return NULL;
}

static bool cut_word(const struct tool *t, const char *text, struct text_span *word)
{
	const char *after = t->after ? memchr(text + word->from, t->after, word->to - word->from)
				     : NULL;
	const char *host;

	if (t->after && (!after || after == text + word->from))
		return false;
	if (after)
		word->from = (size_t)(after - text) + 1;
	host = t->after == '/' ? memchr(text + word->from, '@', word->to - word->from) : NULL;
	if (host)
		word->to = (size_t)(host - text);
	return word->to > word->from;
}

/* Does the word, or the one after it, have the password of the tool? */
static bool has_password(const struct tool *t, const char *text, size_t len, struct text_span *word,
			 size_t *at)
{
	size_t n = strlen(t->option);

	if (word->to - word->from < n || memcmp(text + word->from, t->option, n) != 0)
		return false;
	if (word->to - word->from > n) {
		if (!t->joined || (n == 0 && text[word->from] == '-'))
			return false;
		word->from += n;
		return cut_word(t, text, word);
	}
	/* Quotes part words, and -p'x' is of one. */
	if (!t->apart && !(t->joined && *at + 1 < len && strchr("'\"", text[*at])))
		return false;
	return next_word(text, len, at, word) && text[word->from] != '-' && cut_word(t, text, word);
}

/* What the tool is called, of which `from` may be the second password, is not far from there. */
#define LOOK_BACK 256

bool find_tool_password(const char *text, size_t len, size_t from, struct text_span *piece)
{
	const struct tool *tool = NULL;
	bool login = false;
	size_t at = from > LOOK_BACK ? from - LOOK_BACK : 0;

	while (next_word(text, len, &at, piece)) {
		const char *word = text + piece->from;
		size_t n = piece->to - piece->from;
		const struct tool *other = tool_of(word, n);

		if (other) {
			tool = other;
			login = false;
			continue;
		}
		login |= n == 5 && memcmp(word, "login", 5) == 0;
		for (const struct tool *t = tool;
		     t && t < tools + sizeof(tools) / sizeof(*tools) &&
		     t->name[0] == tool->name[0] && strcmp(t->name, tool->name) == 0;
		     t++) {
			struct text_span found = *piece;
			size_t behind = at;

			if ((!t->login || login) && has_password(t, text, len, &found, &behind) &&
			    found.from >= from) {
				*piece = found;
				return true;
			}
		}
	}
	return false;
}
