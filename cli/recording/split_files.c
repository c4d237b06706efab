/* SPDX-License-Identifier: MIT */
/*
 * split_files.c - write the output files of `jfrec split`
 */
#include "recording/split_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outname.h"
#include "base/suffix.h"
#include "jfrec-tool.h"
#include "recording/open_recordings.h"

/* Names ---------------------------------------------------------------------------------------- */

void split_files_confine(const struct split_files *p)
{
	confine_writes(p->to->path ? p->to->path : ".");
}

/* As many digits as the last number has: app_00.jfr ... app_41.jfr. */
static char *make_name(const struct split_files *p, size_t i)
{
	int digits = snprintf(NULL, 0, "%zu", p->count - 1);
	const char *directory = p->to->path ? p->to->path : "";
	size_t len = strlen(directory);
	char *name;

	if (asprintf(&name, "%s%s%s_%0*zu.jfr%s", directory,
		     len && directory[len - 1] != '/' ? "/" : "", p->base, digits, i,
		     suffix_of_compression(p->to->how)) < 0)
		return NULL;
	return name;
}

static int fail(struct jfrec_error *err, enum jfrec_code code, int sys, const char *text)
{
	err->code = code;
	err->sys = sys;
	snprintf(err->text, sizeof(err->text), "%s", text);
	return -1;
}

/* Nothing is written if one of the files exists. */
static int make_names(struct split_files *p, size_t count, struct jfrec_error *err)
{
	p->count = count;
	p->outputs = calloc(count, sizeof(*p->outputs));
	p->names = calloc(count, sizeof(*p->names));
	for (size_t i = 0; i < count; i++) {
		if (!p->outputs || !p->names || !(p->names[i] = make_name(p, i)))
			return fail(err, JFREC_ENOMEM, 0, "out of memory");
		if (!p->to->force && access(p->names[i], F_OK) == 0) {
			p->failed = p->names[i];
			return fail(err, JFREC_EOUTPUT, EEXIST, "it exists; --force replaces it");
		}
	}
	return 0;
}

/* One that is not there is made, and does not stay if nothing comes to be in it. */
static int make_directory(struct split_files *p, struct jfrec_error *err)
{
	if (!p->to->path)
		return 0;
	p->made_directory = mkdir(p->to->path, 0777) == 0;
	if (p->made_directory || errno == EEXIST)
		return 0;
	p->failed = p->to->path;
	return fail(err, JFREC_EOUTPUT, errno, strerror(errno));
}

static struct jfrec_output *open_file(void *ctx, size_t index, size_t count,
				      struct jfrec_error *err)
{
	struct split_files *p = ctx;

	if (index == 0 && (make_directory(p, err) < 0 || make_names(p, count, err) < 0))
		return NULL;
	p->failed = p->names[index];
	if (index == 0)
		jfrec_output_sweep(p->names[0]);
	p->outputs[index] = output_opts_make(p->to, p->names[index], err);
	p->opened = index + 1;
	return p->outputs[index];
}

static int commit(struct split_files *p, struct jfrec_error *err)
{
	for (size_t i = 0; i < p->opened; i++) {
		if (jfrec_output_commit(p->outputs[i], err) == 0)
			continue;
		p->failed = p->names[i];
		/* All or nothing, as far as nothing was replaced. */
		for (size_t k = 0; k < i && !p->to->force; k++)
			unlink(p->names[k]);
		return -1;
	}
	p->committed = true;
	return 0;
}

int split_files_write(struct split_files *p, struct jfrec_reader *r, const char *path,
		      const struct jfrec_split_limits *limits, struct jfrec_error *err)
{
	struct jfrec_split *split;
	int ret;

	p->base = outname_of_recording(path, "recording");
	if (!p->base)
		return fail(err, JFREC_ENOMEM, 0, "out of memory");
	split = jfrec_write_split(r, limits, open_file, p, err);
	ret = split ? commit(p, err) : -1;
	jfrec_split_free(split);
	return ret;
}

void split_files_close(struct split_files *p)
{
	for (size_t i = 0; i < p->opened; i++)
		jfrec_output_close(p->outputs[i]);
	if (p->made_directory && !p->committed)
		rmdir(p->to->path);
	for (size_t i = 0; p->names && i < p->count; i++)
		free(p->names[i]);
	free(p->names);
	free(p->outputs);
	free(p->base);
}
