/* SPDX-License-Identifier: MIT */
/* test_thread_names.c - names of threads in dumps of all JDKs, and of hostile ones */
#include "top/thread_names.h"

#include "json_alone.h"
#include "test.h"

#include <string.h>

/* The names of a dump that comes in pieces of that size. */
static json_t *names_in(const char *dump, size_t piece)
{
	struct thread_names t = { .names = json_object() };
	size_t len = strlen(dump);

	for (size_t at = 0; at < len; at += piece)
		CHECK(thread_names_take(&t, dump + at, len - at < piece ? len - at : piece) == 0);
	return t.names;
}

static const char *name_of(const json_t *names, const char *id)
{
	const char *name = json_string_value(json_object_get(names, id));

	return name ? name : "";
}

static const char dump[] =
	"2026-11-28 02:00:00\n"
	"Full thread dump OpenJDK 64-Bit Server VM (25.0.1+8 mixed mode):\n"
	"\n"
	"\"main\" #1 [6699] prio=5 os_prio=0 cpu=41.52ms tid=0x00007f nid=6699 waiting [0x00007f]\n"
	"   java.lang.Thread.State: WAITING (on object monitor)\n"
	"\tat java.lang.Object.wait0(Native Method)\n"
	"\n"
	"\"pool-1-thread-1\" #12 daemon prio=5 os_prio=0 tid=0x00007f nid=0x1a2c runnable [0x1]\n"
	"\"a \"quoted\" nid=7 name\" #13 prio=5 tid=0x00007f nid=0x10 runnable\n"
	"\"VM Thread\" os_prio=0 cpu=3.55ms tid=0x00007f nid=6710 runnable\n"
	"\"no id\" #14 prio=5\n"
	"\"zero\" #15 prio=5 nid=0 runnable\n"
	"\" nid=9\n"
	"Locked nid=10\n";

static void test_dump(size_t piece)
{
	json_t *names = names_in(dump, piece);

	test_begin(piece == 1 ? "a_dump_byte_by_byte" : "a_dump");
	CHECK(json_object_size(names) == 4);
	CHECK(strcmp(name_of(names, "6699"), "main") == 0);
	CHECK(strcmp(name_of(names, "6700"), "pool-1-thread-1") == 0);
	CHECK(strcmp(name_of(names, "16"), "a \"quoted\" nid=7 name") == 0);
	CHECK(strcmp(name_of(names, "6710"), "VM Thread") == 0);
	json_decref(names);
}

static void test_long_lines(void)
{
	static char line[3 * THREAD_LINE_MAX];
	json_t *names;

	test_begin("a_name_without_end_is_left_out");
	memset(line, 'x', sizeof(line) - 1);
	line[0] = '"';
	strcpy(line + sizeof(line) - 40, "\" #1 nid=5 runnable\n\"b\" #2 nid=6\n");
	names = names_in(line, 4096);
	CHECK(json_object_size(names) == 1 && strcmp(name_of(names, "6"), "b") == 0);
	json_decref(names);
}

int main(void)
{
	test_dump(sizeof(dump));
	test_dump(1);
	test_long_lines();
	return test_end();
}
