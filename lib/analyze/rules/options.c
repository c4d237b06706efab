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

/*
 * The JDK from which on a flag is deprecated, has no effect, and stops the JVM; 0: it does not. By
 * what JDK 8, 11, 17, 21, 25, 26 and 28 say of each flag that one of them has. The last number may
 * be that of the first of these that no longer has it.
 */
static const struct fate {
	const char *flag;
	int deprecated, obsolete, removed;
} fates[] = {
	{ "AdaptiveSizeMajorGCDecayTimeScale", 0, 26, 28 },
	{ "AdaptiveSizePolicyInitializingSteps", 0, 26, 28 },
	{ "AdaptiveSizePolicyOutputInterval", 0, 26, 28 },
	{ "AdaptiveSizeThroughPutPolicy", 0, 26, 28 },
	{ "AdaptiveTimeWeight", 0, 26, 28 },
	{ "AggressiveHeap", 26, 0, 28 },
	{ "AggressiveOpts", 11, 12, 13 },
	{ "AllowNonVirtualCalls", 11, 0, 17 },
	{ "AllowRedefinitionToAddDeleteMethods", 13, 0, 0 },
	{ "AlwaysActAsServerClassMachine", 26, 0, 28 },
	{ "AlwaysCompileLoopMethods", 0, 28, 0 },
	{ "AlwaysLockClassLoader", 17, 0, 21 },
	{ "AssertOnSuspendWaitFailure", 0, 17, 21 },
	{ "AssumeMP", 10, 0, 17 },
	{ "BiasedLockingBulkRebiasThreshold", 15, 0, 21 },
	{ "BiasedLockingBulkRevokeThreshold", 15, 0, 21 },
	{ "BiasedLockingDecayTime", 15, 0, 21 },
	{ "BiasedLockingStartupDelay", 15, 18, 19 },
	{ "CheckEndorsedAndExtDirs", 0, 11, 17 },
	{ "CMSClassUnloadingEnabled", 0, 14, 15 },
	{ "CMSIncrementalMode", 8, 9, 10 },
	{ "CMSInitiatingOccupancyFraction", 0, 14, 15 },
	{ "CMSParallelRemarkEnabled", 0, 14, 15 },
	{ "CMSScavengeBeforeRemark", 0, 14, 15 },
	{ "CompilationMode", 28, 0, 0 },
	{ "CompilerThreadHintNoPreempt", 11, 0, 17 },
	{ "CreateMinidumpOnCrash", 9, 0, 0 },
	{ "CriticalJNINatives", 16, 0, 21 },
	{ "DefaultMaxRAMFraction", 8, 0, 25 },
	{ "DeferPollingPageLoopCount", 0, 11, 17 },
	{ "DeferThrSuspendLoopCount", 0, 11, 17 },
	{ "DumpSharedSpaces", 18, 19, 28 },
	{ "DynamicDumpSharedSpaces", 18, 19, 28 },
	{ "EnableTracing", 0, 11, 17 },
	{ "ExtendedDTraceProbes", 19, 20, 21 },
	{ "FastTLABRefill", 10, 11, 12 },
	{ "FlightRecorder", 13, 0, 0 },
	{ "G1ConcRefinementGreenZone", 0, 20, 25 },
	{ "G1ConcRefinementRedZone", 0, 20, 25 },
	{ "G1ConcRefinementServiceIntervalMillis", 0, 20, 25 },
	{ "G1ConcRefinementThresholdStep", 0, 20, 21 },
	{ "G1ConcRefinementYellowZone", 0, 20, 25 },
	{ "G1ConcRSHotCardLimit", 0, 21, 25 },
	{ "G1ConcRSLogCacheSize", 0, 21, 25 },
	{ "G1UpdateBufferSize", 0, 26, 28 },
	{ "G1UseAdaptiveConcRefinement", 0, 20, 25 },
	{ "G1UsePreventiveGC", 0, 21, 25 },
	{ "GCLogFileSize", 9, 0, 11 },
	{ "HeapMaximumCompactionInterval", 0, 26, 28 },
	{ "IgnoreUnverifiableClassesDuringDump", 10, 0, 17 },
	{ "InitialRAMFraction", 10, 0, 25 },
	{ "LockingMode", 24, 26, 28 },
	{ "MaxGCMinorPauseMillis", 8, 0, 25 },
	{ "MaxPermSize", 0, 8, 17 },
	{ "MaxRAM", 26, 0, 28 },
	{ "MaxRAMFraction", 10, 0, 25 },
	{ "MetaspaceReclaimPolicy", 0, 21, 0 },
	{ "MinRAMFraction", 10, 0, 25 },
	{ "MonitorInUseLists", 10, 0, 17 },
	{ "MustCallLoadClassInternal", 0, 11, 17 },
	{ "NativeMonitorFlags", 0, 11, 17 },
	{ "NativeMonitorSpinLimit", 0, 11, 17 },
	{ "NativeMonitorTimeout", 0, 11, 17 },
	{ "NeverActAsServerClassMachine", 26, 0, 28 },
	{ "NumberOfGCLogFiles", 9, 0, 11 },
	{ "OptoBundling", 0, 28, 0 },
	{ "ParallelCMSThreads", 8, 9, 10 },
	{ "ParallelRefProcBalancingEnabled", 26, 0, 28 },
	{ "ParallelRefProcEnabled", 26, 0, 28 },
	{ "PausePadding", 0, 26, 28 },
	{ "PerfDataSamplingInterval", 0, 25, 26 },
	{ "PermSize", 0, 8, 17 },
	{ "PretenureSizeThreshold", 0, 26, 28 },
	{ "PrintAdaptiveSizePolicy", 9, 0, 11 },
	{ "PrintBiasedLockingStatistics", 15, 0, 21 },
	{ "PrintFLSStatistics", 9, 0, 11 },
	{ "PrintGC", 9, 0, 0 },
	{ "PrintGCApplicationConcurrentTime", 9, 0, 11 },
	{ "PrintGCApplicationStoppedTime", 9, 0, 11 },
	{ "PrintGCDateStamps", 9, 0, 11 },
	{ "PrintGCDetails", 9, 0, 0 },
	{ "PrintGCTimeStamps", 9, 0, 11 },
	{ "PrintHeapAtGC", 9, 0, 11 },
	{ "PrintPreciseBiasedLockingStatistics", 15, 0, 21 },
	{ "PrintPromotionFailure", 9, 0, 11 },
	{ "PrintReferenceGC", 9, 0, 11 },
	{ "PrintSafepointStatistics", 11, 12, 13 },
	{ "PrintSafepointStatisticsCount", 11, 12, 13 },
	{ "PrintSafepointStatisticsTimeout", 11, 12, 13 },
	{ "PrintTenuringDistribution", 9, 0, 11 },
	{ "PSChunkLargeArrays", 26, 0, 28 },
	{ "RefDiscoveryPolicy", 0, 21, 25 },
	{ "RequireSharedSpaces", 18, 19, 28 },
	{ "SafepointSpinBeforeYield", 0, 11, 17 },
	{ "SharedMiscCodeSize", 0, 10, 17 },
	{ "SharedMiscDataSize", 0, 10, 17 },
	{ "SharedReadOnlySize", 0, 10, 17 },
	{ "SharedReadWriteSize", 0, 10, 17 },
	{ "ShenandoahPacing", 25, 26, 28 },
	{ "SurvivorPadding", 0, 26, 28 },
	{ "SuspendRetryCount", 0, 17, 21 },
	{ "SuspendRetryDelay", 0, 17, 21 },
	{ "TenuredGenerationSizeIncrement", 0, 26, 28 },
	{ "TenuredGenerationSizeSupplement", 0, 26, 28 },
	{ "TenuredGenerationSizeSupplementDecay", 0, 26, 28 },
	{ "ThreadLocalHandshakes", 13, 14, 15 },
	{ "TLABStats", 12, 0, 25 },
	{ "TraceClassLoading", 9, 0, 17 },
	{ "TraceClassResolution", 9, 0, 17 },
	{ "TraceClassUnloading", 9, 0, 17 },
	{ "TraceExceptions", 9, 0, 17 },
	{ "TraceLoaderConstraints", 9, 0, 17 },
	{ "TraceSuspendWaitFailures", 0, 17, 21 },
	{ "UnlinkSymbolsALot", 11, 0, 17 },
	{ "UnlockCommercialFeatures", 0, 0, 11 },
	{ "UnsyncloadClass", 0, 11, 17 },
	{ "UseAdaptiveGenerationSizePolicyAtMajorCollection", 0, 26, 28 },
	{ "UseAdaptiveGenerationSizePolicyAtMinorCollection", 0, 26, 28 },
	{ "UseAdaptiveSizeDecayMajorGCCost", 0, 26, 28 },
	{ "UseAdaptiveSizePolicyFootprintGoal", 0, 26, 28 },
	{ "UseAppCDS", 0, 11, 12 },
	{ "UseBiasedLocking", 15, 18, 19 },
	{ "UseCGroupMemoryLimitForHeap", 10, 0, 11 },
	{ "UseCMSCompactAtFullCollection", 8, 9, 10 },
	{ "UseCMSInitiatingOccupancyOnly", 0, 14, 15 },
	{ "UseCompressedClassPointers", 25, 27, 0 },
	{ "UseConcMarkSweepGC", 9, 14, 15 },
	{ "UseGCLogFileRotation", 9, 0, 11 },
	{ "UseLargePagesInMetaspace", 0, 19, 20 },
	{ "UseLinuxPosixThreadCPUClocks", 0, 25, 26 },
	{ "UseLockedTracing", 0, 11, 17 },
	{ "UseMembar", 10, 12, 13 },
	{ "UseOprofile", 25, 26, 28 },
	{ "UseOptoBiasInlining", 15, 0, 21 },
	{ "UseParallelOldGC", 14, 15, 16 },
	{ "UseParNewGC", 8, 10, 11 },
	{ "UsePSAdaptiveSurvivorSizePolicy", 0, 26, 28 },
	{ "UseRTMLocking", 23, 24, 25 },
	{ "UseSharedSpaces", 18, 19, 28 },
	{ "UseSplitVerifier", 0, 8, 9 },
	{ "UseStringCache", 0, 8, 9 },
	{ "VMThreadHintNoPreempt", 11, 0, 17 },
	{ "ZGenerational", 23, 24, 26 },
	{ "ZMarkStackSpaceLimit", 0, 25, 26 },
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
			words[n].has_name =
				name_of(text, len, words[n].name, sizeof(words[n].name));
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
			      textf(j, "%s does not exist in JDK %d and later", f->flag, f->removed));
		else if (f->obsolete && jdk >= f->obsolete)
			blame(j, v, JFREC_SEVERITY_INFO,
			      textf(j, "%s has had no effect since JDK %d", f->flag, f->obsolete));
		else if (f->deprecated && jdk >= f->deprecated)
			blame(j, v, JFREC_SEVERITY_INFO,
			      textf(j, "%s is deprecated since JDK %d", f->flag, f->deprecated));
	}
}

static void look_at_duplicate(struct judging *j, struct verdict *v, const struct word *words,
			      size_t i)
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

/* Development tools start programs so that they begin sooner: with this flag and the next. */
static bool is_for_quick_start(const char *arguments)
{
	return strstr(arguments, "-XX:TieredStopAtLevel=1") != NULL;
}

static void look_at_word(struct judging *j, struct verdict *v, const struct word *w,
			 const char *arguments)
{
	if (is_word(w, "-Xverify:none") || is_word(w, "-XX:-BytecodeVerificationRemote") ||
	    is_word(w, "-noverify"))
		blame(j, v,
		      is_for_quick_start(arguments) ? JFREC_SEVERITY_INFO : JFREC_SEVERITY_WARNING,
		      textf(j, "Classes are not verified (%.*s)", (int)w->len, w->text));
	else if (is_word(w, "-XX:-DebugNonSafepoints"))
		blame(j, v, JFREC_SEVERITY_INFO,
		      "Samples are only exact at safepoints (-XX:-DebugNonSafepoints)");
}

/* On JDK 8 samples are only exact with a flag; not where none are to be had. */
static void look_at_debug_info(struct judging *j, struct verdict *v, const char *arguments)
{
	enum presence samples = type_presence(j, "jdk.ExecutionSample");

	if (j->facts->jdk != 8 || (samples != TYPE_SILENT && samples != TYPE_HAS_EVENTS) ||
	    strstr(arguments, "-XX:+DebugNonSafepoints") ||
	    strstr(arguments, "-XX:-DebugNonSafepoints"))
		return;
	blame(j, v, JFREC_SEVERITY_INFO,
	      "Samples of JDK 8 are only exact at safepoints without "
	      "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints");
	if (v->count == 1)
		advise(j, "Start the JVM with -XX:+UnlockDiagnosticVMOptions "
			  "-XX:+DebugNonSafepoints where profiles matter");
}

static void judge(void *state, struct judging *j)
{
	const char *arguments = text_at(j, j->facts->jvm_arguments);
	struct word *words = judging_memory(j, MAX_WORDS * sizeof(*words));
	struct verdict v = { 0 };
	size_t n = words ? split(arguments, words) : 0;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		look_at_word(j, &v, &words[i], arguments);
		if (words[i].has_name)
			look_at_fate(j, &v, &words[i]);
		look_at_duplicate(j, &v, words, i);
	}
	look_at_debug_info(j, &v, arguments);
	if (!v.count) {
		summarize(j, "No flag of the command line is wrong");
		return;
	}
	summarize(j, v.count > 1 ? "%s, and %u more" : "%s", v.first, v.count - 1);
	show_command(j, j->facts->flag_count ? "view jvm-flags" : "view jvm-information");
}

const struct rule rule_options = {
	.is_of_java = true,
	.info = {
		.id = "options",
		.jmc = jmc,
		.question = "Are flags on the command line without effect, unsafe, or given twice?",
		.matters = "A flag that does nothing any more gives false confidence; one that "
			   "a later JDK does not know keeps it from starting.",
		.computes = "Splits the arguments of the JVM (jdk.JVMInformation) and compares them with "
			    "a table of flags that were deprecated, lost their effect or were "
			    "removed; looks for flags given more than once, for classes that are not "
			    "verified, and on JDK 8 for samples that are only exact at safepoints.",
		.advice = "Remove or replace the flag that is named",
		.beware = "A value with blanks is split; where a flag repeats on purpose, the last one "
			  "counts.",
		.differs = "JDK Mission Control also blames flags that may be repeated, and any "
			   "-XX:+Unlock flag.",
	},
	.about = ABOUT_EXPOSURE,
	.inputs = inputs,
	.judge = judge,
};
