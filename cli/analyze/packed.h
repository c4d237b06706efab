/* SPDX-License-Identifier: MIT */
/*
 * packed.h - an archive of recordings, each to be judged by itself
 */
#ifndef JFREC_CLI_ANALYZE_PACKED_H
#define JFREC_CLI_ANALYZE_PACKED_H

#include "analyze/folder.h"

/*
 * May it be an archive?  No device or pipe is, and nothing that begins as a recording does; what it
 * is indeed is for a child to find out.
 */
bool packed_may_be(const char *path);

/*
 * The recordings in it, if they are to be judged each by itself: in the order of time, named as
 * jfrec_reader_file_name() names them.  None if it is one recording, or cannot be opened, of which
 * nothing is said; nor if it has too many of them, after saying so.  folder_fini() in any case.
 */
void packed_read(struct folder *f, const char *path);

#endif
