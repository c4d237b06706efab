/* SPDX-License-Identifier: MIT */
/*
 * spool.h - store pipes and compressed input so that it can be read in any order
 */
#ifndef JFREC_EDIT_SPOOL_H
#define JFREC_EDIT_SPOOL_H

#include "format/recording.h"
#include "output/output.h"

/*
 * Bring each input that can only be read from front to back to a file without a
 * name, beside the output.  0, or -1 with *err set.
 */
int spool_streams(struct recording *r, const struct jfrec_output *o, struct jfrec_error *err);

/* Make such a file beside the output.  Its descriptor, or -1 with *err set. */
int spool_file(const struct jfrec_output *o, struct jfrec_error *err);

#endif
