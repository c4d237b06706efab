/* SPDX-License-Identifier: MIT */
/*
 * jvm_facts.c - what is to be known of the JVM itself: its version, its agents, its place
 */
#include <stdlib.h>

#include "analyze/arguments.h"
#include "analyze/rules.h"

/* Process 1 ------------------------------------------------------------------------------------ */

static const char *const pid_jmc[] = { "PID1Rule", NULL };

static const struct reads pid_inputs[] = {
	READS("jdk.JVMInformation", PERIODIC),
	READS("jdk.ProcessStart", HELPS),
	{ 0 },
};

static void judge_pid(void *state, struct judging *j)
{
	(void)state;
	if (j->facts->pid < 0) {
		not_for_this_jvm(j, "The recording does not say which process the JVM is");
		return;
	}
	if (j->facts->pid != 1) {
		summarize(j, "The JVM is process %lld", (long long)j->facts->pid);
		return;
	}
	judge_at_least(j, type_count(j, "jdk.ProcessStart") ? JFREC_SEVERITY_WARNING
							    : JFREC_SEVERITY_INFO);
	summarize(j, "The JVM is process 1 of its container%s",
		  type_count(j, "jdk.ProcessStart") ? ", and starts processes" : "");
	show_quantity(j, "processes that it started", (double)type_count(j, "jdk.ProcessStart"),
		      JFREC_UNIT_NONE);
}

const struct rule rule_pid_1 = {
	.info = {
		.id = "pid-1",
		.jmc = pid_jmc,
		.question = "Is the JVM process 1 of its container?",
		.matters = "Process 1 of a container has to take care of ended child processes "
			   "and of signals. A JVM does not.",
		.computes = "Looks at the process id of jdk.JVMInformation. It is a warning if the JVM "
			    "starts processes, too.",
		.advice = "Let an init process be the first (docker run --init, tini): it takes care of "
			  "signals, and of processes that have ended",
		.beware = "Without processes of its own the JVM gets along as process 1; jcmd and jstack "
			  "inside of the container may not.",
		.differs = "JDK Mission Control always warns.",
	},
	.inputs = pid_inputs,
	.judge = judge_pid,
};

/* Agents --------------------------------------------------------------------------------------- */

static const char *const agents_jmc[] = { "DynamicAgents", "MultipleAgents", NULL };

enum { NAME, DYNAMIC, TOOK };

/* Before JDK 21 there are no events of them, but the JVM's arguments. */
static const struct reads agents_inputs[] = {
	READS_EITHER(1, "jdk.JavaAgent", OCCURS, "name", "dynamic", "initializationDuration"),
	READS_EITHER(1, "jdk.NativeAgent", OCCURS, "name", "dynamic", "initializationDuration"),
	READS_EITHER(1, "jdk.JVMInformation", PERIODIC),
	{ 0 },
};

struct agents {
	struct groups list; /* name, kind, dynamic: time of the beginning */
};

static void take_agent(void *state, const struct event *e)
{
	struct agents *s = state;

	groups_add(&s->list, e,
		   (uint32_t[4]){ event_text(e, NAME), e->input, event_long(e, DYNAMIC) == 1 },
		   fmax(0, event_number(e, TOOK)), NULL);
}

static void free_agents(void *state)
{
	groups_fini(&((struct agents *)state)->list);
}

/* Whose agent it is, by the name of its file; NULL: it is none of the widespread ones. */
static const char *product_of(const char *file)
{
	static const struct {
		const char *part, *product;
	} known[] = {
		{ "opentelemetry-javaagent", "OpenTelemetry" },
		{ "dd-java-agent", "Datadog" },
		{ "newrelic", "New Relic" },
		{ "elastic-apm-agent", "Elastic APM" },
		{ "applicationinsights-agent", "Application Insights" },
		{ "skywalking-agent", "SkyWalking" },
		{ "appdynamics", "AppDynamics" },
		{ "oneagent", "Dynatrace" },
		{ "instana", "Instana" },
		{ "pinpoint-bootstrap", "Pinpoint" },
		{ "glowroot", "Glowroot" },
		{ "pyroscope", "Pyroscope" },
		{ "jmx_prometheus_javaagent", "Prometheus JMX exporter" },
		{ "jolokia", "Jolokia" },
		{ "jacoco", "JaCoCo" },
		{ "jrebel", "JRebel" },
		{ "lightrun", "Lightrun" },
		{ "arthas", "Arthas" },
		{ "byteman", "Byteman" },
		{ "aspectjweaver", "AspectJ" },
		{ "mockito", "Mockito" },
		{ "byte-buddy-agent", "Byte Buddy" },
		{ "asyncProfiler", "async-profiler" },
		{ "yjpagent", "YourKit" },
		{ "jprofilerti", "JProfiler" },
		{ "idea_rt", "IntelliJ IDEA" },
		{ "debugger-agent", "IntelliJ IDEA's debugger" },
		{ "jdwp", "the debugger" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcasestr(file, known[i].part))
			return known[i].product;
	}
	return NULL;
}

#define MAX_AGENTS 20

struct agent {
	const char *file;
	bool is_dynamic;
};

static void add_agent(struct judging *j, struct agent *list, size_t *count, struct argument a)
{
	const char *equals = memchr(a.text, '=', a.len);
	size_t len = equals ? (size_t)(equals - a.text) : a.len;

	if (*count < MAX_AGENTS && len)
		list[(*count)++].file = textf(j, "%.*s", (int)(len < 1000 ? len : 1000), a.text);
}

/* By the arguments, without the options of agents, in which keys and passwords may be. */
static size_t agents_of_arguments(struct judging *j, struct agent *list)
{
	static const char *const prefixes[] = { "-javaagent:", "-agentpath:", "-agentlib:", "-Xrun" };
	size_t count = 0;
	const char *at;

	for (struct argument a = first_argument(j, &at); a.text; a = next_argument(&at)) {
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
			struct argument rest = argument_after(a, prefixes[i]);
			const char *colon =
				i == 3 && rest.len ? memchr(rest.text, ':', rest.len) : NULL;

			/* -Xrunjdwp:transport=... */
			if (colon)
				rest.len = (size_t)(colon - rest.text);
			if (rest.text)
				add_agent(j, list, &count, rest);
		}
	}
	return count;
}

/* "OpenTelemetry, the debugger"; "". */
static const char *products(struct judging *j, const struct agent *list, size_t count)
{
	const char *text = "";

	for (size_t i = 0; i < count; i++) {
		const char *product = product_of(list[i].file);

		if (product && !strstr(text, product))
			text = *text ? textf(j, "%s, %s", text, product) : product;
	}
	return text;
}

static void judge_agents(void *state, struct judging *j)
{
	struct agents *s = state;
	struct agent *list = judging_memory(j, MAX_AGENTS * sizeof(*list));
	size_t count = 0, dynamic = 0;
	double slowest = 0;
	const char *names;

	for (uint32_t i = 0; list && i < s->list.count; i++) {
		dynamic += s->list.list[i].key[2];
		slowest = fmax(slowest, s->list.list[i].most);
		if (count < MAX_AGENTS)
			list[count++] = (struct agent){ text_at(j, s->list.list[i].key[0]),
							s->list.list[i].key[2] != 0 };
	}
	if (list && !count)
		count = agents_of_arguments(j, list);
	judge_by(j, (double)count);
	if (dynamic || slowest >= 1e9)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	names = list ? products(j, list, count) : "";
	if (slowest >= 1e9)
		summarize(j, "The JVM has %zu agent%s, of which one took %s to begin%s%s", count,
			  plural((double)count), span_text(j, slowest), *names ? ": " : "", names);
	else
		summarize(j, "The JVM has %zu agent%s, %zu of them loaded while it ran%s%s", count,
			  plural((double)count), dynamic, *names ? ": " : "", names);
	for (size_t i = 0; i < count; i++)
		show_name(j, JFREC_EVIDENCE_FILE,
			  list[i].is_dynamic ? "loaded while the JVM ran" : "loaded at its start",
			  list[i].file, NAN);
	if (s->list.count)
		show_command(j, "print --events jdk.JavaAgent,jdk.NativeAgent");
	else
		show_command(j, "view jvm-information");
}

const struct rule rule_agents = {
	.is_of_java = true,
	.info = {
		.id = "agents",
		.jmc = agents_jmc,
		.question = "Which agents change or watch the program?",
		.matters = "Agents change classes of the program as it runs. They are a "
			   "frequent reason for slow starts and for faults that are hard to "
			   "explain.",
		.computes = "Counts agents (jdk.JavaAgent, jdk.NativeAgent, from JDK 21 on; else those "
			    "of the JVM's arguments). More than one is info, as is one that was "
			    "loaded while the JVM ran, or that took a second to begin.",
		.measures = "agents",
		.unit = JFREC_UNIT_NONE,
		.info = 2,
		.warning = INFINITY,
		.advice = "If they are expected, ignore this rule; agents that change the same classes "
			  "can disturb each other",
		.beware = "Profilers are agents that are loaded while the JVM runs.",
		.differs = "JDK Mission Control warns of them.",
	},
	.inputs = agents_inputs,
	.state_size = sizeof(struct agents),
	.take = take_agent,
	.judge = judge_agents,
	.fini = free_agents,
};

/* Its version ---------------------------------------------------------------------------------- */

static const char *const support_jmc[] = { "FlightRecordingSupport", "JfrPeriodicEventsFix", NULL };

static const struct reads support_inputs[] = {
	READS("jdk.JVMInformation", PERIODIC),
	{ 0 },
};

/* Of "1.8.0_292-b10": 292; -1. */
static long update_of(const char *version)
{
	const char *at = strstr(version, "1.8.0_");

	return at ? strtol(at + strlen("1.8.0_"), NULL, 10) : -1;
}

/* "17-ea+1", "25-beta": in the number, not in the name of what was built. */
static bool is_early(const char *version)
{
	const char *jre = strstr(version, "JRE ("), *at = jre ? jre : version;
	size_t len = jre ? strcspn(jre, ")") : strlen(version);
	char text[128];

	snprintf(text, sizeof(text), "%.*s", (int)(len < 100 ? len : 100), at);
	return strstr(text, "-ea") || strstr(text, "-beta");
}

static void judge_support(void *state, struct judging *j)
{
	const char *version = text_at(j, j->facts->version), *vm = text_at(j, j->facts->vm);
	long update = j->facts->jdk == 8 ? update_of(version) : -1;

	(void)state;
	if (!j->facts->version || !j->facts->jdk) {
		not_for_this_jvm(j, "The recording does not say which version the JVM is");
		return;
	}
	if (strstr(vm, "OpenJDK") && update >= 0 && update < 302) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "OpenJDK 8u%ld records periodic events wrongly (fixed in 8u302)", update);
		advise(j, "Move to the newest update of JDK 8");
	} else if (is_early(version)) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "The JVM is an early-access build");
		advise(j, "Use a release for production");
	} else {
		summarize(j, "This is a release of JDK %d", j->facts->jdk);
	}
}

const struct rule rule_jvm_support = {
	.is_of_java = true,
	.info = {
		.id = "jvm-support",
		.jmc = support_jmc,
		.question = "Is Flight Recorder of this JVM known to be sound?",
		.matters = "If the recorder itself is at fault, all findings may be wrong.",
		.computes = "Looks at the version: builds for early access are info, OpenJDK 8 before "
			    "update 302 is a warning.",
		.advice = "Move to the newest update",
		.differs = "JDK Mission Control warns of builds for early access.",
	},
	.about = ABOUT_RECORDING,
	.inputs = support_inputs,
	.judge = judge_support,
};

/* Remote management ---------------------------------------------------------------------------- */

static const char *const jmx_jmc[] = { "ManagementAgent", NULL };

enum { KEY, VALUE };

static const struct reads jmx_inputs[] = {
	READS("jdk.InitialSystemProperty", PERIODIC, "key", "value"),
	{ 0 },
};

struct jmx {
	bool has_port, no_password, no_tls, is_local;
};

static void take_property(void *state, const struct event *e)
{
	static const char prefix[] = "com.sun.management.jmxremote.";
	struct jmx *s = state;
	const char *key = event_text_of(e, event_text(e, KEY)), *value;

	if (strncmp(key, prefix, sizeof(prefix) - 1) != 0)
		return;
	key += sizeof(prefix) - 1;
	value = event_text_of(e, event_text(e, VALUE));
	if (strcmp(key, "port") == 0)
		s->has_port = true;
	else if (strcmp(key, "authenticate") == 0)
		s->no_password = strcasecmp(value, "false") == 0;
	else if (strcmp(key, "ssl") == 0)
		s->no_tls = strcasecmp(value, "false") == 0;
	else if (strcmp(key, "host") == 0)
		s->is_local = strcmp(value, "localhost") == 0 || strncmp(value, "127.", 4) == 0 ||
			      strcmp(value, "::1") == 0;
}

static void judge_jmx(void *state, struct judging *j)
{
	const struct jmx *s = state;

	if (!s->has_port || (!s->no_password && !s->no_tls)) {
		summarize(j, s->has_port ? "Remote management is protected"
					 : "Remote management is not open");
		return;
	}
	judge_at_least(j, s->no_password && !s->is_local ? JFREC_SEVERITY_WARNING
							 : JFREC_SEVERITY_INFO);
	summarize(j, "Remote management (JMX) is open%s%s%s", s->no_password ? " without a password" : "",
		  s->no_tls ? (s->no_password ? " and without TLS" : " without TLS") : "",
		  s->is_local ? ", on the loopback interface only" : "");
	show_name(j, JFREC_EVIDENCE_SETTING, "property",
		  s->no_password ? "com.sun.management.jmxremote.authenticate=false"
				 : "com.sun.management.jmxremote.ssl=false",
		  NAN);
}

const struct rule rule_jmx_open = {
	.info = {
		.id = "jmx-open",
		.jmc = jmx_jmc,
		.question = "Can anyone on the network control this JVM?",
		.matters = "Anyone who reaches this port can run code in the JVM.",
		.computes = "Looks at the system properties of remote management: a port without a "
			    "password is a warning, without TLS info; on the loopback interface "
			    "only, both are info.",
		.advice = "Set com.sun.management.jmxremote.authenticate and .ssl to true, or bind it to "
			  "the loopback interface and use a tunnel",
		.beware = "A firewall may protect it all the same.",
		.differs = "JDK Mission Control says ok where both are off, which is the worst case.",
	},
	.inputs = jmx_inputs,
	.state_size = sizeof(struct jmx),
	.take = take_property,
	.judge = judge_jmx,
};
