/* SPDX-License-Identifier: MIT */
/*
 * hotspot.h - thread dumps as HotSpot writes them
 */
#ifndef JFREC_THREADS_HOTSPOT_H
#define JFREC_THREADS_HOTSPOT_H

#include "threads/dump.h"
#include "threads/lines.h"

/*
 * Read the next dump of the text from its first line on: 1; 0: there are no more.  *d is to be
 * freed with dump_fini(), and has no_memory set if that is gone.
 */
int hotspot_read(struct dump *d, struct lines *l);

#endif
