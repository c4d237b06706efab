/* SPDX-License-Identifier: MIT */
/*
 * own_limits.c - how much of the machine this process may use
 */
#include "base/own_limits.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_LIMIT UINT64_MAX

/* What one group allows, or NO_LIMIT. */
typedef uint64_t limit_of_group(const char *directory, bool is_v2);

/* The numbers in a file of a group. How many there are: "max" is none. */
static int numbers_in(const char *directory, const char *file, uint64_t *n, uint64_t *m)
{
	char path[4096 + 128];
	int count = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	f = fopen(path, "re");
	if (f) {
		count = fscanf(f, "%" SCNu64 " %" SCNu64, n, m);
		fclose(f);
	}
	return count > 0 ? count : 0;
}

static uint64_t memory_of(const char *directory, bool is_v2)
{
	uint64_t n, none;

	return numbers_in(directory, is_v2 ? "memory.max" : "memory.limit_in_bytes", &n, &none) > 0
		       ? n
		       : NO_LIMIT;
}

/* Whole processors. Version 1 writes -1 for no quota, which is read as a very large number. */
static uint64_t processors_of(const char *directory, bool is_v2)
{
	uint64_t quota, period, none;
	bool any = is_v2 ? numbers_in(directory, "cpu.max", &quota, &period) == 2
			 : numbers_in(directory, "cpu.cfs_quota_us", &quota, &none) > 0 &&
				   numbers_in(directory, "cpu.cfs_period_us", &period, &none) > 0;

	return any && period > 0 ? quota / period : NO_LIMIT;
}

/* The least limit of a group and those that it is in. */
static uint64_t least_above(const char *mount, char *group, bool is_v2, limit_of_group *limit_of)
{
	uint64_t least = NO_LIMIT;
	char *slash;

	if (strcmp(group, "/") == 0)
		*group = '\0';
	do {
		char directory[4096 + 64];
		uint64_t n;

		slash = strrchr(group, '/');
		snprintf(directory, sizeof(directory), "%s%s", mount, group);
		n = limit_of(directory, is_v2);
		least = n < least ? n : least;
		if (slash)
			*slash = '\0';
	} while (slash);
	return least;
}

/* Is it one of the words of a list with commas between them? */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += strcspn(list, ",")) {
		list += *list == ',';
		if (strcspn(list, ",") == len && strncmp(list, word, len) == 0)
			return true;
	}
	return false;
}

/* A line of /proc/self/cgroup: "0::/group" of version 2, "4:cpu,cpuacct:/group" of version 1. */
static uint64_t limit_of_line(char *line, const char *controller, limit_of_group *limit_of)
{
	char *controllers = strchr(line, ':'), mount[64];
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!group)
		return NO_LIMIT;
	*controllers++ = '\0';
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	if (*controllers == '\0')
		return least_above("/sys/fs/cgroup", group, true, limit_of);
	if (!has_word(controllers, controller))
		return NO_LIMIT;
	snprintf(mount, sizeof(mount), "/sys/fs/cgroup/%s", controller);
	return least_above(mount, group, false, limit_of);
}

static uint64_t least_limit(const char *controller, limit_of_group *limit_of)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	uint64_t least = NO_LIMIT;
	char line[4096];

	while (f && fgets(line, sizeof(line), f)) {
		uint64_t n = limit_of_line(line, controller, limit_of);

		least = n < least ? n : least;
	}
	if (f)
		fclose(f);
	return least;
}

uint64_t own_memory(void)
{
	uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t allowed = least_limit("memory", memory_of);

	return allowed < all ? allowed : all;
}

/* More than fit into the set are more than anything here needs. */
static unsigned count_affinity(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0
		       ? (unsigned)CPU_COUNT(&set)
		       : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

unsigned own_processors(void)
{
	static unsigned found;
	uint64_t quota;

	if (found > 0)
		return found;
	found = count_affinity();
	quota = least_limit("cpu", processors_of);
	if (quota < found)
		found = (unsigned)quota;
	return found > 0 ? found : (found = 1);
}
