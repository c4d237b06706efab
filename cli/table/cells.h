/* SPDX-License-Identifier: MIT */
/*
 * cells.h - print cells of tables for programs: JSON, CSV
 */
#ifndef JFREC_CLI_TABLE_CELLS_H
#define JFREC_CLI_TABLE_CELLS_H

#include <jansson.h>

#include "jfrec.h"

/* Print a value on one line, and free it. */
void dump_json(json_t *value);

/* A text of CSV, quoted where it has to be. */
void put_csv_text(const char *text);

/* A cell of CSV, with its digits as in JSON; null is empty. */
void put_csv_cell(const struct jfrec_cell *c);

/* Print a cell as JSON, of a number all digits that it takes to read it back as the same. */
void put_json_cell(const struct jfrec_cell *c);

#endif
