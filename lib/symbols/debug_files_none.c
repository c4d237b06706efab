/* SPDX-License-Identifier: MIT */
/*
 * debug_files_none.c - debug information in a library that was built without libdw
 */
#include "base/error.h"
#include "symbols/debug_files.h"
#include "symbols/library_version.h"

static int fail(struct jfrec_error *err)
{
	return jfrec_fail(
		err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
		"jfrec was built without libdw; install libdw-dev and build it again with "
		"-Dlibdw=enabled");
}

const char *jfrec_symbols_library_version(struct jfrec_error *err)
{
	fail(err);
	return NULL;
}

struct jfrec_debug_files *jfrec_debug_files_new(struct jfrec_error *err)
{
	fail(err);
	return NULL;
}

int jfrec_debug_files_add(struct jfrec_debug_files *f, const char *path, struct jfrec_error *err)
{
	(void)f;
	(void)path;
	return fail(err);
}

int jfrec_debug_files_add_system(struct jfrec_debug_files *f, struct jfrec_error *err)
{
	(void)f;
	return fail(err);
}

void jfrec_debug_files_free(struct jfrec_debug_files *f)
{
	(void)f;
}

struct build_id build_id_parse(const char *digits)
{
	(void)digits;
	return (struct build_id){ 0 };
}

struct debug_info *debug_files_find(struct jfrec_debug_files *f, struct build_id id, char **path,
				    struct jfrec_error *err)
{
	(void)f;
	(void)id;
	*path = NULL;
	fail(err);
	return NULL;
}

void debug_info_close(struct debug_info *d)
{
	(void)d;
}

unsigned debug_info_find(struct debug_info *d, uint64_t address, struct code_frame *frames)
{
	(void)d;
	(void)address;
	(void)frames;
	return 0;
}
