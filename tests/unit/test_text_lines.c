/* SPDX-License-Identifier: MIT */
/*
 * test_text_lines.c - secrets in thread dumps, flags, properties, environments and logs
 */
#include "jfrec-tool.h"

#include <errno.h>
#include <stdlib.h>

#include "test.h"

/* What was written of a text. */
struct kept {
	char bytes[200000];
	size_t len;
	uint64_t redacted;
	bool is_done;
};

static int keep(void *ctx, const void *data, size_t len)
{
	struct kept *k = ctx;

	if (len >= sizeof(k->bytes) - k->len)
		return ENOSPC;
	memcpy(k->bytes + k->len, data, len);
	k->len += len;
	k->bytes[k->len] = '\0';
	return 0;
}

static int done(void *ctx, uint64_t redacted)
{
	struct kept *k = ctx;

	k->redacted = redacted;
	k->is_done = true;
	return 0;
}

static struct jfrec_secret_text text(enum jfrec_text_kind kind, const char *bytes, struct kept *k)
{
	memset(k, 0, sizeof(*k));
	return (struct jfrec_secret_text){ kind, bytes, strlen(bytes), keep, done, k };
}

static int scrub(const struct jfrec_secret_text *texts, size_t count)
{
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	struct jfrec_error err;
	int ret;

	CHECK_INT(jfrec_scrub_rules_add(rules, "default", &err), 0);
	ret = jfrec_scrub_texts(rules, texts, count, &err);
	jfrec_scrub_rules_free(rules);
	return ret;
}

static struct kept first, second, third;

/* A line of a kind, and what must not be left of it. */
static const struct {
	enum jfrec_text_kind kind;
	const char *line, *secret;
} planted[] = {
	{ JFREC_TEXT_ENVIRONMENT, "DB_PASSWORD=hunter-one-1", "hunter-one-1" },
	{ JFREC_TEXT_ENVIRONMENT, "GREETING=a whole value is taken", "whole" },
	{ JFREC_TEXT_ENVIRONMENT, "JAVA_TOOL_OPTIONS=-Dkey=Xq7vbn3Zk", "Xq7vbn3Zk" },
	{ JFREC_TEXT_ENVIRONMENT, "DATABASE_URL=postgres://app:pw4711x@db/x", "pw4711x" },
	{ JFREC_TEXT_ENVIRONMENT, "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalr" },
	{ JFREC_TEXT_PROPERTIES, "db.password=hunter-two-2", "hunter-two-2" },
	{ JFREC_TEXT_PROPERTIES, "app.greeting=anything of an application", "anything" },
	{ JFREC_TEXT_PROPERTIES, "url=jdbc\\:postgresql\\://app\\:hunter\\=three@db/x", "three" },
	{ JFREC_TEXT_PROPERTIES, "a\\=b=hunter-four-4", "hunter-four-4" },
	{ JFREC_TEXT_PROPERTIES, "sun.java.command=Main --secret hunter-five-5", "hunter-five-5" },
	{ JFREC_TEXT_FLAGS, "jvm_args: -Xmx1g -Dapi.token=hunter-six-6 -XX:+UseZGC", "hunter-six-6" },
	{ JFREC_TEXT_FLAGS, "java_command: Main --password hunter-seven-7", "hunter-seven-7" },
	{ JFREC_TEXT_FLAGS, "jvm_args: -javaagent:/a.jar=licence=hunter-eight-8", "hunter-eight-8" },
	{ JFREC_TEXT_FLAGS, "ccstrlist OnError       = mail -p hunter-nine-9   {product} {command line}", "hunter-nine-9" },
	{ JFREC_TEXT_COUNTERS, "java.rt.vmArgs=\"-Dx.y=hunter-ten-10\"", "hunter-ten-10" },
	{ JFREC_TEXT_COUNTERS, "sun.rt.javaCommand=\"Main hunter-eleven-11\"", "hunter-eleven-11" },
	{ JFREC_TEXT_COUNTERS, "java.property.app.key=\"hunter-twelve-12\"", "hunter-twelve-12" },
	{ JFREC_TEXT_CRASH, "Command Line: -Xmx1g -cp a.jar -Dp=hunter-13x Main hunter-14x", "hunter-1" },
	{ JFREC_TEXT_CRASH, "Environment Variables:\nSOME=hunter-fifteen-15", "hunter-fifteen-15" },
	{ JFREC_TEXT_CRASH, "Command Line: -XX:OnError=a b hunter-15b Main", "hunter-15b" },
	{ JFREC_TEXT_CRASH, "ccstrlist OnError = mail hunter-15c {product}", "hunter-15c" },
	{ JFREC_TEXT_CRASH, "java_command: Main hunter-sixteen-16", "hunter-sixteen-16" },
	{ JFREC_TEXT_PLAIN, "\"pool-1 password=hunter-17\" #12 prio=5 runnable", "hunter-17" },
	{ JFREC_TEXT_PLAIN, "\"GET https://app:hunter18x@host/x\" #13 prio=5", "hunter18x" },
	{ JFREC_TEXT_PLAIN, "[1.2s][info][gc] token=hunterNineteen19", "hunterNineteen19" },
	{ JFREC_TEXT_PLAIN, "Authorization: Bearer abcDEF123456ghiJKL789mno", "abcDEF123456" },
	{ JFREC_TEXT_PLAIN, "key AKIAIOSFODNN7EXAMPLE was used", "AKIAIOSFODNN7EXAMPLE" },
	{ JFREC_TEXT_PLAIN, "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "eyJzdWIi" },
	{ JFREC_TEXT_PLAIN, "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F" },
	{ JFREC_TEXT_PLAIN, "card 4111 1111 1111 1111 declined", "4111 1111 1111 1111" },
	{ JFREC_TEXT_PLAIN, "mysql -u root -pHunter29x db", "Hunter29x" },
	{ JFREC_TEXT_PLAIN, "Cookie: session=Hunter30abcdef", "Hunter30abcdef" },
};

static void test_planted(void)
{
	for (size_t i = 0; i < sizeof(planted) / sizeof(*planted); i++) {
		struct jfrec_secret_text t = text(planted[i].kind, planted[i].line, &first);

		test_begin(planted[i].secret);
		CHECK(strstr(planted[i].line, planted[i].secret) != NULL);
		CHECK_INT(scrub(&t, 1), 0);
		CHECK(first.is_done && first.redacted == 1);
		CHECK(first.len > 0 && !strstr(first.bytes, planted[i].secret));
	}
}

/* What dumps and flags are read for stays to the letter. */
static const struct {
	enum jfrec_text_kind kind;
	const char *text;
} harmless[] = {
	{ JFREC_TEXT_PLAIN, "\"main\" #1 prio=5 os_prio=0 cpu=38.29ms elapsed=0.05s tid=0x00007f5d2c0263a0 "
			    "nid=0x1f runnable  [0x00007f5d31bfe000]\n"
			    "   java.lang.Thread.State: RUNNABLE\n"
			    "\tat java.lang.Thread.sleep(java.base@17.0.15/Native Method)\n"
			    "\t- locked <0x00000000ff61a6f8> (a java.lang.Object)\n"
			    "\tat Shop$$Lambda$14/0x0000000801003200.run(Unknown Source)\n" },
	{ JFREC_TEXT_PLAIN, "[0.011s][info][gc,init] Heap Region Size: 1M\n"
			    "[1.404s][info][gc     ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) "
			    "23M->1M(384M) 1.932ms\n" },
	{ JFREC_TEXT_FLAGS, "     size_t MaxHeapSize      = 6325010432      {product} {ergonomic}\n"
			    "  ccstrlist OnError          =                 {product} {default}\n" },
	{ JFREC_TEXT_PROPERTIES, "java.version=17.0.15\npath.separator=\\:\n"
				 "java.vendor.url=https\\://tracker.debian.org/openjdk-17\n" },
	{ JFREC_TEXT_COUNTERS, "sun.rt.safepoints=12\njava.property.java.version=\"17.0.15\"\n" },
	{ JFREC_TEXT_ENVIRONMENT, "LANG=C.UTF-8\n" },
	{ JFREC_TEXT_CRASH, "RAX=0xfffffffffffffe00, RBX=0x0000000000000000\n"
			    "R12=0x0000000000000000 is null\nVERSION_ID=\"12\"\n" },
	{ JFREC_TEXT_PLAIN, "" },
};

static void test_harmless(void)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		struct jfrec_secret_text t = text(harmless[i].kind, harmless[i].text, &first);

		test_begin("what_is_no_secret_stays");
		CHECK_INT(scrub(&t, 1), 0);
		CHECK_TEXT(first.bytes, first.len, harmless[i].text);
		CHECK_INT((int64_t)first.redacted, 0);
	}
}

static void test_elsewhere(void)
{
	const struct jfrec_secret_text texts[] = {
		text(JFREC_TEXT_PLAIN, "\"worker for kX8#mPq2vLz9\" #9 prio=5\n", &first),
		text(JFREC_TEXT_ENVIRONMENT, "DB_PASSWORD=kX8#mPq2vLz9\n", &second),
		text(JFREC_TEXT_PLAIN, "a1g4I21QcTJ2THo5 is the same in base64\n", &third),
	};

	test_begin("a_secret_of_the_environment_is_taken_out_of_dumps");
	CHECK_INT(scrub(texts, 3), 0);
	CHECK_TEXT(first.bytes, first.len, "\"worker for [redacted]\" #9 prio=5\n");
	CHECK(!strstr(third.bytes, "a1g4I21QcTJ2THo5"));
}

static void test_key(void)
{
	struct jfrec_secret_text t = text(JFREC_TEXT_PLAIN,
					  "before\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n"
					  "qwertyuiopasdfgh\n-----END RSA PRIVATE KEY-----\nafter\n",
					  &first);

	test_begin("a_private_key_of_several_lines");
	CHECK_INT(scrub(&t, 1), 0);
	CHECK_TEXT(first.bytes, first.len, "before\n[redacted]\nafter\n");
}

static void test_hostile(void)
{
	static char line[100001];
	struct jfrec_secret_text t;

	test_begin("a_line_that_is_too_long_is_left_out");
	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "password=hunter2hunter2", 23);
	t = text(JFREC_TEXT_PLAIN, line, &first);
	CHECK_INT(scrub(&t, 1), 0);
	CHECK(strncmp(first.bytes, "[a line of 100000 bytes", 23) == 0 && first.len < 100);

	test_begin("a_key_without_an_end");
	memset(line, '\n', sizeof(line) - 1);
	memcpy(line, "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n", 45);
	t = text(JFREC_TEXT_PLAIN, line, &first);
	CHECK_INT(scrub(&t, 1), 0);
	CHECK(!strstr(first.bytes, "MIIEpA"));

	test_begin("nul_in_a_line_hides_nothing");
	t = text(JFREC_TEXT_PLAIN, "x", &first);
	t.bytes = "a\0password=hunter-99-xyz";
	t.len = 24;
	CHECK_INT(scrub(&t, 1), 0);
	CHECK(!strstr(first.bytes, "hunter-99"));

	test_begin("writing_that_fails_ends_it");
	t = text(JFREC_TEXT_PLAIN, "x\n", &first);
	first.len = sizeof(first.bytes) - 1;
	CHECK_INT(scrub(&t, 1), -1);
	CHECK(!first.is_done);
}

int main(void)
{
	test_planted();
	test_harmless();
	test_elsewhere();
	test_key();
	test_hostile();
	return test_end();
}
