/* SPDX-License-Identifier: MIT */
/*
 * interpreted_only.c - do flags keep the JVM from compiling as well as it can?
 */
#include "analyze/arguments.h"
#include "analyze/rules.h"

static const struct reads inputs[] = {
	READS("jdk.JVMInformation", PERIODIC),
	{ 0 },
};

/* Of flags that change the same, the last counts. */
struct flags {
	struct argument mode; /* -Xint, -Xmixed, -Xcomp */
	struct argument use;  /* -XX:-UseCompiler, -XX:+UseCompiler */
	struct argument level; /* -XX:TieredStopAtLevel= */
	struct argument none; /* -Djava.compiler=NONE */
	bool is_ide; /* the launch of an IDE: classes are not verified, either */
};

static struct flags find(const struct judging *j)
{
	struct flags f = { 0 };
	const char *at;

	for (struct argument a = first_argument(j, &at); a.text; a = next_argument(&at)) {
		if (argument_is(a, "-Xint") || argument_is(a, "-Xmixed") || argument_is(a, "-Xcomp"))
			f.mode = a;
		else if (argument_is(a, "-XX:-UseCompiler") || argument_is(a, "-XX:+UseCompiler"))
			f.use = a;
		else if (argument_after(a, "-XX:TieredStopAtLevel=").text)
			f.level = a;
		else if (argument_after(a, "-Djava.compiler=").text)
			f.none = a;
		f.is_ide |= argument_is(a, "-Xverify:none") || argument_is(a, "-noverify") ||
			    argument_is(a, "-XX:-BytecodeVerificationRemote");
	}
	return f;
}

/* 0 to 4; -1: it is not given. */
static int level_of(const struct flags *f)
{
	struct argument value = argument_after(f->level, "-XX:TieredStopAtLevel=");

	return value.len == 1 && *value.text >= '0' && *value.text <= '4' ? *value.text - '0' : -1;
}

/* The flag because of which nothing is compiled. */
static struct argument no_compiler(const struct judging *j, const struct flags *f)
{
	struct argument none = argument_after(f->none, "-Djava.compiler=");

	if (argument_is(f->mode, "-Xint"))
		return f->mode;
	if (argument_is(f->use, "-XX:-UseCompiler"))
		return f->use;
	if (level_of(f) == 0)
		return f->level;
	/* From JDK 21 on it has no effect. */
	if (none.text && j->facts->jdk < 21 && (argument_is(none, "NONE") || argument_is(none, "none")))
		return f->none;
	return (struct argument){ 0 };
}

static void judge(void *state, struct judging *j)
{
	struct flags f = find(j);
	struct argument is = no_compiler(j, &f);

	(void)state;
	if (is.text) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "Nothing is compiled: %.*s makes the JVM interpret all code",
			  (int)is.len, is.text);
	} else if (argument_is(f.mode, "-Xcomp")) {
		is = f.mode;
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "-Xcomp has each method compiled before it runs for the first time");
		advise(j, "Remove the flag: starts are slow, and code is compiled without knowing "
			  "what it does most");
	} else if (level_of(&f) >= 1 && level_of(&f) < 4) {
		is = f.level;
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "%.*s turns the optimizing compiler off%s", (int)is.len, is.text,
			  f.is_ide ? ", as development environments do for faster starts" : "");
	} else {
		summarize(j, "No flag keeps the JVM from compiling");
		return;
	}
	show_name(j, JFREC_EVIDENCE_SETTING, "argument", textf(j, "%.*s", (int)is.len, is.text), NAN);
	show_command(j, "view jvm-information");
}

const struct rule rule_interpreted_only = {
	.is_of_java = true,
	.info = {
		.id = "interpreted-only",
		.question = "Do flags keep the JVM from compiling as well as it can?",
		.matters = "Interpreted code is ten to fifty times slower than compiled code, and "
			   "code of the first compiler about two to three times slower than that "
			   "of the second.",
		.computes = "Looks for -Xint, -XX:-UseCompiler, -XX:TieredStopAtLevel=0 and, up to "
			    "JDK 20, -Djava.compiler=NONE in the arguments of the JVM, which are a "
			    "warning; other levels of TieredStopAtLevel below 4, and -Xcomp, are "
			    "info. Where such flags are repeated, the last one counts.",
		.advice = "Remove the flag, unless the program ends within seconds",
	},
	.inputs = inputs,
	.judge = judge,
};
