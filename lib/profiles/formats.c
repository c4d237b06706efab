/* SPDX-License-Identifier: MIT */
/*
 * formats.c - the table of formats that profiles are written in
 */
#include <string.h>

#include "base/error.h"
#include "stacks/stacks.h"

/* A format is a file and a row. */
static const struct format {
	struct jfrec_stacks_format shown;
	stacks_write_fn *write;
} formats[] = {
	{ { "html", ".html .htm", true, false }, html_write },
	{ { "svg", ".svg", false, false }, svg_write },
	{ { "pprof", ".pb.gz .pprof", true, false }, pprof_write },
	{ { "firefox", ".firefox.json", true, false }, firefox_write },
	{ { "perfetto", ".pftrace .perfetto-trace", true, false }, perfetto_write },
	{ { "json", ".json", true, false }, tree_json_write },
	{ { "collapsed", ".collapsed .folded", false, false }, collapsed_write },
	{ { "otlp", ".otlp", true, true }, otlp_write },
};

size_t jfrec_stacks_formats_count(void)
{
	return sizeof(formats) / sizeof(*formats);
}

const struct jfrec_stacks_format *jfrec_stacks_formats_get(size_t i)
{
	return i < jfrec_stacks_formats_count() ? &formats[i].shown : NULL;
}

static const struct format *format_named(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].shown.name, name) == 0)
			return &formats[i];
	}
	return NULL;
}

/* Of a format that holds one profile: which. JFREC_STACKS_ALL: there are several. */
static size_t single_profile(const struct jfrec_stacks *s)
{
	size_t found = 0, count = 0;

	for (size_t i = s->kind_count; i > 0; i--) {
		if (stacks_has(s, i - 1, JFREC_STACKS_ALL)) {
			found = i - 1;
			count++;
		}
	}
	return count > 1 ? JFREC_STACKS_ALL : found;
}

int jfrec_stacks_write(struct jfrec_stacks *s, size_t only, const char *format, double minimum,
		       jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	const struct format *f = format_named(format);
	struct out out;
	int ret;

	if (!f)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "unknown format '%s'", format);
	if (only == JFREC_STACKS_ALL && !f->shown.has_several)
		only = single_profile(s);
	if (only == JFREC_STACKS_ALL && !f->shown.has_several)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a %s file holds one profile; choose which", format);
	if (out_init(&out, write, ctx, err) < 0)
		return -1;
	ret = f->write(s, only, minimum, &out, err);
	out_flush(&out);
	if (ret == 0 && out.error)
		ret = out_fail(&out, err);
	out_fini(&out);
	return ret;
}
