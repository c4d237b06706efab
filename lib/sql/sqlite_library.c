/* SPDX-License-Identifier: MIT */
/*
 * sqlite_library.c - load SQLite when it is first asked for
 *
 * Most commands do not need it, and its relocations cost more than all else at the start of the
 * program.  SQLite hands its functions to extensions as one table: so we are one for a moment.
 */
#include "sql/sqlite.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/error.h"

#define SONAME "libsqlite3.so.0"

/* sqlite3_error_offset(), the latest that we call, is there from 3.38 on. */
#define OLDEST 3038000

const sqlite3_api_routines *sqlite3_api;

struct entry_points {
	int (*add)(void (*extension)(void));
	int (*cancel)(void (*extension)(void));
	int (*open)(const char *name, sqlite3 **db, int flags, const char *vfs);
	int (*close)(sqlite3 *db);
	int (*version)(void);
};

static bool find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	*(void **)function = symbol;
	return symbol != NULL;
}

static int keep_table(sqlite3 *db, char **message, const sqlite3_api_routines *table)
{
	(void)db;
	(void)message;
	sqlite3_api = table;
	return SQLITE_OK;
}

/* What SQLite calls with the arguments of keep_table(), its header declares without any. */
static void (*extension(void))(void)
{
	union {
		int (*is)(sqlite3 *db, char **message, const sqlite3_api_routines *table);
		void (*declared)(void);
	} entry = { keep_table };

	return entry.declared;
}

/* Extensions are called whenever a database is opened. */
static void take_table(const struct entry_points *e)
{
	sqlite3 *db = NULL;

	if (e->add(extension()) != SQLITE_OK)
		return;
	e->open(":memory:", &db, SQLITE_OPEN_READWRITE, NULL);
	e->close(db);
	e->cancel(extension());
}

static void load(void)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	struct entry_points e;

	if (!library)
		return;
	if (find(library, "sqlite3_auto_extension", &e.add) &&
	    find(library, "sqlite3_cancel_auto_extension", &e.cancel) &&
	    find(library, "sqlite3_open_v2", &e.open) &&
	    find(library, "sqlite3_close", &e.close) &&
	    find(library, "sqlite3_libversion_number", &e.version) && e.version() >= OLDEST)
		take_table(&e);
	if (!sqlite3_api)
		dlclose(library);
}

int jfrec_sql_load(struct jfrec_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (sqlite3_api)
		return 0;
	return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
			  "this needs SQLite 3.38 or later, which is not installed as " SONAME);
}
