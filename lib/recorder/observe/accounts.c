/* SPDX-License-Identifier: MIT */
/*
 * accounts.c - events of what the kernel and libc count for the process
 */
#include "recorder/observe/accounts.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "recorder/ground/clock.h"
#include "recorder/types/types.h"

#define MOST_INTERFACES 64u
#define MOST_SOCKETS	64u

/* The last values, from which rates and peaks come. */
static struct {
	struct {
		char name[16];
		uint64_t received, sent;
	} interfaces[MOST_INTERFACES];
	size_t interface_count;
	uint64_t network_ticks;
	uint64_t most_threads;
} last;

static char text[64 << 10]; /* of the file that is read now */

static bool read_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	ssize_t n = fd < 0 ? -1 : 1;

	for (; n > 0 && size < sizeof(text) - 1; size += n > 0 ? (size_t)n : 0)
		n = read(fd, text + size, sizeof(text) - 1 - size);
	if (fd >= 0)
		close(fd);
	text[size] = '\0';
	return size > 0;
}

/* The text after a word and a colon at the beginning of a line; NULL: there is none. */
static char *value_of(char *line, const char *word)
{
	size_t len = strlen(word);
	char *colon = strchr(line, ':');

	return !strncmp(line, word, len) && colon &&
			       strspn(line + len, " \t") == (size_t)(colon - line) - len
		       ? colon + 1 + strspn(colon + 1, " \t")
		       : NULL;
}

static size_t begin(struct bytes *b, uint32_t type)
{
	size_t event = bytes_begin(b, type);

	bytes_varint(b, clock_ticks());
	return event;
}

/* Processors ----------------------------------------------------------------------------------- */

struct processors {
	char model[256], vendor[64];
	uint64_t threads, cores_of_socket;
	uint64_t sockets[MOST_SOCKETS];
	size_t socket_count;
};

static void take_socket(struct processors *p, uint64_t number)
{
	size_t i = 0;

	while (i < p->socket_count && p->sockets[i] != number)
		i++;
	if (i == p->socket_count && i < MOST_SOCKETS)
		p->sockets[p->socket_count++] = number;
}

static void take_line(struct processors *p, char *line)
{
	char *value;

	if ((value = value_of(line, "model name")))
		snprintf(p->model, sizeof(p->model), "%s", value);
	else if ((value = value_of(line, "vendor_id")))
		snprintf(p->vendor, sizeof(p->vendor), "%s", value);
	else if ((value = value_of(line, "physical id")))
		take_socket(p, strtoull(value, NULL, 10));
	else if ((value = value_of(line, "cpu cores")))
		p->cores_of_socket = strtoull(value, NULL, 10);
	else if (value_of(line, "processor"))
		p->threads++;
}

static void cpu_information(struct bytes *b, uint32_t type)
{
	struct processors p = { 0 };
	char *rest = NULL, description[512];
	size_t event;

	read_text("/proc/cpuinfo");
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		take_line(&p, line);
	if (!p.threads)
		p.threads = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	if (!p.socket_count)
		p.socket_count = 1;
	if (!p.cores_of_socket)
		p.cores_of_socket = p.threads;
	snprintf(description, sizeof(description), "Brand: %s, Vendor: %s", p.model, p.vendor);
	event = begin(b, type);
	bytes_text(b, p.model);
	bytes_text(b, description);
	bytes_varint(b, p.socket_count);
	bytes_varint(b, p.cores_of_socket * p.socket_count);
	bytes_varint(b, p.threads);
	bytes_end(b, event);
}

/* The network ---------------------------------------------------------------------------------- */

static size_t place_of(const char *name)
{
	size_t i = 0;

	while (i < last.interface_count && strcmp(last.interfaces[i].name, name))
		i++;
	return i;
}

static uint64_t bits_a_second(uint64_t now, uint64_t before, uint64_t ns)
{
	return ns && now > before ? (uint64_t)((double)(now - before) * 8e9 / (double)ns) : 0;
}

/* "eth0: 1 2 3 4 5 6 7 8 9 ...": bytes received are the first number, bytes sent the ninth. */
static void one_interface(struct bytes *b, uint32_t type, char *line, uint64_t ns)
{
	char *colon = strchr(line, ':'), *at, *name = line + strspn(line, " ");
	uint64_t received, sent = 0;
	size_t event, i;

	if (!colon || colon - name >= 16)
		return;
	*colon = '\0';
	received = strtoull(colon + 1, &at, 10);
	for (int field = 1; field < 9; field++)
		sent = strtoull(at, &at, 10);
	i = place_of(name);
	if (i == MOST_INTERFACES)
		return;
	if (i < last.interface_count && ns) {
		event = begin(b, type);
		bytes_text(b, name);
		bytes_varint(b, bits_a_second(received, last.interfaces[i].received, ns));
		bytes_varint(b, bits_a_second(sent, last.interfaces[i].sent, ns));
		bytes_end(b, event);
	}
	last.interface_count += i == last.interface_count;
	snprintf(last.interfaces[i].name, sizeof(last.interfaces[i].name), "%.15s", name);
	last.interfaces[i].received = received;
	last.interfaces[i].sent = sent;
}

static void network(struct bytes *b, uint32_t type)
{
	uint64_t now = clock_ticks(), ns = last.network_ticks ? now - last.network_ticks : 0;
	char *rest = NULL;

	read_text("/proc/self/net/dev");
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		one_interface(b, type, line, ns);
	last.network_ticks = now;
}

/* The process ---------------------------------------------------------------------------------- */

static void threads(struct bytes *b, uint32_t type)
{
	char *rest = NULL, *value;
	uint64_t count = 0;
	size_t event;

	read_text("/proc/self/status");
	for (char *line = strtok_r(text, "\n", &rest); line && !count;
	     line = strtok_r(NULL, "\n", &rest))
		if ((value = value_of(line, "Threads")))
			count = strtoull(value, NULL, 10);
	if (count > last.most_threads)
		last.most_threads = count;
	event = begin(b, type);
	bytes_varint(b, count);
	bytes_varint(b, 0);
	/* Those that were started and have ended are not counted anywhere: at least these. */
	bytes_varint(b, last.most_threads);
	bytes_varint(b, last.most_threads);
	bytes_end(b, event);
}

static void usage(struct bytes *b, uint32_t type)
{
	struct rusage r;
	size_t event;

	getrusage(RUSAGE_SELF, &r);
	event = begin(b, type);
	bytes_varint(b, (uint64_t)(type == TYPE_PAGE_FAULTS ? r.ru_minflt : r.ru_nvcsw));
	bytes_varint(b, (uint64_t)(type == TYPE_PAGE_FAULTS ? r.ru_majflt : r.ru_nivcsw));
	bytes_end(b, event);
}

static void descriptors(struct bytes *b, uint32_t type)
{
	DIR *d = opendir("/proc/self/fd");
	struct rlimit limit = { 0 };
	struct dirent *e;
	uint64_t count = 0;
	size_t event;

	if (!d)
		return;
	while ((e = readdir(d)))
		count += e->d_name[0] != '.';
	closedir(d);
	getrlimit(RLIMIT_NOFILE, &limit);
	event = begin(b, type);
	bytes_varint(b, count - 1); /* but the directory's own */
	bytes_varint(b, limit.rlim_cur);
	bytes_end(b, event);
}

/* musl's allocator counts nothing, and older glibc only up to 4 GB. */
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2
#endif
#endif

#ifdef HAS_MALLINFO2
static void allocator(struct bytes *b, uint32_t type)
{
	struct mallinfo2 m = mallinfo2();
	size_t event = begin(b, type);

	bytes_varint(b, m.arena + m.hblkhd);
	bytes_varint(b, m.uordblks + m.hblkhd);
	bytes_varint(b, m.fordblks);
	bytes_varint(b, m.hblkhd);
	bytes_end(b, event);
}
#else
static void allocator(struct bytes *b, uint32_t type)
{
	(void)b;
	(void)type;
}
#endif

void accounts_observe(struct bytes *b, uint32_t type)
{
	switch (type) {
	case TYPE_CPU_INFORMATION:
		cpu_information(b, type);
		break;
	case TYPE_NETWORK:
		network(b, type);
		break;
	case TYPE_THREAD_STATISTICS:
		threads(b, type);
		break;
	case TYPE_DESCRIPTORS:
		descriptors(b, type);
		break;
	case TYPE_ALLOCATOR:
		allocator(b, type);
		break;
	default:
		usage(b, type);
		break;
	}
}
