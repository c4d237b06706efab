/* SPDX-License-Identifier: MIT */
/*
 * record.c - have a JVM record for some seconds, and fetch the recording
 *
 * usage: record PID SECONDS OUTPUT.jfr
 *
 * The recording ends with this program, however that ends.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jfrec/jfr.h>
#include <jfrec/output.h>

static struct jfrec_session *open_session(const char *pid, struct jfrec_error *err)
{
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = pid };
	struct jfrec_jvms *jvms = jfrec_jvms_find(&q, err);
	struct jfrec_session *s = NULL;

	if (jvms && jfrec_jvms_count(jvms) != 1)
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET, "not one JVM matches %s", pid);
	else if (jvms)
		s = jfrec_session_open(jfrec_jvms_get(jvms, 0), NULL, err);
	jfrec_jvms_free(jvms);
	return s;
}

/* Write what recording number `id` has so far. */
static int fetch(struct jfrec_session *s, uint64_t id, const char *path, struct jfrec_error *err)
{
	char name[32];
	struct jfrec_jfr_option option = { .key = "name", .value = name };
	struct jfrec_output *o = jfrec_output_open(path, false, JFREC_BY_NAME, err);
	struct jfrec_dump *d = NULL;
	int ret = -1;

	snprintf(name, sizeof(name), "%" PRIu64, id);
	if (o)
		d = jfrec_jfr_dump(s, &option, 1, err);
	if (d && jfrec_dump_copy(d, jfrec_output_write, o, err) == 0)
		ret = jfrec_output_commit(o, err);
	if (ret == 0)
		printf("%" PRIu64 " bytes\n", jfrec_dump_size(d));
	jfrec_dump_free(d);
	jfrec_output_close(o);
	return ret;
}

static int record(struct jfrec_session *s, unsigned seconds, const char *path,
		  struct jfrec_error *err)
{
	char duration[32];
	struct jfrec_jfr_option options[] = {
		{ .key = "settings", .value = "profile" },
		{ .key = "duration", .value = duration }, /* if this program is killed */
	};
	struct jfrec_jfr_start_options o = {
		.struct_size = sizeof(o),
		.options = options,
		.count = 2,
		.only_for_session = true,
	};
	struct jfrec_jfr_started *started;
	int ret;

	snprintf(duration, sizeof(duration), "%us", seconds + 60);
	started = jfrec_jfr_start(s, &o, err);
	if (!started)
		return -1;
	sleep(seconds);
	ret = fetch(s, started->id, path, err);
	if (jfrec_jfr_stop_leased(s, started, ret < 0 ? NULL : err) < 0)
		ret = -1;
	jfrec_jfr_started_free(started);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: record PID SECONDS OUTPUT.jfr" };
	struct jfrec_session *s = argc == 4 ? open_session(argv[1], &err) : NULL;
	int ret = s ? record(s, (unsigned)atoi(argv[2]), argv[3], &err) : -1;

	if (ret < 0)
		fprintf(stderr, "record: %s\n", err.text);
	jfrec_session_close(s);
	return ret < 0;
}
