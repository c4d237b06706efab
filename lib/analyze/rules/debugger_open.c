/* SPDX-License-Identifier: MIT */
/*
 * debugger_open.c - can anyone on the network debug this JVM?
 */
#include "analyze/arguments.h"
#include "analyze/rules.h"

static const struct reads inputs[] = {
	READS("jdk.JVMInformation", PERIODIC),
	{ 0 },
};

/* Who reaches the debugger, the fewest first. */
enum reach {
	NO_ONE,	   /* there is none */
	DIALS_OUT, /* the JVM connects to a debugger that listens */
	NOT_YET,   /* it listens once jcmd says so */
	THIS_HOST,
	SOME_HOSTS, /* that are listed */
	NETWORK,
};

/* The options of the JDWP agent that matter here. */
struct options {
	struct argument address, allow, transport;
	bool is_server, waits_for_jcmd;
};

static bool option_is_yes(struct argument a, const char *name)
{
	return argument_is(argument_after(a, name), "y");
}

static struct options parse(struct argument a)
{
	struct options o = { 0 };

	while (a.len) {
		const char *comma = memchr(a.text, ',', a.len);
		size_t len = comma ? (size_t)(comma - a.text) : a.len;
		struct argument one = { a.text, len };

		if (argument_after(one, "address=").text)
			o.address = argument_after(one, "address=");
		else if (argument_after(one, "allow=").text)
			o.allow = argument_after(one, "allow=");
		else if (argument_after(one, "transport=").text)
			o.transport = argument_after(one, "transport=");
		o.is_server |= option_is_yes(one, "server=");
		o.waits_for_jcmd |= option_is_yes(one, "onjcmd=");
		len += len < a.len;
		a = (struct argument){ a.text + len, a.len - len };
	}
	return o;
}

/* What is before the port, without brackets; empty: no host is named. */
static struct argument host_of(struct argument address)
{
	size_t len = address.len;

	while (len && address.text[len - 1] != ':')
		len--;
	if (!len)
		return (struct argument){ 0 };
	len--;
	if (len >= 2 && address.text[0] == '[' && address.text[len - 1] == ']')
		return (struct argument){ address.text + 1, len - 2 };
	return (struct argument){ address.text, len };
}

static enum reach reach_of(const struct judging *j, struct argument a)
{
	struct options o = parse(a);
	struct argument host = host_of(o.address);
	bool is_local = argument_is(host, "localhost") || argument_is(host, "::1") ||
			argument_after(host, "127.").text;

	if (!o.is_server)
		return DIALS_OUT;
	if (argument_is(o.transport, "dt_shmem") || is_local)
		return THIS_HOST;
	/* Up to JDK 8 a port alone was one of all interfaces. */
	if (!host.len && j->facts->jdk != 8)
		return THIS_HOST;
	if (o.waits_for_jcmd)
		return NOT_YET;
	return o.allow.len && !argument_is(o.allow, "*") ? SOME_HOSTS : NETWORK;
}

static void judge(void *state, struct judging *j)
{
	static const char *const words[] = {
		[DIALS_OUT] = "The JVM connects to a debugger",
		[NOT_YET] = "A debugger can be let in from the network, once jcmd opens its port",
		[THIS_HOST] = "A debugger can be attached from this host",
		[SOME_HOSTS] = "A debugger can be attached over the network, from the hosts that "
			       "are listed",
		[NETWORK] = "A debugger can be attached over the network by anyone",
	};
	const char *at;
	struct argument worst = { 0 };
	enum reach most = NO_ONE;

	(void)state;
	for (struct argument a = first_argument(j, &at); a.text; a = next_argument(&at)) {
		struct argument its = argument_after(a, "-agentlib:jdwp=");
		enum reach here;

		if (!its.text)
			its = argument_after(a, "-Xrunjdwp:");
		here = its.text ? reach_of(j, its) : NO_ONE;
		if (here > most) {
			most = here;
			worst = a;
		}
	}
	if (most == NO_ONE) {
		summarize(j, "No debugger can be attached");
		return;
	}
	judge_at_least(j, most == NETWORK ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	summarize(j, "%s: %.*s", words[most], (int)(worst.len < 300 ? worst.len : 300), worst.text);
	show_name(j, JFREC_EVIDENCE_SETTING, "argument",
		  textf(j, "%.*s", (int)(worst.len < 300 ? worst.len : 300), worst.text), NAN);
	show_command(j, "view jvm-information");
}

const struct rule rule_debugger_open = {
	.is_of_java = true,
	.info = {
		.id = "debugger-open",
		.question = "Can anyone on the network debug this JVM?",
		.matters = "A debugger can do all that the program can, and change it as it runs. "
			   "It asks for no password.",
		.computes = "Looks for the debugger's agent (-agentlib:jdwp, -Xrunjdwp) in the "
			    "arguments of the JVM. An address that hosts other than this one reach "
			    "is a warning: *, 0.0.0.0, the name of a host, and up to JDK 8 a port "
			    "without a host. What only this host reaches, what is limited by "
			    "allow=, and a JVM that connects to a debugger are info.",
		.advice = "Leave the agent out in production; else bind it to the loopback interface "
			  "(address=localhost:5005) and use a tunnel",
		.beware = "A firewall or the network of a container may protect it all the same.",
	},
	.inputs = inputs,
	.judge = judge,
};
