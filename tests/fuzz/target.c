/* SPDX-License-Identifier: MIT */
/* target.c - a fuzz target for the function of exercise.h that EXERCISE names */
#include "target.h"

#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	exercise_bytes(bytes, len);
	EXERCISE();
	return 0;
}
