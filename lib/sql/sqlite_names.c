/* SPDX-License-Identifier: MIT */
/*
 * sqlite_names.c - SQL: the tables that a statement names
 *
 * SQLite keeps modules in a table of 64 lists, so making all types known would take time that
 * grows with their number squared. Only those are made known that a word of the statement names;
 * which words are names of tables is for SQLite to say.
 *
 *	word   "word"   `word`   [word]   'word'        but not in comments
 */
#include "sql/sqlite.h"

#include <string.h>

#include "base/buffer.h"
#include "tables/columns.h"

static bool is_word(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || c >= 0x80;
}

/* What follows the comment, or NULL: there is none. */
static const char *after_comment(const char *at)
{
	const char *end;

	if (at[0] == '-' && at[1] == '-')
		return at + strcspn(at, "\n");
	if (at[0] != '/' || at[1] != '*')
		return NULL;
	end = strstr(at + 2, "*/");
	return end ? end + 2 : at + strlen(at);
}

/* Take what is in quotes, where two stand for one.  What follows it. */
static const char *take_quoted(const char *at, struct buffer *word)
{
	char close = *at == '[' ? ']' : *at;

	for (at++; *at; at++) {
		if (*at == close && (close == ']' || at[1] != close))
			return at + 1;
		at += *at == close;
		buffer_u8(word, (uint8_t)*at);
	}
	return at;
}

/* The next word of a statement, in *word without its quotes.  NULL: there are no more. */
static const char *take_word(const char *at, struct buffer *word)
{
	const char *after;

	word->len = 0;
	for (; *at; at = after ? after : at + 1) {
		after = after_comment(at);
		if (after)
			continue;
		if (strchr("\"`['", *at))
			return take_quoted(at, word);
		if (!is_word((unsigned char)*at))
			continue;
		while (is_word((unsigned char)*at))
			buffer_u8(word, (uint8_t)*at++);
		return at;
	}
	return NULL;
}

static int add_word(struct jfrec_sql *s, const char *name)
{
	int table = jfrec_tables_find(s->tables, name);
	uint64_t *known;

	if (table < 0 && sqlite3_stricmp(name, SQLITE_EVENTS) != 0)
		return SQLITE_OK;
	known = digest_map_put(&s->known, name_digest(name));
	if (!known)
		return SQLITE_NOMEM;
	if (*known)
		return SQLITE_OK;
	*known = 1;
	if (table < 0)
		return sqlite_add_events(s);
	s->tables->tables[table].is_named = true;
	return sqlite_add_table(s, (size_t)table, name);
}

int sqlite_add_tables(struct jfrec_sql *s, const char *statement)
{
	struct buffer word = { 0 };
	int got = SQLITE_OK;

	while (got == SQLITE_OK && (statement = take_word(statement, &word)) != NULL) {
		buffer_u8(&word, '\0');
		got = word.failed ? SQLITE_NOMEM : add_word(s, (const char *)word.data);
	}
	buffer_fini(&word);
	return got;
}
