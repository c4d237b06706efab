/* SPDX-License-Identifier: MIT */
/*
 * probe.c - collect what can be seen of a process that may be a JVM
 */
#include "process/probe.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

/* Class paths can be long. */
#define MAX_CMDLINE (2u << 20)
#define MAX_ENVIRON (2u << 20)

int64_t probe_age_ms(const struct process *p)
{
	int64_t ticks_per_second = sysconf(_SC_CLK_TCK), started_ms;
	struct timespec now;

	if (clock_gettime(CLOCK_BOOTTIME, &now) < 0 || ticks_per_second <= 0)
		return 0;
	started_ms =
		(int64_t)(p->start_ticks / (uint64_t)ticks_per_second) * 1000 +
		(int64_t)(p->start_ticks % (uint64_t)ticks_per_second) * 1000 / ticks_per_second;
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - started_ms;
}

static void read_cmdline(struct probe *v, const struct process *p)
{
	size_t len = 0;

	v->cmdline_bytes = process_read(p, "cmdline", MAX_CMDLINE, &len);
	cmdline_parse(&v->cmdline, v->cmdline_bytes ? v->cmdline_bytes : "", len);
}

int probe_init(struct probe *v, const struct process *p, struct jfrec_error *err)
{
	*v = (struct probe){ .age_ms = probe_age_ms(p) };
	if (loaded_read(&v->loaded, p) < 0)
		return jfrec_fail_memory(err);
	read_cmdline(v, p);
	return 0;
}

/*
 * A JVM maps its performance data, so if that can be seen, the file is known;
 * one of another process with its number is not believed.  What is loaded being
 * hidden, performance data of a program named java must do.
 */
void probe_add_perf(struct probe *v, struct jvm_root *r)
{
	const struct process *p = &r->process;

	if (v->loaded.perf)
		v->perf_bytes =
			hsperf_read_from(&v->perf, p, &r->opener, r->tmp_fd, v->loaded.perf);
	else if (v->loaded.denied && v->cmdline.is_java)
		v->perf_bytes = hsperf_read(&v->perf, p, &r->opener, r->tmp_fd);
	if (v->perf.vm_name && strcmp(v->perf.vm_name, "Substrate VM") == 0)
		v->loaded.kind = JFREC_JVM_NATIVE;
	else if (v->loaded.denied && v->perf_bytes)
		v->loaded.kind = JFREC_JVM_HOTSPOT;
}

void probe_fini(struct probe *v)
{
	loaded_fini(&v->loaded);
	free(v->cmdline_bytes);
	free(v->perf_bytes);
	*v = (struct probe){ 0 };
}

/* Those of the environment are in the performance data, if there is some. */
bool probe_has_option(const struct probe *v, const struct process *p, bool in_words,
		      const char *option)
{
	size_t len = 0;
	char *variables;
	bool has;

	if (in_words || v->perf_bytes)
		return in_words || (v->perf.arguments && strstr(v->perf.arguments, option));
	variables = process_read(p, "environ", MAX_ENVIRON, &len);
	has = variables && environ_find_option(variables, len, option);
	free(variables);
	return has;
}

/* Performance data tells of it by capabilities, whatever is said where. */
static bool is_disabled(const struct probe *v, const struct process *p)
{
	if (v->perf_bytes)
		return v->cmdline.attach_disabled;
	return probe_has_option(v, p, v->cmdline.attach_disabled, "-XX:+DisableAttachMechanism");
}

struct ready_facts probe_facts(const struct probe *v, const struct process *p)
{
	const char *capabilities = v->perf.capabilities;

	return (struct ready_facts){
		.kind = v->loaded.kind,
		.has_perf = v->perf_bytes != NULL,
		.accessible = v->perf.accessible,
		.may_attach = !capabilities || capabilities[0] == '1',
		.says_disabled = is_disabled(v, p),
		.age_ms = v->age_ms,
	};
}

int probe_get_facts(struct jvm_root *r, struct ready_facts *facts, struct jfrec_error *err)
{
	struct probe v;

	if (probe_init(&v, &r->process, err) < 0)
		return -1;
	probe_add_perf(&v, r);
	*facts = probe_facts(&v, &r->process);
	probe_fini(&v);
	return 0;
}
