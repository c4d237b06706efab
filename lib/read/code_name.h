/* SPDX-License-Identifier: MIT */
/*
 * code_name.h - what the functions of native programs are called
 *
 * A recording has their symbols. People are shown the names that these stand for, wherever a method
 * is one text. Where its members stand apart, as in the JDK's JSON, the symbol is a member.
 */
#ifndef JFREC_READ_CODE_NAME_H
#define JFREC_READ_CODE_NAME_H

#include "base/arena.h"
#include "format/metadata.h"

/*
 * What a method is called in a chunk with those types, whose name is recorded as `name`: that name,
 * or in a recording of libjfrec-recorder what it stands for, in the arena.
 */
const char *code_name(const struct metadata *m, struct arena *arena, const char *name, size_t *len);

/*
 * An expression that is to find such names, with what symbols in it stand for in their place; in
 * the arena, or the text itself if there are none. `special` are the characters of the expression
 * that need a backslash; "": it has no backslashes.
 */
const char *code_pattern(struct arena *arena, const char *text, const char *special);

#endif
