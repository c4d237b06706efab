/* SPDX-License-Identifier: MIT */
/*
 * cpu_by_purpose.c - how much of the CPU goes to logging, parsing, compression and the like?
 */
#include "analyze/samples.h"
#include "analyze/rules.h"

#define ENOUGH 100
#define PREFIXES 8

/* A purpose, and the frames that show it, anywhere in a stack. */
static const struct purpose {
	const char *name;
	const char *prefixes[PREFIXES];
} purposes[] = {
	{ "logging",
	  { "ch.qos.logback.", "org.apache.logging.", "org.apache.log4j.", "java.util.logging.",
	    "org.slf4j." } },
	{ "regular expressions", { "java.util.regex." } },
	{ "compression",
	  { "java.util.zip.", "org.apache.commons.compress.", "com.github.luben.zstd.",
	    "net.jpountz.", "org.xerial.snappy." } },
	{ "encryption and TLS",
	  { "sun.security.ssl.", "com.sun.crypto.", "javax.crypto.", "sun.security.provider.",
	    "org.bouncycastle.", "io.netty.handler.ssl." } },
	{ "making exceptions", { "java.lang.Throwable.fillInStackTrace" } },
	{ "JSON",
	  { "com.fasterxml.jackson.", "com.google.gson.", "jakarta.json.", "org.json.",
	    "com.alibaba.fastjson" } },
	{ "XML",
	  { "com.sun.org.apache.xerces.", "org.xml.sax.", "javax.xml.", "com.sun.org.apache.xalan.",
	    "org.dom4j." } },
	{ "formatting and joining strings",
	  { "java.util.Formatter.", "java.lang.String.format", "java.lang.StringConcatHelper.",
	    "java.text." } },
	{ "loading classes", { "java.lang.ClassLoader.loadClass", "java.lang.ClassLoader.define" } },
	{ "colliding keys in HashMap", { "java.util.HashMap$TreeNode." } },
	{ "serialization", { "java.io.ObjectInputStream.", "java.io.ObjectOutputStream." } },
	{ "reflection", { "java.lang.reflect.Method.invoke", "java.lang.Class.getMethod" } },
	{ "waiting for a database pool", { "com.zaxxer.hikari.", "org.apache.commons.dbcp2." } },
};

#define PURPOSES (sizeof(purposes) / sizeof(*purposes))

static const struct reads inputs[] = { SAMPLE_INPUTS, { 0 } };

static void take(void *state, const struct event *e)
{
	samples_take(state, e);
}

static void fini(void *state)
{
	samples_fini(state);
}

/* The purposes of a method, a bit for each. */
static uint32_t purposes_of(const char *method)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < PURPOSES; i++) {
		const char *const *prefix = purposes[i].prefixes;

		for (size_t k = 0; k < PREFIXES && prefix[k] && !(bits & 1u << i); k++) {
			if (*method == *prefix[k] &&
			    strncmp(method, prefix[k], strlen(prefix[k])) == 0)
				bits |= 1u << i;
		}
	}
	return bits;
}

/* Methods come again in many stacks: each is compared once. Bit 31: it was. */
#define IS_KNOWN (1u << 31)

static uint32_t purposes_of_stack(const struct judging *j, uint32_t stack, uint32_t *of_method)
{
	size_t depth = stack_depth(j, stack);
	uint32_t bits = 0;

	for (size_t i = 0; i < depth; i++) {
		uint32_t text = stack_method_text(j, stack, i);

		if (!(of_method[text] & IS_KNOWN))
			of_method[text] = IS_KNOWN | purposes_of(text_at(j, text));
		bits |= of_method[text];
	}
	return bits & ~IS_KNOWN;
}

/* Where time went for a purpose, the heaviest stack first. */
struct spent {
	double sum;
	uint32_t stack;
};

/* Into spent[], by purpose. */
static void spend(struct judging *j, const struct groups *g, struct spent spent[PURPOSES])
{
	uint32_t *of_method = judging_memory(j, text_count(j) * sizeof(*of_method));

	for (uint32_t i = 0; of_method && i < g->count; i++) {
		uint32_t stack = g->list[i].key[0], bits = purposes_of_stack(j, stack, of_method);

		for (size_t p = 0; bits; p++, bits >>= 1) {
			if (!(bits & 1))
				continue;
			spent[p].sum += g->list[i].sum;
			spent[p].stack = spent[p].stack ? spent[p].stack : stack;
		}
	}
}

static void judge(void *state, struct judging *j)
{
	struct groups *g = samples_best(state);
	double sum = groups_sum(g), most = 0;
	struct spent spent[PURPOSES] = { { 0 } };
	const struct purpose *worst = &purposes[0];

	if (groups_count(g) < ENOUGH) {
		too_few(j, "There are %s samples; %d are needed",
			count_text(j, (double)groups_count(g)), ENOUGH);
		return;
	}
	spend(j, g, spent);
	for (size_t i = 0; i < PURPOSES; i++) {
		struct spent s = spent[i];
		size_t own;

		if (s.sum > most) {
			most = s.sum;
			worst = &purposes[i];
		}
		if (s.sum / sum < j->info)
			continue;
		own = stack_first_own(j, s.stack);
		show_name(j, JFREC_EVIDENCE_METHOD, purposes[i].name,
			  own == SIZE_MAX ? "" : stack_method(j, s.stack, own), s.sum / sum);
		show_stack(j, "heaviest stack", s.stack, NAN);
	}
	judge_by(j, most / sum);
	summarize(j, "%s of the CPU samples are for %s %s", percent_text(j, most / sum), worst->name,
		  limit_text(j));
	if (is_found(j))
		show_command(j, "flame --include '%s*'", worst->prefixes[0]);
}

const struct rule rule_cpu_by_purpose = {
	.info = {
		.id = "cpu-by-purpose",
		.question = "How much of the CPU goes to logging, parsing, compression and the like?",
		.matters = "Logging, parsing and compression add up over many places, so that "
			   "no single method looks hot.",
		.computes = "Takes the share of samples with a frame of certain packages anywhere in "
			    "the stack. A sample may count for several purposes.",
		.measures = "share of samples that are for one purpose",
		.unit = JFREC_MEASURE_SHARE,
		.info = 0.10,
		.warning = INFINITY,
		.advice = "See whether it is needed that often: the evidence names the first method of "
			  "the application",
		.beware = "A program whose purpose it is finds itself here, too.",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = inputs,
	.state_size = sizeof(struct samples),
	.take = take,
	.judge = judge,
	.fini = fini,
};
