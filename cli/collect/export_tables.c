/* SPDX-License-Identifier: MIT */
/*
 * export_tables.c - write the tables of a collected file, in a process of its own
 *
 * A recording that is exported twice gives the same files with the same bytes, so there is nothing
 * to remember when a pass is killed: the next one does it again.
 */
#include "collect/export_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/subprocess.h"

/* The tables of a day of one JVM are a hundredth of this. */
#define TABLE_MAX (UINT64_C(4) << 30)

/* As `jfrec export` has it without --max-output: what no recording of a JVM comes near. */
#define MOST_TABLES 10000
#define MOST_TIMES  1000
#define MOST_BYTES  (UINT64_C(256) << 20)

struct task {
	const struct collect_export *how;
	int recording;
	const char *name;
};

static uint64_t most_bytes(int recording)
{
	struct stat st = { 0 };
	uint64_t most = 0;

	if (fstat(recording, &st) == 0)
		most = (uint64_t)st.st_size * MOST_TIMES;
	return most > MOST_BYTES ? most : MOST_BYTES;
}

static int work(void *ctx, struct jfrec_error *err)
{
	const struct task *t = ctx;
	const struct jfrec_open_options opening = {
		.struct_size = sizeof(opening),
		.name = t->name,
	};
	const struct jfrec_parquet_options options = {
		.struct_size = sizeof(options),
		.force = true,
		.labels = t->how->labels,
		.label_count = t->how->label_count,
		.name_pattern = t->how->name_pattern,
		.partition = t->how->partition,
		.stack_frames = t->how->stack_frames,
		.max_files = MOST_TABLES,
		.max_bytes = most_bytes(t->recording),
	};
	struct jfrec_exported *done = NULL;
	struct jfrec_reader *r;
	int directory = open(t->how->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0) {
		jfrec_fail_sys(err, errno, "cannot open %.200s", t->how->directory);
		err->code = JFREC_EOUTPUT;
		return -1;
	}
	close(directory);
	r = jfrec_reader_open_fd(t->recording, &opening, err);
	if (r && jfrec_reader_select(r, t->how->events, NULL, err) == 0)
		done = jfrec_export_parquet(r, t->how->directory, &options, err);
	jfrec_reader_close(r);
	jfrec_free(done);
	return done ? 0 : -1;
}

int export_tables(const struct collect_export *how, int recording, const char *name,
		  struct jfrec_error *err)
{
	struct task task = { how, recording, name };
	const struct subprocess subprocess = {
		.failed = "its tables were not written",
		.timeout_ms = how->timeout_ms,
		.recording = recording,
		.directory = how->directory,
		.file_max = TABLE_MAX,
		.work = work,
		.ctx = &task,
	};

	return subprocess_run(&subprocess, err);
}
