/* SPDX-License-Identifier: MIT */
/*
 * stream.h - read bytes in sequence from a pipe or a compressed file
 */
#ifndef JFREC_INPUT_STREAM_H
#define JFREC_INPUT_STREAM_H

#include "compressions.h"
#include "input/source.h"

/* What a compression knows of its state. */
struct decoder {
	/*
	 * Write up to len decompressed bytes; *got is 0 at the end only.  0, or
	 * -1 with *err set: JFREC_EFORMAT if the data is damaged or cut off, and
	 * the bytes so far are good.
	 */
	int (*read)(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
		    struct jfrec_error *err);
	void (*free)(struct decoder *d);
};

/* Does the source begin like one, and its decoder; NULL when memory is gone. */
bool gzip_is(const struct source *s);
struct decoder *gzip_new(void);
/* What gzip has between its header and its checksum; zip packs so. */
struct decoder *inflate_new(void);
/* The checksum of both, with more bytes; of none it is 0. */
uint32_t inflate_crc(uint32_t crc, const void *bytes, size_t len);
bool zstd_is(const struct source *s);
struct decoder *zstd_new(void);
/* NULL where their libraries were missing when jfrec was built: there is no function then. */
#ifdef JFREC_LZ4
struct decoder *lz4_new(void);
#else
#define lz4_new NULL
#endif
#ifdef JFREC_XZ
struct decoder *xz_new(void);
#else
#define xz_new NULL
#endif
#ifdef JFREC_BZIP2
struct decoder *bzip2_new(void);
#else
#define bzip2_new NULL
#endif
/* Base64 is decoded as if it were a compression. */
bool letters_are(const struct source *s);
struct decoder *letters_new(void);

struct stream {
	struct source source;
	struct decoder *decoder; /* NULL: the bytes are what they are */
	/* what the decoder reads in place of the source, its owner's; or NULL */
	struct input *under;
	uint64_t unfolded;	 /* bytes that it has made */
	struct stream_promise promise;
	uint32_t crc; /* of these bytes, if it was promised */
};

/* Is the file of fd compressed?  Reads its beginning; for regular files. */
bool stream_is_compressed(int fd);

/* Do these bytes begin as compressed ones do? */
bool stream_is_compressed_memory(const uint8_t *bytes, uint64_t len);

/*
 * A stream of the bytes of fd, of a file all of them, decompressed if they begin
 * like gzip, zstd, lz4, xz, bzip2 or base64.  fd and `waiting` stay the caller's.  NULL with *err
 * set on failure.
 */
struct stream *stream_new(int fd, bool once, const struct waiting *waiting,
			  struct jfrec_error *err);

/* The same of compressed bytes in memory, which have to stay. */
struct stream *stream_new_memory(const uint8_t *bytes, uint64_t len, struct jfrec_error *err);

/*
 * The same of a part that a decoder makes something else of, if it is not NULL; it is the stream's
 * then, also when this fails.  What comes out may be compressed once more.
 */
struct stream *stream_new_part(const struct input_part *part, struct decoder *decoder,
			       const struct stream_promise *promise, struct jfrec_error *err);

/* What the decoder makes of another input.  NULL when memory is gone; else it is the stream's. */
struct stream *stream_new_over(struct input *under, struct decoder *decoder);
void stream_free(struct stream *s);

void stream_set_waiting(struct stream *s, const struct waiting *waiting);

/* As struct decoder's read(). */
int stream_read(struct stream *s, void *to, size_t len, size_t *got, struct jfrec_error *err);

#endif
