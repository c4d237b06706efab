/* SPDX-License-Identifier: MIT */
/*
 * document.h - the table of JVMs for programs
 */
#ifndef JFREC_CLI_TOP_DOCUMENT_H
#define JFREC_CLI_TOP_DOCUMENT_H

#include "top/columns.h"

/* Print one document. interval_ns: what rates are of. Returns an exit code. */
int document_print(const struct row *rows, size_t count, int64_t interval_ns);

/* Print a line for each row. Returns an exit code. */
int document_print_lines(const struct row *rows, size_t count);

#endif
