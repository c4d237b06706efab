/* SPDX-License-Identifier: MIT */
/*
 * colour.h - the colours of frames
 */
#ifndef JFREC_PROFILES_COLOUR_H
#define JFREC_PROFILES_COLOUR_H

#include "base/out.h"

/*
 * The colour of a frame, the same in each picture: whose it is or what kind of code decides, and a
 * little its package.
 */
void colour_put(struct out *out, unsigned kind, const char *name);

#endif
