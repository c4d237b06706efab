/* SPDX-License-Identifier: MIT */
/*
 * sqlite_allowed.c - SQL: the functions that statements may use
 *
 * SQLite's own functions as far as they work on values alone.  A build of it may have others, which
 * open files, load code, write to the log, or show an address of the process: those of full-text
 * search do.  So what is not known here is refused.
 */
#include "sql/sqlite.h"

#include <string.h>

/* Between blanks; a name that is also a keyword is a function to the authorizer. */
static const char allowed[] =
	/* numbers */
	" abs acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log"
	" log10 log2 max min mod pi pow power radians random round sign sin sinh sqrt tan tanh trunc "
	/* texts and blobs */
	" char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood"
	" likely lower ltrim nullif octet_length printf quote randomblob replace rtrim soundex substr"
	" substring trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob "
	/* times */
	" current_date current_time current_timestamp date datetime julianday strftime time timediff"
	" unixepoch "
	/* groups and windows */
	" avg count cume_dist dense_rank first_value group_concat lag last_value lead nth_value ntile"
	" percent_rank percentile percentile_cont percentile_disc rank row_number string_agg sum total"
	" median "
	/* JSON */
	" -> ->> json json_array json_array_insert json_array_length json_error_position json_extract"
	" json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote"
	" json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert"
	" jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch"
	" jsonb_remove jsonb_replace jsonb_set "
	/* SQLite itself */
	" changes last_insert_rowid sqlite_source_id sqlite_version subtype total_changes "
	/* ours */
	" bucket frame_count has_frame ns top_frame utc ";

bool sqlite_may_call(const char *function)
{
	size_t len = strlen(function);

	if (!len || strchr(function, ' '))
		return false;
	for (const char *at = allowed; *at; at++) {
		if (at[0] == ' ' && sqlite3_strnicmp(at + 1, function, (int)len) == 0 &&
		    at[1 + len] == ' ')
			return true;
	}
	return false;
}
