/* SPDX-License-Identifier: MIT */
/*
 * perfdata.c - the file by which jps, jcmd -l and jfrec list find a process
 *
 * /tmp/hsperfdata_USER/PID, in the layout of HotSpot:
 *
 *    0  CA FE C0 C0   4  u8 byte order, major 2, minor 0, accessible
 *    8  i32 used     12  i32 overflow   16  i64 stamp   24  i32 first entry   28  i32 entries
 *
 *    entry: i32 length, name at, elements (0: one number); u8 type, flags, units, variability;
 *	     i32 data at; the name, the data
 *
 * It is written once: a file in use that a disk writes back would make the program wait.
 */
#include "recorder/observe/perfdata.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SIZE	   32768u
#define LONGEST	   1024u
#define UNIT_NONE  1
#define UNIT_TEXT  5
#define UNIT_TICKS 3
#define CONSTANT   1

static struct {
	char path[128];
	void *at;
} mapped;

void command_line(char *text, unsigned size)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		n = 0;
	while (n && !text[n - 1])
		n--;
	text[n] = '\0';
	for (ssize_t i = 0; i < n; i++)
		if (!text[i] || text[i] == '\n')
			text[i] = ' ';
}

static void put(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

struct file {
	uint8_t bytes[SIZE];
	uint32_t used, count;
};

static void add(struct file *f, const char *name, char type, uint8_t unit, const void *data,
		size_t elements, size_t bytes)
{
	size_t name_size = strlen(name) + 1, data_at = (20 + name_size + 7) & ~(size_t)7;
	size_t size = (data_at + bytes + 7) & ~(size_t)7;
	uint8_t *e = f->bytes + f->used;

	if (size > SIZE - f->used)
		return;
	put(e, (uint32_t)size);
	put(e + 4, 20);
	put(e + 8, (uint32_t)elements);
	e[12] = (uint8_t)type;
	e[13] = 1;
	e[14] = unit;
	e[15] = CONSTANT;
	put(e + 16, (uint32_t)data_at);
	memcpy(e + 20, name, name_size);
	memcpy(e + data_at, data, bytes);
	f->used += (uint32_t)size;
	f->count++;
}

static void add_text(struct file *f, const char *name, const char *value)
{
	size_t size = strlen(value) + 1;

	add(f, name, 'B', UNIT_TEXT, value, size, size);
}

static void add_number(struct file *f, const char *name, uint8_t unit, int64_t value)
{
	add(f, name, 'J', unit, &value, 0, sizeof(value));
}

static void fill(struct file *f)
{
	struct timespec now;
	char command[LONGEST];
	char capabilities[65];

	memset(capabilities, '0', sizeof(capabilities));
	capabilities[0] = '1';
	capabilities[64] = '\0';
	command_line(command, sizeof(command));
	clock_gettime(CLOCK_REALTIME, &now);
	f->used = 32;
	add_text(f, "java.property.java.version", RECORDER_JAVA);
	add_text(f, "java.property.java.vm.name", RECORDER_VM_NAME);
	add_text(f, "java.property.java.vm.vendor", "jfrec");
	add_text(f, "java.property.java.vm.version", RECORDER_JAVA);
	add_text(f, "java.property.java.vm.specification.version", RECORDER_JAVA);
	add_text(f, "java.property.java.vm.specification.name", "Java Virtual Machine Specification");
	add_text(f, "java.property.java.home", "/");
	add_text(f, "java.property.java.class.path", "");
	add_text(f, "java.rt.vmArgs", "");
	add_text(f, "java.rt.vmFlags", "");
	add_text(f, "sun.rt.javaCommand", command);
	add_text(f, "sun.rt.jvmCapabilities", capabilities);
	add_number(f, "sun.rt.createVmBeginTime", UNIT_NONE,
		   (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
	add_number(f, "sun.os.hrt.frequency", UNIT_TICKS, 1000000000);
	put(f->bytes + 8, f->used);
	put(f->bytes + 24, 32);
	put(f->bytes + 28, f->count);
	memcpy(f->bytes, "\xca\xfe\xc0\xc0", 4);
	f->bytes[4] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	f->bytes[5] = 2;
	f->bytes[7] = 1;
}

/* NAME:PASSWORD:UID:...  True if that user is ours; the name ends where it does, then. */
static bool is_own_entry(char *line)
{
	char *name_end = strchr(line, ':');
	char *password_end = name_end ? strchr(name_end + 1, ':') : NULL;
	char *end;

	if (!password_end || strtoul(password_end + 1, &end, 10) != geteuid() || *end != ':')
		return false;
	*name_end = '\0';
	return end > password_end + 1 && !strchr(line, '/');
}

/* As JDKs call it; read from the file, since the name service may load and do anything. */
static void user_name(char *name, size_t size)
{
	FILE *users = fopen("/etc/passwd", "re");
	char line[4096];
	bool found = false;

	while (users && !found && fgets(line, sizeof(line), users))
		found = is_own_entry(line);
	if (found && strlen(line) < size)
		memcpy(name, line, strlen(line) + 1);
	else
		snprintf(name, size, "uid%u", (unsigned)geteuid());
	if (users)
		fclose(users);
}

/* /tmp is everybody's: it has to be a directory of ours that only we write to. */
static int open_directory(char path[128])
{
	char name[64];
	struct stat st;
	int fd;

	user_name(name, sizeof(name));
	snprintf(path, 128, "/tmp/hsperfdata_%s", name);
	mkdir(path, 0755);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 &&
	    (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool write_file(int fd, const struct file *f)
{
	return write(fd, f->bytes, sizeof(f->bytes)) == (ssize_t)sizeof(f->bytes);
}

void perfdata_open(void)
{
	struct file *f = calloc(1, sizeof(*f));
	char directory[128], name[16];
	int dir = f ? open_directory(directory) : -1, fd = -1;

	mapped.path[0] = '\0';
	mapped.at = NULL;
	if (dir >= 0) {
		fill(f);
		snprintf(name, sizeof(name), "%d", (int)getpid());
		unlinkat(dir, name, 0);
		fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	}
	if (fd >= 0 && write_file(fd, f)) {
		snprintf(mapped.path, sizeof(mapped.path), "%.110s/%s", directory, name);
		mapped.at = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	} else if (fd >= 0) {
		unlinkat(dir, name, 0);
	}
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	free(f);
}

void perfdata_forget(void)
{
	if (mapped.at && mapped.at != MAP_FAILED)
		munmap(mapped.at, SIZE);
	mapped.at = NULL;
	mapped.path[0] = '\0';
}

void perfdata_close(void)
{
	if (mapped.path[0])
		unlink(mapped.path);
	perfdata_forget();
}
