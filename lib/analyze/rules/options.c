/* SPDX-License-Identifier: MIT */
/*
 * options.c - are flags on the command line without effect, unsafe, or given twice?
 */
#include <ctype.h>

#include "analyze/rules.h"

static const char *const jmc[] = { "Options",		  "DuplicateFlags",    "DiscouragedVmOptions",
				   "BytecodeVerification", "DebugNonSafepoints", NULL };

static const struct reads inputs[] = {
	READS("jdk.JVMInformation", PERIODIC),
	READS("jdk.BooleanFlag", HELPS),
	{ 0 },
};

/* The JDK from which on a flag is deprecated, has no effect, and stops the JVM; 0: it does not. */
static const struct fate {
	const char *flag;
	int deprecated, obsolete, removed;
} fates[] = {
	{ "UseConcMarkSweepGC", 9, 14, 15 },
	{ "UseParNewGC", 9, 10, 11 },
	{ "CMSIncrementalMode", 8, 9, 10 },
	{ "UseCMSCompactAtFullCollection", 8, 9, 10 },
	{ "CMSClassUnloadingEnabled", 0, 14, 15 },
	{ "CMSInitiatingOccupancyFraction", 0, 14, 15 },
	{ "UseCMSInitiatingOccupancyOnly", 0, 14, 15 },
	{ "CMSParallelRemarkEnabled", 0, 14, 15 },
	{ "CMSScavengeBeforeRemark", 0, 14, 15 },
	{ "ParallelCMSThreads", 8, 9, 10 },
	{ "PermSize", 0, 8, 17 },
	{ "MaxPermSize", 0, 8, 17 },
	{ "PrintGCDateStamps", 9, 0, 11 },
	{ "PrintGCTimeStamps", 9, 0, 11 },
	{ "PrintGCApplicationStoppedTime", 9, 0, 11 },
	{ "PrintHeapAtGC", 9, 0, 11 },
	{ "PrintTenuringDistribution", 9, 0, 11 },
	{ "PrintAdaptiveSizePolicy", 9, 0, 11 },
	{ "UseGCLogFileRotation", 9, 0, 11 },
	{ "NumberOfGCLogFiles", 9, 0, 11 },
	{ "GCLogFileSize", 9, 0, 11 },
	{ "AggressiveOpts", 11, 12, 13 },
	{ "UseBiasedLocking", 15, 18, 19 },
	{ "BiasedLockingStartupDelay", 15, 18, 19 },
	{ "UseParallelOldGC", 14, 15, 16 },
	{ "UseMembar", 10, 12, 13 },
	{ "UseAppCDS", 11, 12, 13 },
	{ "UnlockCommercialFeatures", 0, 0, 11 },
	{ "FlightRecorder", 13, 0, 0 },
	{ "UseStringCache", 0, 8, 9 },
	{ "UseSplitVerifier", 0, 8, 9 },
	{ "FastTLABRefill", 10, 11, 12 },
	{ "UseLargePagesInMetaspace", 0, 19, 20 },
	{ "ExtendedDTraceProbes", 19, 25, 26 },
	{ "UseRTMLocking", 23, 24, 25 },
	{ "UseSharedSpaces", 18, 19, 20 },
	{ "RequireSharedSpaces", 18, 19, 20 },
	{ "DumpSharedSpaces", 18, 19, 20 },
	{ "PrintSafepointStatistics", 0, 11, 12 },
	{ "PrintSafepointStatisticsTimeout", 0, 11, 12 },
	{ "UseCGroupMemoryLimitForHeap", 10, 11, 12 },
	{ "MaxRAMFraction", 10, 0, 0 },
	{ "MinRAMFraction", 10, 0, 0 },
	{ "InitialRAMFraction", 10, 0, 0 },
	{ "TraceClassLoading", 9, 0, 17 },
	{ "TraceClassUnloading", 9, 0, 17 },
	{ "TraceExceptions", 9, 0, 17 },
	{ "G1ConcRefinementThresholdStep", 0, 20, 21 },
	{ "ThreadLocalHandshakes", 13, 14, 15 },
	{ "AllowRedefinitionToAddDeleteMethods", 13, 0, 0 },
	{ "UseZGCGenerational", 0, 24, 25 },
	{ "ZGenerational", 23, 24, 26 },
};

/* Given more than once, these add up. */
static bool adds_up(const char *word)
{
	static const char *const repeated[] = {
		"-XX:StartFlightRecording", "--add-", "-javaagent", "-agent", "-Xlog", "-XX:Compile",
		"-XX:CompilerDirectives", "-Xbootclasspath/a", "--enable-native", "-XX:OnError",
		"-XX:OnOutOfMemoryError", "--patch-module", "-verbose", "--limit-modules", "-XX:Flags",
	};

	for (size_t i = 0; i < sizeof(repeated) / sizeof(*repeated); i++) {
		if (strncmp(word, repeated[i], strlen(repeated[i])) == 0)
			return true;
	}
	return false;
}

/* A flag by its name alone: "MaxHeapSize" of -Xmx64m and -XX:MaxHeapSize=64m. */
static bool name_of(const char *word, size_t len, char *name, size_t size)
{
	static const struct {
		const char *begin, *flag;
	} same[] = { { "-Xmx", "MaxHeapSize" }, { "-Xms", "InitialHeapSize" },
		     { "-Xmn", "NewSize" },	{ "-Xss", "ThreadStackSize" } };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		if (strncmp(word, same[i].begin, 4) == 0) {
			snprintf(name, size, "%s", same[i].flag);
			return true;
		}
	}
	if (len > 2 && strncmp(word, "-D", 2) == 0) {
		n = strcspn(word, "= ");
		snprintf(name, size, "%.*s", (int)(n < len ? n : len), word);
		return true;
	}
	if (len < 5 || strncmp(word, "-XX:", 4) != 0)
		return false;
	word += 4;
	len -= 4;
	if (*word == '+' || *word == '-') {
		word++;
		len--;
	}
	while (n < len && (isalnum((unsigned char)word[n]) || word[n] == '_'))
		n++;
	snprintf(name, size, "%.*s", (int)n, word);
	return n > 0;
}

struct word {
	const char *text;
	size_t len;
	char name[96];
	bool has_name;
};

#define MAX_WORDS 512

static size_t split(const char *text, struct word *words)
{
	size_t n = 0;

	while (*text && n < MAX_WORDS) {
		size_t len = strcspn(text, " \t\n");

		if (*text == '-') {
			words[n] = (struct word){ .text = text, .len = len };
			words[n].has_name = name_of(text, len, words[n].name, sizeof(words[n].name));
			n++;
		}
		text += len;
		text += strspn(text, " \t\n");
	}
	return n;
}

struct verdict {
	enum jfrec_severity worst;
	const char *first;
	unsigned count;
};

static void blame(struct judging *j, struct verdict *v, enum jfrec_severity s, const char *what)
{
	v->count++;
	if (s > v->worst) {
		v->worst = s;
		v->first = what;
	}
	judge_at_least(j, s);
	show_note(j, "%s", what);
}

static void look_at_fate(struct judging *j, struct verdict *v, const struct word *w)
{
	int jdk = j->facts->jdk;

	for (size_t i = 0; i < sizeof(fates) / sizeof(*fates); i++) {
		const struct fate *f = &fates[i];

		if (strcmp(f->flag, w->name) != 0 || strncmp(w->text, "-XX:", 4) != 0)
			continue;
		if (f->removed && jdk >= f->removed)
			blame(j, v, JFREC_SEVERITY_WARNING,
			      textf(j, "%s was removed in JDK %d", f->flag, f->removed));
		else if (f->obsolete && jdk >= f->obsolete)
			blame(j, v, JFREC_SEVERITY_INFO,
			      textf(j, "%s has had no effect since JDK %d", f->flag, f->obsolete));
		else if (f->deprecated && jdk >= f->deprecated)
			blame(j, v, JFREC_SEVERITY_INFO,
			      textf(j, "%s is deprecated since JDK %d", f->flag, f->deprecated));
	}
}

static void look_at_duplicate(struct judging *j, struct verdict *v, const struct word *words, size_t i)
{
	const struct word *w = &words[i];

	if (!w->has_name || adds_up(w->text))
		return;
	for (size_t k = 0; k < i; k++) {
		if (!words[k].has_name || strcmp(words[k].name, w->name) != 0)
			continue;
		/* The same twice does no harm. */
		if (w->text[1] == 'D' && words[k].len == w->len &&
		    memcmp(words[k].text, w->text, w->len) == 0)
			return;
		blame(j, v, JFREC_SEVERITY_INFO, textf(j, "%s is given more than once", w->name));
		return;
	}
}

static bool is_word(const struct word *w, const char *text)
{
	return w->len == strlen(text) && strncmp(w->text, text, w->len) == 0;
}

static void look_at_word(struct judging *j, struct verdict *v, const struct word *w)
{
	if (is_word(w, "-Xverify:none") || is_word(w, "-XX:-BytecodeVerificationRemote") ||
	    is_word(w, "-noverify"))
		blame(j, v, JFREC_SEVERITY_WARNING, "classes are not verified");
	else if (is_word(w, "-XX:+IgnoreUnrecognizedVMOptions"))
		blame(j, v, JFREC_SEVERITY_INFO, "mistyped flags are ignored");
	else if (is_word(w, "-XX:-DebugNonSafepoints"))
		blame(j, v, JFREC_SEVERITY_INFO, "samples are only exact at safepoints");
}

/* On JDK 8 samples are only exact with a flag. */
static void look_at_debug_info(struct judging *j, struct verdict *v, const char *arguments)
{
	if (j->facts->jdk == 8 && !strstr(arguments, "-XX:+DebugNonSafepoints") &&
	    !strstr(arguments, "-XX:-DebugNonSafepoints"))
		blame(j, v, JFREC_SEVERITY_INFO,
		      "samples of JDK 8 are only exact at safepoints without "
		      "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints");
}

static void judge(void *state, struct judging *j)
{
	const char *arguments = text_at(j, j->facts->jvm_arguments);
	struct word *words = judging_memory(j, MAX_WORDS * sizeof(*words));
	struct verdict v = { 0 };
	size_t n = words ? split(arguments, words) : 0;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		look_at_word(j, &v, &words[i]);
		if (words[i].has_name)
			look_at_fate(j, &v, &words[i]);
		look_at_duplicate(j, &v, words, i);
	}
	look_at_debug_info(j, &v, arguments);
	if (!v.count) {
		summarize(j, "no flag of the command line is wrong");
		return;
	}
	summarize(j, v.count > 1 ? "%s, and %u more" : "%s", v.first, v.count - 1);
	show_command(j, "view jvm-flags");
}

const struct rule rule_options = {
	.info = {
		.id = "options",
		.jmc = jmc,
		.question = "Are flags on the command line without effect, unsafe, or given twice?",
		.computes = "Splits the arguments of the JVM (jdk.JVMInformation) and compares them with "
			    "a table of flags that were deprecated, lost their effect or were "
			    "removed; looks for flags given more than once, for classes that are not "
			    "verified, and on JDK 8 for samples that are only exact at safepoints.",
		.advice = "remove or replace the flag that is named",
		.beware = "A value with blanks is split; where a flag repeats on purpose, the last one "
			  "counts.",
		.differs = "JDK Mission Control also blames flags that may be repeated, and any "
			   "-XX:+Unlock flag.",
	},
	.inputs = inputs,
	.judge = judge,
};
