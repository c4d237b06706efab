/* SPDX-License-Identifier: MIT */
/*
 * digest.h - 128-bit hashes of bytes, and a hash map keyed by them
 *
 * For knowing equal constants: no secrets are kept by it, and who contrives
 * two that collide confuses the names in their own recording.
 */
#ifndef JFREC_BASE_DIGEST_H
#define JFREC_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest {
	uint64_t a, b;
};

#define DIGEST_INIT ((struct digest){ 0x243f6a8885a308d3u, 0x13198a2e03707344u })

void digest_word(struct digest *d, uint64_t word);

/* Their number counts, too: "a" and "bc" are not "ab" and "c". */
void digest_bytes(struct digest *d, const void *bytes, size_t len);

struct digest_slot {
	struct digest digest;
	uint64_t value; /* 0: empty */
};

/* All zero is an empty map. */
struct digest_map {
	struct digest_slot *slots;
	size_t count, mask;
};

/*
 * The place of the digest's value, which is 0 if it is new and must not stay
 * so.  NULL when memory is gone.
 */
uint64_t *digest_map_put(struct digest_map *m, struct digest d);

/* The digest's value, or 0. */
uint64_t digest_map_get(const struct digest_map *m, struct digest d);

void digest_map_clear(struct digest_map *m);
void digest_map_fini(struct digest_map *m);

#endif
