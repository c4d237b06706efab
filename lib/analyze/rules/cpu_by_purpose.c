/* SPDX-License-Identifier: MIT */
/*
 * cpu_by_purpose.c - how much of the CPU goes to logging, parsing, compression and the like?
 */
#include <stdlib.h>

#include "analyze/rules.h"
#include "analyze/samples.h"

#define ENOUGH 100
#define PREFIXES 48

/* What is not needed is a warning from this share on, and from this much of a processor on. */
#define MUCH	  0.30
#define MUCH_CPUS 0.10

/* Whatever is for nothing, and uses less than this of a processor, is not worth a line. */
#define LEAST_CPUS 0.02

enum kind {
	NEEDED,	 /* or not: that is the application's to know */
	WASTE,	 /* it can be had for less: named first */
	SET_UP,	 /* the same, if it goes on after the start */
};

#define LOADING_CLASSES "loading classes"
#define COMPRESSION	"compression"

/* A purpose, and the frames that show it, anywhere in a stack. */
static const struct purpose {
	const char *name;
	enum kind kind;
	const char *advice; /* NULL: the rule's */
	const char *prefixes[PREFIXES];
} purposes[] = {
	{ "logging", NEEDED, NULL,
	  { "ch.qos.logback.", "org.apache.logging.", "org.apache.log4j.", "java.util.logging.",
	    "org.slf4j." } },
	{ "regular expressions", NEEDED, NULL, { "java.util.regex." } },
	{ COMPRESSION, NEEDED, NULL,
	  { "java.util.zip.", "org.apache.commons.compress.", "com.github.luben.zstd.",
	    "net.jpountz.", "org.xerial.snappy." } },
	{ "encryption and TLS", NEEDED, NULL,
	  { "sun.security.ssl.", "com.sun.crypto.", "javax.crypto.", "sun.security.provider.",
	    "org.bouncycastle.", "io.netty.handler.ssl." } },
	{ "making exceptions", WASTE, NULL, { "java.lang.Throwable.fillInStackTrace" } },
	{ "JSON", NEEDED, NULL,
	  { "com.fasterxml.jackson.", "com.google.gson.", "jakarta.json.", "org.json.",
	    "com.alibaba.fastjson" } },
	{ "XML", NEEDED, NULL,
	  { "com.sun.org.apache.xerces.", "org.xml.sax.", "javax.xml.", "com.sun.org.apache.xalan.",
	    "org.dom4j." } },
	{ "formatting and joining strings", NEEDED, NULL,
	  { "java.util.Formatter.", "java.lang.String.format", "java.lang.StringConcatHelper.",
	    "java.text." } },
	{ LOADING_CLASSES, NEEDED, NULL,
	  { "java.lang.ClassLoader.loadClass", "java.lang.ClassLoader.define", "jdk.internal.loader.",
	    "java.net.URLClassLoader." } },
	{ "colliding keys in HashMap", WASTE, NULL, { "java.util.HashMap$TreeNode." } },
	{ "serialization", NEEDED, NULL, { "java.io.ObjectInputStream.", "java.io.ObjectOutputStream." } },
	{ "reflection", NEEDED, NULL,
	  { "java.lang.reflect.Method.invoke", "java.lang.Class.getMethod",
	    "java.lang.Class.getDeclared", "java.lang.reflect.Method.getAnnotation" } },
	{ "loading objects of a database one by one (lazy loading)", WASTE,
	  "Load them with what they belong to, by one query: a join fetch, an entity graph, or in "
	  "batches (hibernate.default_batch_fetch_size)",
	  { "org.hibernate.collection.spi.AbstractPersistentCollection.",
	    "org.hibernate.collection.internal.AbstractPersistentCollection.",
	    "org.hibernate.proxy.AbstractLazyInitializer.initialize",
	    "org.eclipse.persistence.indirection.", "org.datanucleus.store.types.wrappers.backed." } },
	{ "setting up what could be made once and kept", SET_UP,
	  "Make it once, in a static field, a bean or a pool, and use it again: the evidence names who "
	  "makes it each time",
	  { "com.fasterxml.jackson.databind.ObjectMapper.<init>",
	    "com.fasterxml.jackson.databind.deser.DeserializerCache._createAndCache",
	    "com.fasterxml.jackson.databind.SerializerProvider._createAndCache",
	    "com.google.gson.Gson.<init>",
	    "com.google.gson.internal.bind.ReflectiveTypeAdapterFactory.create",
	    "javax.xml.parsers.DocumentBuilderFactory.newInstance",
	    "javax.xml.parsers.SAXParserFactory.newInstance",
	    "com.sun.org.apache.xerces.internal.jaxp.DocumentBuilderImpl.<init>",
	    "com.sun.org.apache.xerces.internal.jaxp.SAXParserImpl.<init>",
	    "javax.xml.transform.TransformerFactory.newInstance",
	    "javax.xml.stream.XMLInputFactory.new", "javax.xml.stream.XMLOutputFactory.new",
	    "javax.xml.xpath.XPathFactory.newInstance",
	    "javax.xml.validation.SchemaFactory.newSchema",
	    "javax.xml.bind.JAXBContext.newInstance", "jakarta.xml.bind.JAXBContext.newInstance",
	    "java.util.ServiceLoader$", "javax.script.ScriptEngineManager.<init>",
	    "java.util.regex.Pattern.compile", "java.text.SimpleDateFormat.<init>",
	    "java.text.DecimalFormat.<init>", "java.text.NumberFormat.get",
	    "java.time.format.DateTimeFormatter.ofPattern", "java.util.ResourceBundle.getBundle",
	    "freemarker.template.Template.<init>", "org.thymeleaf.TemplateEngine.initialize",
	    "org.apache.velocity.Template.process", "groovy.lang.GroovyShell.parse",
	    "groovy.lang.GroovyClassLoader.parseClass", "org.mozilla.javascript.Context.compile",
	    "org.springframework.expression.spel.standard.SpelExpressionParser.",
	    "org.springframework.context.support.AbstractApplicationContext.refresh",
	    "javax.crypto.Cipher.getInstance", "java.security.KeyStore.load",
	    "java.security.KeyPairGenerator.generateKeyPair", "sun.security.ssl.SSLContextImpl.engineInit",
	    "okhttp3.OkHttpClient.<init>", "org.apache.http.impl.client.HttpClientBuilder.build",
	    "org.apache.hc.client5.http.impl.classic.HttpClientBuilder.build",
	    "jdk.internal.net.http.HttpClientBuilderImpl.build",
	    "org.hibernate.boot.internal.SessionFactoryBuilderImpl.build",
	    "jakarta.persistence.Persistence.createEntityManagerFactory",
	    "jakarta.validation.Validation.buildDefaultValidatorFactory",
	    "com.zaxxer.hikari.pool.HikariPool.<init>", "java.sql.DriverManager.getConnection",
	    "java.beans.Introspector.getBeanInfo", "com.google.protobuf.util.JsonFormat$" } },
	{ "finding out where in the code a message is logged", WASTE,
	  "Take class, method and line of the caller out of the pattern (%C, %M, %L, %F, %l, "
	  "includeLocation): finding them costs more than the message",
	  { "org.apache.logging.log4j.util.StackLocator", "ch.qos.logback.classic.spi.CallerData.",
	    "org.apache.log4j.spi.LocationInfo.", "java.util.logging.LogRecord.inferCaller",
	    "org.jboss.logmanager.ExtLogRecord.calculateCaller" } },
};

#define PURPOSES (sizeof(purposes) / sizeof(*purposes))

static const struct reads inputs[] = {
	SAMPLE_INPUTS,
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

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
	double early[PURPOSES], late[PURPOSES]; /* of stacks seen in the first, in the last third */
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

/* A jar is unpacked to load what is in it. */
static uint32_t without_effects(uint32_t bits)
{
	uint32_t loading = 0, compression = 0;

	for (size_t p = 0; p < PURPOSES; p++) {
		loading |= strcmp(purposes[p].name, LOADING_CLASSES) == 0 ? 1u << p : 0;
		compression |= strcmp(purposes[p].name, COMPRESSION) == 0 ? 1u << p : 0;
	}
	return bits & loading ? bits & ~compression : bits;
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
	return without_effects(bits);
}

/*
 * Below that frame the first that is the application's, else one that is not of the JDK; else the
 * frame itself.
 */
static uint32_t caller_of(struct spending *s, uint32_t stack, size_t outer)
{
	size_t app = stack_first_app(s->j, stack, outer + 1);

	if (app != SIZE_MAX)
		return stack_method_text(s->j, stack, app);
	for (size_t i = outer + 1; i < stack_depth(s->j, stack); i++) {
		uint32_t text = stack_method_text(s->j, stack, i);

		if (!(known(s, text) & IS_OF_JDK))
			return text;
	}
	return stack_method_text(s->j, stack, outer);
}

static void spend_stack(struct spending *s, const struct group *g)
{
	const struct facts *f = s->j->facts;
	int64_t third = (f->end_ns - f->start_ns) / 3;
	uint32_t stack = g->key[0];
	double sum = g->sum;
	size_t outer[PURPOSES];
	uint32_t bits = outermost(s, stack, outer);

	for (size_t p = 0; p < PURPOSES; p++) {
		struct caller c = { .purpose = (uint32_t)p, .stack = stack, .sum = sum };
		size_t prefix;

		if (!(bits & 1u << p))
			continue;
		s->sums[p] += sum;
		s->early[p] += g->first_ns < f->start_ns + third ? sum : 0;
		s->late[p] += g->last_ns >= f->end_ns - third ? sum : 0;
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

	show_quantity(j, purposes[p].name, s->sums[p] / sum, JFREC_UNIT_PERCENT);
	if (!c)
		return;
	show_name(j, JFREC_EVIDENCE_METHOD, "asked for most by", text_at(j, c->method), c->sum / sum);
	show_stack(j, "a stack of that", c->stack, NAN);
}

/*
 * While a program starts, things are set up: only what goes on all the time is done again and
 * again.
 */
static bool is_waste(const struct spending *s, size_t p, double sum)
{
	double least = 0.25 * s->sums[p];

	return s->sums[p] >= s->j->info * sum &&
	       (purposes[p].kind == WASTE ||
		(purposes[p].kind == SET_UP && s->early[p] >= least && s->late[p] >= least));
}

/* What is waste is named first. */
static size_t worst_purpose(const struct spending *s, double sum)
{
	size_t worst = 0;

	for (size_t i = 1; i < PURPOSES; i++) {
		bool is_better = is_waste(s, i, sum), was = is_waste(s, worst, sum);

		if (purposes[i].kind == SET_UP && !is_better)
			continue;
		if (is_better != was ? is_better : s->sums[i] > s->sums[worst])
			worst = i;
	}
	return worst;
}

/* The method by which the heaviest stack came to the purpose. */
static const char *way_to(struct judging *j, struct spending *s, size_t p)
{
	const struct caller *c = heaviest_caller(s, p);
	size_t outer[PURPOSES];

	return c && outermost(s, c->stack, outer) & 1u << p ? stack_method(j, c->stack, outer[p])
							    : "";
}

/* ", asked for by app.Orders.load", where it is most for that. */
static const char *by_whom(struct judging *j, const struct spending *s, size_t p)
{
	const struct caller *c = heaviest_caller(s, p);

	return c && c->sum >= 0.5 * s->sums[p] ? textf(j, ", asked for by %s", text_at(j, c->method)) : "";
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
	double cpus;
	size_t worst;

	if (groups_count(g) < ENOUGH) {
		too_few(j, "There are %s samples; %d are needed",
			count_text(j, (double)groups_count(g)), ENOUGH);
		return;
	}
	s.of_method = judging_memory(j, text_count(j) * sizeof(*s.of_method));
	for (uint32_t i = 0; s.of_method && i < g->count; i++)
		spend_stack(&s, &g->list[i]);
	join_callers(&s);
	worst = worst_purpose(&s, sum);
	cpus = s.sums[worst] / sum * busy_cpus(j);
	judge_by(j, s.sums[worst] / sum);
	if (is_waste(&s, worst, sum) && s.sums[worst] >= MUCH * sum && !(cpus < MUCH_CPUS))
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (cpus < LEAST_CPUS)
		judge_at_most(j, JFREC_SEVERITY_OK);
	/* Who asks, and what for, says more than the method alone. */
	j->finding->score = 75 * s.sums[worst] / sum;
	summarize(j, "%s of the CPU samples are for %s%s%s %s", percent_text(j, s.sums[worst] / sum),
		  purposes[worst].name,
		  purposes[worst].kind == SET_UP ? textf(j, " (%s)", way_to(j, &s, worst)) : "",
		  by_whom(j, &s, worst), limit_text(j));
	if (is_found(j)) {
		if (is_waste(&s, worst, sum) && purposes[worst].advice)
			advise(j, "%s", purposes[worst].advice);
		show_purpose(j, &s, worst, sum);
		for (size_t i = 0; i < PURPOSES; i++) {
			if (i != worst && s.sums[i] / sum >= j->info &&
			    (purposes[i].kind != SET_UP || is_waste(&s, i, sum)))
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
			    "purposes. Who asks is the first method of the application below. What "
			    "could be had for less is named first, and is a warning from 30 % and a "
			    "tenth of a processor on: objects that a database loads one by one, "
			    "exceptions, callers of loggers, colliding keys, and setting up what could "
			    "be kept, such as readers and writers of JSON and XML, formats, patterns, "
			    "templates and clients, if that continues from the first third of the "
			    "recording to the last. What uses less than 2 % of a processor is ok.",
		.measures = "share of samples that are for one purpose",
		.unit = JFREC_UNIT_PERCENT,
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
