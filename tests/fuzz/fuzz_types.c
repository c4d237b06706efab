/* SPDX-License-Identifier: MIT */
/* fuzz_types.c - metadata and summaries */
#include "exercise.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	exercise_bytes(bytes, len);
	exercise_metadata();
	exercise_types();
	exercise_summary();
	return 0;
}
