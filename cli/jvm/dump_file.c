/* SPDX-License-Identifier: MIT */
/*
 * dump_file.c - fetch what a JVM dumps
 */
#include "jvm/dump_file.h"

#include <errno.h>
#include <string.h>

#include "base/human.h"
#include "base/report.h"
#include "jfrec-tool.h"

/* A JVM keeps whole chunks: 12 MB each by default, and somewhat more of a busy one. */
#define LARGE_CHUNK (UINT64_C(64) << 20)

/* What was asked for by --max-size is a promise, whatever the JVM has written. */
static int check_size(const struct each_jvm *j, const struct jfrec_jfr_option *options,
		      size_t count, uint64_t size)
{
	uint64_t most = 0;
	char has[HUMAN_MAX], limit[HUMAN_MAX];

	for (size_t i = 0; i < count; i++) {
		if (strcmp(options[i].key, "maxsize") == 0 && !jfrec_parse_size(options[i].value, &most))
			most = 0;
	}
	if (most == 0 || size <= LARGE_CHUNK || size - LARGE_CHUNK <= most)
		return EXIT_DONE;
	fprintf(stderr,
		"jfrec: process %d: its dump has %s, far more than --max-size %s and a chunk of "
		"64 MiB, and was not fetched; if its chunks are that large, raise --max-size\n",
		j->jvm->pid, human_bytes(has, (double)size), human_bytes(limit, (double)most));
	return EXIT_RESULT;
}

int dump_file_copy(const struct each_jvm *j, const struct jfrec_dump *d, struct outfile *o)
{
	uint64_t size = jfrec_dump_size(d);
	struct jfrec_error err;
	int status;

	status = outfile_check_room(o, size);
	if (status != EXIT_DONE)
		return status;
	if (jfrec_dump_copy(d, jfrec_output_write, o->output, &err) < 0)
		return err.code == JFREC_EOUTPUT ? outfile_fail(o, &err)
						 : for_each_jvm_fail(j, &err);
	return outfile_commit(o);
}

int dump_file_fetch(const struct each_jvm *j, const struct jfrec_jfr_option *options, size_t count,
		    struct outfile *o, struct dump_fetched *f)
{
	struct jfrec_error err;
	struct jfrec_dump *d = jfrec_jfr_dump(j->session, options, count, &err);
	int status;

	*f = (struct dump_fetched){ .no_memory = !d && err.sys == ENOMEM };
	if (!d)
		return for_each_jvm_fail(j, &err);
	f->size = jfrec_dump_size(d);
	status = check_size(j, options, count, f->size);
	if (status == EXIT_DONE)
		status = dump_file_copy(j, d, o);
	jfrec_dump_free(d);
	return status;
}

void dump_file_report(const struct each_jvm *j, const struct outfile *o, uint64_t size)
{
	if (j->result) {
		json_object_set_new(j->result, "file", text_json(o->path));
		json_object_set_new(j->result, "bytes", json_integer((json_int_t)size));
		return;
	}
	if (o->to_stdout)
		return;
	for_each_jvm_begin_line(j);
	print_name(o->path);
	putchar('\n');
}
