/* SPDX-License-Identifier: MIT */
/*
 * floor.c - what no program that prints can be faster than
 *
 *    floor pieces BYTES   memcpy() of 2 KB at a time from 32 MB into 256 KB,
 *                         as constants are copied into the output
 *    floor whole BYTES    memcpy() of 64 MB at a time
 *    floor write BYTES    a bare loop of write() of 256 KB to standard output
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KB     1024u
#define MB     (1024u * KB)
#define BUFFER (256 * KB) /* as jfrec's */

/* Memory that is there: pages of calloc() are not until they are written. */
static char *memory(size_t size)
{
	char *p = malloc(size);

	if (!p) {
		perror("floor");
		exit(1);
	}
	memset(p, 'x', size);
	return p;
}

static int copy(uint64_t bytes, size_t piece, size_t from_size, size_t to_size)
{
	char *from = memory(from_size), *to = memory(to_size);

	for (uint64_t done = 0; done < bytes; done += piece) {
		memcpy(to + done % to_size, from + done % from_size, piece);
		/* Without this the compiler may see that nobody reads it. */
		__asm__ volatile("" : : "r"(to) : "memory");
	}
	free(from);
	free(to);
	return 0;
}

static int write_out(uint64_t bytes)
{
	char *buf = memory(BUFFER);

	while (bytes) {
		ssize_t n = write(STDOUT_FILENO, buf, bytes < BUFFER ? (size_t)bytes : BUFFER);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			perror("floor: write");
			return 1;
		}
		bytes -= (uint64_t)n;
	}
	free(buf);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t bytes = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	if (bytes && strcmp(argv[1], "pieces") == 0)
		return copy(bytes, 2 * KB, 32 * MB, BUFFER);
	if (bytes && strcmp(argv[1], "whole") == 0)
		return copy(bytes, 64 * MB, 64 * MB, 64 * MB);
	if (bytes && strcmp(argv[1], "write") == 0)
		return write_out(bytes);
	fprintf(stderr, "usage: floor pieces|whole|write BYTES\n");
	return 2;
}
