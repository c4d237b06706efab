/* SPDX-License-Identifier: MIT */
/*
 * container.c - events of the container in which the process runs
 *
 *	/proc/self/cgroup	"4:memory:/path" for each controller of version 1
 *				"0::/path" for version 2
 *
 * A controller is mounted in /sys/fs/cgroup, by its name or, in version 2, as a whole.  In a
 * container the path is often that of the host, and what is mounted is the container's own; so
 * without the path is tried, too.
 */
#include "recorder/observe/container.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/ground/clock.h"
#include "recorder/types/types.h"

#define ROOT	 "/sys/fs/cgroup"
#define NO_VALUE UINT64_MAX /* -1: there is no limit, or it is not known */

/* Where the files of a controller are. */
struct controller_directory {
	char path[1024];
	bool is_v2;
};

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Is a name in a list that commas separate, up to a colon? */
static bool has_name(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; *list && *list != ':'; list += *list == ',') {
		size_t part = strcspn(list, ",:");

		if (part == len && !strncmp(list, name, len))
			return true;
		list += part;
	}
	return false;
}

static bool try_place(struct controller_directory *p, const char *mounted, const char *path,
		      const char *file)
{
	char name[1280];

	snprintf(p->path, sizeof(p->path), ROOT "%.200s%.700s", mounted, strcmp(path, "/") ? path : "");
	snprintf(name, sizeof(name), "%s/%s", p->path, file);
	if (access(name, R_OK) == 0)
		return true;
	snprintf(p->path, sizeof(p->path), ROOT "%.200s", mounted);
	snprintf(name, sizeof(name), "%s/%s", p->path, file);
	return access(name, R_OK) == 0;
}

/* Of this controller; v1, v2: a file that it has. */
static bool find_place(struct controller_directory *p, const char *controller, const char *v1,
		       const char *v2)
{
	static char text[16384];
	char mounted[256], *line, *rest = NULL;

	if (!read_text("/proc/self/cgroup", text, sizeof(text)))
		return false;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

		if (!path)
			continue;
		p->is_v2 = !strncmp(line, "0::", 3);
		if (p->is_v2 && try_place(p, "", path + 1, v2))
			return true;
		if (p->is_v2 || !has_name(names + 1, controller))
			continue;
		snprintf(mounted, sizeof(mounted), "/%.*s", (int)(path - names - 1), names + 1);
		if (try_place(p, mounted, path + 1, v1))
			return true;
		snprintf(mounted, sizeof(mounted), "/%s", controller);
		if (try_place(p, mounted, path + 1, v1))
			return true;
	}
	return false;
}

/* The first number of a file; "max" and what v1 says instead are no limit. */
static uint64_t number_in(const struct controller_directory *p, const char *file)
{
	char path[1280], text[64];

	snprintf(path, sizeof(path), "%s/%s", p->path, file);
	if (!read_text(path, text, sizeof(text)) || *text < '0' || *text > '9')
		return NO_VALUE;
	return strtoull(text, NULL, 10) >= INT64_MAX / 4096 * 4096 ? NO_VALUE
								   : strtoull(text, NULL, 10);
}

/* The number after a word at the beginning of a line; 0: there is none. */
static uint64_t number_of(const struct controller_directory *p, const char *file, const char *word)
{
	static char text[16384];
	char path[1280], *line, *rest = NULL;
	size_t len = strlen(word);

	snprintf(path, sizeof(path), "%s/%s", p->path, file);
	read_text(path, text, sizeof(text));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (!strncmp(line, word, len) && line[len] == ' ')
			return strtoull(line + len, NULL, 10);
	return 0;
}

static size_t begin(struct bytes *b, uint32_t type)
{
	size_t event = bytes_begin(b, type);

	bytes_varint(b, clock_ticks());
	return event;
}

/* Events --------------------------------------------------------------------------------------- */

static void cpu_usage(struct bytes *b, uint32_t type)
{
	uint64_t tick = 1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK);
	struct controller_directory p;
	size_t event;

	if (!find_place(&p, "cpuacct", "cpuacct.usage", "cpu.stat"))
		return;
	event = begin(b, type);
	if (p.is_v2) {
		bytes_varint(b, number_of(&p, "cpu.stat", "usage_usec") * 1000);
		bytes_varint(b, number_of(&p, "cpu.stat", "user_usec") * 1000);
		bytes_varint(b, number_of(&p, "cpu.stat", "system_usec") * 1000);
	} else {
		bytes_varint(b, number_in(&p, "cpuacct.usage"));
		bytes_varint(b, number_of(&p, "cpuacct.stat", "user") * tick);
		bytes_varint(b, number_of(&p, "cpuacct.stat", "system") * tick);
	}
	bytes_end(b, event);
}

static void cpu_throttling(struct bytes *b, uint32_t type)
{
	struct controller_directory p;
	size_t event;

	if (!find_place(&p, "cpu", "cpu.stat", "cpu.stat"))
		return;
	event = begin(b, type);
	bytes_varint(b, number_of(&p, "cpu.stat", "nr_periods"));
	bytes_varint(b, number_of(&p, "cpu.stat", "nr_throttled"));
	bytes_varint(b, p.is_v2 ? number_of(&p, "cpu.stat", "throttled_usec") * 1000
				: number_of(&p, "cpu.stat", "throttled_time"));
	bytes_end(b, event);
}

static void memory_usage(struct bytes *b, uint32_t type)
{
	struct controller_directory p;
	uint64_t used, swapped;
	size_t event;

	if (!find_place(&p, "memory", "memory.usage_in_bytes", "memory.current"))
		return;
	used = number_in(&p, p.is_v2 ? "memory.current" : "memory.usage_in_bytes");
	swapped = number_in(&p, p.is_v2 ? "memory.swap.current" : "memory.memsw.usage_in_bytes");
	event = begin(b, type);
	bytes_varint(b, p.is_v2 ? number_of(&p, "memory.events", "max") : number_in(&p, "memory.failcnt"));
	bytes_varint(b, used);
	/* Version 1 counts both together. */
	bytes_varint(b, p.is_v2 && swapped != NO_VALUE ? used + swapped : swapped);
	bytes_end(b, event);
}

/* After each such word in a file, for all devices. */
static uint64_t sum_of(const struct controller_directory *p, const char *file, const char *word)
{
	static char text[16384];
	char path[1280];
	uint64_t sum = 0;

	snprintf(path, sizeof(path), "%s/%s", p->path, file);
	read_text(path, text, sizeof(text));
	for (const char *at = strstr(text, word); at; at = strstr(at, word)) {
		at += strlen(word);
		sum += strtoull(at, NULL, 10);
	}
	return sum;
}

static void io_usage(struct bytes *b, uint32_t type)
{
	struct controller_directory p;
	size_t event;

	if (!find_place(&p, "blkio", "blkio.throttle.io_service_bytes", "io.stat"))
		return;
	event = begin(b, type);
	if (p.is_v2) {
		bytes_varint(b, sum_of(&p, "io.stat", " rios=") + sum_of(&p, "io.stat", " wios="));
		bytes_varint(b, sum_of(&p, "io.stat", " rbytes=") + sum_of(&p, "io.stat", " wbytes="));
	} else {
		/* Devices in lines of their own; the sum of all begins the last one. */
		bytes_varint(b, sum_of(&p, "blkio.throttle.io_serviced", "\nTotal "));
		bytes_varint(b, sum_of(&p, "blkio.throttle.io_service_bytes", "\nTotal "));
	}
	bytes_end(b, event);
}

static void add_cpu_limits(struct bytes *b)
{
	char path[1280], text[64] = "", *rest = text;
	uint64_t quota, period = NO_VALUE;
	struct controller_directory p;
	bool any = find_place(&p, "cpu", "cpu.cfs_quota_us", "cpu.max");

	if (any && p.is_v2) {
		snprintf(path, sizeof(path), "%s/cpu.max", p.path);
		read_text(path, text, sizeof(text));
		quota = *text >= '0' && *text <= '9' ? strtoull(text, &rest, 10) : NO_VALUE;
		rest = strchr(text, ' ');
		period = rest ? strtoull(rest, NULL, 10) : NO_VALUE;
	} else {
		quota = any ? number_in(&p, "cpu.cfs_quota_us") : NO_VALUE;
		period = any ? number_in(&p, "cpu.cfs_period_us") : NO_VALUE;
	}
	bytes_varint(b, period);
	bytes_varint(b, quota);
	bytes_varint(b, any ? number_in(&p, p.is_v2 ? "cpu.weight" : "cpu.shares") : NO_VALUE);
}

static void configuration(struct bytes *b, uint32_t type)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct controller_directory p;
	size_t event;

	if (!find_place(&p, "memory", "memory.limit_in_bytes", "memory.max"))
		return;
	event = begin(b, type);
	bytes_text(b, p.is_v2 ? "cgroupv2" : "cgroupv1");
	add_cpu_limits(b);
	bytes_varint(b, (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
	bytes_varint(b, number_in(&p, p.is_v2 ? "memory.low" : "memory.soft_limit_in_bytes"));
	bytes_varint(b, number_in(&p, p.is_v2 ? "memory.max" : "memory.limit_in_bytes"));
	bytes_varint(b, number_in(&p, p.is_v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes"));
	bytes_varint(b, (uint64_t)sysconf(_SC_PHYS_PAGES) * page);
	bytes_varint(b, NO_VALUE);
	bytes_end(b, event);
}

void container_observe(struct bytes *b, uint32_t type)
{
	switch (type) {
	case TYPE_CONTAINER_CONFIGURATION:
		configuration(b, type);
		break;
	case TYPE_CONTAINER_CPU_USAGE:
		cpu_usage(b, type);
		break;
	case TYPE_CONTAINER_CPU_THROTTLING:
		cpu_throttling(b, type);
		break;
	case TYPE_CONTAINER_MEMORY_USAGE:
		memory_usage(b, type);
		break;
	default:
		io_usage(b, type);
		break;
	}
}
