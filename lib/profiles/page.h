/* SPDX-License-Identifier: MIT */
/*
 * page.h - the style, the elements and the script of pages
 */
#ifndef JFREC_PROFILES_PAGE_H
#define JFREC_PROFILES_PAGE_H

#include "base/embedded.h"

/* The files of lib/profiles/page: "screen", "style", and those of the script. */
extern const struct embedded_file embedded_page[];

#endif
