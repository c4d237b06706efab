/* SPDX-License-Identifier: MIT */
/*
 * sha256.h - compute HMAC-SHA-256
 *
 * Where digest.h is for finding equal things, this is for hiding them: who does
 * not have the key cannot tell what a token stands for by trying.
 */
#ifndef JFREC_BASE_SHA256_H
#define JFREC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32

struct sha256 {
	uint32_t state[8];
	uint64_t len;
	uint8_t block[64];
};

void sha256_init(struct sha256 *s);
void sha256_update(struct sha256 *s, const void *bytes, size_t len);
void sha256_final(struct sha256 *s, uint8_t out[SHA256_SIZE]);

/* An HMAC is begun with the key, and then as any digest. */
struct hmac {
	struct sha256 inner, outer;
};

void hmac_init(struct hmac *h, const void *key, size_t len);
void hmac_final(struct hmac *h, uint8_t out[SHA256_SIZE]);

#endif
