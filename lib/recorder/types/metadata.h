/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - describe the types in the way of recordings
 */
#ifndef JFREC_RECORDER_TYPES_METADATA_H
#define JFREC_RECORDER_TYPES_METADATA_H

#include "recorder/ground/bytes.h"

/*
 * Under the lock of types: the metadata event of all of them; version: another one for each change.
 */
void metadata_encode(struct bytes *b, uint64_t ticks, uint64_t version);

#endif
