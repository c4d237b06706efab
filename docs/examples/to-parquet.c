/* SPDX-License-Identifier: MIT */
/*
 * to-parquet.c - a data lake of recordings: a Parquet file for each event type, date and service
 *
 * usage: to-parquet SERVICE RECORDING DIRECTORY
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/export.h>

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: to-parquet SERVICE RECORDING DIRECTORY" };
	struct jfrec_label service = { .key = "service", .value = argc > 1 ? argv[1] : "" };
	struct jfrec_parquet_options o = {
		.struct_size = sizeof(o),
		.labels = &service,
		.label_count = 1,
		.partition = "date,service",
	};
	struct jfrec_reader *r = argc == 4 ? jfrec_reader_open(argv[2], NULL, &err) : NULL;
	struct jfrec_exported *done = r ? jfrec_export_parquet(r, argv[3], &o, &err) : NULL;

	if (done)
		printf("%zu files, %" PRIu64 " rows\n", done->files, done->rows);
	else
		fprintf(stderr, "to-parquet: %s\n", err.text);
	jfrec_free(done);
	jfrec_reader_close(r);
	return !done;
}
