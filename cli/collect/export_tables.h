/* SPDX-License-Identifier: MIT */
/*
 * export_tables.h - write the tables of a collected file, in a process of its own
 */
#ifndef JFREC_CLI_COLLECT_EXPORT_TABLES_H
#define JFREC_CLI_COLLECT_EXPORT_TABLES_H

#include "collect/config.h"

/*
 * Read the recording that is open as `recording`, and write its tables into the directory of `how`,
 * as jfrec_export_parquet() does: files whose names have that of the recording, so that doing it
 * again replaces them with the same. The process that does so can write nowhere else, where the
 * kernel has Landlock, and has how->timeout_ms.
 *
 * 0, or -1 with *err set: JFREC_EOUTPUT if the files could not be written, so that it is worth
 * another try; JFREC_EREFUSED.
 */
int export_tables(const struct collect_export *how, int recording, const char *name,
		  struct jfrec_error *err);

#endif
