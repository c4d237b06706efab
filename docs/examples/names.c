/* SPDX-License-Identifier: MIT */
/*
 * names.c - give the frames of a native program's recording their names and lines
 *
 * usage: names DIRECTORY RECORDING OUTPUT.jfr
 *
 * DIRECTORY has the files with debug information of the program that was recorded.
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/symbols.h>

static int write_names(struct jfrec_reader *r, struct jfrec_debug_files *files,
		       struct jfrec_output *o, struct jfrec_error *err)
{
	struct jfrec_symbolized *done = jfrec_write_symbolized(r, files, o, err);
	const struct jfrec_symbolized_module *m;
	int ret;

	if (!done)
		return -1;
	printf("%" PRIu64 " chunks, %" PRIu64 " of them without modules\n", done->chunks,
	       done->chunks_without_modules);
	for (size_t i = 0; (m = jfrec_symbolized_module_get(done, i)) != NULL; i++)
		printf("%s: %" PRIu64 " of %" PRIu64 " places have a name\n", m->name, m->named,
		       m->places);
	ret = jfrec_output_commit(o, err);
	jfrec_symbolized_free(done);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: names DIRECTORY RECORDING OUTPUT.jfr" };
	struct jfrec_debug_files *files = argc == 4 ? jfrec_debug_files_new(&err) : NULL;
	struct jfrec_reader *r = files ? jfrec_reader_open(argv[2], NULL, &err) : NULL;
	struct jfrec_output *o = r ? jfrec_output_open(argv[3], false, JFREC_BY_NAME, &err) : NULL;
	int ret = -1;

	if (o && jfrec_debug_files_add(files, argv[1], &err) == 0)
		ret = write_names(r, files, o, &err);
	if (ret < 0)
		fprintf(stderr, "names: %s\n", err.text);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	jfrec_debug_files_free(files);
	return ret < 0;
}
