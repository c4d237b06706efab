# libelf and libdw as far as they read files, which needs neither argp, fts nor obstack: musl has none
# of them. Unwinding (libebl) and modules of processes (libdwfl) are left out; what these would be
# called for is never asked, so the calls end the program.
build_elfutils()
{
	cat >config.h <<-END
		#define HAVE_CONFIG_H 1
		#define HAVE_ERR_H 1
		#define HAVE_DECL_REALLOCARRAY 1
		#define HAVE_DECL_MEMPCPY 1
		#define HAVE_VISIBILITY 1
		#define HAVE_GCC_STRUCT 0
		#define PACKAGE "elfutils"
		#define PACKAGE_NAME "elfutils"
		#define PACKAGE_VERSION "$version"
		#define USE_ZSTD 1
		#define _GNU_SOURCE 1
		#include <eu-config.h>
	END
	cat >unused.c <<-END
		#include <stdlib.h>
		void ebl_closebackend(void) { abort(); }
		void __libdwfl_relocate_value(void) { abort(); }
		void __libdwfl_seterrno(void) { abort(); }
	END
	includes="-DHAVE_CONFIG_H -DPIC -I. -Ilib -Ilibelf -Ilibdw -Ilibdwelf -Ilibebl -Ilibdwfl"
	archive elf "$includes" lib/crc32.c lib/crc32_file.c lib/eu-search.c libelf/[!l]*.c libelf/libelf*.c
	archive dw "$includes" libdw/*.c libdwelf/dwelf_dwarf_gnu_debugaltlink.c \
		libdwelf/dwelf_elf_gnu_build_id.c lib/error.c unused.c
	mkdir -p "$prefix/include/elfutils"
	offer libelf/elf.h libelf/gelf.h libelf/libelf.h libdw/dwarf.h
	cp libdw/libdw.h libdwelf/libdwelf.h version.h "$prefix/include/elfutils/"
	describe libelf "$version" -lelf 'zlib libzstd'
	describe libdw "$version" -ldw libelf
}
