/* SPDX-License-Identifier: MIT */
/*
 * test_secret_values.c - values that are secret for what stands before them, and what is hunted
 */
#include <inttypes.h>
#include <stdlib.h>

#include "scrub/distinct.h"
#include "scrub/encoded.h"
#include "scrubbed.h"

#define TYPES                                                                                     \
	EVENT("20", "app.Request",                                                                \
	      START FIELD("url", T_STRING) FIELD("headers", "31", ARRAY)                          \
		      FIELD("argv", T_STRING, ARRAY) FIELD("extra", "31"))                        \
	EVENT("21", "app.Uses", START FIELD("secretRef", "32", KEY) FIELD("labelRef", "32", KEY)) \
	EVENT("22", "app.Card",                                                                   \
	      START FIELD("pin", T_INT) FIELD("otpCode", T_LONG) FIELD("tokenCount", T_INT)       \
		      FIELD("maxTokens", T_INT) FIELD("creditCard", T_STRING))                    \
	EVENT("23", "app.Note", START FIELD("text", T_STRING))                                    \
	EVENT("24", "app.Field", START FIELD("property", T_STRING) FIELD("bytes", T_BYTE, ARRAY)) \
	EVENT("25", "jdk.InitialSystemProperty",                                                  \
	      START FIELD("key", T_STRING) FIELD("value", T_STRING))                              \
	EVENT("26", "app.Digits", START FIELD("digits", "33", ARRAY))                             \
	EVENT("27", "app.Setting", START FIELD("name", T_STRING) FIELD("value", T_STRING))        \
	CLASS("31", "app.Header", FIELD("key", T_STRING) FIELD("value", T_STRING))                \
	CLASS("32", "app.Boxed", FIELD("text", T_STRING) FIELD("next", "32", KEY))                \
	CLASS("33", "app.Digit", FIELD("name", T_STRING) FIELD("value", T_INT))

static struct scrubbed scrub_events(struct craft *c)
{
	struct scrubbed s;

	craft_metadata(c, TYPES);
	craft_end(c);
	s = scrub(c);
	if (!CHECK(s.report))
		printf("# %s\n", s.err.text);
	return s;
}

static void check_gone(const struct scrubbed *s, const char *text)
{
	if (!CHECK(!has(s, text, strlen(text))))
		printf("# %s is left\n", text);
}

static void check_kept(const struct scrubbed *s, const char *text)
{
	if (!CHECK(has(s, text, strlen(text))))
		printf("# %s is gone\n", text);
}

static void done(struct scrubbed *s, struct craft *c)
{
	scrubbed_free(s);
	craft_free(c);
}

static void pairs(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("a_struct_of_a_name_and_a_value");
	craft_chunk(&c);
	craft_event(&c, "20",
		    "2000 'http://a/b' 4 'password' 'plainone' 'X-Auth-Token' k5 'Authorization' "
		    "'Bearer plainbearervalue' 'Accept' 'text/html' 0 'db.secret' 'plainfour'");
	craft_event(&c, "20",
		    "2001 'http://a/b' 1 'secretName' 'statedone' 0 'tokenizer' 'statedtwo'");
	craft_event(&c, "24", "2002 'api.key' 9 x706c61696e66697665");
	craft_event(&c, "26", "2003 2 'pin' 86421357 'count' 86421358");
	craft_checkpoint(&c, "1 " T_STRING " 1 5 'plainthree'");
	s = scrub_events(&c);
	check_gone(&s, "plainone");
	check_gone(&s, "plainthree");
	check_gone(&s, "plainbearervalue");
	check_gone(&s, "plainfour");
	check_gone(&s, "plainfive");
	check_kept(&s, "text/html");
	check_kept(&s, "statedone");
	check_kept(&s, "statedtwo");
	done(&s, &c);
}

static void command_lines(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("a_list_of_texts_is_a_command_line");
	craft_chunk(&c);
	craft_event(&c, "20", "2000 'a' 0 3 'run' '--password' 'plainone' '' ''");
	craft_event(&c, "20", "2001 'a' 0 5 '/usr/bin/mysql' '-u' 'root' '-pplaintwo' 'shop' '' ''");
	craft_event(&c, "20", "2002 'a' 0 4 'curl' '-u' 'bob:plainthree' 'http://a' '' ''");
	craft_event(&c, "20", "2003 'a' 0 6 'docker' 'login' '-u' 'bob' '-p' 'plainfour' '' ''");
	craft_event(&c, "20", "2004 'a' 0 4 'keytool' '-storepass' 'plain five' '-list' '' ''");
	craft_event(&c, "20", "2005 'a' 0 4 'X-Api-Key' 'pl41nsix' 'Accept' 'statedone' '' ''");
	craft_event(&c, "20", "2006 'a' 0 4 'docker' 'run' '-p' '8080' '' ''");
	craft_event(&c, "20", "2007 'a' 0 3 '--max-tokens' '4096' 'statedtwo' '' ''");
	craft_event(&c, "20", "2008 'a' 0 4 'user' 'password' 'token' 'statedthree' '' ''");
	craft_checkpoint(&c, "0");
	s = scrub_events(&c);
	check_gone(&s, "plainone");
	check_gone(&s, "plaintwo");
	check_gone(&s, "plainthree");
	check_gone(&s, "plainfour");
	check_gone(&s, "plain five");
	check_gone(&s, "pl41nsix");
	check_kept(&s, "bob:");
	check_kept(&s, "shop");
	check_kept(&s, "8080");
	check_kept(&s, "4096");
	check_kept(&s, "statedone");
	check_kept(&s, "statedtwo");
	check_kept(&s, "statedthree");
	done(&s, &c);
}

static void constants(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("a_constant_that_a_secret_field_leads_to");
	craft_chunk(&c);
	craft_event(&c, "21", "2000 1 3");
	craft_checkpoint(&c, "1 32 3 1 'plainone' 2 2 'plaintwo' 0 3 'statedone' 0");
	s = scrub_events(&c);
	check_gone(&s, "plainone");
	check_gone(&s, "plaintwo");
	check_kept(&s, "statedone");
	done(&s, &c);
}

static int64_t number_of(const struct scrubbed *s, const char *path)
{
	struct jfrec_reader *r = jfrec_reader_open(s->path, NULL, NULL);
	const struct jfrec_event *ev;
	int64_t n = r && jfrec_reader_next(r, &ev, NULL) > 0 ? jfrec_event_path(ev, path).i : -1;

	jfrec_reader_close(r);
	return n;
}

static void numbers(void)
{
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("numbers_of_secret_names_become_0");
	craft_chunk(&c);
	craft_event(&c, "22", "2000 4711 482913 17 4096 '4111 1111 1111 1111'");
	craft_checkpoint(&c, "0");
	s = scrub_events(&c);
	CHECK_INT(number_of(&s, "pin"), 0);
	CHECK_INT(number_of(&s, "otpCode"), 0);
	CHECK_INT(number_of(&s, "tokenCount"), 17);
	CHECK_INT(number_of(&s, "maxTokens"), 4096);
	check_gone(&s, "4111 1111");
	CHECK(s.report && jfrec_scrubbed_finding_count(s.report) >= 3);
	done(&s, &c);
}

static void escapes(void)
{
	static const char *const texts[] = {
		"pass\\\\u0077ord=pl41none", "p%61ssword=pl41ntwo", "&#112;assword=pl41nthree",
		"\\\"password\\\"\\\\u003a\\\"pl41nfour\\\"", "password\\\\u003dpl41nfive",
		"\\\\u5bc6\\\\u7801: pl41nsix",
	};
	static const char *const gone[] = { "pl41none",	 "pl41ntwo",  "pl41nthree",
					    "pl41nfour", "pl41nfive", "pl41nsix" };
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("escapes_hide_nothing");
	craft_chunk(&c);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char plain[128];
		size_t n = 0;

		for (const char *p = texts[i]; *p; p++) {
			p += *p == '\\';
			plain[n++] = *p;
		}
		plain[n] = '\0';
		craft_event(&c, "23", "2000 '%s'", plain);
	}
	craft_event(&c, "23", "2000 'C:\\u0041bc %%41 &#65; stays'");
	craft_checkpoint(&c, "0");
	s = scrub_events(&c);
	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++)
		check_gone(&s, gone[i]);
	check_kept(&s, "C:\\u0041bc %41 &#65; stays");
	done(&s, &c);
}

/* What a value was redacted for stays in the texts of others, unless it can be nothing else. */
static void hunted(void)
{
	static const struct {
		const char *key, *value;
		bool goes;
	} rows[] = {
		{ "grant.type", "client_credentials", false },
		{ "token.location", "header", false },
		{ "max.token.count", "4096", false },
		{ "tokenizer", "whitespace", false },
		{ "app.home", "/home/bob/app", false },
		{ "app.password", "required", false },
		{ "dialect", "SQLServerDialect", false },
		{ "charset", "utf8mb4_general_ci", false },
		{ "cipher", "TLS_AES_256_GCM_SHA384", false },
		{ "id", "550e8400-e29b-41d4-a716-446655440000", false },
		{ "started", "2024-01-15T10:00:00Z", false },
		{ "timeout", "PT4H30M15S", false },
		{ "version", "v1.2.3-14-g2414721", false },
		{ "main", "com.example.Main2Impl", false },
		{ "app.password", "hunterTwo2", true },
		{ "app.secret", "Kestrel", false },
		{ "app.something", "x7Kq2mPw9z", true },
		{ "app.other", "W1nter!x2", true },
		{ "db.password", "candlesilverribbon", true },
		{ "db.password", "${DB_PASSWORD}", false },
		{ "db.password", "zebra-Fence-11", true },
		{ "db.algorithm.secret", "AES-256-GCM", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct craft c = { 0 };
		struct scrubbed s;
		char text[128];

		test_begin("hunted_is_what_can_be_nothing_else");
		snprintf(text, sizeof(text), "it has %s, so", rows[i].value);
		craft_chunk(&c);
		craft_event(&c, "25", "2000 '%s' '%s'", rows[i].key, rows[i].value);
		craft_event(&c, "23", "2001 '%s'", text);
		craft_checkpoint(&c, "0");
		s = scrub_events(&c);
		if (!CHECK(has(&s, text, strlen(text)) == !rows[i].goes))
			printf("# %s=%s\n", rows[i].key, rows[i].value);
		done(&s, &c);
	}
}

/* A long constant that many events share is judged once, and is no longer in each of them. */
static void long_constant(void)
{
	enum { LEN = 300000, EVENTS = 2000 };
	static char text[LEN + 1];
	struct craft c = { 0 };
	struct scrubbed s;

	test_begin("a_long_constant_of_many_events");
	memset(text, 'x', LEN);
	memcpy(text, "password=plainone ", 18);
	craft_chunk(&c);
	for (int i = 0; i < EVENTS; i++)
		craft_event(&c, "27", "%d 'api.token' k5", 2000 + i);
	craft_checkpoint(&c, "1 " T_STRING " 1 5 '%s'", text);
	s = scrub_events(&c);
	check_gone(&s, "plainone");
	CHECK(s.bytes.len < EVENTS * 100);
	done(&s, &c);
}

int main(void)
{
	pairs();
	command_lines();
	constants();
	numbers();
	escapes();
	hunted();
	long_constant();
	return test_end();
}
