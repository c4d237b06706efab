/* SPDX-License-Identifier: MIT */
/*
 * libdw.h - load elfutils' libdw when debug information is first asked for
 *
 * One command needs it, and it loads three more libraries.  This header and its users in this
 * folder are all that know it.
 */
#ifndef JFREC_SYMBOLS_LIBDW_H
#define JFREC_SYMBOLS_LIBDW_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "jfrec/base.h"

#define LIBELF_FUNCTIONS(F)  \
	F(elf_version)       \
	F(elf_begin)         \
	F(elf_end)           \
	F(elf_kind)          \
	F(elf_nextscn)       \
	F(elf_getdata)       \
	F(elf_strptr)        \
	F(elf_getshdrstrndx) \
	F(gelf_getshdr)      \
	F(gelf_getchdr)      \
	F(gelf_getsym)

#define LIBDW_FUNCTIONS(F)              \
	F(dwarf_attr)                   \
	F(dwarf_attr_integrate)         \
	F(dwarf_begin_elf)              \
	F(dwarf_child)                  \
	F(dwarf_dieoffset)              \
	F(dwarf_diename)                \
	F(dwarf_end)                    \
	F(dwarf_formstring)             \
	F(dwarf_formudata)              \
	F(dwarf_get_units)              \
	F(dwarf_getsrc_die)             \
	F(dwarf_haspc)                  \
	F(dwarf_lineno)                 \
	F(dwarf_offdie)                 \
	F(dwarf_ranges)                 \
	F(dwarf_setalt)                 \
	F(dwarf_siblingof)              \
	F(dwarf_tag)                    \
	F(dwelf_dwarf_gnu_debugaltlink) \
	F(dwelf_elf_gnu_build_id)

/* clang-format off */
struct libdw {
#define LIBDW_MEMBER(name) __typeof__(name) *name;
	LIBELF_FUNCTIONS(LIBDW_MEMBER)
	LIBDW_FUNCTIONS(LIBDW_MEMBER)
#undef LIBDW_MEMBER
};
/* clang-format on */

/* The same table each time.  NULL with *err set (JFREC_EUNSUPPORTED): it cannot be loaded. */
const struct libdw *libdw_load(struct jfrec_error *err);

#endif
