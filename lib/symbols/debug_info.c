/* SPDX-License-Identifier: MIT */
/*
 * debug_info.c - functions and lines of machine code, from one file with debug information
 *
 * DWARF is a tree for each unit of compilation: namespaces, in them functions, in these blocks and
 * the functions that were inlined.  Addresses lead to the unit and its functions by tables that are
 * made here, since .debug_aranges is not in every file.  Units whose tree is in another file
 * (-gsplit-dwarf) are left out: libdw would open what the file names.
 */
#include "symbols/debug_info.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "symbols/libdw.h"
#include "symbols/symbol_table.h"

#define MOST_FILE	((uint64_t)16 << 30)
#define MOST_UNPACKED	((uint64_t)4 << 30) /* of compressed sections */
#define MOST_SPANS	(16u << 20)
#define MOST_NAMESPACES 64u  /* in each other */
#define MOST_BLOCKS	512u /* in each other, in a function */
#define STEPS_BACK	64u  /* to a function around those that lie in it */

/* Code of a unit, or of a function. */
struct span {
	uint64_t low, high;
	uint64_t of; /* the unit's number, or the offset of the function */
};

struct spans {
	struct span *items;
	size_t count, room;
};

struct unit {
	Dwarf_Die die;
	struct spans functions;
	bool has_functions; /* they were looked for */
};

struct debug_info {
	const struct libdw *dw;
	int fd;
	Elf *elf;
	Dwarf *dwarf; /* NULL: there is none, or it cannot be read */
	bool has_lines;
	struct debug_info *shared;
	struct symbol_table symbols;
	struct spans code;
	struct unit *units;
	size_t unit_count, unit_room;
};

/* The file ------------------------------------------------------------------------------------- */

static bool is_debug(const char *name, const char *which)
{
	return name && (!strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8)) &&
	       !strcmp(name + (name[1] == 'z' ? 8 : 7), which);
}

/* Are sections no larger than they can be?  libdw unpacks all of them at once. */
static int look_at_sections(struct debug_info *d, uint64_t file_size, struct jfrec_error *err)
{
	Elf_Scn *section = NULL;
	uint64_t unpacked = 0;
	size_t names = 0;
	GElf_Shdr s;
	GElf_Chdr c;

	d->dw->elf_getshdrstrndx(d->elf, &names);
	while ((section = d->dw->elf_nextscn(d->elf, section))) {
		const char *name;

		if (!d->dw->gelf_getshdr(section, &s) || s.sh_type == SHT_NOBITS)
			continue;
		if (s.sh_size > file_size || s.sh_offset > file_size - s.sh_size)
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
					  "a section is beyond its end");
		name = d->dw->elf_strptr(d->elf, names, s.sh_name);
		if (name && !strncmp(name, ".zdebug_", 8))
			return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
					  "it is compressed as before 2016; run objcopy "
					  "--decompress-debug-sections on it");
		d->has_lines |= is_debug(name, "info");
		if (!(s.sh_flags & SHF_COMPRESSED))
			continue;
		if (!d->dw->gelf_getchdr(section, &c) || c.ch_size > MOST_UNPACKED - unpacked)
			return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
					  "its compressed sections claim more than 4 GiB");
		unpacked += c.ch_size;
	}
	return 0;
}

/* libdw reads a text up to its NUL, wherever that is.  Once it has unpacked all of them. */
static bool do_texts_end(const struct debug_info *d)
{
	Elf_Scn *section = NULL;
	size_t names = 0;
	GElf_Shdr s;

	d->dw->elf_getshdrstrndx(d->elf, &names);
	while ((section = d->dw->elf_nextscn(d->elf, section))) {
		const Elf_Data *data;
		const char *name;

		if (!d->dw->gelf_getshdr(section, &s) || s.sh_type == SHT_NOBITS)
			continue;
		name = d->dw->elf_strptr(d->elf, names, s.sh_name);
		if (!is_debug(name, "str") && !is_debug(name, "line_str"))
			continue;
		data = d->dw->elf_getdata(section, NULL);
		if (!data || (data->d_size && ((const char *)data->d_buf)[data->d_size - 1]))
			return false;
	}
	return true;
}

static int open_elf(struct debug_info *d, struct jfrec_error *err)
{
	struct stat st;

	if (fstat(d->fd, &st) < 0 || st.st_size < 0 || (uint64_t)st.st_size > MOST_FILE)
		return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
				  "it is larger than 16 GiB");
	d->elf = d->dw->elf_begin(d->fd, ELF_C_READ, NULL);
	if (!d->elf || d->dw->elf_kind(d->elf) != ELF_K_ELF)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "it is not an ELF file");
	return look_at_sections(d, (uint64_t)st.st_size, err);
}

struct debug_info *debug_info_open(int fd, struct jfrec_error *err)
{
	const struct libdw *dw = libdw_load(err);
	struct debug_info *d = dw ? calloc(1, sizeof(*d)) : NULL;

	if (!d) {
		if (dw)
			jfrec_fail_memory(err);
		close(fd);
		return NULL;
	}
	d->dw = dw;
	d->fd = fd;
	if (open_elf(d, err) == 0)
		return d;
	debug_info_close(d);
	return NULL;
}

void debug_info_close(struct debug_info *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->unit_count; i++)
		free(d->units[i].functions.items);
	free(d->units);
	free(d->code.items);
	symbol_table_fini(&d->symbols);
	if (d->dwarf)
		d->dw->dwarf_end(d->dwarf);
	debug_info_close(d->shared);
	if (d->elf)
		d->dw->elf_end(d->elf);
	close(d->fd);
	free(d);
}

static struct build_id build_id_of(const void *bytes, ssize_t size)
{
	struct build_id id = { 0 };

	if (size > 0 && size <= (ssize_t)BUILD_ID_MAX) {
		memcpy(id.bytes, bytes, (size_t)size);
		id.size = (unsigned)size;
	}
	return id;
}

struct build_id debug_info_id(const struct debug_info *d)
{
	const void *bytes;
	ssize_t size = d->dw->dwelf_elf_gnu_build_id(d->elf, &bytes);

	return build_id_of(bytes, size);
}

bool debug_info_has_lines(const struct debug_info *d)
{
	return d->has_lines;
}

/* Spans ---------------------------------------------------------------------------------------- */

static int add_spans(const struct debug_info *d, struct spans *s, Dwarf_Die *die, uint64_t of,
		     struct jfrec_error *err)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while (s->count < MOST_SPANS &&
	       (at = d->dw->dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low < high &&
		    !array_push(s->items, s->count, s->room, (struct span){ low, high, of }))
			return jfrec_fail_memory(err);
	}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->low != y->low ? (x->low > y->low) - (x->low < y->low)
				: (x->high < y->high) - (x->high > y->high);
}

static void sort_spans(struct spans *s)
{
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), by_place);
}

static const struct span *find_span(const struct spans *s, uint64_t address)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (unsigned i = 0; i < STEPS_BACK && low; i++) {
		if (address < s->items[--low].high)
			return &s->items[low];
	}
	return NULL;
}

/* Units ---------------------------------------------------------------------------------------- */

static int read_units(struct debug_info *d, struct jfrec_error *err)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t kind;
	Dwarf_Die die;

	while (d->dw->dwarf_get_units(d->dwarf, unit, &unit, &version, &kind, &die, NULL) == 0) {
		struct unit u = { .die = die };

		if (kind != DW_UT_compile)
			continue;
		if (add_spans(d, &d->code, &die, d->unit_count, err) < 0)
			return -1;
		if (!array_push(d->units, d->unit_count, d->unit_room, u))
			return jfrec_fail_memory(err);
	}
	sort_spans(&d->code);
	return 0;
}

/* The part that files share.  Without it nothing may be read: libdw would look for it by itself. */
static int read_shared(struct debug_info *d, find_shared *find, void *ctx, struct jfrec_error *err)
{
	const char *path = NULL;
	const void *bytes = NULL;
	ssize_t size = d->dw->dwelf_dwarf_gnu_debugaltlink(d->dwarf, &path, &bytes);

	if (size == 0)
		return 0;
	if (size > 0 && find)
		d->shared = find(ctx, path, build_id_of(bytes, size));
	if (d->shared && debug_info_read(d->shared, NULL, NULL, err) == 0 && d->shared->dwarf) {
		d->dw->dwarf_setalt(d->dwarf, d->shared->dwarf);
		return 0;
	}
	return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
			  "the file that it shares with others is missing: %.200s",
			  size > 0 ? path : "?");
}

int debug_info_read(struct debug_info *d, find_shared *find, void *ctx, struct jfrec_error *err)
{
	if (symbol_table_read(&d->symbols, d->dw, d->elf, err) < 0)
		return -1;
	if (!d->has_lines)
		return 0;
	d->dwarf = d->dw->dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dwarf)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "its debug information is damaged");
	if (!do_texts_end(d))
		jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "its texts have no end");
	else if (read_shared(d, find, ctx, err) == 0 && read_units(d, err) == 0)
		return 0;
	d->dw->dwarf_end(d->dwarf);
	d->dwarf = NULL;
	return -1;
}

/* Functions ------------------------------------------------------------------------------------ */

static bool has_functions_in_it(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type;
}

static int read_functions(const struct debug_info *d, struct spans *s, Dwarf_Die *of,
			  unsigned depth, struct jfrec_error *err)
{
	Dwarf_Die die;

	if (depth == MOST_NAMESPACES || d->dw->dwarf_child(of, &die) != 0)
		return 0;
	do {
		int tag = d->dw->dwarf_tag(&die);

		if (tag == DW_TAG_subprogram &&
		    add_spans(d, s, &die, d->dw->dwarf_dieoffset(&die), err) < 0)
			return -1;
		if (has_functions_in_it(tag) && read_functions(d, s, &die, depth + 1, err) < 0)
			return -1;
	} while (d->dw->dwarf_siblingof(&die, &die) == 0);
	return 0;
}

static bool find_function(struct debug_info *d, struct unit *u, uint64_t address,
			  Dwarf_Die *function)
{
	const struct span *s;
	struct jfrec_error err;

	if (!u->has_functions) {
		/* Without memory, what was read so far counts. */
		read_functions(d, &u->functions, &u->die, 0, &err);
		sort_spans(&u->functions);
		u->has_functions = true;
	}
	s = find_span(&u->functions, address);
	return s && d->dw->dwarf_offdie(d->dwarf, s->of, function);
}

/* The block or inlined function in this one that has the address. */
static bool step_inward(const struct debug_info *d, Dwarf_Die *die, uint64_t address)
{
	Dwarf_Die child;

	if (d->dw->dwarf_child(die, &child) != 0)
		return false;
	do {
		int tag = d->dw->dwarf_tag(&child);

		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		    d->dw->dwarf_haspc(&child, address) == 1) {
			*die = child;
			return true;
		}
	} while (d->dw->dwarf_siblingof(&child, &child) == 0);
	return false;
}

static const char *text_of(const struct debug_info *d, Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return d->dw->dwarf_formstring(d->dw->dwarf_attr_integrate(die, attribute, &a));
}

/* As the linker calls it, if that is another name: as symbols do. */
static const char *name_of(const struct debug_info *d, Dwarf_Die *die)
{
	const char *name = text_of(d, die, DW_AT_linkage_name);

	if (!name)
		name = text_of(d, die, DW_AT_MIPS_linkage_name);
	return name ? name : d->dw->dwarf_diename(die);
}

static uint32_t line_of_call(const struct debug_info *d, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word line;

	return d->dw->dwarf_formudata(d->dw->dwarf_attr(die, DW_AT_call_line, &a), &line) == 0 &&
			       line <= INT32_MAX
		       ? (uint32_t)line
		       : 0;
}

static uint32_t line_of_address(const struct debug_info *d, struct unit *u, uint64_t address)
{
	Dwarf_Line *line = d->dw->dwarf_getsrc_die(&u->die, address);
	int number;

	return line && d->dw->dwarf_lineno(line, &number) == 0 && number > 0 ? (uint32_t)number : 0;
}

/* Inlined functions are met from the outside; they come out the innermost first. */
static unsigned find_frames(struct debug_info *d, struct unit *u, uint64_t address,
			    struct code_frame *frames)
{
	Dwarf_Die die, inlined[CODE_FRAMES_MAX];
	unsigned count = 0, blocks = 0;
	uint32_t line = line_of_address(d, u, address);

	if (find_function(d, u, address, &die)) {
		inlined[count++] = die;
		while (count < CODE_FRAMES_MAX && blocks++ < MOST_BLOCKS &&
		       step_inward(d, &die, address))
			if (d->dw->dwarf_tag(&die) == DW_TAG_inlined_subroutine)
				inlined[count++] = die;
	}
	for (unsigned i = 0; i < count; i++) {
		Dwarf_Die *at = &inlined[count - 1 - i];

		frames[i] = (struct code_frame){ name_of(d, at), line };
		line = line_of_call(d, at);
	}
	if (!count && line)
		frames[count++] = (struct code_frame){ NULL, line };
	return count;
}

unsigned debug_info_find(struct debug_info *d, uint64_t address, struct code_frame *frames)
{
	const struct span *s = d->dwarf ? find_span(&d->code, address) : NULL;
	unsigned count = s ? find_frames(d, &d->units[s->of], address, frames) : 0;
	const char *symbol = symbol_table_find(&d->symbols, address);

	/* The outermost is what the recorder would have named, had it had the symbols. */
	if (symbol && count)
		frames[count - 1].name = symbol;
	else if (symbol)
		frames[count++] = (struct code_frame){ symbol, 0 };
	return count;
}
