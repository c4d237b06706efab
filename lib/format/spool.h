/* SPDX-License-Identifier: MIT */
/*
 * spool.h - store pipes and compressed input so that it can be read in any order
 */
#ifndef JFREC_FORMAT_SPOOL_H
#define JFREC_FORMAT_SPOOL_H

#include "format/recording.h"

/* How much of its pipes a recording stores, unless it says otherwise. */
#define SPOOL_USUAL (UINT64_C(4) << 30)

/*
 * Bring each input that can only be read from front to back to a file without a name, which ends
 * with its descriptor: beside the file of that path, or with NULL in /var/tmp or /tmp.
 *
 * 0, or -1 with *err set: JFREC_EIO, with ENOSPC in .sys for a full disk, EFBIG for pipes that have
 * more than r->most_spooled; JFREC_ECANCELED.
 */
int spool_streams(struct recording *r, const char *beside, struct jfrec_error *err);

/*
 * The same of what can be read only once, pipes and sockets.  JFREC_EINVAL if more than the first
 * chunk was read before.
 */
int spool_pipes(struct recording *r, struct jfrec_error *err);

/* Make such a file.  Its descriptor, or -1 with *err set. */
int spool_file(const char *beside, struct jfrec_error *err);

#endif
