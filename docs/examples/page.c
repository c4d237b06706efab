/* SPDX-License-Identifier: MIT */
/*
 * page.c - a report of a recording for a ticket: findings, key figures, tables
 *
 * usage: page RECORDING [FORMAT]
 *
 * Without a format that the library has, lists them.
 */
#include <stdio.h>

#include <jfrec/report.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

static int list_formats(void)
{
	for (size_t i = 0; i < jfrec_report_formats_count(); i++)
		printf("%s\n", jfrec_report_formats_get(i));
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: page RECORDING [FORMAT]" };
	struct jfrec_report_options o = { .struct_size = sizeof(o), .title = "Nightly run" };
	struct jfrec_reader *r = argc == 2 || argc == 3 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_report *report = r ? jfrec_report_new(&o, &err) : NULL;
	int ret = -1;

	if (report && argc == 2)
		ret = list_formats();
	else if (report && jfrec_report_add_recording(report, "night.jfr", &err) == 0 &&
		 jfrec_report_read(report, r, &err) == 0)
		ret = jfrec_report_write(report, argv[2], print, stdout, &err);
	if (ret < 0)
		fprintf(stderr, "page: %s\n", err.text);
	jfrec_report_free(report);
	jfrec_reader_close(r);
	return ret < 0;
}
