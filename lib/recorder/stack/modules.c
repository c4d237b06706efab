/* SPDX-License-Identifier: MIT */
/*
 * modules.c - the program and its libraries: tables of frames, names of functions
 *
 * Tables of modules that may be unloaded at any time are copied while the loader's lock is held.
 * Symbols are read from its file when one is wanted: .symtab, or else .dynsym.
 */
#include "recorder/stack/modules.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/ground/gate.h"

#define MOST_MODULES  4096u
#define MOST_TABLES   ((uint64_t)256 << 20) /* of one module */
#define MOST_SYMBOLS  ((uint64_t)512 << 20)
#define MOST_SECTIONS 10000u
#define MOST_BUILD_ID 64u
#define ROOM	      ((size_t)256 << 10)
#define MOST_NAME     8192u /* bytes of a symbol: those of C++ must be whole to be read */

struct symbol {
	uint64_t begin, size;
	uint32_t name;
};

struct module {
	uint64_t base, begin, end; /* of executable code: [begin, end) */
	uint64_t low, high;	   /* of all that is loaded */
	char *path;
	uint8_t build_id[MOST_BUILD_ID];
	unsigned build_id_size;
	struct frame_tables tables; /* data: NULL if it has none */
	_Atomic bool is_loaded;
	bool has_symbols; /* they were read, or cannot be */
	struct symbol *symbols;
	size_t symbol_count;
	char *names;
	size_t names_size;
};

/* They are only added, and do not move: whoever reads the count sees the modules. */
static struct {
	pthread_mutex_t lock; /* of adding */
	struct module *modules[MOST_MODULES];
	_Atomic size_t count;
	_Atomic uint32_t generation;
	unsigned long long adds, subs;
	uint8_t *room; /* for what is kept */
	size_t room_left;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Loaded modules ------------------------------------------------------------------------------- */

/*
 * Zeros that stay as long as the process, under the lock of adding.  Not of malloc(), which a
 * handler of a signal may have interrupted that ends the process.
 */
static void *keep_bytes(size_t size)
{
	uint8_t *kept;

	size = (size + 15) & ~(size_t)15;
	if (size > all.room_left) {
		size_t room = size > ROOM ? size : ROOM;
		void *p = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		if (p == MAP_FAILED)
			return NULL;
		all.room = p;
		all.room_left = room;
	}
	kept = all.room;
	all.room += size;
	all.room_left -= size;
	return kept;
}

static char *keep_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *kept = keep_bytes(size);

	if (kept)
		memcpy(kept, text, size);
	return kept;
}

static struct module *find_known(const struct dl_phdr_info *info, const struct module *m)
{
	for (size_t i = 0; i < all.count; i++)
		if (all.modules[i]->base == m->base && all.modules[i]->begin == m->begin &&
		    !strcmp(all.modules[i]->path, info->dlpi_name))
			return all.modules[i];
	return NULL;
}

static bool has_code(const struct module *m, uint64_t address)
{
	return address >= m->begin && address < m->end;
}

/* The program, libc and this library are never unloaded: their tables stay where they are. */
static bool is_lasting(const struct module *m, const struct dl_phdr_info *info)
{
	return !info->dlpi_name[0] || has_code(m, (uint64_t)(uintptr_t)dl_iterate_phdr) ||
	       has_code(m, (uint64_t)(uintptr_t)modules_refresh);
}

/* From .eh_frame_hdr or .eh_frame, what comes first, up to the end of what is loaded there. */
static void copy_tables(struct module *m, const struct dl_phdr_info *info, uint64_t header)
{
	uint64_t from = header, to = 0, frames = 0;
	uint8_t *data;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && header >= begin && header - begin < p->p_memsz) {
			to = begin + p->p_memsz;
			/* Version, encodings, and in the usual one the address of .eh_frame. */
			if (to - header >= 8 && ((const uint8_t *)header)[1] == 0x1b) {
				int32_t distance;

				memcpy(&distance, (const uint8_t *)header + 4, sizeof(distance));
				frames = header + 4 + (uint64_t)(int64_t)distance;
				if (frames >= begin && frames < from)
					from = frames;
			}
		}
	}
	if (to <= from || to - from > MOST_TABLES || !frames)
		return;
	if (is_lasting(m, info)) {
		m->tables = (struct frame_tables){ (const uint8_t *)from, from, to - from, header,
						   frames };
		return;
	}
	data = keep_bytes(to - from);
	if (!data)
		return;
	memcpy(data, (const void *)from, to - from);
	m->tables = (struct frame_tables){ data, from, to - from, header, frames };
}

/* One that is known is loaded again; without memory it is not there. */
static void keep(const struct module *m, const struct dl_phdr_info *info, uint64_t header)
{
	struct module *kept = find_known(info, m);

	if (!kept && all.count < MOST_MODULES)
		kept = keep_bytes(sizeof(*kept));
	if (!kept)
		return;
	if (!kept->path) {
		*kept = *m;
		kept->path = keep_text(info->dlpi_name);
		if (!kept->path)
			return;
		if (header)
			copy_tables(kept, info, header);
		all.modules[all.count] = kept;
		atomic_fetch_add(&all.count, 1);
	}
	atomic_store(&kept->is_loaded, true);
}

/* What the linker knows a file by, whatever its name becomes: a note in what is loaded. */
static void copy_build_id(struct module *m, const uint8_t *notes, uint64_t size)
{
	ElfW(Nhdr) n;

	while (!m->build_id_size && size >= sizeof(n)) {
		uint64_t name, description;

		memcpy(&n, notes, sizeof(n));
		name = sizeof(n) + (((uint64_t)n.n_namesz + 3) & ~(uint64_t)3);
		description = ((uint64_t)n.n_descsz + 3) & ~(uint64_t)3;
		if (name > size || description > size - name)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp(notes + sizeof(n), "GNU", 4) && n.n_descsz &&
		    n.n_descsz <= MOST_BUILD_ID) {
			memcpy(m->build_id, notes + name, n.n_descsz);
			m->build_id_size = n.n_descsz;
		}
		notes += name + description;
		size -= name + description;
	}
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module m = { .base = info->dlpi_addr, .begin = UINT64_MAX, .low = UINT64_MAX };
	uint64_t header = 0;

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_GNU_EH_FRAME)
			header = begin;
		if (p->p_type == PT_NOTE)
			copy_build_id(&m, (const uint8_t *)begin, p->p_memsz);
		if (p->p_type != PT_LOAD)
			continue;
		if (begin < m.low)
			m.low = begin;
		if (begin + p->p_memsz > m.high)
			m.high = begin + p->p_memsz;
		if (!(p->p_flags & PF_X))
			continue;
		if (begin < m.begin)
			m.begin = begin;
		if (begin + p->p_memsz > m.end)
			m.end = begin + p->p_memsz;
	}
	if (m.end)
		keep(&m, info, header);
	return 0;
}

static int look_for_change(struct dl_phdr_info *info, size_t size, void *changed)
{
	if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
		return 1;
	*(bool *)changed = info->dlpi_adds != all.adds || info->dlpi_subs != all.subs;
	if (info->dlpi_subs != all.subs)
		atomic_fetch_add(&all.generation, 1);
	all.adds = info->dlpi_adds;
	all.subs = info->dlpi_subs;
	return 1;
}

void modules_refresh(void)
{
	bool changed = false;

	if (gate_is_entered() || pthread_mutex_trylock(&all.lock))
		return;
	gate_enter();
	dl_iterate_phdr(look_for_change, &changed);
	if (changed || !all.count) {
		for (size_t i = 0; i < all.count; i++)
			atomic_store(&all.modules[i]->is_loaded, false);
		dl_iterate_phdr(look_at, NULL);
	}
	gate_leave();
	pthread_mutex_unlock(&all.lock);
}

bool modules_are_known(void)
{
	return atomic_load(&all.count) != 0;
}

uint32_t modules_generation(void)
{
	return atomic_load_explicit(&all.generation, memory_order_relaxed);
}

void modules_forget(void)
{
	pthread_mutex_init(&all.lock, NULL);
}

/* Of two at the same place the one that is loaded now. */
static struct module *find(uint64_t pc)
{
	struct module *found = NULL;
	size_t count = atomic_load_explicit(&all.count, memory_order_acquire);

	for (size_t i = 0; i < count; i++) {
		struct module *m = all.modules[i];

		if (pc >= m->begin && pc < m->end &&
		    (!found || atomic_load_explicit(&m->is_loaded, memory_order_relaxed)))
			found = m;
	}
	return found;
}

const struct frame_tables *modules_find_tables(void *ctx, uint64_t pc)
{
	const struct module *m = find(pc);

	(void)ctx;
	return m && m->tables.data ? &m->tables : NULL;
}

/* Symbols -------------------------------------------------------------------------------------- */

struct elf {
	int fd;
	uint64_t size;
	ElfW(Shdr) *sections;
	size_t count;
};

static bool read_at(int fd, void *to, uint64_t size, uint64_t at)
{
	char *p = to;

	while (size) {
		ssize_t n = pread(fd, p, size, (off_t)at);

		if (n <= 0)
			return false;
		p += n;
		at += (uint64_t)n;
		size -= (uint64_t)n;
	}
	return true;
}

static bool open_elf(struct elf *e, const char *path)
{
	ElfW(Ehdr) h;
	struct stat st;

	*e = (struct elf){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (e->fd < 0 || fstat(e->fd, &st) || !S_ISREG(st.st_mode) ||
	    !read_at(e->fd, &h, sizeof(h), 0) || memcmp(h.e_ident, ELFMAG, SELFMAG) ||
	    h.e_shentsize != sizeof(*e->sections) || h.e_shnum > MOST_SECTIONS)
		return false;
	e->size = (uint64_t)st.st_size;
	e->count = h.e_shnum;
	e->sections = calloc(e->count + 1, sizeof(*e->sections));
	return e->sections &&
	       read_at(e->fd, e->sections, e->count * sizeof(*e->sections), h.e_shoff);
}

/* The content of a section, with a NUL after it, in memory that the caller frees; or NULL. */
static void *read_section(const struct elf *e, const ElfW(Shdr) *s)
{
	char *data = NULL;

	if (s->sh_type != SHT_NOBITS && s->sh_size <= e->size && s->sh_size <= MOST_SYMBOLS)
		data = malloc(s->sh_size + 1);
	if (data && !read_at(e->fd, data, s->sh_size, s->sh_offset)) {
		free(data);
		data = NULL;
	}
	if (data)
		data[s->sh_size] = '\0';
	return data;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	/* Of several at one place the largest last, which is found. */
	return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
				    : (x->size > y->size) - (x->size < y->size);
}

static void take_symbols(struct module *m, const ElfW(Sym) *from, size_t count)
{
	m->symbols = calloc(count + 1, sizeof(*m->symbols));
	for (size_t i = 0; m->symbols && i < count; i++) {
		unsigned kind = from[i].st_info & 0xf;

		if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || !from[i].st_value ||
		    from[i].st_shndx == SHN_UNDEF || from[i].st_name >= m->names_size)
			continue;
		m->symbols[m->symbol_count++] = (struct symbol){ m->base + from[i].st_value,
								 from[i].st_size, from[i].st_name };
	}
	if (m->symbols)
		qsort(m->symbols, m->symbol_count, sizeof(*m->symbols), by_address);
}

static void read_table(struct module *m, const struct elf *e, uint32_t type)
{
	for (size_t i = 0; i < e->count && !m->names; i++) {
		const ElfW(Shdr) *s = &e->sections[i];
		void *table;

		if (s->sh_type != type || s->sh_link >= e->count)
			continue;
		table = read_section(e, s);
		m->names = table ? read_section(e, &e->sections[s->sh_link]) : NULL;
		m->names_size = m->names ? e->sections[s->sh_link].sh_size : 0;
		if (m->names)
			take_symbols(m, table, s->sh_size / sizeof(ElfW(Sym)));
		free(table);
	}
}

static void read_symbols(struct module *m)
{
	struct elf e;

	m->has_symbols = true;
	/* The program has no name. */
	if (open_elf(&e, *m->path ? m->path : "/proc/self/exe")) {
		read_table(m, &e, SHT_SYMTAB);
		read_table(m, &e, SHT_DYNSYM);
	}
	if (e.fd >= 0)
		close(e.fd);
	free(e.sections);
}

static const struct symbol *find_symbol(const struct module *m, uint64_t pc)
{
	size_t low = 0, high = m->symbol_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->symbols[middle].begin <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	/* Assembler forgets the size. */
	return !m->symbols[low - 1].size ||
			       pc - m->symbols[low - 1].begin < m->symbols[low - 1].size
		       ? &m->symbols[low - 1]
		       : NULL;
}

/* The program has none of the loader's. */
static const char *path_of(const struct module *m, char *room, size_t size)
{
	ssize_t n;

	if (*m->path)
		return m->path;
	n = readlink("/proc/self/exe", room, size - 1);
	room[n > 0 ? n : 0] = '\0';
	return room;
}

static void name_module(const struct module *m, char *name, size_t size)
{
	char room[512];
	const char *from = path_of(m, room, sizeof(room)), *slash = strrchr(from, '/');

	snprintf(name, size, "%.127s", slash ? slash + 1 : *from ? from : "program");
}

bool modules_describe(size_t i, struct described *d)
{
	const struct module *m;
	char room[512];

	if (i >= atomic_load_explicit(&all.count, memory_order_acquire))
		return false;
	m = all.modules[i];
	*d = (struct described){ .begin = m->low, .end = m->high };
	name_module(m, d->name, sizeof(d->name));
	snprintf(d->path, sizeof(d->path), "%s", path_of(m, room, sizeof(room)));
	for (unsigned k = 0; k < m->build_id_size; k++)
		snprintf(d->build_id + 2 * k, 3, "%02x", m->build_id[k]);
	return true;
}

bool modules_have(const char *name)
{
	size_t count = atomic_load_explicit(&all.count, memory_order_acquire);
	bool have = false;

	for (size_t i = 0; i < count && !have; i++) {
		const struct module *m = all.modules[i];
		const char *slash = strrchr(m->path, '/');

		have = atomic_load_explicit(&m->is_loaded, memory_order_relaxed) &&
		       !strcmp(slash ? slash + 1 : m->path, name);
	}
	return have;
}

bool modules_is_wrapper(uint64_t pc)
{
	const struct module *m = find(pc);
	const char *slash = m ? strrchr(m->path, '/') : NULL;

	return slash && !strncmp(slash + 1, "jfrec-record-preload.so", 23);
}

void modules_name(uint64_t pc, struct function *f)
{
	struct module *m = find(pc);
	const struct symbol *s;

	f->symbol = NULL;
	f->begin = f->base = pc & ~(uint64_t)4095;
	f->offset = (uint32_t)(pc - f->begin);
	if (!m) {
		snprintf(f->module, sizeof(f->module), "unknown");
		snprintf(f->page, sizeof(f->page), "[0x%llx]", (unsigned long long)f->begin);
		return;
	}
	if (!m->has_symbols)
		read_symbols(m);
	name_module(m, f->module, sizeof(f->module));
	f->base = m->base;
	/* It is a signed number of 32 bits in stacks. */
	f->offset = pc - m->base <= INT32_MAX ? (uint32_t)(pc - m->base) : 0;
	s = find_symbol(m, pc);
	if (s && strnlen(m->names + s->name, MOST_NAME + 1) <= MOST_NAME) {
		f->begin = s->begin;
		f->symbol = m->names + s->name;
	} else {
		/* The page of the module: `jfrec symbolize` or a person may know it. */
		snprintf(f->page, sizeof(f->page), "[+0x%llx]", (unsigned long long)(f->begin - m->base));
	}
}
