/* SPDX-License-Identifier: MIT */
/*
 * format_opts.c - options that choose the output format, from the library's table of formats
 */
#include "opts/format_opts.h"

#include <string.h>

#include "base/report.h"

#define MAX_FORMATS 32

/* Other formats have no letter: short ones are rare. */
static int letter_of(enum jfrec_format format)
{
	return format == JFREC_JSON ? 'j' : format == JFREC_XML ? 'x' : 0;
}

static int take_format(const struct opt_given *g, void *to)
{
	const struct jfrec_format_info *info = g->opt->how;
	struct format_opts *f = to;

	if (f->info && f->info != info)
		return report_usage(g->command, "only one format can be given");
	f->info = info;
	return EXIT_DONE;
}

static struct opt row_of(const struct jfrec_format_info *info, const char *help)
{
	return (struct opt){ .letter = letter_of(info->format),
			     .name = info->name,
			     .help = help,
			     .take = take_format,
			     .how = info };
}

const struct opt *format_rows(void)
{
	static struct opt rows[MAX_FORMATS + 1];
	size_t count = 0;

	for (size_t i = 0; i < jfrec_formats_count(); i++) {
		const struct jfrec_format_info *info = jfrec_formats_get(i);

		if (!(info->can & JFREC_FORMAT_TEXT) && count < MAX_FORMATS)
			rows[count++] = row_of(info, info->summary);
	}
	return rows;
}

const struct opt *exact_format_rows(void)
{
	static struct opt rows[2];
	const struct jfrec_format_info *info = jfrec_format_named("exact");

	rows[0] = row_of(info, info->summary);
	return rows;
}

const struct opt *count_format_rows(void)
{
	static struct opt rows[2];
	const struct jfrec_format_info *info = jfrec_format_named("count");

	rows[0] = row_of(info, info->summary);
	return rows;
}

const struct opt *line_format_rows(void)
{
	static struct opt rows[2];

	rows[0] = row_of(jfrec_format_named("ndjson"), "print a line of JSON for each change");
	return rows;
}

const struct opt *stream_format_rows(void)
{
	static struct opt rows[MAX_FORMATS + 1];
	static char helps[MAX_FORMATS][80];
	size_t count = 0;

	for (size_t i = 0; i < jfrec_formats_count(); i++) {
		const struct jfrec_format_info *info = jfrec_formats_get(i);
		bool is_document = info->can & JFREC_FORMAT_DOCUMENT;

		if (!(info->can & JFREC_FORMAT_STREAM) || (info->can & JFREC_FORMAT_TEXT) ||
		    count == MAX_FORMATS)
			continue;
		snprintf(helps[count], sizeof(helps[count]), "%s%s", info->summary,
			 is_document ? ": one document, of one source" : "");
		rows[count] = row_of(info, helps[count]);
		count++;
	}
	return rows;
}

enum jfrec_format format_opts_get(const struct format_opts *f)
{
	return f->info ? f->info->format : JFREC_TEXT;
}

bool format_can(enum jfrec_format format, unsigned can)
{
	for (size_t i = 0; i < jfrec_formats_count(); i++) {
		const struct jfrec_format_info *info = jfrec_formats_get(i);

		if (info->format == format)
			return info->can & can;
	}
	return false;
}

const char *format_names(unsigned can, char *to, size_t size)
{
	size_t left = 0, len = 0;

	*to = '\0';
	for (size_t i = 0; i < jfrec_formats_count(); i++)
		left += (jfrec_formats_get(i)->can & can) != 0;
	for (size_t i = 0; i < jfrec_formats_count() && len < size; i++) {
		const struct jfrec_format_info *info = jfrec_formats_get(i);

		if (info->can & can)
			len += (size_t)snprintf(to + len, size - len, "--%s%s", info->name,
						--left > 1    ? ", "
						: left == 1 ? " and "
							      : "");
	}
	return to;
}
