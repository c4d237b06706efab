/* SPDX-License-Identifier: MIT */
/*
 * output_limit.c - how much a command may write: --max-output
 */
#include "base/output_limit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/human.h"
#include "base/report.h"
#include "base/values.h"
#include "jfrec-tool.h"

#define MB (UINT64_C(1) << 20)

/* So many times the size of what is read, but of small recordings at least the second. */
#define TIMES 1000
#define LEAST (256 * MB)

#define TABLES 10000

static bool is_in_force, has_none;
static uint64_t wanted_bytes, wanted_tables; /* by the option; 0: the default */
static uint64_t input_bytes;

/* The option ----------------------------------------------------------------------------------- */

/* "8G", or "8G,50000" where there are tables. */
static bool parse(const char *text, bool has_tables)
{
	const char *comma = has_tables ? strchr(text, ',') : NULL;
	char size[HUMAN_MAX];

	snprintf(size, sizeof(size), "%.*s", comma ? (int)(comma - text) : 31, text);
	if (comma && !parse_count(comma + 1, &wanted_tables))
		return false;
	return jfrec_parse_size(size, &wanted_bytes) && wanted_bytes > 0;
}

static int take_limit(const struct opt_given *g, void *to)
{
	bool has_tables = g->opt->how != NULL;

	(void)to;
	has_none = strcmp(g->value, "none") == 0;
	if (has_none || parse(g->value, has_tables))
		return EXIT_DONE;
	return opt_refuse(g, has_tables ? "a size such as 8G, with a number of tables such as "
					  "8G,50000, or none"
					: "a size such as 8G, or none");
}

/* clang-format off */
const struct opt output_limit_rows[] = {
	OPT_CALL_ALL(0, "max-output", "SIZE", "limit of what is written (default: 1000 x the input)", take_limit, NULL),
	{ 0 },
};

const struct opt output_limit_tables_rows[] = {
	OPT_CALL_ALL(0, "max-output", "SIZE[,N]", "limit of what is written, and of tables", take_limit, ""),
	{ 0 },
};
/* clang-format on */

/* The limit ------------------------------------------------------------------------------------ */

void output_limit_begin(void)
{
	is_in_force = true;
}

static void add_file(const struct stat *st)
{
	if (S_ISREG(st->st_mode) && st->st_size > 0)
		input_bytes += (uint64_t)st->st_size;
}

static void add_directory(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *entry;
	struct stat st;

	while (d && (entry = readdir(d)) != NULL) {
		if (fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			add_file(&st);
	}
	if (d)
		closedir(d);
}

void output_limit_add_input(const char *path)
{
	struct stat st;

	if (!is_in_force || stat(path, &st) < 0)
		return;
	if (S_ISDIR(st.st_mode))
		add_directory(path);
	else
		add_file(&st);
}

static uint64_t usual(void)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(input_bytes, TIMES, &bytes))
		return UINT64_MAX;
	return bytes > LEAST ? bytes : LEAST;
}

uint64_t output_limit_bytes(void)
{
	if (!is_in_force || has_none)
		return 0;
	return wanted_bytes ? wanted_bytes : usual();
}

uint64_t output_limit_tables(void)
{
	if (!is_in_force || has_none)
		return 0;
	return wanted_tables ? wanted_tables : TABLES;
}

void output_limit_apply(struct jfrec_output *o)
{
	jfrec_output_limit(o, output_limit_bytes());
}

const char *output_limit_sentence(int sys)
{
	static char text[256];
	char size[HUMAN_MAX];

	if (!is_in_force || (sys != EOVERFLOW && sys != ERANGE))
		return NULL;
	human_bytes(size, (double)output_limit_bytes());
	if (sys == EOVERFLOW)
		snprintf(text, sizeof(text),
			 "the output would be larger than %s, the limit; if you trust the input, "
			 "allow more with --max-output SIZE, or select events",
			 size);
	else
		snprintf(text, sizeof(text),
			 "the output would have more than %" PRIu64 " tables or files, the limit; "
			 "select some with --events, or allow more with --max-output SIZE,NUMBER",
			 output_limit_tables());
	return text;
}
