/* SPDX-License-Identifier: MIT */
/*
 * embedded.h - the files of settings/ in the library
 *
 * They lie among its constants and cost nothing until they are read.
 */
#ifndef JFREC_DICTIONARY_EMBEDDED_H
#define JFREC_DICTIONARY_EMBEDDED_H

#include "base/embedded.h"

extern const struct embedded_file embedded_dictionary[], embedded_profiles[], embedded_views[];

#endif
