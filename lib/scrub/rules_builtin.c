/* SPDX-License-Identifier: MIT */
/*
 * rules_builtin.c - the sets of scrub rules that are built in
 *
 * jfrec-scrub(1) says what they cover, and what not.
 */
#include "scrub/assignment.h"
#include "scrub/distinct.h"
#include "scrub/placeholder.h"
#include "scrub/random_text.h"
#include "scrub/rules.h"
#include "scrub/secret_words.h"

#include <string.h>

#include "base/error.h"

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

/*
 * Password, in German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Finnish, Polish,
 * Czech, Hungarian, Turkish, Russian, Chinese, Japanese and Korean.
 */
#define FOREIGN(or)                                                                        \
	"passwort" or "kennwort" or "mot de passe" or "contrase\303\261a" or "senha" or    \
	"parola" or "wachtwoord" or "l\303\266senord" or "losenord" or "salasana" or       \
	"has\305\202o" or "haslo" or "heslo" or "jelsz\303\263" or "jelszo" or             \
	"\305\237ifre" or "sifre" or                                                       \
	"\320\277\320\260\321\200\320\276\320\273\321\214" or "\345\257\206\347\240\201" or  \
	"\345\257\206\347\242\274" or                                                      \
	"\343\203\221\343\202\271\343\203\257\343\203\274\343\203\211" or                  \
	"\353\271\204\353\260\200\353\262\210\355\230\270"

/* Words of a key, in texts; and what of them every text with one has. */
#define SECRET_KEY                                                                         \
	"(password|passwd|pass ?phrase|pass[_ -]word|pass[_-]phrase|passcode|pwd|secret|"  \
	"credentials?|creds|" FOREIGN("|") "|"                                             \
	"(api|access|account|private|signing|encryption|encryptor|crypto|cipher|auth|"     \
	"master|shared|storage|"                                                           \
	"license|licence|instrumentation|consumer|subscription|session|service|client|app|deploy|" \
	"admin|ingest|fcm|hmac|jwt|aes|age|decryption|recovery|serial|activation|unseal|wallet)"   \
	"[_. -]?key|psk)"
#define SECRET_WORDS                                                                \
	"password,passwd,passphrase,pass phrase,pass-phrase,pass_phrase,pass word," \
	"pass-word,pass_word,passcode,pwd,secret,credential,creds,key,psk," FOREIGN(",")
#define TOKEN_KEY                                                            \
	"(token|authorization|cookie|signature|session[_ .-]?id|session_state|sessid|jwt|" \
	"csrf|xsrf|hmac|assertion|access-sign|honeycomb-team|device_code|sonar[.]login)"
#define TOKEN_WORDS \
	"token,authorization,cookie,signature,session,sessid,jwt,csrf,xsrf,hmac,assertion," \
	"access-sign,honeycomb-team,device_code,sonar.login"

/* Of JSON in JSON, quotes have backslashes. */
#define QUOTE	   "\\\\*[\"']"
#define KEY_BEHIND "[A-Za-z0-9_.-]{0,30}(" QUOTE ")?\\]?"
#define EQUALS	   "[ \t]*(=>|:=|[=:])[ \t]*"

/* Quotes, and the end of a tag, as XML and JSON escape them; and what URLs escape with. */
#define ENTITY	"(&(amp;)?(quot|apos|gt|#34|#39|#x22|#x27);|\\\\+u00(22|27|3e))"
#define PERCENT "%(25)*"

/* A value without quotes ends at a blank, or where a list or a query goes on. */
#define BARE "([^][ \t\r\n\"',;&<>{}():][^][ \t\r\n\"',;&<>{}()]*)"

/* The same of a word in a sentence, where a dot is the end of that. */
#define WORD "([^][ \t\r\n\"',;&<>{}()]*[^][ \t\r\n\"',;&<>{}().:])"

/* What follows an option up to the next one. */
#define UP_TO_OPTION "([^ ]+( +[^- ][^ ]*)*)"

/* What is taken away elsewhere, too: all of it, what can only be a secret, what looks random. */
#define ALWAYS	 .text_set_from = TEXT_SET_STRONG
#define STRONG	 .text_set_from = TEXT_SET_STRONG, .distinct = is_distinct
#define ORDINARY .text_set_from = TEXT_SET_ORDINARY, .distinct = looks_random

/* A secret may be short; of what is only not for others much is short and common. */
enum { TEXT_SET_STRONG = 4, TEXT_SET_ORDINARY = 8 };

enum set { SET_DEFAULT, SET_HOSTS, SET_PATHS };

struct builtin {
	enum set set;
	const char *pattern;
	struct rule rule;
};

/* clang-format off */
static const struct builtin builtins[] = {
	/* Users and hosts get tokens; before what takes all of a value. */
	{ SET_PATHS, "(/home/|/Users/|/export/home/|[A-Za-z]:\\\\+Users\\\\+)([^][/\\:;,\"'<>() ]+)",
	  { .name = "home directory", .replace = "\\1user-\\h", .needs = "/\\", ALWAYS } },
	{ SET_PATHS, ".+",
	  { .name = "user name", .field = "value", .replace = "user-\\h", ALWAYS,
	    .named = "user.name,user,logname,username,sudo_user" } },

	{ SET_HOSTS, "(://([^][ /?#@\"'<>]*@)?)([A-Za-z0-9][A-Za-z0-9.-]*)",
	  { .name = "host in a URL", .replace = "\\1host-\\h", .needs = "@:", ALWAYS, .secrets = 1 << 3 } },
	{ SET_HOSTS, "(^|[^0-9A-Za-z.])(([0-9]{1,3}[.]){3}[0-9]{1,3})($|[^0-9A-Za-z])",
	  { .name = "IPv4 address", .replace = "\\1ip-\\h\\4", .needs = ".", ALWAYS } },
	{ SET_HOSTS, "(^|[^0-9A-Za-z:.])(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,6}(:[0-9a-f]{1,4}){1,6}|([0-9a-f]{1,4}:){1,7}:|:(:[0-9a-f]{1,4}){1,7})($|[^0-9A-Za-z:])",
	  { .name = "IPv6 address", .replace = "\\1ip-\\h\\8", .needs = ":", ALWAYS } },
	{ SET_HOSTS, ".+",
	  { .name = "host", .event = "jdk.Socket*,jdk.TLSHandshake,jdk.*Network*",
	    .field = "host,address,peerHost,hostName", .replace = "host-\\h", ALWAYS } },
	{ SET_HOSTS, ".+",
	  { .name = "host name", .field = "value", .replace = "host-\\h", ALWAYS,
	    .named = "hostname,computername,host,*.hostname,*_hostname,*.host,*_host" } },

	/* Secrets, wherever they stand. */
	{ SET_DEFAULT, "(://)([^][ /?#:@\"'<>]*):([^][ /?#\"'<>]+)@",
	  { .name = "URL with a password", .replace = "\\1" RULES_MASK ":" RULES_MASK "@",
	    .needs = "@", .words = "://", STRONG, .secrets = 1 << 3 } },
	{ SET_DEFAULT, "(://)([^][ /?#:@\"'<>]*):([^][ \"'<>@]{3}[^][ \"'<>@]*)@[A-Za-z0-9_.-]",
	  { .name = "URL with a password", .replace = "\\1" RULES_MASK ":" RULES_MASK "@",
	    .needs = "@", .words = "://", STRONG, .secrets = 1 << 3, .plausible = plausible_in_url,
	    .judged = 3 } },
	{ SET_DEFAULT, "(://)([^][ /?#:@\"'<>]{8,})@",
	  { .name = "URL with credentials", .replace = "\\1" RULES_MASK "@", .needs = "@",
	    .words = "://", STRONG, .secrets = 1 << 2 } },
	{ SET_DEFAULT, "(%3a%2f%2f([^% /]|%[013-9a-f][0-9a-f]){0,60}%3a)(([^% /@]|%[0-35-9][0-9a-f]|%4[1-9a-f]){3,100})%40",
	  { .name = "URL with a password", .replace = "\\1" RULES_MASK "%40", .needs = "%",
	    .words = "%3a%2f%2f", STRONG, .secrets = 1 << 3 } },
	{ SET_DEFAULT, "([?&](u|user|usr|username|login|email)=[^& ]{1,100}&(p|pw)=)([^][ \t\r\n\"'&<>]+)",
	  { .name = "query", .replace = "\\1" RULES_MASK, .needs = "=", .words = "&p=,&pw=", STRONG } },
	{ SET_DEFAULT, "(jdbc:[a-z0-9:]{1,40}:)([^][ /:@\"'<>]+)/\"?([^][ @\"'<>]+)\"?@",
	  { .name = "URL with a password", .replace = "\\1" RULES_MASK "/" RULES_MASK "@",
	    .needs = "@", .words = "jdbc:", STRONG, .secrets = 1 << 3 } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9._+/:-])([A-Za-z0-9][A-Za-z0-9._+-]{0,63}):([^][ \t\r\n/:@\"'<>(){}]{3,128})@([A-Za-z0-9-]+([.][A-Za-z0-9-]+)+|[A-Za-z0-9-]+(:[0-9]{2,5}|/|)|localhost)",
	  { .name = "password before a host", .replace = "\\1\\2:" RULES_MASK "@\\4", .needs = "@",
	    STRONG, .secrets = 1 << 3, .plausible = plausible_userinfo, .judged = 0 } },
	{ SET_DEFAULT, "((^|[^A-Za-z0-9_./-])[A-Za-z][A-Za-z0-9_$#]{1,30}/)([^][ /:@\"'<>(){}]{4}[^][ /:@\"'<>(){}]*)@[A-Za-z0-9.-]+:[0-9]{2,5}($|[^0-9a-f])",
	  { .name = "password before a host", .replace = "\\1" RULES_MASK, .needs = "@",
	    STRONG, .secrets = 1 << 3 } },
	{ SET_DEFAULT, "((^|[^A-Za-z0-9_./-])[A-Za-z][A-Za-z0-9_$#]{1,30}/)([^][ /:@\"'<>(){}]{8}[^][ /:@\"'<>(){}]*)@[A-Za-z0-9]+",
	  { .name = "password before a host", .replace = "\\1" RULES_MASK, .needs = "@",
	    STRONG, .secrets = 1 << 3, .plausible = plausible_slashed, .judged = 0 } },
	{ SET_DEFAULT, "((logon|log(ged|in)?|connect(ed|ing)?|credentials?|users?|account|username/password)[^/]{0,40}[ =:\"'][A-Za-z][A-Za-z0-9_$#]{0,30}/)([^][ /:@\"'<>(){}]{4}[^][ /:@\"'<>(){}]*)@[A-Za-z0-9]",
	  { .name = "password before a host", .replace = "\\1" RULES_MASK, .needs = "@",
	    .words = "logon,login,log ,logged,connect,credential,user,account", STRONG, .secrets = 1 << 5 } },
	{ SET_DEFAULT, NULL,
	  { .name = "password after a user", .replace = RULES_MASK, .needs = ":", STRONG,
	    .find = find_pgpass } },
	{ SET_DEFAULT, "((^|[^a-z0-9])(set-)?cookie2?(" QUOTE ")?: *(" QUOTE ")?)([A-Za-z0-9_.%-]{1,60}=[^\"'\r\n]+)",
	  { .name = "cookies", .replace = "\\1" RULES_MASK, .words = "cookie", STRONG,
	    .text_set_words = true } },
	{ SET_DEFAULT, "((passwords|passwd|pwds|secrets|passphrases)(" QUOTE ")?" EQUALS ")([^][ \t\r\n\"';&<>{}(),]{4,60}(, ?[^][ \t\r\n\"';&<>{}(),]{4,60})+)",
	  { .name = "passwords in a list", .replace = "\\1" RULES_MASK, .needs = ",", STRONG,
	    .words = "passwords,passwd,pwds,secrets,passphrases", .text_set_words = true } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND EQUALS "[A-Za-z]{0,2}\")(([^\"\\]|\\\\.)+)",
	  { .name = "password in quotes", .replace = "\\1" RULES_MASK, .needs = "\"",
	    .words = SECRET_WORDS, STRONG, .plausible = plausible_literal, .judged = 6 } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND EQUALS "[A-Za-z]{0,2}')(([^'\\]|\\\\.)+)",
	  { .name = "password in quotes", .replace = "\\1" RULES_MASK, .needs = "'",
	    .words = SECRET_WORDS, STRONG, .plausible = plausible_literal, .judged = 6 } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND EQUALS "\\\\+[\"'])([^\"'\\]+)",
	  { .name = "password in quotes", .replace = "\\1" RULES_MASK, .needs = "\\",
	    .words = SECRET_WORDS, STRONG } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND EQUALS "[{][a-z0-9@-]{2,20}[}])" BARE,
	  { .name = "password", .replace = "\\1" RULES_MASK, .needs = "}", .words = SECRET_WORDS,
	    STRONG } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND EQUALS "(raw[{(]|[[{(]+|[|>][+-]?[ \t]*\r?\n[ \t]*))([^][{}()]+)",
	  { .name = "password in brackets", .replace = "\\1" RULES_MASK, .needs = "[{(|>",
	    .words = SECRET_WORDS, STRONG, .plausible = plausible_assignment, .judged = 0 } },
	{ SET_DEFAULT, "(" SECRET_KEY KEY_BEHIND EQUALS ")" BARE,
	  { .name = "password", .replace = "\\1" RULES_MASK, .needs = "=:", .words = SECRET_WORDS,
	    STRONG, .plausible = plausible_assignment, .judged = 0 } },
	{ SET_DEFAULT, "((" SECRET_KEY "|token|(^|[^a-z])pass|pwd)[A-Za-z0-9_.-]{0,30}(" ENTITY " *[=:]? *" ENTITY "?|(" PERCENT "2[27])?(" PERCENT "20)*" PERCENT "3[ad](" PERCENT "20)*(" PERCENT "2[27])?))(([^][ \t\r\n%&<>\"'\\]|%[013-9a-f][0-9a-f]|%2[134589abdef])+)",
	  { .name = "password that is escaped", .replace = "\\1" RULES_MASK, .needs = "&\\%",
	    .words = SECRET_WORDS ",token,pass", STRONG } },
	{ SET_DEFAULT, "((^|[^a-z])(user|db|require|trust|store|key|admin|root|smtp|mail|ldap|ssh|bind|manager|proxy|ssl|s?ftp|vnc|my|old|new|sudo|become|login|conn|sql){0,3}(pass|pw|masterauth|mdp|clave|cred|(snmp|ro|rw)[ ._-]?community)(" QUOTE ")?" EQUALS "(" QUOTE ")?)" BARE,
	  { .name = "password", .replace = "\\1" RULES_MASK, .needs = "=:", .words = "pass,pw=,pw:,pw ,pw\",masterauth,community,mdp,clave,cred",
	    STRONG, .plausible = plausible_short_assignment, .judged = 0 } },
	{ SET_DEFAULT, "(" TOKEN_KEY KEY_BEHIND EQUALS "(" QUOTE ")?)" BARE,
	  { .name = "token", .replace = "\\1" RULES_MASK, .needs = "=:", .words = TOKEN_WORDS,
	    STRONG, .plausible = plausible_token_assignment, .judged = 0 } },
	{ SET_DEFAULT, "((([?&;])(sig|key|code|auth|hash|ticket|sas|sid|appid|session|pin|otp|x-[a-z]+-(signature|credential))|[_.-]auth([.]user[.]info)?)=)([^][ \t\r\n\"',;&<>{}()#]+)",
	  { .name = "query", .replace = "\\1" RULES_MASK, .needs = "=",
	    .words = "sig=,key=,code=,auth=,hash=,ticket=,sas=,sid=,appid=,session=,pin=,otp=,-signature=,-credential=,user.info=",
	    STRONG, .plausible = plausible_token, .judged = 7 } },
	{ SET_DEFAULT, "(((^|[ =\"'(,])(sig|key|code|auth|ticket|sas|sid|appid|session|pin|otp|x-[a-z]+-(signature|credential)))=)([^][ \t\r\n\"',;&<>{}()#]+)",
	  { .name = "value of a key", .replace = "\\1" RULES_MASK, .needs = "=",
	    .words = "sig=,key=,code=,auth=,hash=,ticket=,sas=,sid=,appid=,session=,pin=,otp=,-signature=,-credential=,user.info=",
	    STRONG, .plausible = plausible_mix, .judged = 6 } },
	{ SET_DEFAULT, "((^|[][ ,(\"'])--?[A-Za-z0-9.-]{0,40}(password|passwd|passphrase|passcode|storepass|keypass|pwd|secret|token|api-?key|access-?key|private-?key|credentials?|requirepass|masterauth|auth-?key|pass)[A-Za-z0-9.-]{0,40}[\"']?(, ?| )[\"']?)([^], \"'-][^], \"']*)",
	  { .name = "password of an option", .replace = "\\1" RULES_MASK, .needs = "-",
	    .words = "pass,pwd,secret,token,key,credential,masterauth", STRONG, .secrets = 1 << 5,
	    .plausible = plausible_option, .judged = 0 } },
	{ SET_DEFAULT, NULL,
	  { .name = "password of a command", .replace = RULES_MASK, STRONG,
	    .find = find_tool_password,
	    .words = "mysql,mariadb,7z ,7za,rar,sshpass,mongo,cqlsh,docker,podman,nerdctl,helm,az login,oc login,curl,redis-cli,ldap,sqlcmd,isql,osql,bcp,tsql,ipmitool,zip,snmp,plink,pscp,psftp,nodetool,smbclient,rpcclient,xfreerdp,sqlplus,sqlldr,expdp,impdp,rman,openssl,vault,http -,https -,etcdctl,mosquitto,ncftp,racadm,rdesktop,signtool,certutil,useradd,usermod,ssh-keygen,jmxterm" } },
	{ SET_DEFAULT, "((" SECRET_KEY "|[_.-]pass|token)[A-Za-z0-9_.-]{0,30}(" QUOTE ")?[,;]?[ \t\r\n]*(" QUOTE ")?n?e?w?valu?e?(" QUOTE ")?" EQUALS "\\\\*[\"']?)([^\"'\\,;}<> ]+)",
	  { .name = "value of a password", .replace = "\\1" RULES_MASK, .words = "val", STRONG,
	    .secrets = 1 << 9 } },
	{ SET_DEFAULT, "(<[a-z0-9_:.-]{0,40}" SECRET_KEY "[^<>]{0,60}>)([^<]+)",
	  { .name = "password in XML", .replace = "\\1" RULES_MASK, .needs = "<",
	    .words = SECRET_WORDS, STRONG } },

	{ SET_DEFAULT, "(<[a-z0-9_:.-]{1,40} [^<>]{0,60}(name|key|id)=[\"'][^\"'<>]{0,40}" SECRET_KEY "[^\"'<>]{0,20}[\"'][^<>]{0,40}>)([^<]+)",
	  { .name = "password in XML", .replace = "\\1" RULES_MASK, .needs = "<",
	    .words = SECRET_WORDS, STRONG, .secrets = 1 << 5 } },
	{ SET_DEFAULT, "(" SECRET_KEY "[A-Za-z0-9_.-]{0,20}[\"']?[^<>]{0,20}(</[a-z:-]{1,40})?>[ \t\r\n]*<[a-z:-]{0,40}(value|string)>)([^<]+)",
	  { .name = "password in XML", .replace = "\\1" RULES_MASK, .needs = "<",
	    .words = SECRET_WORDS, STRONG, .secrets = 1 << 6 } },
	{ SET_DEFAULT, "(cookie *[[{(][^][{}()]{0,100}value=(" QUOTE ")?)([^][ (){}\"',;]+)",
	  { .name = "cookies", .replace = "\\1" RULES_MASK, .words = "cookie", STRONG } },
	{ SET_DEFAULT, "((^|[^a-z])(pin|otp|cvv2?|cvc|passcodes?|one[ -]?time pass[a-z]{0,4}|(one-time|verification|mfa|2fa|otp|pin|sms|your|reset|unlock|activation|security|backup|recovery|login|auth|access|confirmation|user)[ _-]?codes?)(" QUOTE ")?( *[:=] *| +(is +)?)(" QUOTE ")?)([A-Za-z0-9-]{3,20})",
	  { .name = "code", .replace = "\\1" RULES_MASK, .words = "pin,otp,cvv,cvc,code,time pass,time-pass", ORDINARY,
	    .plausible = plausible_code, .judged = 9 } },

	/* In sentences, and in languages. */
	{ SET_DEFAULT, "((password|passwd|passphrase|passcode|pwd|secret|api key|access key|pin|token)( (for|of) [^ ]{1,60}( [^ ]{1,60})?)? ((is|was|has been|is now) )?(is|was|set to|changed to|reset to|updated to|now)[ :]+[\"'`(]?)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK,
	    .words = "password,passwd,passphrase,passcode,pwd,secret,key,pin,token", STRONG,
	    .secrets = 1 << 9, .plausible = plausible_value, .judged = 9 } },
	{ SET_DEFAULT, "((password|passwd|passphrase|passcode|secret|psk|pre-?shared key|api[ -]?key|access key)( (is|was|of|set to|changed to|reset to))? *[\"'`])([^\"'`]{4}[^\"'`]*)[\"'`]",
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK "'",
	    .needs = "\"'`", .words = "password,passwd,passphrase,passcode,secret,psk,key", STRONG,
	    .secrets = 1 << 5, .plausible = plausible_quoted, .judged = 0 } },
	{ SET_DEFAULT, "((password|passwd|passphrase|passcode|secret|api[ -]?key|access key)( *[[]| +[({<]) *)([^][(){}<> ]{4}[^][(){}<> ]*)",
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK,
	    .needs = "[({<", .words = "password,passwd,passphrase,passcode,secret,key", STRONG,
	    .plausible = plausible_in_brackets, .judged = 4 } },
	{ SET_DEFAULT, "((password|passwd|passphrase|passcode|secret)( (for|of) [^ ]{1,60})? to +[\"'`]?)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .needs = " ",
	    .words = "password,passwd,passphrase,passcode,secret", STRONG,
	    .plausible = plausible_password, .judged = 5 } },
	{ SET_DEFAULT, "((password|passphrase|passcode)( [a-z]{1,12}){1,4}: *)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .needs = ":",
	    .words = "password,passphrase,passcode", STRONG, .plausible = plausible_strong,
	    .judged = 4 } },
	{ SET_DEFAULT, "(password[a-z ,:;]{0,30}(expected|expecting|from):? *[\"'<]?)" WORD "([\"'>]?[, ]+(to|but was|but got|got|was|actual|received):? *[\"'<]?)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK "\\4" RULES_MASK,
	    .words = "password", STRONG, .secrets = 1 << 3 | 1 << 6,
	    .plausible = plausible_password, .judged = 6 } },
	{ SET_DEFAULT, "(password[a-z\" ]{0,60}[( ](tried|given|supplied|entered|typed|provided|used)[ :\"']{1,3})" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .words = "password",
	    STRONG, .plausible = plausible_strong, .judged = 3 } },
	{ SET_DEFAULT, "(password *([.]{3,}|-+>|==+) *[\"']?)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .words = "password",
	    .needs = ".>=", STRONG, .plausible = plausible_password, .judged = 3 } },
	{ SET_DEFAULT, "((^|[^a-z])(pass|pw|pwd)( is| was)?[ \t]+)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .words = "pass,pw ,pwd",
	    STRONG, .plausible = plausible_strong, .judged = 5 } },
	{ SET_DEFAULT, "((" FOREIGN("|") ")( (ist|lautet|est|es|is|\303\251|e))?[ \t]+)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .words = FOREIGN(","),
	    STRONG, .plausible = plausible_password, .judged = 5 } },
	{ SET_DEFAULT, "((^|[^a-z])((requirepass|masterauth|bindpw|rootpw|wpa-psk|enable (password|secret)|(tacacs|radius)(-server)? key|snmp-server community|community string|username [^ ]{1,40} (password|secret) [0-9]) +|acl +setuser +[^>]{1,80}>))" WORD,
	  { .name = "password in a configuration", .replace = "\\1" RULES_MASK, .needs = " ",
	    .words = "requirepass,masterauth,bindpw,rootpw,wpa-psk,enable ,tacacs,radius,community,username,setuser",
	    STRONG, .plausible = plausible_password, .judged = 9 } },
	{ SET_DEFAULT, "(^auth( +[a-z0-9_-]{1,30})? +)" WORD "$",
	  { .name = "password of a command", .replace = "\\1" RULES_MASK, .needs = " ",
	    .words = "auth", STRONG, .plausible = plausible_strong, .judged = 3 } },
	{ SET_DEFAULT, "(((log|sign)[ -]?(in|on)s?|auth|authentication|authenticating|credentials?|creds|user)( [a-z]{1,12}){0,3} [\"']?[A-Za-z][A-Za-z0-9._-]{0,30} ?[:/] ?)" WORD,
	  { .name = "password after a user", .replace = "\\1" RULES_MASK, .needs = ":/",
	    .words = "log,sign,auth,cred,user", STRONG, .plausible = plausible_strong,
	    .judged = 6 } },
	{ SET_DEFAULT, "((^|[^A-Za-z0-9_./-])(admin|administrator|root|sa|sys|system|postgres|elastic|superuser):)([^][ \t\r\n\"',;&<>{}()/:~]{8,64})($|[] \t\r\n\"',;)])",
	  { .name = "password after a user", .replace = "\\1" RULES_MASK "\\5", .needs = ":",
	    .words = "admin,root,sa:,sys,postgres,elastic,superuser", STRONG, .secrets = 1 << 4,
	    .plausible = plausible_strong, .judged = 4 } },
	{ SET_DEFAULT, "((password|passphrase|passcode)( [a-z]{1,12}){0,3} (for|of) [^ :]{1,60}: *)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .needs = ":",
	    .words = "password,passphrase,passcode", STRONG, .plausible = plausible_value_of_token,
	    .judged = 5 } },
	{ SET_DEFAULT, "((mnemonic|seed *[:=]|(seed|recovery|secret|backup) (phrase|words))[a-z ]{0,12}[\"' :=]{1,4})(([a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})",
	  { .name = "words of a wallet", .replace = "\\1" RULES_MASK,
	    .words = "mnemonic,phrase,words,seed", STRONG } },
	{ SET_DEFAULT, "((password|passwd|passphrase|passcode|pwd|secret|credentials?|api[ -]?key|access key|login [^ ]{1,60} password)[ \t]+)" WORD,
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK, .needs = " \t",
	    .words = "password,passwd,passphrase,passcode,pwd,secret,credential,key", STRONG,
	    .plausible = plausible_password, .judged = 3 } },
	{ SET_DEFAULT, "((token|api-?key|negotiate|ntlm|ssws|oauth|otp|session|session id|ticket|jwt|jsessionid|key material|(with|using) key|key is) +[\"'`(]?)([A-Za-z0-9._~+/=-]*[A-Za-z0-9_~+/=-])",
	  { .name = "token in a sentence", .replace = "\\1" RULES_MASK, .needs = " ",
	    .words = "token,key,negotiate,ntlm,ssws,oauth,otp,session,ticket,jwt", STRONG,
	    .secrets = 1 << 4, .plausible = plausible_token, .judged = 4 } },
	{ SET_DEFAULT, "((password|passwd|pass ?phrase|passcode|pwd|secret|token|credential|(api|access|private|encryption|licen[cs]e|signing|recovery|serial|activation|product|unseal|wallet|cipher|hmac|aes|session|secret|shared|master|sentry)[ _-]?key)s?[] \"':;,|/>=(-]{1,4}((is|was|are|provided|code|key|value)[ \"':=]{1,3})?)" WORD,
	  { .name = "password after a word", .replace = "\\1" RULES_MASK, .words = SECRET_WORDS ",token",
	    STRONG, .secrets = 1 << 6, .plausible = plausible_mix, .judged = 6 } },
	{ SET_DEFAULT, "(credentials?[ (:]{1,3}[A-Za-z0-9._@-]{1,40} ?/ ?)" WORD,
	  { .name = "password after a user", .replace = "\\1" RULES_MASK, .words = "credential",
	    STRONG, .plausible = plausible_password, .judged = 2 } },
	{ SET_DEFAULT, "((passwordauthentication|basicauth[a-z]{0,10}|credentials([.]basic)?|(get|create)connection|usernamepassword[a-z]{0,20}|(pgp_sym_|aes_?|des_?)(en|de)crypt) *\\([^()]{0,200}, *\\\\*[\"'])([^\"'\\]+)",
	  { .name = "password as an argument", .replace = "\\1" RULES_MASK, .needs = "(",
	    .words = "passwordauth,basicauth,credentials,connection,usernamepassword,ncrypt,ecrypt",
	    STRONG, .secrets = 1 << 7 } },
	{ SET_DEFAULT, "((((log|sign)_?(in|on)|authenticate|signwith|connect) *\\(|sp_addlogin +|sp_password +)[^()]{1,200}, *\\\\*[\"']?)([^][ (){}\"',;\\]{4}[^][ (){}\"',;\\]*)",
	  { .name = "password as an argument", .replace = "\\1" RULES_MASK, .needs = ",",
	    .words = "log,sign,authenticate,connect,sp_addlogin,sp_password", STRONG,
	    .secrets = 1 << 6, .plausible = plausible_strong, .judged = 6 } },
	{ SET_DEFAULT, "((auth[a-z]{0,14}|userinfo)( *\\( *|=)[\"']?[A-Za-z][^]\"':,; ()=]{0,60}:)([^][ \t\r\n\"',;()]+)",
	  { .name = "password after a user", .replace = "\\1" RULES_MASK, .needs = ":",
	    .words = "auth,userinfo", STRONG, .plausible = plausible_strong, .judged = 4 } },
	{ SET_DEFAULT, "((^|[^a-z])(users[._]([a-z]{1,20}[._]users[._])?[a-z0-9_-]{1,30}=|user_[a-z0-9_-]{1,30}=" QUOTE "))" WORD,
	  { .name = "password after a user", .replace = "\\1" RULES_MASK, .needs = "=",
	    .words = "user_,users.,users_", STRONG, .plausible = plausible_strong, .judged = 5 } },
	{ SET_DEFAULT, "([\"'])([^\"'\\]{4,200})([\"'] *[.]tochararray)",
	  { .name = "password as an argument", .replace = "\\1" RULES_MASK "\\3", STRONG,
	    .words = "tochararray", .secrets = 1 << 2 } },
	{ SET_DEFAULT, "((hmac(sha)?_?[0-9]{3}|hashpw|keystore[.]load|getkey|encoder[.](encode|matches)|(^|[^a-z0-9])(md5|sha-?(1|256|512)))h?e?x? *\\( *([^()]{0,60}, *)?[\"']?)" WORD,
	  { .name = "password as an argument", .replace = "\\1" RULES_MASK, .needs = "(",
	    .words = "hmac,hashpw,keystore.load,getkey,encoder.,md5,sha1,sha-1,sha256,sha-256,sha512,sha-512",
	    STRONG, .secrets = 1 << 9, .plausible = plausible_strong, .judged = 9 } },
	{ SET_DEFAULT, "((invalidkey|cipher|decrypt|encrypt)[a-z]{0,20}[: ]{1,3}([a-z]{1,12} ){0,3}key[ :=]{1,3})([a-f0-9]{32,64})",
	  { .name = "key in a sentence", .replace = "\\1" RULES_MASK, .words = "key", STRONG } },
	{ SET_DEFAULT, "((set|with|and|use)[a-z]{0,20}(password|passwd|passphrase|secret|token|apikey|credentials?) *\\( *)([^][ (){}\"',;]{8}[^][ (){}\"',;]*)\\)",
	  { .name = "password as an argument", .replace = "\\1" RULES_MASK, .needs = "(",
	    .words = "password,passwd,passphrase,secret,token,apikey,credential", STRONG,
	    .secrets = 1 << 4, .plausible = plausible_argument, .judged = 4 } },
	{ SET_DEFAULT, "((echo|printf)( +-[a-z]+)* +[\"']?)([^ \"'|]{4}[^ \"'|]*)[\"']? *[|][^|]{0,30}(sudo +-S|openssl|password-stdin|--stdin|chpasswd|cryptsetup|kinit)",
	  { .name = "password of a command", .replace = "\\1" RULES_MASK, .needs = "|",
	    .words = "echo,printf", STRONG, .secrets = 1 << 4 } },
	{ SET_DEFAULT, "(rabbitmqctl +(add_user|change_password|authenticate_user) +[^ ]+ +[\"']?|htpasswd +-[a-z]*b[a-z]* +[^ ]+ +[^ ]+ +[\"']?|htpasswd +-[a-z]*n[a-z]* +[^ ]+ +[\"']?|net +use +[^/]+/user:[^ ]+ +|net +use +[^/]{1,80}[\\][^ ]+ +|net +user +[^ ]+ +|lftp[^|;]{0,80} -u +[^ ,]+,|db2 +connect[^;]{1,100} using +|[.]logon +[^ ,]+,|(openssl +passwd|mkpasswd)( +-[^ ]+| +[a-z0-9]+-[a-z0-9]+){0,4} +[\"']?|(kinit|su|passwd)[^<]{0,20}<<< *[\"']?|(configure|config) set +[a-z0-9_.-]{0,40}[_.-]" SECRET_KEY " +[\"']?)([^ \"'/-][^ \"']{3}[^ \"']*)",
	  { .name = "password of a command", .replace = "\\1" RULES_MASK, .needs = " ",
	    .words = "rabbitmqctl,htpasswd,net use,lftp,db2,.logon,openssl passwd,mkpasswd,<<<,set ", STRONG,
	    .secrets = 1 << 9 } },
	{ SET_DEFAULT, "(identified +(with +[^ ]{1,60} +)?(by|as) +(password +|values +)?[\"']?)([^\"']+)",
	  { .name = "password in SQL", .replace = "\\1" RULES_MASK, .words = "identified", STRONG } },
	{ SET_DEFAULT, "(((" SECRET_KEY "|token|crypt|encrypt)[A-Za-z0-9_]{0,20} *\\( *|(put|set|add|append|with|param|property|header|env|arg|attribute|field|entry|bind)[a-z]{0,20} *\\( *[\"'][A-Za-z0-9_.-]{0,60}" SECRET_KEY "[A-Za-z0-9_.-]{0,20}[\"'] *, *)\\\\*[\"'])([^\"'\\]+)",
	  { .name = "password as an argument", .replace = "\\1" RULES_MASK, .needs = "(",
	    .words = SECRET_WORDS ",token,crypt", STRONG } },
	{ SET_DEFAULT, "(set +password +for +[^=]{1,80}= *[\"']|attach +database [^;]{1,200} key +[\"']|pragma +(hexre|re)?key *= *[\"'](x')?)([^\"']+)",
	  { .name = "password in SQL", .replace = "\\1" RULES_MASK, .needs = "\"'",
	    .words = "set password,attach,pragma", STRONG, .secrets = 1 << 4 } },
	{ SET_DEFAULT, "(insert +into +[^()]{1,80}\\([^()]{0,200}(" SECRET_KEY "|pass|pw)[^()]{0,200}\\) *values *)(.+)",
	  { .name = "password in SQL", .replace = "\\1" RULES_MASK, .words = "insert", ORDINARY,
	    .plausible = plausible_values, .judged = 5 } },

	/* By their form. */
	{ SET_DEFAULT, "((x-[a-z0-9-]{0,40}(token|key|secret|auth|password|signature|credentials?|session))s?(" QUOTE ")?[=:] *(" QUOTE ")?)([^ \t\r\n\"',;<>{}]{4}[^ \t\r\n\"',;<>{}]*)",
	  { .name = "header", .replace = "\\1" RULES_MASK, .needs = "=:", .words = "-token,-key,-secret,-auth,-password,-signature,-credential,-session,-api,x-key", STRONG,
	    .plausible = plausible_header, .judged = 0 } },
	{ SET_DEFAULT, "([a-z]-signature(-[a-z0-9]{1,8})?: *)([^ \t\r\n]+)",
	  { .name = "header", .replace = "\\1" RULES_MASK, .words = "-signature", STRONG,
	    .plausible = plausible_literal, .judged = 3 } },
	{ SET_DEFAULT, "((^|[^a-z])_?auth(" QUOTE ")? *[=:] *(" QUOTE ")?)([A-Za-z0-9+/]{8}[A-Za-z0-9+/]*={0,2})",
	  { .name = "basic credentials", .replace = "\\1" RULES_MASK, .words = "auth", STRONG,
	    .plausible = plausible_auth, .judged = 5 } },
	{ SET_DEFAULT, "(cookies?(" QUOTE ")? *[=:] *[[{(]+)([a-z0-9_.-]{1,60}=[^])}\r\n]+)",
	  { .name = "cookies", .replace = "\\1" RULES_MASK, .words = "cookie", STRONG } },
	{ SET_DEFAULT, "((recovery|backup|scratch|reset|one-time|emergency) codes?( are|:| =|=)[ :]*)([a-z0-9-]{4,20}([ ,;]+[a-z0-9-]{4,20})+)",
	  { .name = "codes", .replace = "\\1" RULES_MASK, .words = "code", STRONG,
	    .text_set_words = true, .plausible = plausible_code, .judged = 4 } },
	{ SET_DEFAULT, "((^|[^A-Za-z0-9])([A-Z]-)?)([0-9]{4,8})( is (your|the) [A-Za-z ]{0,40}(code|otp|pin|password))",
	  { .name = "code", .replace = "\\1" RULES_MASK "\\5", .words = " is your , is the ", STRONG,
	    .secrets = 1 << 4 } },
	{ SET_DEFAULT, "((totp|otp|2fa|mfa|authenticator)[ _-]?(seed|secret|key)?[ :=]+)([A-Z2-7]{16}[A-Z2-7]*)",
	  { .name = "seed of codes", .replace = "\\1" RULES_MASK, .words = "otp,2fa,mfa,authenticator",
	    STRONG } },
	{ SET_DEFAULT, "((password|passphrase|authenticat|log-?(in|on)|credential)[^'\"`\r\n]{0,60}['\"`])([^'\"` ]{6}[^'\"` ]*)['\"`]",
	  { .name = "password in a sentence", .replace = "\\1" RULES_MASK "'", .needs = "'\"`",
	    .words = "password,passphrase,authenticat,login,logon,log-,credential", STRONG,
	    .secrets = 1 << 4, .plausible = plausible_strong, .judged = 4 } },
	{ SET_DEFAULT, "((^|[^a-z])(key|token|secret|ticket) *['\"`])([^'\"` ]{8}[^'\"` ]*)['\"`]",
	  { .name = "key in a sentence", .replace = "\\1" RULES_MASK "'", .needs = "'\"`",
	    .words = "key ',key \",token ',token \",secret ',secret \",ticket ',key=',key=\"", STRONG, .secrets = 1 << 4,
	    .plausible = plausible_mix, .judged = 4 } },
	{ SET_DEFAULT, "(authorization(" QUOTE ")? *[=:] *(" QUOTE ")?(([A-Za-z0-9-]+) +)?)([^ \"',;]+)",
	  { .name = "authorization header", .replace = "\\1" RULES_MASK, .needs = "=:",
	    .words = "authorization", STRONG, .plausible = plausible_literal, .judged = 6 } },
	{ SET_DEFAULT, "((^|[^a-z0-9])digest +[a-z]{2,10}=)([^\r\n]+)",
	  { .name = "authorization header", .replace = "\\1" RULES_MASK, .words = "digest ", STRONG } },
	{ SET_DEFAULT, "((^|[^a-z0-9])basic +)([A-Za-z0-9+/_-]{4,}=*)",
	  { .name = "basic credentials", .replace = "\\1" RULES_MASK, .words = "basic ", STRONG,
	    .plausible = plausible_basic, .judged = 3 } },
	{ SET_DEFAULT, "(bearer(" QUOTE ")?[ :]+(" QUOTE ")?)([A-Za-z0-9._~+/=-]{6,})",
	  { .name = "bearer token", .replace = "\\1" RULES_MASK, .words = "bearer", STRONG,
	    .plausible = plausible_bearer, .judged = 4 } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9_-])(eyJ[A-Za-z0-9_-]{8,}[.][A-Za-z0-9_-]{8,}([.][A-Za-z0-9_-]*)*)",
	  { .name = "JSON web token", .replace = "\\1" RULES_MASK, .needs = ".", .words = "eyj", STRONG } },
	{ SET_DEFAULT, "((AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}[^A-Za-z0-9/+]{1,12}([A-Za-z_ -]{2,40}[:=\"' ]{1,6})?)([A-Za-z0-9/+]{40})",
	  { .name = "AWS secret key", .replace = "\\1" RULES_MASK, .words = "akia,asia,abia,acca", STRONG } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9])((AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(pat|dt|rt|soat|cbt|ptt|ft|imt|agent)-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{16,}|[srp]k_(live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{20,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{20,})",
	  { .name = "known form of a key", .replace = "\\1" RULES_MASK, STRONG,
	    .words = "akia,asia,abia,acca,ghp_,gho_,ghu_,ghs_,ghr_,github_pat_,glpat-,gldt-,glrt-,glsoat-,glcbt-,glptt-,glft-,glimt-,glagent-,xox,xapp-,k_live_,k_test_,whsec_,aiza,ya29,gocspx-,1//0" } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9]|/bot)(SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|sk-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|d(op|oo|or)_v1_[a-f0-9]{32,}|hf_[A-Za-z0-9]{30,}|shp(at|ss|ca|pa)_[a-fA-F0-9]{32}|sq0(atp|csp)-[A-Za-z0-9_-]{20,}|hv[sbr][.][A-Za-z0-9_-]{20,}|dapi[0-9a-f]{32}|NRAK-[A-Z0-9]{20,}|gl(c|sa)_[A-Za-z0-9_]{20,}|sntry[su]_[A-Za-z0-9_=-]{20,}|PMAK-[A-Za-z0-9-]{20,}|dt0[a-z][0-9]{2}[.][A-Z0-9.]{20,}|dckr_pat_[A-Za-z0-9_-]{20,}|sq[pua]_[a-f0-9]{30,}|rubygems_[a-f0-9]{30,}|AKCp[0-9A-Za-z]{30,}|ATATT3[A-Za-z0-9_=-]{20,}|pscale_(tkn|pw)_[A-Za-z0-9_-]{20,}|sb(p|_secret)_[A-Za-z0-9_-]{20,}|lin_api_[A-Za-z0-9]{30,}|AGE-SECRET-KEY-1[A-Z0-9]{20,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33})",
	  { .name = "known form of a key", .replace = "\\1" RULES_MASK, STRONG,
	    .words = "sg.,sk-,npm_,pypi-,_v1_,hf_,shpat_,shpss_,shpca_,shppa_,sq0,hvs.,hvb.,hvr.,dapi,nrak-,glc_,glsa_,sntry,pmak-,dt0,dckr_pat_,sqp_,squ_,sqa_,rubygems_,akcp,atatt3,pscale_,sbp_,sb_secret_,lin_api_,age-secret,key-,sk0,sk1,sk2,sk3,sk4,sk5,sk6,sk7,sk8,sk9,ska,skb,skc,skd,ske,skf,:aa" } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9])([A-Za-z0-9_]{3}[78]Q~[A-Za-z0-9_.~-]{31,37}|dckr_oat_[A-Za-z0-9_-]{20,}|bk(ua|pt|ct)_[a-f0-9]{30,}|figd_[A-Za-z0-9_-]{20,}|hca?ik_[a-z0-9]{30,}|lsv2_(pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|n(api|fp)_[A-Za-z0-9]{30,}|ntn_[A-Za-z0-9]{30,}|pat-(na|eu)[0-9]-[a-f0-9-]{36}|p(nu|ul|hx|hc|csk)[_-][A-Za-z0-9]{30,}|r(dme|nd)_[A-Za-z0-9]{20,}|shippo_(live|test)_[a-f0-9]{40}|(live|test)_[a-f0-9]{35}|sk_[a-f0-9]{48}|(access|public)-(production|sandbox|development)-[a-f0-9-]{36}|access_token[$](production|sandbox)[$][a-z0-9]{16}[$][a-f0-9]{32}|rzp_(live|test)_[A-Za-z0-9]{14}|FLWSECK(_TEST)?-[A-Za-z0-9]{20,}|(sdk|mob|api)-[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}|tskey-[a-z]+-[A-Za-z0-9-]{20,}|CLOJARS_[a-f0-9]{40,}|HRKU-[A-Za-z0-9_-]{30,}|CCIP(AT|RJ)_[A-Za-z0-9_]{20,}|AT(BB|CTT3|STT3|DTT3)[A-Za-z0-9_=-]{20,}|LTAI[A-Za-z0-9]{16,24}|AKID[A-Za-z0-9]{28,36}|SCW[A-Z0-9]{17})",
	  { .name = "known form of a key", .replace = "\\1" RULES_MASK, STRONG,
	    .words = "7q~,8q~,dckr_oat_,bkua_,bkpt_,bkct_,figd_,hcik_,hcaik_,lsv2_,napi_,nfp_,ntn_,pat-,pnu_,pul-,phx_,phc_,pcsk_,rdme_,rnd_,shippo_,live_,test_,sk_,access-,public-,access_token$,rzp_,flwseck,sdk-,mob-,api-,tskey-,clojars_,hrku-,ccipat_,cciprj_,atbb,atctt3,atstt3,atdtt3,ltai,akid,scw" } },
	{ SET_DEFAULT, "(^|[^A-Za-z0-9])([a-f0-9]{32}-us[0-9]{1,2}|oy2[a-z0-9]{43}|pat[A-Za-z0-9]{14}[.][a-f0-9]{64}|v1[.]0-[a-f0-9]{24}-[a-f0-9]{100}[a-f0-9]*|AC[a-f0-9]{32}|st[.][a-f0-9-]{36}[.][a-f0-9]{32}|A3-[A-Z0-9]{6}-[A-Z0-9]{6}(-[A-Z0-9]{5}){4}|[a-f0-9]{36}NRAL|md5[a-f0-9]{32}|SCRAM-SHA-(1|256|512)[$][0-9]+:[A-Za-z0-9+/=]+[$][A-Za-z0-9+/=:]+|(pbkdf2_sha(1|256|512)|bcrypt_sha256|scrypt)[$][^ \"']{20}[^ \"']*|ENC[(][A-Za-z0-9+/=]{8}[A-Za-z0-9+/=]*[)])($|[^A-Za-z0-9])",
	  { .name = "known form of a key", .replace = "\\1" RULES_MASK "\\7", STRONG, .secrets = 1 << 2,
	    .words = "-us,oy2,pat,v1.0-,st.,a3-,nral,md5,scram-sha,pbkdf2_,bcrypt_sha,scrypt,enc(,ac0,ac1,ac2,ac3,ac4,ac5,ac6,ac7,ac8,ac9,aca,acb,acc,acd,ace,acf" } },
	{ SET_DEFAULT, "(^|[^a-z0-9])([a-f0-9]{32}:[a-f0-9]{32})($|[^a-z0-9])",
	  { .name = "hash of a password", .replace = "\\1" RULES_MASK "\\3", STRONG,
	    .secrets = 1 << 2, .needs = ":", .words = "ntlm,nthash,lmhash,:::" } },
	{ SET_DEFAULT, "((licen[cs]e|serial|product|activation)( number| no| code)?( key)?(" QUOTE ")?( is)?[ :=#]{1,3}(" QUOTE ")?)([a-z0-9]{16,64}|[a-z0-9]{4,8}(-[a-z0-9]{4,8}){2,7})",
	  { .name = "key of a licence", .replace = "\\1" RULES_MASK, STRONG, .secrets = 1 << 8,
	    .words = "licen,serial,product,activation", .plausible = plausible_licence, .judged = 8 } },
	{ SET_DEFAULT, "(password[ _-]?(hash|digest)( is)?[ :=]+)([a-f0-9]{16,128})",
	  { .name = "hash of a password", .replace = "\\1" RULES_MASK, STRONG,
	    .words = "password" } },
	{ SET_DEFAULT, "(hooks[.]slack[.]com/(services|workflows)/|discord(app)?[.]com/api/webhooks/|(webhook|outlook)[.]office[.]com/webhook(b2)?/|[.]logic[.]azure[.]com[^ ]{0,80}/triggers/|open[.](feishu[.]cn|larksuite[.]com)/open-apis/bot/v2/hook/|hooks[.]zapier[.]com/hooks/catch/|maker[.]ifttt[.]com/trigger/[^ /]{1,80}/(json/)?with/key/|events[.]pagerduty[.]com/integration/|alert[.]victorops[.]com/integrations/|loggly[.]com/inputs/|hooks?[.]us[0-9]*[.]make[.]com/)([^ \"'<>]+)",
	  { .name = "URL of a web hook", .replace = "\\1" RULES_MASK, STRONG,
	    .words = "hooks.slack,discord,office.com,azure.com,open.feishu,open.larksuite,hooks.zapier,maker.ifttt,events.pagerduty,alert.victorops,loggly.com,make.com" } },
	{ SET_DEFAULT, "[$]([156y]|2[abxy]?|apr1|argon2[id]{0,2}|scrypt|pbkdf2[a-z0-9-]{0,12}|gy)[$][./A-Za-z0-9=,+-]{1,40}([$][./A-Za-z0-9=,+-]{1,60})?[$][./A-Za-z0-9=$+-]{16,200}|[$]2[abxy][$][0-9]{2}[$][./A-Za-z0-9]{40,60}|[{](S?SHA|SMD5|MD5|CRYPT|PBKDF2|SSHA)[0-9]{0,3}[}][A-Za-z0-9+/=$.]{16,200}|[{](noop|xor|aes|AES|3DES)[}][^][ \t\r\n\"',;<>(){}]{4,200}|CRYPT:[./A-Za-z0-9]{11,64}|MASK-[./A-Za-z0-9]{8,80};[^; ]{1,40};[0-9]+",
	  { .name = "hash of a password", .replace = RULES_MASK, STRONG, .needs = "${:;" } },
	{ SET_DEFAULT, "-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----([^-]|-[^-]|--[^-]|---[^-]|----[^-]|-----[^E])*(-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----)?|[$]ANSIBLE_VAULT;[^\r\n]+[\r\n]+[0-9a-f\r\n ]+|Private-Lines: [0-9]+[\r\n]+[A-Za-z0-9+/=\r\n]+",
	  { .name = "private key", .replace = RULES_MASK, .words = "private key,$ansible_vault,private-lines", STRONG,
	    .text_set_words = true } },
	{ SET_DEFAULT, NULL,
	  { .name = "number of a card", .replace = RULES_MASK, ALWAYS, .needs = "3456",
	    .find = find_card_number } },
	{ SET_DEFAULT, NULL,
	  { .name = "random characters", .replace = RULES_MASK, STRONG, .find = find_random } },

	/* Values by the name of what has them. */
	{ SET_DEFAULT, ".+",
	  { .name = "field with a secret's name", .field = "*", .replace = RULES_MASK, STRONG,
	    .secret_fields = true } },
	{ SET_DEFAULT, ".+",
	  { .name = "value of a secret's name", .field = "*", .replace = RULES_MASK, STRONG,
	    .behind_names = true } },
	{ SET_DEFAULT, ".+",
	  { .name = "secret by its name", .field = "value,newValue,oldValue,val,content,data,text", .replace = RULES_MASK, STRONG,
	    .secret_names = true } },
	{ SET_DEFAULT, ".+",
	  { .name = "environment variable", .event = "*.InitialEnvironmentVariable", .field = "value",
	    .replace = RULES_MASK, ORDINARY, .text_set_words = true, .not_named = HARMLESS_VARIABLES } },
	{ SET_DEFAULT, ".+",
	  { .name = "system property", .event = "*.InitialSystemProperty", .field = "value",
	    .replace = RULES_MASK, ORDINARY, .text_set_words = true, .not_named = JVM_PROPERTIES } },

	/* Command lines: what runs stays, its arguments do not. */
	{ SET_DEFAULT, "^([^ ]+ +)(.+)$",
	  { .name = "arguments", .event = "*.InitialSystemProperty", .field = "value",
	    .replace = "\\1" RULES_MASK, .needs = " ", ORDINARY, .text_set_words = true,
	    .named = "sun.java.command" } },
	{ SET_DEFAULT, "^([^ ]+ +)(.+)$",
	  { .name = "arguments", .event = "*.JVMInformation", .field = "javaArguments",
	    .replace = "\\1" RULES_MASK, .needs = " ", ORDINARY, .text_set_words = true } },
	{ SET_DEFAULT, "^([^ ]+ +)(.+)$",
	  { .name = "command line", .event = "*.SystemProcess,*.ProcessStart",
	    .field = "commandLine,command",
	    .replace = "\\1" RULES_MASK, .needs = " ", ORDINARY } },
	{ SET_DEFAULT, "(-D[^= ]+=)" UP_TO_OPTION,
	  { .name = "property of a command line", .event = "*.JVMInformation",
	    .field = "jvmArguments,jvmFlags", .replace = "\\1" RULES_MASK, .needs = "=", ORDINARY,
	    .text_set_words = true } },
	{ SET_DEFAULT, "(-(javaagent|agentlib|agentpath):[^= ]+=|-XX:On(Error|OutOfMemoryError)=)" UP_TO_OPTION,
	  { .name = "options of an agent", .event = "*.JVMInformation",
	    .field = "jvmArguments,jvmFlags", .replace = "\\1" RULES_MASK, .needs = "=", ORDINARY,
	    .text_set_words = true } },
	{ SET_DEFAULT, ".+",
	  { .name = "options of an agent", .event = "*.JavaAgent,*.NativeAgent", .field = "options",
	    .replace = RULES_MASK, ORDINARY, .text_set_words = true } },
	{ SET_DEFAULT, ".+",
	  { .name = "command line", .event = "*.StringFlag,*.StringFlagChanged",
	    .field = "value,oldValue,newValue", .replace = RULES_MASK, ORDINARY,
	    .text_set_words = true, .named = "onerror,onoutofmemoryerror" } },
};
/* clang-format on */

/* Only what is written in words is written in any case. */
static bool ignores_case(const struct builtin *b)
{
	static const char *const exact[] = { "AKIA", "eyJ", "SG[.]", "[$]", "-----BEGIN" };

	if (b->set != SET_DEFAULT || !b->pattern)
		return false;
	for (size_t i = 0; i < sizeof(exact) / sizeof(*exact); i++) {
		if (strstr(b->pattern, exact[i]))
			return false;
	}
	return true;
}

int jfrec_scrub_rules_add(struct jfrec_scrub_rules *rules, const char *set, struct jfrec_error *err)
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
