/* SPDX-License-Identifier: MIT */
/*
 * gc_options.c - does the collector fit the machine?
 */
#include "analyze/rules.h"

#define GIB ((int64_t)1 << 30)

static const char *const jmc[] = { "GcOptions", "CompressedOops", NULL };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.GCConfiguration", PERIODIC),
	READS_EITHER(1, "jdk.GCHeapConfiguration", PERIODIC),
	READS("jdk.CPUInformation", HELPS),
	READS("jdk.ContainerConfiguration", HELPS),
	{ 0 },
};

struct misfits {
	unsigned count;
	const char *first, *advice;
};

static void note(struct judging *j, struct misfits *m, const char *what, const char *advice)
{
	if (!m->count++) {
		m->first = what;
		m->advice = advice;
	}
	show_note(j, "%s", what);
}

/* Was the number of threads chosen by the JVM? Then it fits the processors that it sees. */
static bool chose_threads(const struct judging *j)
{
	const struct flag *flag = flag_named(j, "ParallelGCThreads");
	const char *arguments = text_at(j, j->facts->jvm_arguments);

	if (flag)
		return strcmp(text_at(j, flag->origin), "Default") == 0;
	return j->facts->jvm_arguments && !strstr(arguments, "ParallelGCThreads");
}

static void look_at_threads(struct judging *j, struct misfits *m, double cpus)
{
	int64_t threads = j->facts->parallel_gc_threads;

	if (cpus <= 0 || threads < 0 || chose_threads(j))
		return;
	if ((double)threads > ceil(cpus))
		note(j, m,
		     textf(j, "The collector has %lld threads for %s processors", (long long)threads,
			   count_text(j, cpus)),
		     "Remove -XX:ParallelGCThreads, or set it to the number of processors");
	if (threads == 1 && cpus > 1 && (uses_collector(j, "Parallel") || uses_collector(j, "G1")))
		note(j, m,
		     textf(j, "The %s collector has one thread on %s processors", collector_name(j),
			   count_text(j, cpus)),
		     "Remove -XX:ParallelGCThreads=1");
}

static void look_at_collector(struct judging *j, struct misfits *m, double cpus)
{
	const char *old = text_at(j, j->facts->old_collector);

	if (strcmp(old, "SerialOld") == 0 && cpus >= 4 && j->facts->heap_max > 4 * GIB)
		note(j, m,
		     textf(j, "The serial collector works with one thread on a heap of %s",
			   bytes_text(j, (double)j->facts->heap_max)),
		     "Use G1 (-XX:+UseG1GC), or ZGC (-XX:+UseZGC)");
	if (strcmp(old, "ParallelOld") == 0 && cpus > 0 && cpus <= 1)
		note(j, m, "The parallel collector has one processor",
		     "Use the serial collector (-XX:+UseSerialGC), or give the JVM more processors");
}

static void look_at_pointers(struct judging *j, struct misfits *m)
{
	const struct facts *f = j->facts;

	if (f->heap_address_bits > 0 && f->heap_address_bits < 64)
		return; /* a JVM of 32 bits */
	if (f->uses_compressed_oops == 0 && f->heap_max > 0 && f->heap_max < 32 * GIB &&
	    strncmp(text_at(j, f->old_collector), "Z", 1) != 0)
		note(j, m,
		     textf(j, "Pointers take 8 bytes each, though a heap of %s would do with 4",
			   bytes_text(j, (double)f->heap_max)),
		     "Remove -XX:-UseCompressedOops");
}

static void judge(void *state, struct judging *j)
{
	struct misfits m = { 0 };
	double cpus = usable_cpus(j);

	(void)state;
	look_at_collector(j, &m, cpus);
	look_at_threads(j, &m, cpus);
	look_at_pointers(j, &m);
	if (!m.count) {
		summarize(j, "The collector fits the machine");
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, m.count > 1 ? "%s, and %u more" : "%s", m.first, m.count - 1);
	advise(j, "%s", m.advice);
}

const struct rule rule_gc_options = {
	.info = {
		.id = "gc-options",
		.jmc = jmc,
		.question = "Does the collector fit the machine?",
		.matters = "A collector that does not suit the machine wastes processors or "
			   "memory all the time.",
		.computes = "Compares the collector, its threads and its pointers with the processors "
			    "that the JVM may use and with its heap: the serial collector on a large "
			    "heap, the parallel one on a single processor, more threads than "
			    "processors, or a single one, uncompressed pointers below 32 GiB.",
		.advice = "Change the flag that is named",
		.beware = "ZGC has no compressed pointers by design; this is not a finding.",
		.differs = "In containers this looks at the processors that the JVM may use, not at "
			   "those of the host, and it does not blame ZGC for its pointers.",
	},
	.inputs = inputs,
	.judge = judge,
};
