/* SPDX-License-Identifier: MIT */
/*
 * verify.h - check that no redacted text is left in the output
 */
#ifndef JFREC_SCRUB_VERIFY_H
#define JFREC_SCRUB_VERIFY_H

#include "jfrec.h"
#include "scrub/text_set.h"

/*
 * Read a file, decompressed if it is compressed, and look in its bytes for the
 * texts in every encoding that recordings have.  0, or -1 with *err set:
 * JFREC_ELEAK, with the offset, if one is there.
 */
int verify_file(const struct text_set *texts, const char *path, struct jfrec_error *err);

#endif
