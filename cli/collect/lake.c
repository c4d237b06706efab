/* SPDX-License-Identifier: MIT */
/*
 * lake.c - write the tables of a collected file, in a process of its own
 *
 * A recording that is exported twice gives the same files with the same bytes, so there is nothing
 * to remember when a pass is killed: the next one does it again.
 */
#include "collect/lake.h"

#include "collect/apart.h"

struct task {
	const struct collect_export *how;
	int recording;
	const char *name;
};

static int work(void *ctx, struct jfrec_error *err)
{
	const struct task *t = ctx;
	const struct jfrec_open_options open = {
		.struct_size = sizeof(open),
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
	};
	struct jfrec_exported *done = NULL;
	struct jfrec_reader *r;
	int error = confine_writing_to(t->how->directory);

	if (error) {
		jfrec_fail_sys(err, error, "cannot open %.200s", t->how->directory);
		err->code = JFREC_EOUTPUT;
		return -1;
	}
	r = jfrec_reader_open_fd(t->recording, &open, err);
	if (r && jfrec_reader_select(r, t->how->events, NULL, err) == 0)
		done = jfrec_export_parquet(r, t->how->directory, &options, err);
	jfrec_reader_close(r);
	jfrec_free(done);
	return done ? 0 : -1;
}

int lake_add(const struct collect_export *how, int recording, const char *name,
	     struct jfrec_error *err)
{
	struct task task = { how, recording, name };
	const struct apart apart = {
		.failed = "its tables were not written",
		.timeout_ms = how->timeout_ms,
		.how = CONFINE_WRITING,
		.work = work,
		.ctx = &task,
	};

	return apart_run(&apart, err);
}
