/* SPDX-License-Identifier: MIT */
/*
 * report.h - print results and errors, and choose the exit code
 */
#ifndef JFREC_CLI_COMMON_REPORT_H
#define JFREC_CLI_COMMON_REPORT_H

#include <jansson.h>

#include "common/budget.h"
#include "common/command.h"
#include "common/confine.h"

/* A group for the table of a command: --types-from, for what is opened from then on. */
extern const struct opt types_rows[];

/*
 * Open recordings, to be read as one in the order given; their problems go to
 * stderr. NULL after a failure, which was said.
 */
struct jfrec_reader *open_recordings(char *const *paths, int count);

/* The same, and this process does nothing else from then on than reading, or writing, files. */
struct jfrec_reader *open_confined(enum confinement how, char *const *paths, int count);

/* Of what is damaged, by jfrec_reader_rescue(), confined to writing. */
struct jfrec_reader *rescue_recordings(char *const *paths, int count);

/* From now on have the reader's problems in the array, too: of objects. */
void collect_problems(struct jfrec_reader *r, json_t *array);

/* Have printing end with the first damage. */
void stop_at_damage(struct jfrec_reader *r);

/* Say why reading failed. Returns EXIT_FAILED, or EXIT_USAGE if it was a wish that cannot be. */
int report_failure(const struct jfrec_reader *r, const struct jfrec_error *err);

/* The exit code that stands for a failure: one table for all commands. */
int exit_of(enum jfrec_code code);

/* Say what failed; pid: of which JVM, or 0. Returns exit_of() it. */
int report_jvm_failure(int pid, const struct jfrec_error *err);

/* EXIT_FAILED if parts of the recording were damaged, else EXIT_DONE. */
int report_damage(const struct jfrec_reader *r);

/* Say something of a file on stderr: "jfrec: PATH: SENTENCE". */
void say(const char *path, const char *sentence);

/* Say that memory is gone: as a rule, that of the budget (budget.h). */
void say_out_of_memory(void);

/* What a failure says: err->text, or of memory what budget.h has to say. */
const char *failure_text(const struct jfrec_error *err);

/* Wrong usage: "jfrec print: <sentence>", and where to look. Returns EXIT_USAGE. */
int report_usage(const struct command *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * jfrec_write_fn for standard output.  On a terminal, control characters of a
 * recording are shown as they would be typed and do nothing.
 */
int write_stdout(void *ctx, const void *data, size_t len);

/*
 * Before much output: a pipe holds 64 KB, and then writer and reader wait for
 * each other, so ask for one of 1 MB.  What is no pipe, or a system that
 * refuses, is as good as before.
 */
void widen_stdout(void);

/* A name from a recording by stdio, as harmless on a terminal; of one line. */
void print_name(const char *name);

/* The same, harmless wherever it goes (harmless.h).  Returns how many bytes it wrote. */
int put_name(FILE *to, const char *name);

/*
 * The reader of our output has what it wanted: end quietly, as done.  All
 * other failures of writing are said.
 */
int report_write_failure(int error);

/* A string of JSON; bytes that are not UTF-8 become U+FFFD.  Null for NULL. */
json_t *text_json(const char *text);

/* Print a document, indented, and free it. Returns an exit code. */
int print_json(json_t *document);

/* Flush standard output. Returns an exit code. */
int finish_stdout(void);

/* "2026-11-20T09:47:05.651208645Z", in a buffer of at least 40 bytes. */
const char *iso_time(char *to, size_t size, int64_t ns);

/* Are there operands? Complains if not. */
bool has_operands(const struct command *c, const struct opt_parser *p, const char *what);

#endif
