/* SPDX-License-Identifier: MIT */
/*
 * sha256.c - compute HMAC-SHA-256
 */
#include "base/sha256.h"

#include <string.h>

#include "base/buffer.h"

#define BLOCK 64

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void schedule(uint32_t w[64], const uint8_t *block)
{
	for (unsigned i = 0; i < 16; i++)
		w[i] = be32(block + 4 * i);
	for (unsigned i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void compress(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64], v[8];

	schedule(w, block);
	memcpy(v, state, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t a = v[0], e = v[4];
		uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
			      ((e & v[5]) ^ (~e & v[6])) + round_constants[i] + w[i];
		uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
			      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

void sha256_init(struct sha256 *s)
{
	/* The same of the square roots of the first eight. */
	*s = (struct sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
					 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void sha256_update(struct sha256 *s, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	for (; len; at++, len--) {
		s->block[s->len++ % BLOCK] = *at;
		if (s->len % BLOCK == 0)
			compress(s->state, s->block);
	}
}

void sha256_final(struct sha256 *s, uint8_t out[SHA256_SIZE])
{
	uint8_t bits[8];

	put_be(bits, s->len * 8, sizeof(bits));
	sha256_update(s, "\x80", 1);
	while (s->len % BLOCK != BLOCK - sizeof(bits))
		sha256_update(s, "", 1);
	sha256_update(s, bits, sizeof(bits));
	for (unsigned i = 0; i < 8; i++)
		put_be(out + 4 * i, s->state[i], 4);
}

/* HMAC ----------------------------------------------------------------------------------------- */

static void begin_padded(struct sha256 *s, const uint8_t key[BLOCK], uint8_t pad)
{
	uint8_t block[BLOCK];

	for (unsigned i = 0; i < BLOCK; i++)
		block[i] = key[i] ^ pad;
	sha256_init(s);
	sha256_update(s, block, sizeof(block));
}

void hmac_init(struct hmac *h, const void *key, size_t len)
{
	uint8_t block[BLOCK] = { 0 };

	if (len > BLOCK) {
		sha256_init(&h->inner);
		sha256_update(&h->inner, key, len);
		sha256_final(&h->inner, block);
	} else {
		memcpy(block, key, len);
	}
	begin_padded(&h->inner, block, 0x36);
	begin_padded(&h->outer, block, 0x5c);
}

void hmac_final(struct hmac *h, uint8_t out[SHA256_SIZE])
{
	sha256_final(&h->inner, out);
	sha256_update(&h->outer, out, SHA256_SIZE);
	sha256_final(&h->outer, out);
}
