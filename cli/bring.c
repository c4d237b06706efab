/* SPDX-License-Identifier: MIT */
/*
 * bring.c - have a JVM dump, and bring the recording here
 */
#include "bring.h"

#include "report.h"

static int copy_dump(const struct each_jvm *j, const struct jfrec_jfr_dump *d, struct outfile *o,
		     uint64_t *size)
{
	struct jfrec_error err;
	int status;

	*size = jfrec_jfr_dump_size(d);
	status = outfile_check_room(o, *size);
	if (status != EXIT_DONE)
		return status;
	if (jfrec_jfr_dump_copy(d, jfrec_output_write, o->output, &err) < 0)
		return err.code == JFREC_EOUTPUT ? outfile_fail(o, &err) : each_fail(j, &err);
	return outfile_commit(o);
}

int bring_here(const struct each_jvm *j, const struct jfrec_jfr_option *options, size_t count,
	       struct outfile *o, uint64_t *size)
{
	struct jfrec_error err;
	struct jfrec_jfr_dump *d = jfrec_jfr_dump(j->session, options, count, &err);
	int status;

	if (!d)
		return each_fail(j, &err);
	status = copy_dump(j, d, o, size);
	jfrec_jfr_dump_free(d);
	return status;
}

void report_brought(const struct each_jvm *j, const struct outfile *o, uint64_t size)
{
	if (j->result) {
		json_object_set_new(j->result, "file", text_json(o->path));
		json_object_set_new(j->result, "bytes", json_integer((json_int_t)size));
		return;
	}
	if (o->to_stdout)
		return;
	each_begin_line(j);
	print_name(o->path);
	putchar('\n');
}
