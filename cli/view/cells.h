/* SPDX-License-Identifier: MIT */
/*
 * cells.h - print cells of tables for programs: JSON, CSV
 */
#ifndef JFREC_CLI_VIEW_CELLS_H
#define JFREC_CLI_VIEW_CELLS_H

#include <jansson.h>

#include "jfrec.h"

/* In base units; what is not a number is null. */
json_t *cell_json(const struct jfrec_cell *c);

/* Print a value on one line, and free it. */
void dump_json(json_t *value);

/* A text of CSV, quoted where it has to be. */
void put_csv_text(const char *text);

/* A cell of CSV; null is empty. */
void put_csv_cell(const struct jfrec_cell *c);

/* Print a cell as JSON, of a number all digits that it takes to read it back as the same. */
void put_json_cell(const struct jfrec_cell *c);

/* The number as text, exactly; of at least 32 bytes. */
const char *exact_number(char *to, double d);

#endif
