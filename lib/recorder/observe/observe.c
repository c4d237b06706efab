/* SPDX-License-Identifier: MIT */
/*
 * observe.c - events of the process and the machine, which the program need not emit
 *
 * Under the names and with the fields that the JDK has, so that its views and pages work.  All of
 * it is read from /proc; nothing here takes a lock of the program's or the loader's.
 */
#include "recorder/observe/observe.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "recorder/ground/clock.h"
#include "recorder/observe/accounts.h"
#include "recorder/observe/container.h"
#include "recorder/observe/perfdata.h"
#include "recorder/stack/modules.h"
#include "recorder/threads/thread.h"
#include "recorder/types/types.h"

#define MOST_THREADS   2048u
#define MOST_LIBRARIES 2000u

struct usage {
	uint64_t user_ns, system_ns, at_ns;
};

/* The last values, from which rates come. */
static struct {
	struct usage process;
	uint64_t machine_busy, machine_all;
	uint64_t switches, switches_at_ns;
	struct {
		uint32_t tid;
		struct usage usage;
	} threads[MOST_THREADS];
	size_t thread_count, modules_told;
	uint64_t emitted_ns[TYPE_FIRST_OF_PROGRAM];
} last;

/* Helpers -------------------------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static size_t begin(struct bytes *b, uint32_t type)
{
	size_t event = bytes_begin(b, type);

	bytes_varint(b, clock_ticks());
	return event;
}

static void add_float(struct bytes *b, double value)
{
	float number = (float)(value > 0 ? value : 0);
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bits = __builtin_bswap32(bits);
	bytes_add(b, &bits, sizeof(bits));
}

/* The file's beginning, with a NUL; its length. */
static size_t read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* The number after a word at the beginning of a line; 0: there is none. */
static uint64_t number_after(const char *text, const char *word)
{
	const char *at = text;

	while (at && strncmp(at, word, strlen(word))) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* A part of what one processor could have done since then. */
static double share(uint64_t now, uint64_t before, uint64_t elapsed)
{
	double part = elapsed ? (double)(now - before) / (double)elapsed : 0;

	return now < before || part < 0 ? 0 : part > 1 ? 1 : part;
}

/* Load ----------------------------------------------------------------------------------------- */

static uint64_t of_timeval(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

/* Of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
static double machine_load(void)
{
	char text[512];
	uint64_t busy = 0, all = 0, value;
	char *at = text;
	double load;

	read_file("/proc/stat", text, sizeof(text));
	at += strcspn(at, " ");
	for (int i = 0; i < 8 && *at; i++) {
		value = strtoull(at, &at, 10);
		all += value;
		busy += i == 3 || i == 4 ? 0 : value;
	}
	load = share(busy, last.machine_busy, all - last.machine_all);
	last.machine_busy = busy;
	last.machine_all = all;
	return load;
}

static void cpu_load(struct bytes *b, uint32_t type)
{
	struct rusage r;
	struct usage now;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t elapsed;
	bool is_first = !last.process.at_ns;
	double machine = machine_load();
	size_t event;

	getrusage(RUSAGE_SELF, &r);
	now = (struct usage){ of_timeval(r.ru_utime), of_timeval(r.ru_stime), now_ns() };
	elapsed = (now.at_ns - last.process.at_ns) * (uint64_t)(processors > 0 ? processors : 1);
	if (!is_first) {
		event = begin(b, type);
		add_float(b, share(now.user_ns, last.process.user_ns, elapsed));
		add_float(b, share(now.system_ns, last.process.system_ns, elapsed));
		add_float(b, machine);
		bytes_end(b, event);
	}
	last.process = now;
}

static bool thread_usage(uint32_t tid, struct usage *u)
{
	uint64_t tick = 1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK);
	char path[64], text[1024], *at;

	snprintf(path, sizeof(path), "/proc/self/task/%u/stat", tid);
	read_file(path, text, sizeof(text));
	at = strrchr(text, ')');
	for (int field = 2; at && field < 14; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	u->user_ns = strtoull(at, &at, 10) * tick;
	u->system_ns = strtoull(at, &at, 10) * tick;
	u->at_ns = now_ns();
	return true;
}

static struct usage *last_of_thread(uint32_t tid)
{
	for (size_t i = 0; i < last.thread_count; i++)
		if (last.threads[i].tid == tid)
			return &last.threads[i].usage;
	/* Those of threads that ended make room, all at once. */
	if (last.thread_count == MOST_THREADS)
		last.thread_count = 0;
	last.threads[last.thread_count].tid = tid;
	last.threads[last.thread_count].usage = (struct usage){ 0 };
	return &last.threads[last.thread_count++].usage;
}

static void one_thread_load(struct bytes *b, uint32_t type, uint32_t tid, need_thread *need)
{
	struct usage now, *before = last_of_thread(tid);
	uint64_t key, processors = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), elapsed;
	uint32_t row;
	size_t event;

	if (!thread_usage(tid, &now))
		return;
	elapsed = (now.at_ns - before->at_ns) * (processors ? processors : 1);
	/* As the JDK: a thread that has done nothing has no event. */
	if (before->at_ns && (now.user_ns > before->user_ns || now.system_ns > before->system_ns) &&
	    thread_see(tid, &row, &key)) {
		event = begin(b, type);
		bytes_varint(b, key);
		add_float(b, share(now.user_ns, before->user_ns, elapsed));
		add_float(b, share(now.system_ns, before->system_ns, elapsed));
		bytes_end(b, event);
		need(row, key);
	}
	*before = now;
}

static void thread_cpu_load(struct bytes *b, uint32_t type, need_thread *need)
{
	DIR *d = opendir("/proc/self/task");
	struct dirent *e;
	unsigned count = 0;

	while (d && (e = readdir(d)) && count < MOST_THREADS)
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9') {
			one_thread_load(b, type, (uint32_t)strtoul(e->d_name, NULL, 10), need);
			count++;
		}
	if (d)
		closedir(d);
}

static void context_switches(struct bytes *b, uint32_t type)
{
	static char text[128 << 10];
	uint64_t switches, now = now_ns();
	size_t event;

	read_file("/proc/stat", text, sizeof(text));
	switches = number_after(text, "ctxt ");
	if (last.switches_at_ns && switches >= last.switches) {
		event = begin(b, type);
		add_float(b, (double)(switches - last.switches) * 1e9 /
				     (double)(now - last.switches_at_ns));
		bytes_end(b, event);
	}
	last.switches = switches;
	last.switches_at_ns = now;
}

/* Memory --------------------------------------------------------------------------------------- */

static void resident(struct bytes *b, uint32_t type)
{
	char text[256];
	struct rusage r;
	uint64_t size, peak;
	char *at = text;
	size_t event;

	read_file("/proc/self/statm", text, sizeof(text));
	at += strcspn(at, " ");
	size = strtoull(at, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
	getrusage(RUSAGE_SELF, &r);
	peak = (uint64_t)r.ru_maxrss * 1024;
	event = begin(b, type);
	bytes_varint(b, size);
	bytes_varint(b, peak > size ? peak : size);
	bytes_end(b, event);
}

static void machine_memory(struct bytes *b, uint32_t type)
{
	char text[8192];
	bool is_swap = type == TYPE_SWAP_SPACE;
	uint64_t total, rest;
	size_t event;

	read_file("/proc/meminfo", text, sizeof(text));
	total = number_after(text, is_swap ? "SwapTotal:" : "MemTotal:") * 1024;
	rest = number_after(text, is_swap ? "SwapFree:" : "MemAvailable:") * 1024;
	event = begin(b, type);
	bytes_varint(b, total);
	bytes_varint(b, is_swap ? rest : total > rest ? total - rest : 0);
	bytes_end(b, event);
}

/* What there is -------------------------------------------------------------------------------- */

static void process_information(struct bytes *b, uint32_t type)
{
	char command[4096], stat[1024], *at;
	struct timespec up, now;
	double age = 0;
	size_t event;

	command_line(command, sizeof(command));
	read_file("/proc/self/stat", stat, sizeof(stat));
	clock_gettime(CLOCK_BOOTTIME, &up);
	clock_gettime(CLOCK_REALTIME, &now);
	at = strrchr(stat, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		age = (double)up.tv_sec + (double)up.tv_nsec / 1e9 -
		      strtod(at, NULL) / (double)sysconf(_SC_CLK_TCK);
	event = begin(b, type);
	bytes_text(b, RECORDER_VM_NAME);
	bytes_text(b, RECORDER_JAVA);
	bytes_text(b, NULL);
	bytes_text(b, NULL);
	bytes_text(b, command);
	bytes_varint(b, (uint64_t)(((double)now.tv_sec + (double)now.tv_nsec / 1e9 - age) * 1000));
	bytes_varint(b, (uint64_t)getpid());
	bytes_end(b, event);
}

static void system_information(struct bytes *b, uint32_t type)
{
	struct utsname u;
	char text[512];
	size_t event;

	if (uname(&u))
		return;
	snprintf(text, sizeof(text), "uname: %s %s %s %s", u.sysname, u.release, u.version, u.machine);
	event = begin(b, type);
	bytes_text(b, text);
	bytes_end(b, event);
}

/* "10-1f r-xp 0 08:01 7 /lib/x.so": its parts; false: it has no file. */
static bool parse_mapping(char *line, uint64_t *from, uint64_t *to, bool *is_code, char **path)
{
	char *at;

	*from = strtoull(line, &at, 16);
	*to = *at == '-' ? strtoull(at + 1, &at, 16) : 0;
	*is_code = *at == ' ' && at[1] && at[2] && at[3] == 'x';
	*path = strchr(line, '/');
	if (*path)
		(*path)[strcspn(*path, "\n")] = '\0';
	return *path && *to > *from;
}

static void add_library(struct bytes *b, uint32_t type, const char *path, uint64_t from,
			uint64_t to)
{
	size_t event = begin(b, type);

	bytes_text(b, path);
	bytes_varint(b, from);
	bytes_varint(b, to);
	bytes_end(b, event);
}

/* Mappings of one file follow each other; one with code in it is a program or a library. */
static void libraries(struct bytes *b, uint32_t type)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char *line = NULL, *path, name[1024] = "";
	uint64_t from, to, first = 0, end = 0;
	bool is_code, any_code = false;
	unsigned count = 0;
	size_t room = 0;

	while (f && count < MOST_LIBRARIES && getline(&line, &room, f) > 0) {
		if (!parse_mapping(line, &from, &to, &is_code, &path))
			continue;
		if (strcmp(path, name)) {
			if (any_code)
				add_library(b, type, name, first, end);
			count += any_code;
			snprintf(name, sizeof(name), "%s", path);
			first = from;
			any_code = false;
		}
		any_code |= is_code;
		end = to;
	}
	if (any_code)
		add_library(b, type, name, first, end);
	free(line);
	if (f)
		fclose(f);
}

/* Those that this chunk does not have yet: its stacks may be in one that was loaded just now. */
static void modules(struct bytes *b, uint32_t type)
{
	struct described d;
	size_t event;

	for (; modules_describe(last.modules_told, &d); last.modules_told++) {
		event = begin(b, type);
		bytes_text(b, d.name);
		bytes_text(b, d.path);
		bytes_text(b, d.build_id);
		bytes_varint(b, d.begin);
		bytes_varint(b, d.end);
		bytes_end(b, event);
	}
}

/* Off unless a setting enables it: they contain secrets. */
static void variables(struct bytes *b, uint32_t type)
{
	static char text[128 << 10];
	size_t size = read_file("/proc/self/environ", text, sizeof(text)), event;

	for (char *at = text; at < text + size; at += strlen(at) + 1) {
		char *equals = strchr(at, '=');

		if (!equals || equals - at > 1000)
			continue;
		*equals = '\0';
		event = begin(b, type);
		bytes_text(b, at);
		at = equals + 1;
		bytes_text(b, at);
		bytes_end(b, event);
	}
}

/* ---------------------------------------------------------------------------------------------- */

static void emit(struct bytes *b, uint32_t type, need_thread *need)
{
	switch (type) {
	case TYPE_CPU_LOAD:
		cpu_load(b, type);
		break;
	case TYPE_THREAD_CPU_LOAD:
		thread_cpu_load(b, type, need);
		break;
	case TYPE_CONTEXT_SWITCHES:
		context_switches(b, type);
		break;
	case TYPE_RESIDENT_SET_SIZE:
		resident(b, type);
		break;
	case TYPE_PHYSICAL_MEMORY:
	case TYPE_SWAP_SPACE:
		machine_memory(b, type);
		break;
	case TYPE_JVM_INFORMATION:
		process_information(b, type);
		break;
	case TYPE_OS_INFORMATION:
		system_information(b, type);
		break;
	case TYPE_NATIVE_LIBRARY:
		libraries(b, type);
		break;
	case TYPE_MODULE:
		modules(b, type);
		break;
	case TYPE_ENVIRONMENT_VARIABLE:
		variables(b, type);
		break;
	default:
		if (type >= TYPE_CONTAINER_CONFIGURATION)
			container_observe(b, type);
		else
			accounts_observe(b, type);
		break;
	}
}

void observe_briefly(struct bytes *b)
{
	static const uint32_t types[] = { TYPE_JVM_INFORMATION, TYPE_OS_INFORMATION };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types_is_of_chunk(types[i]))
			emit(b, types[i], NULL);
}

void observe(struct bytes *b, bool is_new_chunk, need_thread *need)
{
	if (is_new_chunk)
		last.modules_told = 0;
	for (uint32_t type = TYPE_FIRST_OBSERVED; type < TYPES_OBSERVED; type++) {
		uint64_t period = types_period(type), now = now_ns();

		/* A process that ends before its first flush: what it was is said all the same. */
		if (!period && is_new_chunk && types_is_of_chunk(type))
			period = UINT64_MAX;
		if (!period)
			continue;
		if (period == UINT64_MAX
			    ? !is_new_chunk && type != TYPE_MODULE
			    : last.emitted_ns[type] && now - last.emitted_ns[type] < period)
			continue;
		last.emitted_ns[type] = now;
		emit(b, type, need);
	}
}
