/* SPDX-License-Identifier: MIT */
/* fuzz_values.c - the reader, the types and values of events */
#include "exercise.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	exercise_bytes(bytes, len);
	exercise_values();
	return 0;
}
