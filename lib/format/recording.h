/* SPDX-License-Identifier: MIT */
/*
 * recording.h - find the chunks of a recording, one after the other
 *
 * Finds where each chunk begins and ends, whatever its header says: chunks
 * that are truncated, that overlap the next one, or that have garbage in between.
 */
#ifndef JFREC_FORMAT_RECORDING_H
#define JFREC_FORMAT_RECORDING_H

#include "format/chunk_header.h"
#include "format/clock.h"
#include "format/problem.h"
#include "format/v0_chunk.h"
#include "input/archive.h"

/* Where a chunk lies, and what can be believed of it. */
struct extent {
	uint64_t number; /* 1 is the first */
	uint64_t offset, size;
	struct chunk_header header;
	enum jfrec_chunk_state state;
	bool is_v0;  /* it is of version 0.x, and was made one of 2.1 (v0_input.h) */
	uint16_t v0; /* its minor version */
};

/* Before a JVM's first flush a chunk is nothing but its header. */
static inline bool extent_is_fresh(const struct extent *x)
{
	return x->state == JFREC_UNFINISHED && x->size == CHUNK_HEADER_SIZE;
}

/* Why a chunk with this header cannot be read at all, or NULL. */
const char *recording_unsupported(const struct chunk_header *h);

struct metadata;

struct recording {
	/* The files, in the order in which they are read as one recording. */
	char **paths; /* an archive is replaced by its recordings when it is opened */
	size_t path_count, path_room;
	size_t current; /* the one that is open */
	int *spools;	/* by path: an open file that has its bytes; or -1 */
	bool ends_at_flush; /* is_rescue: another file has what followed it */
	size_t spool_count; /* fewer than paths: the others have none */
	uint64_t most_spooled; /* bytes of pipes (spool.h); 0: the usual limit */
	uint64_t spooled;      /* so far */
	struct member *members; /* by path: in an archive (archive.h); or none */
	size_t member_count; /* as spool_count */
	struct archive_told *archives_told; /* what is still to be reported on archives; or NULL */
	const void *memory; /* the bytes of the first one, if they are in memory; or NULL */
	uint64_t memory_len;
	struct input in;
	const struct waiting *waiting; /* or NULL */
	struct problems problems;
	uint64_t before; /* bytes of the files before */
	uint64_t next;	 /* where the next chunk should begin */
	uint64_t number; /* of the chunk before, in this file */
	uint64_t tried;	 /* bytes of metadata parsed to know a chunk by */
	unsigned tries;	 /* waits for headers that were being rewritten */
	const char *mangled; /* what is to be reported on the open file (mangled.h); or NULL */
	bool ended;	 /* all files are read, and closed */
	bool is_rescue;	  /* struct recording_place has these three */
	bool may_lack_header;
	bool is_unmapped;
	bool is_copied;	 /* chunks are copied as they are: one without a header is none */
	bool has_clock;
	bool clock_by_file; /* each file has a clock of its own: they may be of several JVMs */
	struct clock clock;	   /* of the first chunk */
	struct metadata *metadata; /* of the chunk before: often the next one's too */
	int64_t end_ns;		   /* of that chunk */
	/* Of another recording, for chunks that lost their own; recording_types_from() */
	struct metadata **given;
	size_t given_count;
	struct v0_metadata given_v0; /* the same of version 0.x */
	/* why a part cannot be read at all; told with the first chunk */
	struct jfrec_error missing;
	bool has_given_clock;
	struct clock given_clock;
};

/* Where a recording is, and how to read it. */
struct recording_place {
	const char *path; /* of a file; of the others: what messages call it */
	int fd;		  /* of an open file, which stays the caller's; -1: none */
	bool has_memory;
	const void *memory; /* it stays the caller's, and must stay as it is */
	uint64_t memory_len;
	/*
	 * To rescue what can be read: damaged headers are repaired where there is a copy of them,
	 * and a chunk that was never finished continues after its last flush.  Nothing needs to be
	 * a recording.
	 */
	bool is_rescue;
	bool may_lack_header; /* jfrec_open_options.without_header */
	bool is_unmapped; /* input.h */
};

/* One without files, to be read as the place says. */
static inline struct recording recording_none(const struct recording_place *p)
{
	return (struct recording){
		.in.fd = -1,
		.is_rescue = p->is_rescue,
		.may_lack_header = p->may_lack_header,
		.is_unmapped = p->is_unmapped,
	};
}

/* Is a file's first header only looked at when it is read?  A stream would be past it then. */
static inline bool recording_is_unchecked(const struct recording *r)
{
	return r->may_lack_header && !r->is_rescue && !r->in.stream;
}

/*
 * Open what is there, and look at its first chunk header.  0, or -1 with *err set and nothing to
 * close.
 */
int recording_open_place(struct recording *r, const struct recording_place *p,
			 struct jfrec_error *err);

/* Add a file, or "-", to be read after the others. 0, or -1 with *err set. */
int recording_add(struct recording *r, const char *path, struct jfrec_error *err);

/* The same of one that was just found: if it cannot be read, that is damage when its turn comes. */
int recording_add_found(struct recording *r, const char *path, struct jfrec_error *err);

/* The same of an open file, which is the recording's from then on, also if this fails. */
int recording_add_open(struct recording *r, const char *name, int fd, struct jfrec_error *err);

/* The same as recording_open_place() once the files were added. */
int recording_start(struct recording *r, struct jfrec_error *err);

void recording_close(struct recording *r);

/* A regular file that is open. */
struct recording_file {
	const char *directory, *name; /* for messages */
	int fd;
};

/*
 * The same of files that are open, in that order; they are the recording's from then on, also
 * if this fails.
 */
int recording_open_files(struct recording *r, const struct recording_file *files, size_t count,
			 struct jfrec_error *err);

/* Have an entry of `spools` for each path.  0, or -1 with *err set. */
int recording_make_spools(struct recording *r, struct jfrec_error *err);

/* The same of `members`.  0, or -1 when memory is gone. */
int recording_make_members(struct recording *r);

/*
 * Make the open file n files, at least one; it stays the first of them, and the others have no path
 * yet.  0, or -1 with *err set.
 */
int recording_make_room(struct recording *r, size_t n, struct jfrec_error *err);

/* Let the open file change places with one before it, and be the current one there. */
void recording_swap(struct recording *r, size_t with);

/*
 * Before anything is read: leave out all files but path i, and open that.  0, or -1 with *err set;
 * the recording can only be closed then, unless err->code is JFREC_EINVAL.
 */
int recording_keep_only(struct recording *r, size_t i, struct jfrec_error *err);

/* Only the list of files, and what is known of each: path i becomes the first one. */
void recording_leave_out_others(struct recording *r, size_t i);

/* The open file that has the bytes of path i; -1: none. */
static inline int recording_spool(const struct recording *r, size_t i)
{
	return i < r->spool_count ? r->spools[i] : -1;
}

/* The file in an archive that path i is; NULL: it is none. */
static inline const struct member *recording_member(const struct recording *r, size_t i)
{
	return i < r->member_count && r->members[i].of ? &r->members[i] : NULL;
}

/* Are the bytes of path i the caller's memory? */
static inline bool recording_is_in_memory(const struct recording *r, size_t i)
{
	return i == 0 && r->memory && recording_spool(r, i) < 0 && !recording_member(r, i);
}

/*
 * A second view of the same files from their beginning, to be closed.  It
 * tells no problems.  -1 with *err set if one of them can be read only once.
 */
int recording_again(const struct recording *r, struct recording *again, struct jfrec_error *err);

/*
 * Find the next chunk.  1: *x is set; 0: no more; -1: *err is set (JFREC_EIO; if may_lack_header,
 * JFREC_EFORMAT when the first file is no recording even so). Bytes between the chunks are reported
 * as a problem, and so is a file after the first one that is not a recording.
 */
int recording_next(struct recording *r, struct extent *x, struct jfrec_error *err);

/* Take the types of another recording, from its current chunk on; jfrec_reader_types_from(). */
int recording_types_from(struct recording *r, struct recording *other, struct jfrec_error *err);

/* jfrec_reader_count_chunks() */
int recording_count(const struct recording *r, uint64_t *count, struct jfrec_error *err);
/*
 * Go on with another file, whose one chunk is written now: nothing of it is looked at yet.  Clock
 * and metadata are kept.  `name` is what problems call it, and must live as long as it is open.
 * 0, or -1 with *err set and no file open.
 */
int recording_follow(struct recording *r, const char *path, const char *name,
		     struct jfrec_error *err);

/*
 * Read a header that its JVM may be rewriting, as it does each second.  1: *got bytes of it;
 * 0: it is being rewritten, for some microseconds; -1: *err is set.
 */
int recording_try_header(struct input *in, uint64_t offset,
			 uint8_t bytes[static CHUNK_HEADER_SIZE], size_t *got,
			 struct jfrec_error *err);

/* The same for `got` bytes that were read a moment ago. */
int recording_is_header(struct input *in, uint64_t offset,
			const uint8_t bytes[static CHUNK_HEADER_SIZE], size_t got,
			struct jfrec_error *err);

/* jfrec_reader_span() */
int recording_span(const struct recording *r, int64_t *start_ns, int64_t *end_ns,
		   struct jfrec_error *err);

/*
 * The metadata of the chunk that was found last, read on its own: a reference
 * of the caller, or NULL if it is not where the chunk's header says.
 */
struct metadata *recording_metadata(struct recording *r, const struct extent *x);

/*
 * Is there a metadata event that can be parsed at that offset of a chunk?  What
 * all these questions may cost is limited: many headers may name a large one.
 */
bool recording_has_metadata(struct recording *r, uint64_t chunk, uint64_t offset);

/*
 * Does a chunk with such metadata begin at or after `from`, where *found says then?  Not for
 * streams, whose bytes would have to be kept; it is not looked for beyond some 64 MB.
 */
bool recording_find_chunk(struct recording *r, uint64_t from, uint64_t *found);

/* Open that file, to look at chunks that were found in it before.  0, or -1 with *err set. */
int recording_visit(struct recording *r, size_t path, struct jfrec_error *err);

/* The bytes of all files; 0 if one is a stream. */
uint64_t recording_total(const struct recording *r);

/* Is one of the files a pipe or socket? */
bool recording_is_once(const struct recording *r);

/* Is this one? */
bool recording_is_once_at(const struct recording *r, size_t path);

/* May there be another chunk after those that were found? */
bool recording_has_more(const struct recording *r);

/* The clock to read the chunk's ticks with: the first chunk's, where both agree. */
struct clock recording_clock(struct recording *r, const struct chunk_header *h);

#endif
