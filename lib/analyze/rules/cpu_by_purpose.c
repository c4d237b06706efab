/* SPDX-License-Identifier: MIT */
/*
 * cpu_by_purpose.c - how much of the CPU goes to logging, parsing, compression and the like?
 */
#include <stdlib.h>

#include "analyze/rules.h"
#include "analyze/samples.h"

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
	{ "reflection",
	  { "java.lang.reflect.Method.invoke", "java.lang.Class.getMethod",
	    "java.lang.Class.getDeclared", "java.lang.reflect.Method.getAnnotation" } },
	{ "loading objects of a database one by one (lazy loading)",
	  { "org.hibernate.collection.spi.AbstractPersistentCollection.",
	    "org.hibernate.collection.internal.AbstractPersistentCollection.",
	    "org.hibernate.proxy.AbstractLazyInitializer.initialize",
	    "org.eclipse.persistence.indirection.", "org.datanucleus.store.types.wrappers.backed." } },
	{ "finding out how classes are turned into JSON",
	  { "com.fasterxml.jackson.databind.introspect.", "com.google.gson.internal.bind.Reflective" } },
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

/* Frameworks enter an application by reflection: it counts only with no code of others above it. */
static bool is_way_in(size_t purpose)
{
	return strcmp(purposes[purpose].name, "reflection") == 0;
}

/* Which of the prefixes the method has; PREFIXES: none. */
static size_t prefix_of(size_t purpose, const char *method)
{
	const char *const *prefix = purposes[purpose].prefixes;

	for (size_t k = 0; k < PREFIXES && prefix[k]; k++) {
		if (*method == *prefix[k] && strncmp(method, prefix[k], strlen(prefix[k])) == 0)
			return k;
	}
	return PREFIXES;
}

/* The purposes of a method, a bit for each. */
static uint32_t purposes_of(const char *method)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < PURPOSES; i++)
		bits |= prefix_of(i, method) < PREFIXES ? 1u << i : 0;
	return bits;
}

/* Methods come again in many stacks: each is compared once. */
#define IS_KNOWN  (1u << 31)
#define IS_OF_JDK (1u << 30)

/* All purposes and callers of a profile, while it is added up. */
struct spending {
	struct judging *j;
	uint32_t *of_method; /* by text: purposes, and the bits above */
	double sums[PURPOSES], by_prefix[PURPOSES][PREFIXES];
	struct caller *callers;
	size_t count, room;
};

/* Who asked for a purpose: the first method of the application below it. */
struct caller {
	uint32_t purpose, method, stack;
	double sum;
};

static uint32_t known(struct spending *s, uint32_t text)
{
	const char *method;

	if (!(s->of_method[text] & IS_KNOWN)) {
		method = text_at(s->j, text);
		s->of_method[text] = IS_KNOWN | purposes_of(method) |
				     (is_jdk_method(method) ? IS_OF_JDK : 0);
	}
	return s->of_method[text];
}

/* The outermost frame of each purpose of a stack; returns the bits of its purposes. */
static uint32_t outermost(struct spending *s, uint32_t stack, size_t outer[PURPOSES])
{
	size_t depth = stack_depth(s->j, stack);
	uint32_t bits = 0;
	bool has_own = false;

	for (size_t i = 0; i < depth; i++) {
		uint32_t of = known(s, stack_method_text(s->j, stack, i));

		for (size_t p = 0; p < PURPOSES && (of & ((1u << PURPOSES) - 1)) >> p; p++) {
			if (!(of & 1u << p) || (is_way_in(p) && has_own))
				continue;
			outer[p] = i;
			bits |= 1u << p;
		}
		has_own |= !(of & IS_OF_JDK);
	}
	return bits;
}

/* Below that frame the first that is not of the JDK; else the frame itself. */
static uint32_t caller_of(struct spending *s, uint32_t stack, size_t outer)
{
	for (size_t i = outer + 1; i < stack_depth(s->j, stack); i++) {
		uint32_t text = stack_method_text(s->j, stack, i);

		if (!(known(s, text) & IS_OF_JDK))
			return text;
	}
	return stack_method_text(s->j, stack, outer);
}

static void spend_stack(struct spending *s, uint32_t stack, double sum)
{
	size_t outer[PURPOSES];
	uint32_t bits = outermost(s, stack, outer);

	for (size_t p = 0; p < PURPOSES; p++) {
		struct caller c = { .purpose = (uint32_t)p, .stack = stack, .sum = sum };
		size_t prefix;

		if (!(bits & 1u << p))
			continue;
		s->sums[p] += sum;
		prefix = prefix_of(p, stack_method(s->j, stack, outer[p]));
		if (prefix < PREFIXES)
			s->by_prefix[p][prefix] += sum;
		c.method = caller_of(s, stack, outer[p]);
		if (!collect_push((void **)&s->callers, &s->count, &s->room, &c, sizeof(c)))
			return;
	}
}

static int compare_names(const void *a, const void *b)
{
	const struct caller *x = a, *y = b;

	if (x->purpose != y->purpose)
		return x->purpose < y->purpose ? -1 : 1;
	return (x->method > y->method) - (x->method < y->method);
}

/* Join those of one purpose and method; of their stacks the first, which is the heaviest, stays. */
static void join_callers(struct spending *s)
{
	size_t kept = 0;

	if (s->count)
		qsort(s->callers, s->count, sizeof(*s->callers), compare_names);
	for (size_t i = 0; i < s->count; i++) {
		struct caller *last = kept ? &s->callers[kept - 1] : NULL, *c = &s->callers[i];

		if (last && last->purpose == c->purpose && last->method == c->method)
			last->sum += c->sum;
		else
			s->callers[kept++] = *c;
	}
	s->count = kept;
}

static const struct caller *heaviest_caller(const struct spending *s, size_t purpose)
{
	const struct caller *best = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct caller *c = &s->callers[i];

		if (c->purpose == purpose && (!best || c->sum > best->sum))
			best = c;
	}
	return best;
}

static void show_purpose(struct judging *j, const struct spending *s, size_t p, double sum)
{
	const struct caller *c = heaviest_caller(s, p);

	show_quantity(j, purposes[p].name, s->sums[p] / sum, JFREC_MEASURE_SHARE);
	if (!c)
		return;
	show_name(j, JFREC_EVIDENCE_METHOD, "asked for most by", text_at(j, c->method), c->sum / sum);
	show_stack(j, "a stack of that", c->stack, NAN);
}

static const char *heaviest_prefix(const struct spending *s, size_t p)
{
	size_t best = 0;

	for (size_t k = 1; k < PREFIXES; k++)
		best = s->by_prefix[p][k] > s->by_prefix[p][best] ? k : best;
	return purposes[p].prefixes[best];
}

static void judge(void *state, struct judging *j)
{
	struct groups *g = samples_best(state);
	double sum = groups_sum(g);
	struct spending s = { .j = j };
	size_t worst = 0;

	if (groups_count(g) < ENOUGH) {
		too_few(j, "There are %s samples; %d are needed",
			count_text(j, (double)groups_count(g)), ENOUGH);
		return;
	}
	s.of_method = judging_memory(j, text_count(j) * sizeof(*s.of_method));
	for (uint32_t i = 0; s.of_method && i < g->count; i++)
		spend_stack(&s, g->list[i].key[0], g->list[i].sum);
	join_callers(&s);
	for (size_t i = 1; i < PURPOSES; i++)
		worst = s.sums[i] > s.sums[worst] ? i : worst;
	judge_by(j, s.sums[worst] / sum);
	/* Who asks, and what for, says more than the method alone. */
	j->finding->score = 75 * s.sums[worst] / sum;
	summarize(j, "%s of the CPU samples are for %s %s", percent_text(j, s.sums[worst] / sum),
		  purposes[worst].name, limit_text(j));
	if (is_found(j)) {
		show_purpose(j, &s, worst, sum);
		for (size_t i = 0; i < PURPOSES; i++) {
			if (i != worst && s.sums[i] / sum >= j->info)
				show_purpose(j, &s, i, sum);
		}
		show_command(j, "flame --include '%s*'", heaviest_prefix(&s, worst));
	}
	collect_free(s.callers);
}

const struct rule rule_cpu_by_purpose = {
	.info = {
		.id = "cpu-by-purpose",
		.question = "How much of the CPU goes to logging, parsing, compression and the like?",
		.matters = "Logging, parsing and compression add up over many places, so that "
			   "no single method looks hot.",
		.computes = "Takes the share of samples with a frame of certain packages anywhere in "
			    "the stack; of reflection only those with no other code above it, since "
			    "frameworks enter an application by it. A sample may count for several "
			    "purposes. Who asks is the first method below that is not of the JDK.",
		.measures = "share of samples that are for one purpose",
		.unit = JFREC_MEASURE_SHARE,
		.info = 0.10,
		.warning = INFINITY,
		.advice = "See whether it is needed that often: the evidence names who asks for it",
		.beware = "A program whose purpose it is finds itself here, too.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct samples),
	.take = take,
	.judge = judge,
	.fini = fini,
};
