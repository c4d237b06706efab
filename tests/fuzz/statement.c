/* SPDX-License-Identifier: MIT */
/*
 * statement.c - a fuzz target: any text as a statement of SQL over a small recording
 *
 * SQLite cannot open a file: that aborts.
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <jfrec.h>
#include <stdlib.h>
#include <string.h>

#include "stack_types.h"
#include "target.h"

/* What a statement may take. */
#define TIMEOUT_NS INT64_C(200000000)
#define MEMORY     (32 << 20)

static void build(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, "30", "1000 5000000 1 1 5");
	craft_event(c, "30", "100001000 20000000 2 2 -5");
	craft_event(c, "31", "900001000 f0.75 'a*c'");
	craft_event(c, "31", "900002000 f-0.0 null");
	craft_checkpoint(c, STACK_CONSTANTS);
	craft_metadata(c,
		STACK_TYPES
		EVENT("30", "t.Work", START DURATION FIELD("eventThread", T_THREAD, KEY)
		      FIELD("stackTrace", T_TRACE, KEY) FIELD("n", T_LONG))
		EVENT("31", "t.Load", START FIELD("load", T_FLOAT) FIELD("text", T_STRING)));
	craft_end(c);
}

static void insist(bool good)
{
	if (!good)
		abort();
}

static void opened(void)
{
	abort();
}

/* Once: what SQLite calls to open, remove or map a file. */
static void forbid_files(void)
{
	static const char *const calls[] = { "open", "openDirectory", "unlink", "mkdir", "mmap" };
	static sqlite3_vfs *vfs;

	if (vfs)
		return;
	vfs = sqlite3_vfs_find(NULL);
	insist(vfs != NULL);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		int got = vfs->xSetSystemCall(vfs, calls[i], opened);

		insist(got == SQLITE_OK || got == SQLITE_NOTFOUND);
	}
}

static void look(struct jfrec_sql *sql)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < jfrec_sql_column_count(sql); i++) {
		struct jfrec_cell c = jfrec_sql_cell(sql, i);

		sum += strlen(jfrec_sql_column_name(sql, i));
		for (size_t k = 0; c.kind == JFREC_KIND_STRING && k < c.len; k++)
			sum += (unsigned char)c.text[k];
	}
	(void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct craft c;
	struct jfrec_sql_options o = { sizeof(o), TIMEOUT_NS, MEMORY };
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r;
	struct jfrec_tables *t;
	struct jfrec_sql *sql;
	char *text = malloc(len + 1);
	int got;

	insist(text != NULL);
	memcpy(text, bytes, len);
	text[len] = '\0';
	forbid_files();
	if (!c.bytes.len)
		build(&c);
	r = jfrec_reader_open_memory(c.bytes.data, c.bytes.len, NULL, &err);
	t = r ? jfrec_tables_new(r, &err) : NULL;
	sql = t ? jfrec_sql_new(t, &o, &err) : NULL;
	insist(sql != NULL);
	got = jfrec_sql_ask(sql, text, &err);
	while (got >= 0 && (got = jfrec_sql_next(sql, &err)) > 0)
		look(sql);
	insist(got == 0 || err.text[0]); /* a refusal says why */
	jfrec_sql_free(sql);
	jfrec_tables_free(t);
	jfrec_reader_close(r);
	free(text);
	return 0;
}
