/* SPDX-License-Identifier: MIT */
/*
 * store.h - the directory that collected files are written to
 *
 * What is not finished, and the state, are in its subdirectory .jfrec-collect, which one process
 * at a time holds by a lock that ends with it.
 */
#ifndef JFREC_CLI_COLLECT_STORE_H
#define JFREC_CLI_COLLECT_STORE_H

#include <limits.h>

#include "collect/config.h"
#include "collect/state.h"
#include "jfrec-tool.h"

/* The path of the state file, for messages. */
#define STORE_STATE ".jfrec-collect/state"

struct store {
	const struct collect_config *config;
	int dir, staging;
	struct state state;
	bool dry;    /* nothing is changed, and there may be no staging directory */
	bool broken; /* the state could neither be written nor read again: nothing more is */
};

/* What goes into a file, and what became of it. */
struct store_file {
	const struct jfrec_jvm *jvm; /* .pid, .main and .uid */
	struct jfrec_repository *repository;
	size_t first, count; /* of its chunks */
	/* Set by store_put(): */
	char name[NAME_MAX + 1];
	uint64_t bytes;
	size_t written, completed, left_out; /* chunks, as struct jfrec_merged has them */
	int64_t start_ns, end_ns;
};

/* Told of each file that goes. */
typedef void store_drop_fn(void *ctx, const char *name, uint64_t bytes);

/*
 * Open it, and finish what the last process that had it did not.  dry: only look.  0, or -1 with
 * *err set and nothing to close: JFREC_EREFUSED if another one is at work there, JFREC_EINVAL (the
 * state), JFREC_EIO.
 */
int store_open(struct store *s, const struct collect_config *config, bool dry,
	       struct jfrec_error *err);
void store_close(struct store *s);

/* Was the chunk collected? */
bool store_knows(struct store *s, const struct jfrec_repository *r,
		 const struct jfrec_repository_chunk *c);

/*
 * Write chunks of a repository to a new file, and make a note of both.  0, or -1 with *err set;
 * then the chunks are as new as before.  Chunks in which nothing can be read are noted, too,
 * and reach the disk with the next file or by store_save(). Without a file for them .bytes is 0.
 */
int store_put(struct store *s, struct store_file *f, store_drop_fn *dropped, void *ctx,
	      struct jfrec_error *err);

/* What a file waits for when its report has been written, or is not wanted. */
enum file_step store_after_report(const struct store *s);

/* The same when its tables have. */
enum file_step store_after_export(const struct store *s);

struct store_page {
	char name[NAME_MAX + 1];
	uint64_t bytes;
};

/*
 * Have the report that is open as `page`, on the file called `of`, beside it: a file like others,
 * which counts as one of the same user and age. 0 with *put set, or -1 with *err set.
 */
int store_put_page(struct store *s, const char *of, int page, struct store_page *put,
		   store_drop_fn *dropped, void *ctx, struct jfrec_error *err);

/* Open a file of it for reading; -1 with errno set. */
int store_open_file(const struct store *s, const char *name);

/* A file that takes more than this part of limits: size is reported. */
#define STORE_LARGE 2

/* Does one file take so much that hardly another one can be kept beside it? */
bool store_is_greedy(const struct store *s, const struct store_file *f);

/* Did it fail for want of room? */
bool store_is_full(const struct jfrec_error *err);

/* Remove what has become too old. */
void store_expire(struct store *s, store_drop_fn *dropped, void *ctx);

/* Have the state on the disk, if it changed. */
int store_save(struct store *s, struct jfrec_error *err);

#endif
