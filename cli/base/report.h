/* SPDX-License-Identifier: MIT */
/*
 * report.h - report failures, and choose the exit code
 */
#ifndef JFREC_CLI_BASE_REPORT_H
#define JFREC_CLI_BASE_REPORT_H

#include "base/budget.h"
#include "base/command.h"
#include "base/envelope.h"
#include "base/json.h"
#include "base/spool.h"
#include "base/stdout.h"

/*
 * Say why reading failed; of Ctrl-C nothing, since who pressed it knows. Returns EXIT_FAILED,
 * EXIT_USAGE if the request is invalid, or 130.
 */
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

/* A name from a recording by stdio, as harmless on a terminal; of one line. */
void print_name(const char *name);

/* The same, harmless wherever it goes (harmless.h).  Returns how many bytes it wrote. */
int put_name(FILE *to, const char *name);

/*
 * Say what is wrong with an expression, at err->offset: the sentence, and below it the expression
 * with a mark under the place.  name: of the option that it came by, or "".
 */
void report_expression(const struct command *c, const char *name, const char *expression,
		       const struct jfrec_error *err);

/* Are there operands? Complains if not. */
bool has_operands(const struct command *c, const struct opt_parser *p, const char *what);

#endif
