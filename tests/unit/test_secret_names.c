/* SPDX-License-Identifier: MIT */
/*
 * test_secret_names.c - values that are secret for what they are called, and where they stand
 */
#include "scrubbed.h"

#include "scrub/secret_name.h"

static const char *const secret_names[] = {
	"password",	 "userPassword",  "PASSWORD",	   "password2",	  "passWord",
	"db_pass",	 "dbpass",	  "oldPass",	   "smtpPwd",	  "userpwd",
	"pw",		 "token",	  "accesstoken",   "tokenValue",  "refreshTokenString",
	"authHeader",	 "jwt",		  "idJwt",	   "pin",	  "otp",
	"authCode",	 "otpCode",	  "recoveryCode",  "apiKey",	  "API key",
	"api_key",	 "secretKey",	  "clientSecret",  "credentials", "privateKeyBytes",
	"passwordBytes", "pwdChars",	  "connectionString", "sessionId", "csrf",
	"Passwort",	 "kennwort",	  "senha",	   "sshKey",	  "seedPhrase",
};

static const char *const other_names[] = {
	"passwordFile", "tokenType",  "tokenCount", "name",	"value",    "text",
	"data",		"newValue",   "key",	    "cacheKey", "sortKey",  "bypass",
	"compass",	"passenger",  "passed",	    "author",	"spinning", "opinion",
	"header",	"errorCode",  "tokenizer",  "path",	"address",  "userName",
	"secretName",	"passwordPolicy", "id",	    "message",	"bytes",    "string",
};

static void names(void)
{
	test_begin("names_of_secrets");
	for (size_t i = 0; i < sizeof(secret_names) / sizeof(*secret_names); i++) {
		if (!CHECK(name_is_secret(secret_names[i])))
			printf("# %s\n", secret_names[i]);
	}
	test_begin("names_of_other_things");
	for (size_t i = 0; i < sizeof(other_names) / sizeof(*other_names); i++) {
		if (!CHECK(!name_is_secret(other_names[i])))
			printf("# %s\n", other_names[i]);
	}
}

#define TYPES                                                                                     \
	EVENT("20", "app.Setting",                                                                \
	      START FIELD("settingName", T_STRING) FIELD("newValue", T_STRING))                   \
	EVENT("21", "app.Header", START FIELD("header", T_STRING) FIELD("content", T_STRING))     \
	EVENT("22", "jdk.JavaAgent", START FIELD("name", T_STRING) FIELD("options", T_STRING))    \
	EVENT("23", "jdk.NativeAgent",                                                            \
	      START FIELD("name", T_STRING) FIELD("options", T_STRING) FIELD("path", T_STRING))   \
	EVENT("24", "jdk.StringFlag", START FIELD("name", T_STRING) FIELD("value", T_STRING))     \
	EVENT("25", "com.oracle.jdk.InitialEnvironmentVariable",                                  \
	      START FIELD("key", T_STRING) FIELD("value", T_STRING))                              \
	EVENT("26", "com.oracle.jdk.SystemProcess", START FIELD("commandLine", T_STRING))         \
	EVENT("27", "app.Login",                                                                  \
	      START FIELD("dbpass", T_STRING) FIELD("tokenValue", T_STRING)                       \
		      FIELD("otpCode", T_STRING) FIELD("creds", "31"))                            \
	CLASS("31", "app.Creds", FIELD("userPwd", T_STRING) FIELD("user", T_STRING))

/* No word and no form of these values says what they are. */
static void places(void)
{
	static const char *const gone[] = {
		"plainone", "plaintwo", "plainthree", "plainfour", "plainfive", "plainsix",
		"plainseven", "plaineight", "plainnine", "plainten", "plaineleven",
	};
	static const char *const kept[] = { "agent.jar", "/opt/lib.so", "TraceFile", "statedplain",
					    "bobofapp",	 "/bin/tool", "text/html" };
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("values_by_their_name_and_event");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'ldap.password' 'plainone'");
	craft_event(&c, "21", "2001 'X-Auth-Token' 'plaintwo'");
	craft_event(&c, "21", "2001 'Content-Type' 'text/html'");
	craft_event(&c, "22", "2002 'agent.jar' 'plainthree'");
	craft_event(&c, "23", "2003 'lib' 'plainfour' '/opt/lib.so'");
	craft_event(&c, "24", "2004 'OnOutOfMemoryError' 'plainfive'");
	craft_event(&c, "24", "2004 'TraceFile' 'statedplain'");
	craft_event(&c, "25", "2005 'NOTHING_SAID' 'plainsix'");
	craft_event(&c, "26", "2006 '/bin/tool plainseven'");
	craft_event(&c, "27", "2007 'plaineight' 'plainnine' 'plainten' 'plaineleven' 'bobofapp'");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, TYPES);
	craft_end(&c);
	s = scrub(&c);
	if (!CHECK(s.report))
		printf("# %s\n", s.err.text);
	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++) {
		if (!CHECK(!has(&s, gone[i], strlen(gone[i]))))
			printf("# %s\n", gone[i]);
	}
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		if (!CHECK(has(&s, kept[i], strlen(kept[i]))))
			printf("# %s\n", kept[i]);
	}
	scrubbed_free(&s);
	craft_free(&c);
}

/* Events that nobody can decode are not copied as they are. */
static void undecodable(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("events_that_cannot_be_decoded_are_left_out");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'ldap.password' 'plainone'");
	craft_event(&c, "21", "2001 'hiddeninthere' 'andhere'");
	craft_event(&c, "22", "2002 'toolong' 99 'behindthat'");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT("20", "app.Setting", START FIELD("name", T_STRING)
				 FIELD("value", T_STRING))
			   EVENT("21", "app.Cycle", START FIELD("a", "31") FIELD("s", T_STRING))
			   EVENT("22", "app.Array", START FIELD("s", T_STRING)
				 FIELD("list", T_STRING, ARRAY))
			   CLASS("31", "app.Self", FIELD("self", "31")));
	craft_end(&c);
	s = scrub(&c);
	CHECK(s.report);
	CHECK(!has(&s, "hiddeninthere", 13) && !has(&s, "andhere", 7) && !has(&s, "plainone", 8));
	CHECK(!has(&s, "toolong", 7) && !has(&s, "behindthat", 10));
	scrubbed_free(&s);
	craft_free(&c);
}

int main(void)
{
	names();
	places();
	undecodable();
	return test_end();
}
