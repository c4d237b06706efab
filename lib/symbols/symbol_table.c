/* SPDX-License-Identifier: MIT */
/*
 * symbol_table.c - the functions in the symbol table of an ELF file
 */
#include "symbols/symbol_table.h"

#include <limits.h>
#include <stdlib.h>

#include "base/error.h"

struct symbol {
	uint64_t begin, size;
	const char *name; /* in the section of names, which ends in NUL */
};

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	/* Of several at one place the largest last, which is found: as the recorder does. */
	return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
				    : (x->size > y->size) - (x->size < y->size);
}

static bool is_function(const GElf_Sym *s)
{
	unsigned kind = GELF_ST_TYPE(s->st_info);

	return (kind == STT_FUNC || kind == STT_GNU_IFUNC) && s->st_value &&
	       s->st_shndx != SHN_UNDEF;
}

static int take(struct symbol_table *t, const struct libdw *dw, Elf *elf, Elf_Data *data,
		const GElf_Shdr *header, struct jfrec_error *err)
{
	size_t most = header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	GElf_Sym s;

	if (most > INT_MAX)
		most = INT_MAX;
	t->symbols = calloc(most + 1, sizeof(*t->symbols));
	if (!t->symbols)
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < most && dw->gelf_getsym(data, (int)i, &s); i++) {
		const char *name =
			is_function(&s) ? dw->elf_strptr(elf, header->sh_link, s.st_name) : NULL;

		if (name && *name)
			t->symbols[t->count++] = (struct symbol){ s.st_value, s.st_size, name };
	}
	qsort(t->symbols, t->count, sizeof(*t->symbols), by_address);
	return 0;
}

static int read_kind(struct symbol_table *t, const struct libdw *dw, Elf *elf, GElf_Word kind,
		     struct jfrec_error *err)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!t->symbols && (section = dw->elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!dw->gelf_getshdr(section, &header) || header.sh_type != kind)
			continue;
		data = dw->elf_getdata(section, NULL);
		if (data && data->d_buf && take(t, dw, elf, data, &header, err) < 0)
			return -1;
	}
	return 0;
}

int symbol_table_read(struct symbol_table *t, const struct libdw *dw, Elf *elf,
		      struct jfrec_error *err)
{
	if (read_kind(t, dw, elf, SHT_SYMTAB, err) < 0)
		return -1;
	return read_kind(t, dw, elf, SHT_DYNSYM, err);
}

void symbol_table_fini(struct symbol_table *t)
{
	free(t->symbols);
	*t = (struct symbol_table){ 0 };
}

const char *symbol_table_find(const struct symbol_table *t, uint64_t address)
{
	size_t low = 0, high = t->count;
	const struct symbol *s;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->symbols[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	s = &t->symbols[low - 1];
	/* Assembler forgets the size. */
	return !s->size || address - s->begin < s->size ? s->name : NULL;
}
