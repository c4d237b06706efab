/* SPDX-License-Identifier: MIT */
/*
 * libraries.c - which libraries of others this build uses, and whether they are here
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

#include "compressions.h"
#include "inside.h"
#include "jfrec-tool.h"
#include "settings/libxml2.h"
#include "sql/library_version.h"
#include "symbols/library_version.h"

#ifdef JFREC_LZ4
#include <lz4.h>
#endif
#ifdef JFREC_XZ
#include <lzma.h>
#endif
#ifdef JFREC_BZIP2
#include <bzlib.h>
#endif

/* The version, or NULL with *err set. */
typedef const char *version_fn(struct jfrec_error *err);

static const char *version_of_yaml(struct jfrec_error *err)
{
	(void)err;
	return yaml_get_version_string();
}

static const char *version_of_zlib(struct jfrec_error *err)
{
	(void)err;
	return zlibVersion();
}

static const char *version_of_zstd(struct jfrec_error *err)
{
	(void)err;
	return ZSTD_versionString();
}

#if !defined(JFREC_LZ4) || !defined(JFREC_XZ) || !defined(JFREC_BZIP2)
static const char *left_out(struct jfrec_error *err, const char *package, const char *option)
{
	snprintf(err->text, sizeof(err->text),
		 "jfrec was built without it; install %s and build it again with -D%s=enabled",
		 package, option);
	return NULL;
}
#endif

static const char *version_of_lz4(struct jfrec_error *err)
{
#ifdef JFREC_LZ4
	static char text[16];
	unsigned number = (unsigned)LZ4_versionNumber();

	(void)err;
	snprintf(text, sizeof(text), "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
	return text;
#else
	return left_out(err, "liblz4-dev", "lz4");
#endif
}

static const char *version_of_xz(struct jfrec_error *err)
{
#ifdef JFREC_XZ
	(void)err;
	return lzma_version_string();
#else
	return left_out(err, "liblzma-dev", "xz");
#endif
}

/* "1.0.8, 13-Jul-2019" */
static const char *version_of_bzip2(struct jfrec_error *err)
{
#ifdef JFREC_BZIP2
	static char text[16];

	(void)err;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(BZ2_bzlibVersion(), ","),
		 BZ2_bzlibVersion());
	return text;
#else
	return left_out(err, "libbz2-dev", "bzip2");
#endif
}

/* "20914" */
static const char *version_of_libxml2(struct jfrec_error *err)
{
	const struct libxml2 *library = libxml2_load(err);
	static char text[16];
	unsigned number;

	if (!library)
		return NULL;
	if (!library->version)
		return "unknown";
	number = (unsigned)strtoul(*library->version, NULL, 10);
	snprintf(text, sizeof(text), "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
	return text;
}

static const struct {
	const char *name, *does;
	version_fn *version;
} libraries[] = {
	{ "zlib", "recordings packed by gzip and zip, pages", version_of_zlib },
	{ "zstd", "recordings and tables packed by zstd", version_of_zstd },
	{ "lz4", "recordings packed by lz4", version_of_lz4 },
	{ "xz", "recordings packed by xz", version_of_xz },
	{ "bzip2", "recordings packed by bzip2", version_of_bzip2 },
	{ "libyaml", "settings and rules in YAML", version_of_yaml },
	{ "libxml2", "settings in .jfc files", version_of_libxml2 },
	{ "SQLite", "sql, export --format sqlite", jfrec_sql_library_version },
	{ "libdw", "symbolize", jfrec_symbols_library_version },
};

#define LIBRARY_COUNT (sizeof(libraries) / sizeof(*libraries))

/* What is linked in, and has no function that tells its version.  The last is empty. */
static const struct {
	const char *name, *version, *does;
} inside[] = { JFREC_INSIDE { NULL, NULL, NULL } };

#define INSIDE_COUNT (sizeof(inside) / sizeof(*inside) - 1)

size_t jfrec_library_count(void)
{
	return LIBRARY_COUNT + INSIDE_COUNT;
}

static struct jfrec_library library_inside(size_t i)
{
	return (struct jfrec_library){ .name = inside[i].name,
				       .version = inside[i].version,
				       .does = inside[i].does };
}

struct jfrec_library jfrec_library_get(size_t i)
{
	static struct jfrec_error reasons[LIBRARY_COUNT];
	struct jfrec_library library;

	if (i >= LIBRARY_COUNT)
		return library_inside(i - LIBRARY_COUNT);
	library = (struct jfrec_library){ .name = libraries[i].name, .does = libraries[i].does };
	library.version = libraries[i].version(&reasons[i]);
	if (!library.version)
		library.missing = reasons[i].text;
	return library;
}
