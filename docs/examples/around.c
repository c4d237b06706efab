/* SPDX-License-Identifier: MIT */
/*
 * around.c - what the host does to a JVM meanwhile: its control group, memory, disks, neighbours
 *
 * usage: around PID [SECONDS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jfrec/host.h>

static void print_facts(const struct jfrec_host_facts *f)
{
	if (f->cpu_file)
		printf("stopped in %" PRId64 " of %" PRId64 " periods\n", f->throttled, f->periods);
	if (f->memory_limit > 0)
		printf("memory: %" PRIu64 " of %" PRIu64 " MB\n", f->memory_used >> 20,
		       f->memory_limit >> 20);
	for (size_t i = 0; i < f->disk_count; i++)
		printf("%s: %" PRIu64 " MB free\n", f->disks[i].what, f->disks[i].free_bytes >> 20);
	if (f->machine_cpus > 0)
		printf("processors: %.1f of %.0f busy, %.1f by the JVM\n", f->busy_cpus,
		       f->machine_cpus, f->own_cpus);
}

static int watch(const struct jfrec_jvm *jvm, unsigned seconds, struct jfrec_error *err)
{
	struct jfrec_host *h = jfrec_host_watch(jvm, err);

	if (!h)
		return -1;
	sleep(seconds);
	jfrec_host_look(h);
	print_facts(jfrec_host_get(h));
	jfrec_host_free(h);
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: around PID [SECONDS]" };
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = argv[1] };
	struct jfrec_jvms *jvms = argc > 1 ? jfrec_jvms_find(&q, &err) : NULL;
	const struct jfrec_jvm *jvm = jvms ? jfrec_jvms_get(jvms, 0) : NULL;
	unsigned seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
	int ret = -1;

	if (jvm)
		ret = watch(jvm, seconds, &err);
	else if (jvms)
		jfrec_fail(&err, JFREC_ENOJVM, JFREC_NO_OFFSET, "no JVM matches %s", argv[1]);
	if (ret < 0)
		fprintf(stderr, "around: %s\n", err.text);
	jfrec_jvms_free(jvms);
	return ret < 0;
}
