/* SPDX-License-Identifier: MIT */
/*
 * library_version.h - which SQLite there is
 */
#ifndef JFREC_SQL_LIBRARY_VERSION_H
#define JFREC_SQL_LIBRARY_VERSION_H

#include "jfrec/base.h"

/* "3.40.1", or NULL with *err set (JFREC_EUNSUPPORTED): there is none. */
const char *jfrec_sql_library_version(struct jfrec_error *err);

#endif
