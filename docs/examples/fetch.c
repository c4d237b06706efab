/* SPDX-License-Identifier: MIT */
/*
 * fetch.c - what a JVM has recorded, from its files: without a word to it, even if it hangs
 *
 * usage: fetch PID|DIRECTORY OUTPUT.jfr
 *
 * DIRECTORY is a repository that a JVM left behind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jfrec/edit.h>
#include <jfrec/repository.h>

static struct jfrec_repository *open_repository(const char *what, struct jfrec_error *err)
{
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = what };
	struct jfrec_repository *r = NULL;
	struct jfrec_jvms *jvms;

	if (strchr(what, '/'))
		return jfrec_repository_open(what, err);
	jvms = jfrec_jvms_find(&q, err);
	if (jvms && jfrec_jvms_count(jvms) == 1)
		r = jfrec_repository_of_jvm(jfrec_jvms_get(jvms, 0), err);
	else if (jvms)
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET, "not one JVM matches %s", what);
	jfrec_jvms_free(jvms);
	return r;
}

static int copy(struct jfrec_repository *repository, struct jfrec_output *o,
		struct jfrec_error *err)
{
	const struct jfrec_repository_info *info = jfrec_repository_describe(repository);
	struct jfrec_reader *r;
	struct jfrec_merged *done = NULL;
	int ret = -1;

	printf("%zu chunks of %" PRIu64 " bytes\n", info->chunks, info->bytes);
	r = jfrec_repository_read(repository, err);
	if (r)
		done = jfrec_write_merged(r, NULL, o, err);
	if (done) {
		printf("%zu copied, %zu completed\n", done->copied, done->completed);
		ret = jfrec_output_commit(o, err);
	}
	jfrec_merged_free(done);
	jfrec_reader_close(r);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: fetch PID|DIRECTORY OUTPUT.jfr" };
	struct jfrec_repository *r = argc == 3 ? open_repository(argv[1], &err) : NULL;
	struct jfrec_output *o = r ? jfrec_output_open(argv[2], false, JFREC_BY_NAME, &err) : NULL;
	int ret = o ? copy(r, o, &err) : -1;

	if (ret < 0)
		fprintf(stderr, "fetch: %s\n", err.text);
	jfrec_output_close(o);
	jfrec_repository_close(r);
	return ret < 0;
}
