/* SPDX-License-Identifier: MIT */
/*
 * output_limit.h - how much a command may write: --max-output
 *
 * What is made from a recording can be much larger than that: events share a text that each row
 * repeats, and every type that is declared may become a file.  A limit that no recording of a JVM
 * comes near keeps one that was made to fill a disk from doing so.
 */
#ifndef JFREC_CLI_BASE_OUTPUT_LIMIT_H
#define JFREC_CLI_BASE_OUTPUT_LIMIT_H

#include "base/opt.h"

struct jfrec_output;

/* A group for the table of a command that makes something else of recordings. */
extern const struct opt output_limit_rows[];

/* The same, where it is tables or files: SIZE[,TABLES]. */
extern const struct opt output_limit_tables_rows[];

/* From now on there is a limit; opt_parse() calls it for a command that has such a row. */
void output_limit_begin(void);

/* Count an input, which allows more: a file, or the files in a directory. */
void output_limit_add_input(const char *path);

/* Bytes, and tables or files, that may be written; 0: without limit. */
uint64_t output_limit_bytes(void);
uint64_t output_limit_tables(void);

/* Have an output keep to it. */
void output_limit_apply(struct jfrec_output *o);

/* What to say of a failure to write with .sys EOVERFLOW or ERANGE; NULL: it is another one. */
const char *output_limit_sentence(int sys);

#endif
