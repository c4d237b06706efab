/* SPDX-License-Identifier: MIT */
/*
 * preload_descriptors.c - what a descriptor is: a path, or an address and a port
 *
 * Looking it up takes two system calls, so what was found is kept for a second, or until the
 * descriptor is closed.  Entries are read and written without locks, by signal handlers, too: a
 * count of changes is odd while one is written, and who finds it odd looks up for itself.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "preload/preload.h"

#define ENTRIES	  4096u
#define WORDS	  32u
#define LONGEST	  (WORDS * 8 - 1) /* what is longer is looked up each time */
#define STALE_NS  1000000000u
#define REMEMBERED 1024 /* that many low numbers */

struct entry {
	_Atomic uint32_t changes, size;	 /* size: of the text, with its NUL */
	_Atomic uint64_t fd, head, time; /* fd: + 1; head: kind and port */
	_Atomic uint64_t text[WORDS];
};

static struct entry entries[ENTRIES];
static atomic_bool must_not_look;

static struct entry *entry_of(int fd)
{
	return &entries[(unsigned)fd % ENTRIES];
}

static bool load(int fd, uint64_t now, struct description *d)
{
	struct entry *e = entry_of(fd);
	uint32_t before = atomic_load_explicit(&e->changes, memory_order_acquire), size;
	uint64_t head, time, words[WORDS] NOT_CLEARED;

	if (before & 1 || atomic_load_explicit(&e->fd, memory_order_relaxed) != (uint64_t)fd + 1)
		return false;
	size = atomic_load_explicit(&e->size, memory_order_relaxed);
	head = atomic_load_explicit(&e->head, memory_order_relaxed);
	time = atomic_load_explicit(&e->time, memory_order_relaxed);
	if (size > sizeof(words))
		return false;
	for (uint32_t i = 0; i * 8 < size; i++)
		words[i] = atomic_load_explicit(&e->text[i], memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	if (atomic_load_explicit(&e->changes, memory_order_relaxed) != before)
		return false;
	if (now - time > STALE_NS && !atomic_load_explicit(&must_not_look, memory_order_relaxed))
		return false;
	memcpy(d->text, words, size);
	d->kind = (enum described_kind)(head & 0xff);
	d->port = (int)(head >> 8);
	return true;
}

/* False: another thread writes it. */
static bool begin_change(struct entry *e)
{
	uint32_t before = atomic_load_explicit(&e->changes, memory_order_relaxed);

	if (before & 1 || !atomic_compare_exchange_strong(&e->changes, &before, before + 1))
		return false;
	atomic_thread_fence(memory_order_release);
	return true;
}

static void store(int fd, uint64_t now, const struct description *d)
{
	struct entry *e = entry_of(fd);
	size_t size = strlen(d->text) + 1;
	uint64_t words[WORDS] = { 0 };

	if (size > LONGEST || !begin_change(e))
		return;
	memcpy(words, d->text, size);
	atomic_store_explicit(&e->fd, (uint64_t)fd + 1, memory_order_relaxed);
	atomic_store_explicit(&e->head, (uint64_t)d->kind | (uint64_t)(unsigned)d->port << 8,
			      memory_order_relaxed);
	atomic_store_explicit(&e->time, now, memory_order_relaxed);
	atomic_store_explicit(&e->size, (uint32_t)size, memory_order_relaxed);
	for (uint32_t i = 0; i * 8 < size; i++)
		atomic_store_explicit(&e->text[i], words[i], memory_order_relaxed);
	atomic_fetch_add_explicit(&e->changes, 1, memory_order_release);
}

void descriptor_forget(int fd)
{
	struct entry *e = entry_of(fd);

	/* Who writes it now has looked before. */
	if (atomic_load_explicit(&e->fd, memory_order_relaxed) == (uint64_t)fd + 1 &&
	    begin_change(e)) {
		atomic_store_explicit(&e->fd, 0, memory_order_relaxed);
		atomic_fetch_add_explicit(&e->changes, 1, memory_order_release);
	}
}

void descriptor_forget_range(unsigned from, unsigned to)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		uint64_t fd = atomic_load_explicit(&entries[i].fd, memory_order_relaxed);

		if (fd && fd - 1 >= from && fd - 1 <= to)
			descriptor_forget((int)(fd - 1));
	}
}

/* Looking up ----------------------------------------------------------------------------------- */

/* As the JDK has them: "[/run/x]", and "Unix domain socket" beside it. */
static void describe_unix(const struct sockaddr_un *u, socklen_t size, struct description *d)
{
	size_t len = size > offsetof(struct sockaddr_un, sun_path)
			     ? size - offsetof(struct sockaddr_un, sun_path)
			     : 0;
	const char *path = u->sun_path;
	bool is_abstract = len && !path[0];

	len = len > sizeof(u->sun_path) ? sizeof(u->sun_path) : len;
	len = strnlen(path + is_abstract, len - is_abstract);
	d->kind = DESCRIBED_UNIX;
	snprintf(d->text, sizeof(d->text), "[%s%.*s]", is_abstract ? "@" : "", (int)len, path + is_abstract);
}

void descriptor_describe_address(const struct sockaddr *a, socklen_t size, struct description *d)
{
	*d->text = '\0';
	d->kind = DESCRIBED_NOTHING;
	d->port = 0;
	if (a->sa_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
		const struct sockaddr_in *in = (const void *)a;

		inet_ntop(AF_INET, &in->sin_addr, d->text, sizeof(d->text));
		d->port = ntohs(in->sin_port);
		d->kind = DESCRIBED_INTERNET;
	} else if (a->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6)) {
		const struct sockaddr_in6 *in = (const void *)a;

		inet_ntop(AF_INET6, &in->sin6_addr, d->text, sizeof(d->text));
		d->port = ntohs(in->sin6_port);
		d->kind = DESCRIBED_INTERNET;
	} else if (a->sa_family == AF_UNIX) {
		describe_unix((const void *)a, size, d);
	}
}

static void describe_socket(int fd, struct description *d)
{
	struct sockaddr_storage a = { 0 };
	socklen_t size = sizeof(a);

	/* Netlink and others have no place in these events; without a peer there is no address. */
	if (getpeername(fd, (struct sockaddr *)&a, &size) == 0) {
		descriptor_describe_address((struct sockaddr *)&a, size, d);
		return;
	}
	size = sizeof(a);
	if (getsockname(fd, (struct sockaddr *)&a, &size) == 0 &&
	    (a.ss_family == AF_INET || a.ss_family == AF_INET6 || a.ss_family == AF_UNIX))
		d->kind = a.ss_family == AF_UNIX ? DESCRIBED_UNIX : DESCRIBED_INTERNET;
}

static void describe_file(int fd, struct description *d)
{
	char link[48];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, d->text, sizeof(d->text) - 1);
	d->text[n > 0 ? n : 0] = '\0';
	/* Of events, timers and their like nothing is read. */
	d->kind = strncmp(d->text, "anon_inode:", 11) ? DESCRIBED_FILE : DESCRIBED_NOTHING;
}

/* False: it is not open. */
static bool look_up(int fd, struct description *d)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if (S_ISSOCK(st.st_mode))
		describe_socket(fd, d);
	else
		describe_file(fd, d);
	return true;
}

void descriptor_describe(int fd, uint64_t now, struct description *d)
{
	bool may_look = !atomic_load_explicit(&must_not_look, memory_order_relaxed);

	if (load(fd, now, d))
		return;
	d->kind = may_look ? DESCRIBED_NOTHING : DESCRIBED_FILE;
	d->port = 0;
	*d->text = '\0';
	if (may_look && look_up(fd, d))
		store(fd, now, d);
}

void descriptor_remember_all(uint64_t now)
{
	struct description d NOT_CLEARED;

	/* Another filter: the first may forbid it already. */
	if (atomic_load(&must_not_look))
		return;
	for (int fd = 0; fd < REMEMBERED; fd++)
		descriptor_describe(fd, now, &d);
	atomic_store(&must_not_look, true);
}
