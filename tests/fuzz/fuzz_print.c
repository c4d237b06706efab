/* SPDX-License-Identifier: MIT */
/* fuzz_print.c - events as text, exact text, JSON and XML */
#include "exercise.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	exercise_bytes(bytes, len);
	exercise_text();
	exercise_exact();
	exercise_json();
	exercise_xml();
	return 0;
}
