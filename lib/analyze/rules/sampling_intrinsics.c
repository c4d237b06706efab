/* SPDX-License-Identifier: MIT */
/*
 * sampling_intrinsics.c - is time of copies and crypto shown as time of their callers?
 */
#include "analyze/rules.h"
#include "analyze/samples.h"

#define ENOUGH 100

/* Their work is done by stubs of the JVM, in which no frame of Java is seen. */
static const char *const callers[] = {
	"jdk.internal.util.ArraysSupport.vectorized", "jdk.internal.util.ArraysSupport.mismatch",
	"java.util.Arrays.copyOf", "java.util.Arrays.fill", "java.util.Arrays.equals",
	"java.lang.System.arraycopy", "java.lang.StringLatin1.", "java.lang.StringUTF16.",
	"java.lang.StringCoding.", "com.sun.crypto.provider.AESCrypt",
	"com.sun.crypto.provider.GHASH", "sun.security.provider.SHA", "sun.security.provider.MD5",
	"java.util.zip.CRC32", "java.util.zip.Adler32", "java.math.BigInteger.implMultiply",
	"java.math.BigInteger.implMontgomery", "java.math.BigInteger.implSquare",
	"java.util.Base64",
};

static const struct reads inputs[] = { SAMPLE_INPUTS, { 0 } };

static void take(void *state, const struct event *e)
{
	samples_take(state, e);
}

static void fini(void *state)
{
	samples_fini(state);
}

static bool is_caller(const char *method)
{
	for (size_t i = 0; i < sizeof(callers) / sizeof(*callers); i++) {
		if (strncmp(method, callers[i], strlen(callers[i])) == 0)
			return true;
	}
	return false;
}

static void judge(void *state, struct judging *j)
{
	struct groups *g = samples_best(state);
	double sum = groups_sum(g), in = 0;
	const struct group *first = NULL;

	if (is_foreign_sampler(j))
		return;
	if (groups_count(g) < ENOUGH) {
		too_few(j, "There are %s samples; %d are needed",
			count_text(j, (double)groups_count(g)), ENOUGH);
		return;
	}
	for (uint32_t i = 0; i < g->count; i++) {
		if (!is_caller(stack_method(j, g->list[i].key[0], 0)))
			continue;
		in += g->list[i].sum;
		first = first ? first : &g->list[i];
	}
	judge_by(j, in / sum);
	summarize(j, "%s of the samples end in methods whose work the JVM does by itself %s",
		  percent_text(j, in / sum), limit_text(j));
	if (!is_found(j))
		return;
	show_stack(j, "most of them", first->key[0], first->sum / sum);
	show_command(j, "flame");
}

const struct rule rule_sampling_intrinsics = {
	.info = {
		.id = "sampling-intrinsics",
		.question = "Is time of copies and crypto shown as time of their callers?",
		.matters = "Some time is shown one line too high, at the caller, so that the "
			   "wrong line may be optimized.",
		.computes = "Takes the share of samples whose top frame calls a stub of the JVM: "
			    "array copies and comparisons, crypto, checksums, big numbers.",
		.measures = "samples with such a top frame",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.30,
		.warning = INFINITY,
		.advice = "The time of such a line is mostly that of the copy or checksum it asks for: "
			  "look at how much it copies",
		.jdk_from = 25,
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.state_size = sizeof(struct samples),
	.take = take,
	.judge = judge,
	.fini = fini,
};
