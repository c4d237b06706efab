/* SPDX-License-Identifier: MIT */
/*
 * letters.c - decode base64, as mail and tickets carry what they take for no text
 *
 * Lines may be of any length.  More may follow after the padding, as where two were joined.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/error.h"
#include "input/stream.h"

struct letters {
	struct decoder decoder;
	uint32_t word; /* the bits that are not a byte yet, lowest */
	unsigned bits;
	uint64_t at; /* characters that were decoded */
};

/* How a recording, or what it is compressed or packed with, begins in base64. */
static const char *const beginnings[] = {
	"RkxSAA", /* FLR and 12 bits of zero */
	"H4sI",	  /* gzip */
	"KLUv/",  /* zstd */
	"BCJNGA", /* lz4 */
	"/Td6WF", /* xz */
	"QlpoM",  /* bzip2 -1 to -8 */
	"QlpoO",  /* -9 */
	"UEsDB",  /* zip */
};

bool letters_are(const struct source *s)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		size_t len = strlen(beginnings[i]);

		if (s->len >= len && memcmp(s->buf, beginnings[i], len) == 0)
			return true;
	}
	return false;
}

static bool is_between(uint8_t c)
{
	return c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == '=';
}

/* Take one character; it may complete a byte at *to.  How many there are, or -1: it is not a
 * letter.
 */
static int take(struct letters *l, uint8_t c, uint8_t *to)
{
	int six = base64_bits((char)c);

	if (six < 0 && !is_between(c))
		return -1;
	l->at++;
	if (six < 0) {
		/* Padding: what follows begins anew. */
		l->bits = c == '=' ? 0 : l->bits;
		return 0;
	}
	l->word = l->word << 6 | (uint32_t)six;
	l->bits += 6;
	if (l->bits < 8)
		return 0;
	l->bits -= 8;
	*to = (uint8_t)(l->word >> l->bits);
	return 1;
}

static int letters_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
			struct jfrec_error *err)
{
	struct letters *l = (struct letters *)d;
	uint8_t *out = to;

	*got = 0;
	while (*got == 0) {
		if (source_fill(s, err) < 0)
			return -1;
		if (s->pos == s->len)
			return 0;
		while (s->pos < s->len && *got < len) {
			int made = take(l, s->buf[s->pos], out + *got);

			if (made < 0 && *got)
				return 0;
			if (made < 0)
				return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
						  "the base64 text has another character at byte "
						  "%" PRIu64,
						  l->at);
			*got += (size_t)made;
			s->pos++;
		}
	}
	return 0;
}

static void letters_free(struct decoder *d)
{
	free(d);
}

struct decoder *letters_new(void)
{
	struct letters *l = calloc(1, sizeof(*l));

	if (l)
		l->decoder = (struct decoder){ letters_read, letters_free };
	return l ? &l->decoder : NULL;
}
