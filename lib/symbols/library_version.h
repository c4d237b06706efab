/* SPDX-License-Identifier: MIT */
/*
 * library_version.h - which libdw there is
 */
#ifndef JFREC_SYMBOLS_LIBRARY_VERSION_H
#define JFREC_SYMBOLS_LIBRARY_VERSION_H

#include "jfrec/base.h"

/*
 * "0.188", or NULL with *err set (JFREC_EUNSUPPORTED): there is none.  It is that of the headers
 * that jfrec was built with, since libdw does not tell.
 */
const char *jfrec_symbols_library_version(struct jfrec_error *err);

#endif
