/* SPDX-License-Identifier: MIT */
/* target.h - what libFuzzer calls, and tests/fuzz/replay.c in its place */
#ifndef JFREC_TARGET_H
#define JFREC_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#endif
