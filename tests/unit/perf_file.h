/* SPDX-License-Identifier: MIT */
/*
 * perf_file.h - performance data as HotSpot keeps it, in the making
 */
#ifndef JFREC_TEST_PERF_FILE_H
#define JFREC_TEST_PERF_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PERF_SIZE 4096

/* A file in the making: fields can be spoilt before it is parsed. */
struct file {
	uint8_t bytes[PERF_SIZE];
	uint32_t len, count;
	bool big;
};

static inline void put32(struct file *f, uint32_t at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		f->bytes[at + (uint32_t)i] = (uint8_t)(v >> 8 * (f->big ? 3 - i : i));
}

static inline void finish(struct file *f)
{
	put32(f, 8, f->len);
	put32(f, 24, 32);
	put32(f, 28, f->count);
}

static inline struct file new_file(bool big)
{
	struct file f = { .len = 32, .big = big };

	memcpy(f.bytes, "\xca\xfe\xc0\xc0", 4);
	f.bytes[4] = !big;
	f.bytes[5] = 2;
	f.bytes[7] = 1;
	finish(&f);
	return f;
}

/* An entry of this type with so many bytes of data. Returns where it begins. */
static inline uint32_t put_entry(struct file *f, const char *name, char type, const void *data,
			  uint32_t count)
{
	uint32_t at = f->len, data_at = 20 + (uint32_t)strlen(name) + 1;
	uint32_t size = (data_at + count + 7) / 8 * 8;

	put32(f, at, size);
	put32(f, at + 4, 20);
	put32(f, at + 8, type == 'B' ? count : 0);
	f->bytes[at + 12] = (uint8_t)type;
	put32(f, at + 16, data_at);
	memcpy(f->bytes + at + 20, name, strlen(name) + 1);
	memcpy(f->bytes + at + data_at, data, count);
	f->len += size;
	f->count++;
	finish(f);
	return at;
}

static inline uint32_t put_string(struct file *f, const char *name, const char *text)
{
	return put_entry(f, name, 'B', text, (uint32_t)strlen(text) + 1);
}

static inline uint32_t put_number(struct file *f, const char *name, int64_t n)
{
	uint8_t bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)((uint64_t)n >> 8 * (f->big ? 7 - i : i));
	return put_entry(f, name, 'J', bytes, sizeof(bytes));
}

#endif
