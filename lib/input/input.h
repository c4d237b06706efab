/* SPDX-License-Identifier: MIT */
/*
 * input.h - read from files, pipes, standard input and memory
 *
 * A regular file is read at any offset.  A pipe or a compressed file is read
 * from front to back; what was read and may still be needed is kept, so that
 * it can be looked at by offset, too.
 */
#ifndef JFREC_INPUT_INPUT_H
#define JFREC_INPUT_INPUT_H

#include <stdatomic.h>

#include "input/kept.h"
#include "jfrec/base.h"

struct stream;
struct decoder;

/* What happens while we wait for the writer of a pipe. */
struct waiting {
	const atomic_int *stop; /* set: a signal ends the wait, with EINTR; or NULL */
	void (*before)(void *ctx);	   /* called before a wait; or NULL */
	void *ctx;
};

/* A part of a file, or of memory, that does not change meanwhile. */
struct input_part {
	int fd;
	const uint8_t *memory; /* NULL: the file; else len bytes */
	uint64_t start, len;   /* in the file */
};

/* What is known of the bytes that a stream makes: of a member of a zip archive. */
struct stream_promise {
	bool is_made;
	uint64_t size;
	uint32_t crc;
};

/* Some bytes of the input, in memory. */
struct span {
	const uint8_t *bytes;
	uint64_t len;
	void *map; /* what to unmap, or to free */
	size_t map_len;
	uint64_t room; /* of what is to be freed */
};

struct input {
	int fd; /* -1: closed, or in memory */
	const uint8_t *memory; /* all of its bytes, which are the caller's; or NULL */
	uint64_t size;	       /* of a file; of a stream UINT64_MAX until its end was met */
	struct stream *stream; /* NULL: a regular file */
	bool once;	       /* it cannot be opened and read again */
	bool unmapped;	       /* files are read, not mapped */
	bool is_part;	       /* of a file: size bytes from `start` on */
	uint64_t start;
	const struct waiting *waiting;
	struct kept kept;	  /* the bytes of a stream that may still be needed */
	struct span spare;	  /* given back, for the next one */
	struct jfrec_error fault; /* why the stream ended early; JFREC_OK if it did not */
};

/*
 * Open a file, a pipe, or "-" for standard input.  0, or -1 with *err set.
 * Never waits for a writer of a FIFO; directories and devices are refused.
 *
 * `waiting` has to live as long as the input; or NULL.  When a signal came and
 * its flag is set, reading of a stream fails with EINTR.
 */
int input_open(struct input *in, const char *path, const struct waiting *waiting,
	       struct jfrec_error *err);
void input_close(struct input *in);

/*
 * The same of a descriptor, of which the input keeps a duplicate: a file is read from its
 * beginning, a pipe or socket from where it is.
 */
int input_open_fd(struct input *in, int fd, const struct waiting *waiting,
		  struct jfrec_error *err);

/* The same of bytes in memory, perhaps compressed, which have to stay as they are. */
int input_open_memory(struct input *in, const void *bytes, uint64_t len, struct jfrec_error *err);

/*
 * The same of a part of a file or of memory, perhaps packed (stream_new_part()).  The decoder, if
 * it is not NULL, is the input's from then on, also if this fails; a descriptor is duplicated.
 */
int input_open_part(struct input *in, const struct input_part *part, struct decoder *decoder,
		    const struct stream_promise *promise, const struct waiting *waiting,
		    struct jfrec_error *err);

/* The same question as input_is_once() has, of a descriptor. */
bool input_is_once_fd(int fd);

static inline bool input_is_open(const struct input *in)
{
	return in->fd >= 0 || in->memory || in->stream;
}

/*
 * From `offset` on, read what a decoder makes of the bytes there: `make` gets the input as it was,
 * in which it reads whatever it wants, and returns its decoder (stream.h), or NULL when memory is
 * gone.
 * 0, or -1 with *err set (JFREC_ENOMEM), and nothing has changed.
 */
typedef struct decoder *input_make_decoder(struct input *under, uint64_t offset, void *ctx);
int input_decode(struct input *in, uint64_t offset, input_make_decoder *make, void *ctx,
		 struct jfrec_error *err);

/* Can what has this path be read only once, from front to back, since it is a pipe or socket? */
bool input_is_once(const char *path);

void input_set_waiting(struct input *in, const struct waiting *waiting);

/* Would reading the byte at that offset have to wait? */
bool input_would_wait(const struct input *in, uint64_t offset);

/*
 * How many of `want` bytes from offset on there are, reading ahead in a
 * stream.  0, or -1 with *err set.
 */
int input_available(struct input *in, uint64_t offset, uint64_t want, uint64_t *have,
		    struct jfrec_error *err);

/* Read len bytes; fewer (*got) only at the end of the input.  0, or -1 with *err set. */
int input_read(struct input *in, uint64_t offset, void *to, size_t len, size_t *got,
	       struct jfrec_error *err);

/* Where nothing more comes: 0, or -1 with *err why if the input ended early. */
int input_end(const struct input *in, struct jfrec_error *err);

/* Bytes before the offset will not be needed again. */
void input_forget(struct input *in, uint64_t offset);

/* Take what was read so far for all of a stream, of which the rest is not to be read: why. */
void input_end_here(struct input *in, const char *why);

/* The first byte at or after offset that is not in a hole of a sparse file; its end if none. */
uint64_t input_skip_hole(const struct input *in, uint64_t offset);

/*
 * Bring len bytes into memory.  They must be there (input_available()).
 *
 * `steady` says that they no longer change: then they are mapped.  What a JVM still writes is
 * copied, since a mapped page that its file has lost kills the process that touches it.
 */
int input_span(struct input *in, uint64_t offset, uint64_t len, bool steady, struct span *span,
	       struct jfrec_error *err);
void span_fini(struct span *span);

/* The bytes will not be read for a while: those of a file leave memory, and come back when read. */
void span_rest(const struct span *span);

/* The same, but keep its room for the next span: fresh pages cost as much as what fills them. */
void input_give_back(struct input *in, struct span *span);

#endif
