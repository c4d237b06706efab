/* SPDX-License-Identifier: MIT */
/*
 * symbol_table.h - the functions in the symbol table of an ELF file
 */
#ifndef JFREC_SYMBOLS_SYMBOL_TABLE_H
#define JFREC_SYMBOLS_SYMBOL_TABLE_H

#include <stdint.h>

#include "symbols/libdw.h"

struct symbol;

/* All zero is an empty table. */
struct symbol_table {
	struct symbol *symbols;
	size_t count;
};

/* Read .symtab, or else .dynsym.  0, or -1 with *err set: memory is gone. */
int symbol_table_read(struct symbol_table *t, const struct libdw *dw, Elf *elf,
		      struct jfrec_error *err);
void symbol_table_fini(struct symbol_table *t);

/* The name of the function at that address, or NULL. */
const char *symbol_table_find(const struct symbol_table *t, uint64_t address);

#endif
