/* SPDX-License-Identifier: MIT */
/*
 * demangle.h - the names of C++ and Rust as their programmers wrote them
 *
 * Compilers encode the scope, the template arguments and the parameters of a function in its
 * symbol: _ZN3app5Cache3getEi is app::Cache::get(int). Shown is the name without the parameters, as
 * `perf` does: app::Cache::get. Template arguments, which make different code of one function,
 * stay.
 */
#ifndef JFREC_DEMANGLE_DEMANGLE_H
#define JFREC_DEMANGLE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Longer symbols are shown as they are. The longest of half a million had 1,230 bytes. */
#define MANGLED_MOST 8192

/* Could it be mangled?  Takes no time. */
static inline bool is_mangled(const char *symbol, size_t len)
{
	return len > 3 && symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

/*
 * The name that a symbol of C++ (_Z...) or Rust (_R..., _ZN...17h0123456789abcdefE) stands for, in
 * the arena, with a NUL after it: 4 KB at most, longer ones end in "...". NULL: it stands for
 * none, the symbol is cut in its middle, it takes too long, or memory is gone; the symbol is to be
 * shown itself then. What comes from hostile bytes is bounded in time and memory.
 */
const char *demangle(struct arena *arena, const char *symbol, size_t len, size_t *out_len);

#endif
