/* SPDX-License-Identifier: MIT */
/*
 * holes.h - detect sparse files, whose size is larger than their contents
 */
#ifndef JFREC_BASE_HOLES_H
#define JFREC_BASE_HOLES_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Has the open regular file holes?  A file system that compresses has fewer blocks, too, but no
 * holes.
 */
bool has_holes(int fd, const struct stat *st);

#endif
