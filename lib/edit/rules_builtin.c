/* SPDX-License-Identifier: MIT */
/*
 * rules_builtin.c - the sets of rules that come with the library
 *
 * jfrec-scrub(1) says what they cover, and what not.
 */
#include "edit/rules.h"

#include <string.h>

#include "base/error.h"

/*
 * Environment variables and properties whose name says that they are secret.
 * Not PWD, the working directory.
 */
#define SECRET_NAMES                                                                      \
	"*password*,*passwd*,*passphrase*,*passcode*,*_pwd,*.pwd,*-pwd,*_pass,*.pass,"    \
	"*secret*,*token*,*credential*,*apikey*,*api_key*,*api-key*,*api.key*,"           \
	"*access_key*,*access-key*,*accesskey*,*private_key*,*private-key*,*privatekey*," \
	"*signing_key*,*encryption_key*,*auth_key*,*authkey*,*connection_string*,*_dsn,"  \
	"*authorization*,*cookie*"

/* Of system properties, those that the JVM has by itself. */
#define JVM_PROPERTIES                                                                 \
	"java.*,os.*,sun.*,jdk.*,file.*,path.*,line.*,awt.*,*.encoding,user.timezone," \
	"user.language,user.country,user.script,user.variant,java"

#define HARMLESS_VARIABLES "lang,language,lc_*,tz,term,shlvl,columns,lines,colorterm"

/*
 * Expressions that look for something at each place and read on from there to the
 * end take hours for a text of megabytes: so none begins with a repetition, and
 * what is repeated ends soon or cannot begin again within.
 */

/* Words of a key, in texts. */
#define SECRET_KEY                                                                   \
	"(password|passwd|passphrase|passcode|pwd|secret|credentials?|api[_.-]?key|" \
	"access[_.-]?key|private[_.-]?key|signing[_.-]?key|encryption[_.-]?key|auth[_.-]?key)"
#define TOKEN_KEY  "(token|authorization|cookie|signature|session[_.-]?id)"
#define KEY_BEHIND "[A-Za-z0-9_.-]{0,30}[\"']?"

/* A value without quotes ends at a blank, or where a list or a query goes on. */
#define BARE "([^][ \t\r\n\"',;&<>{}()]+)"

/* What follows an option up to the next one. */
#define UP_TO_OPTION "([^ ]+( +[^- ][^ ]*)*)"

#define STRONG	 .hunt_from = HUNT_STRONG
#define ORDINARY .hunt_from = HUNT_ORDINARY

/* A secret may be short; of what is only not for others much is short and common. */
enum { HUNT_STRONG = 4, HUNT_ORDINARY = 8 };

enum set { SET_DEFAULT, SET_HOSTS, SET_PATHS };

struct builtin {
	enum set set;
	const char *pattern;
	struct rule rule;
};

/* clang-format off */
static const struct builtin builtins[] = {
	/* Users and hosts get tokens; in front of what takes all of a value. */
	{ SET_PATHS, "(/home/|/Users/|/export/home/|[A-Za-z]:\\\\+Users\\\\+)([^][/\\:;,\"'<>() ]+)",
	  { .name = "home directory", .replace = "\\1user-\\h", .needs = "/\\", STRONG } },
	{ SET_PATHS, ".+",
	  { .name = "user name", .field = "value", .replace = "user-\\h", STRONG,
	    .named = "user.name,user,logname,username,sudo_user" } },

	{ SET_HOSTS, "(://([^][ /?#@\"'<>]*@)?)([A-Za-z0-9][A-Za-z0-9.-]*)",
	  { .name = "host in a URL", .replace = "\\1host-\\h", .needs = "@:", STRONG, .secrets = 1 << 3 } },
	{ SET_HOSTS, "(^|[^0-9A-Za-z.])(([0-9]{1,3}[.]){3}[0-9]{1,3})($|[^0-9A-Za-z])",
	  { .name = "IPv4 address", .replace = "\\1ip-\\h\\4", .needs = ".", STRONG } },
	{ SET_HOSTS, "(^|[^0-9A-Za-z:.])(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,6}(:[0-9a-f]{1,4}){1,6}|([0-9a-f]{1,4}:){1,7}:|:(:[0-9a-f]{1,4}){1,7})($|[^0-9A-Za-z:])",
	  { .name = "IPv6 address", .replace = "\\1ip-\\h\\8", .needs = ":", STRONG } },
	{ SET_HOSTS, ".+",
	  { .name = "host", .event = "jdk.Socket*,jdk.TLSHandshake,jdk.*Network*",
	    .field = "host,address,peerHost,hostName", .replace = "host-\\h", STRONG } },
	{ SET_HOSTS, ".+",
	  { .name = "host name", .field = "value", .replace = "host-\\h", STRONG,
	    .named = "hostname,computername,host,*.hostname,*_hostname,*.host,*_host" } },

	/* Secrets, wherever they stand. */
	{ SET_DEFAULT, "(://)([^][ /?#:@\"'<>]*):([^][ /?#\"'<>]+)@",
	  { .name = "URL with a password", .replace = "\\1" RULES_MASK ":" RULES_MASK "@",
	    .needs = "@", STRONG, .secrets = 1 << 3 } },
	{ SET_DEFAULT, "(://)([^][ /?#:@\"'<>]{8,})@",
	  { .name = "URL with credentials", .replace = "\\1" RULES_MASK "@", .needs = "@", STRONG,
	    .secrets = 1 << 2 } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND " *[=:] *\")([^\"]+)",
	  { .name = "password in quotes", .replace = "\\1" RULES_MASK, .needs = "\"", STRONG } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND " *[=:] *')([^']+)",
	  { .name = "password in quotes", .replace = "\\1" RULES_MASK, .needs = "'", STRONG } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND " *[=:] *)" BARE,
	  { .name = "password", .replace = "\\1" RULES_MASK, .needs = "=:", STRONG } },
	{ SET_DEFAULT, "(" TOKEN_KEY KEY_BEHIND "[=:][\"']?)" BARE,
	  { .name = "token", .replace = "\\1" RULES_MASK, .needs = "=:", STRONG } },
	{ SET_DEFAULT, "((^| )--?[A-Za-z0-9.-]*(password|passwd|passphrase|secret|token|api-?key)[A-Za-z0-9.-]* +)([^- ][^ ]*)",
	  { .name = "password of an option", .replace = "\\1" RULES_MASK, .needs = "-", STRONG } },
	{ SET_DEFAULT, "(authorization[\"']? *[=:] *[\"']?(([A-Za-z]+) +)?)([^ \"',;]+)",
	  { .name = "authorization header", .replace = "\\1" RULES_MASK, .needs = "=:", STRONG } },
	{ SET_DEFAULT, "(bearer +)([A-Za-z0-9._~+/=-]{16,})",
	  { .name = "bearer token", .replace = "\\1" RULES_MASK, .needs = " ", STRONG } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9_-])(eyJ[A-Za-z0-9_-]{8,}[.][A-Za-z0-9_-]{8,}[.]?[A-Za-z0-9_-]*)",
	  { .name = "JSON web token", .replace = "\\1" RULES_MASK, .needs = ".", STRONG } },
	{ SET_DEFAULT, "(AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|sk_(live|test)_[A-Za-z0-9]{16,}|AIza[A-Za-z0-9_-]{30,}",
	  { .name = "known form of a key", .replace = RULES_MASK, STRONG, .needs = "_-IA" } },
	{ SET_DEFAULT, "-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?",
	  { .name = "private key", .replace = RULES_MASK, .needs = "-", STRONG } },

	/* Values by the name of what has them. */
	{ SET_DEFAULT, ".+",
	  { .name = "secret by its name", .field = "value", .replace = RULES_MASK, STRONG,
	    .named = SECRET_NAMES } },
	{ SET_DEFAULT, ".+",
	  { .name = "environment variable", .event = "jdk.InitialEnvironmentVariable", .field = "value",
	    .replace = RULES_MASK, ORDINARY, .not_named = HARMLESS_VARIABLES } },
	{ SET_DEFAULT, ".+",
	  { .name = "system property", .event = "jdk.InitialSystemProperty", .field = "value",
	    .replace = RULES_MASK, ORDINARY, .not_named = JVM_PROPERTIES } },

	/* Command lines: what runs stays, what it was told does not. */
	{ SET_DEFAULT, "^([^ ]+ +)(.+)$",
	  { .name = "arguments", .event = "jdk.InitialSystemProperty", .field = "value",
	    .replace = "\\1" RULES_MASK, .needs = " ", ORDINARY, .hunt_words = true,
	    .named = "sun.java.command" } },
	{ SET_DEFAULT, "^([^ ]+ +)(.+)$",
	  { .name = "arguments", .event = "jdk.JVMInformation", .field = "javaArguments",
	    .replace = "\\1" RULES_MASK, .needs = " ", ORDINARY, .hunt_words = true } },
	{ SET_DEFAULT, "^([^ ]+ +)(.+)$",
	  { .name = "command line", .event = "jdk.SystemProcess", .field = "commandLine",
	    .replace = "\\1" RULES_MASK, .needs = " ", ORDINARY } },
	{ SET_DEFAULT, "(-D[^= ]+=)" UP_TO_OPTION,
	  { .name = "property of a command line", .event = "jdk.JVMInformation",
	    .field = "jvmArguments,jvmFlags", .replace = "\\1" RULES_MASK, .needs = "=", ORDINARY,
	    .hunt_words = true } },
	{ SET_DEFAULT, "(-(javaagent|agentlib|agentpath):[^= ]+=|-XX:On(Error|OutOfMemoryError)=)" UP_TO_OPTION,
	  { .name = "options of an agent", .event = "jdk.JVMInformation",
	    .field = "jvmArguments,jvmFlags", .replace = "\\1" RULES_MASK, .needs = "=", ORDINARY,
	    .hunt_words = true } },
};
/* clang-format on */

/* Only what is written in words is written in any case. */
static bool ignores_case(const struct builtin *b)
{
	return b->set == SET_DEFAULT && strstr(b->pattern, "AKIA") == NULL &&
	       strstr(b->pattern, "eyJ") == NULL;
}

int rules_add_set(struct jfrec_rules *rules, const char *set, struct jfrec_error *err)
{
	static const char *const names[] = {
		[SET_DEFAULT] = "default",
		[SET_HOSTS] = "hosts",
		[SET_PATHS] = "paths",
	};
	bool found = false;

	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++) {
		const struct builtin *b = &builtins[i];

		if (strcmp(names[b->set], set) != 0)
			continue;
		found = true;
		if (rules_add(rules, &b->rule, b->pattern, ignores_case(b), err) < 0)
			return -1;
	}
	return found ? 0
		     : jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there are no rules %.60s",
				  set);
}
