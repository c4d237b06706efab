/* SPDX-License-Identifier: MIT */
/*
 * rust.h - symbols of Rust
 */
#ifndef JFREC_DEMANGLE_RUST_H
#define JFREC_DEMANGLE_RUST_H

#include "demangle/shown.h"

/* Write the name of a symbol, which begins with _R.  False: it is none, or takes too long. */
bool rust_name(struct shown *out, const char *symbol, size_t len);

/*
 * The same for symbols that begin with _Z, as compilers made them until 2025: as C++ does, with a
 * hash as the last part. False and nothing written: it is of C++.
 */
bool rust_old_name(struct shown *out, const char *symbol, size_t len);

#endif
