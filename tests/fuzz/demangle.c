/* SPDX-License-Identifier: MIT */
/*
 * demangle.c - a fuzz target: any bytes as the symbol of a function of C++ or Rust
 *
 * The fuzzer looks out for the time that it takes, too: a symbol of 100 bytes can stand for more
 * than there is time for.
 */
#include <stdlib.h>
#include <string.h>

#include "demangle/demangle.h"
#include "target.h"

/* "_R" and "_Z" need not be found again and again: the first byte tells which it is. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = { 0 };
	size_t shown_len = 0;
	const char *shown;
	char *symbol;

	if (!len)
		return 0;
	/* A copy of its own: each byte too far is seen. */
	symbol = malloc(len + 1);
	if (!symbol)
		return 0;
	memcpy(symbol, bytes[0] == 'R' ? "_R" : "_Z", 2);
	memcpy(symbol + 2, bytes + 1, len - 1);
	shown = demangle(&arena, symbol, len + 1, &shown_len);
	if (shown && (!shown_len || shown_len > 4096 || shown[shown_len]))
		abort();
	arena_fini(&arena);
	free(symbol);
	return 0;
}
