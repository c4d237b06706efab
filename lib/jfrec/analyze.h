/* SPDX-License-Identifier: MIT */
/* jfrec/analyze.h - findings: what is wrong in a recording, how that is known, what to do */
#ifndef JFREC_ANALYZE_H
#define JFREC_ANALYZE_H

#include "jfrec/host.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/*
 * Judge recordings by rules:
 *
 *	struct jfrec_analysis *a = jfrec_analysis_new(NULL, &err);
 *
 *	jfrec_analysis_read(a, reader, &err);
 *	jfrec_analysis_finish(a, &err);
 *	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++)
 *		for (size_t i = 0; i < jfrec_analysis_finding_count(a, j); i++)
 *			... jfrec_analysis_finding_get(a, j, i) ...
 *	jfrec_analysis_free(a);
 *
 * All rules share one pass. Memory grows with the number of distinct things (stacks, classes,
 * threads), and with that of collections, not with that of all events. Each JVM of a recording is
 * judged apart. Everything that is got from an analysis lives as long as it.
 */
struct jfrec_analysis;

/* Rules ---------------------------------------------------------------------------------------- */

struct jfrec_rule_info {
	const char *id;		/* "gc-pause-share" */
	const char *const *jmc; /* ids of JDK Mission Control's rules for the same; NULL ends */
	const char *question;
	const char *matters;	/* why, for those who do not know the JVM; NULL: a rule of YAML */
	const char *computes;	/* how the answer is found */
	const char *measures;	/* what the limits are about; NULL: there are no limits to set */
	const char *advice;	/* NULL: a rule of YAML that has none */
	const char *beware;	/* what it cannot see, or may take for something else; or NULL */
	const char *differs;	/* where JDK Mission Control answers otherwise, and why; or NULL */
	enum jfrec_unit unit;	/* of the limits: NONE, PERCENT, NS, BYTES, HERTZ, BYTES_PER_S */
	double info, warning;	/* from these on; INFINITY: never */
	int jdk_from, jdk_until; /* the JDKs that it is for; 0: no bound */
};

/* How many rules there are. */
size_t jfrec_rule_count(void);

/* Rule number i, in the order of `jfrec analyze --list`; NULL beyond the last. Static. */
const struct jfrec_rule_info *jfrec_rule_get(size_t i);

/* The rule of that id, or NULL. */
const struct jfrec_rule_info *jfrec_rule_find(const char *id);

enum jfrec_rule_need {
	JFREC_RULE_PERIODIC = 0, /* comes periodically: without it the rule cannot judge */
	JFREC_RULE_OCCURS = 1,	 /* comes when something happens; none, while it is on, answers */
	JFREC_RULE_HELPS = 2, /* makes the finding better */
};

/* An event type that a rule reads. */
struct jfrec_rule_input {
	const char *event;
	enum jfrec_rule_need need;
	unsigned either; /* of several with the same number one is enough; 0: it is needed itself */
};

/* Event type number n of the rule; false beyond the last. */
bool jfrec_rule_input_get(const struct jfrec_rule_info *rule, size_t n,
			  struct jfrec_rule_input *input);

/*
 * Rules that a user wrote in YAML: jfrec-rules(5).
 *
 *	struct jfrec_user_rules *rules = jfrec_user_rules_new(&err);
 *
 *	jfrec_user_rules_load(rules, "shop.yaml", &err);
 *	a = jfrec_analysis_new(&(struct jfrec_analysis_options){ .rules = rules, ... }, &err);
 */
struct jfrec_user_rules;

/*
 * Make an empty set, to be freed with jfrec_user_rules_free() after all analyses that use it. NULL
 * with *err set: JFREC_ENOMEM.
 */
struct jfrec_user_rules *jfrec_user_rules_new(struct jfrec_error *err);

/* Free the rules. */
void jfrec_user_rules_free(struct jfrec_user_rules *rules);

/*
 * Add the rules of a file. 0, or -1 with *err set: JFREC_EIO; JFREC_EINVAL with the line and a
 * sentence, and rules before it are added; JFREC_ENOMEM.
 */
int jfrec_user_rules_load(struct jfrec_user_rules *rules, const char *path,
			  struct jfrec_error *err);

/* The same of a text, which may be freed afterwards. name: that of its file, in findings. */
int jfrec_user_rules_add(struct jfrec_user_rules *rules, const void *text, size_t len,
			 const char *name, struct jfrec_error *err);

/* How many there are. */
size_t jfrec_user_rules_count(const struct jfrec_user_rules *rules);

/* Rule number i, in the order of the files; NULL beyond the last. It lives as long as the set. */
const struct jfrec_rule_info *jfrec_user_rules_get(const struct jfrec_user_rules *rules, size_t i);

/* Asking --------------------------------------------------------------------------------------- */

struct jfrec_analysis_options {
	size_t struct_size;
	const int64_t *from_ns, *to_ns; /* events that touch this span; NULL: no bound */
	jfrec_zone_fn *zone;	      /* of the times in texts; NULL: UTC */
	void *zone_ctx;
	const struct jfrec_user_rules *rules; /* also ask these, which live longer; or NULL */
	bool is_live; /* the JVM still runs, so its recording has no end yet */
	const struct jfrec_host_facts *host; /* of the JVM; they live as long; or NULL */
};

/* options: NULL is all zero. NULL with *err set: JFREC_EINVAL, JFREC_ENOMEM. */
struct jfrec_analysis *jfrec_analysis_new(const struct jfrec_analysis_options *options,
					  struct jfrec_error *err);

/* Free it, with all that was got from it. */
void jfrec_analysis_free(struct jfrec_analysis *a);

/*
 * Ask only rules that one of these globs, separated by commas, matches. To be called before the
 * first recording is read, as the next two. 0, or -1 with *err set: JFREC_EINVAL if a glob matches
 * no rule.
 */
int jfrec_analysis_only(struct jfrec_analysis *a, const char *globs, struct jfrec_error *err);

/* Report what these rules find as ignored. reason: NULL, or why. As jfrec_analysis_only(). */
int jfrec_analysis_ignore(struct jfrec_analysis *a, const char *globs, const char *reason,
			  struct jfrec_error *err);

/*
 * Set a limit: "gc-pause-share.warning=20%". Values are in the unit of the rule; "never" switches
 * the class off. 0, or -1 with *err set: JFREC_EINVAL with a sentence on what is wrong.
 */
int jfrec_analysis_set_limit(struct jfrec_analysis *a, const char *limit, struct jfrec_error *err);

/* How many rules it knows: the built-in ones, and then those of the options. */
size_t jfrec_analysis_rule_count(const struct jfrec_analysis *a);

/* Rule number i; NULL beyond the last. It lives as long as the rules of the options. */
const struct jfrec_rule_info *jfrec_analysis_rule_get(const struct jfrec_analysis *a, size_t i);

/* The rule of that id, or NULL. */
const struct jfrec_rule_info *jfrec_analysis_rule_find(const struct jfrec_analysis *a,
						       const char *id);

/* The limits of a rule as they are now. */
void jfrec_analysis_limits(const struct jfrec_analysis *a, const struct jfrec_rule_info *rule,
			   double *info, double *warning);

/* Read the rest of a recording. May be called for several. 0, or -1 with *err set. */
int jfrec_analysis_read(struct jfrec_analysis *a, struct jfrec_reader *r, struct jfrec_error *err);

/* Judge what was read: once, after which nothing more is read. 0, or -1 with *err set. */
int jfrec_analysis_finish(struct jfrec_analysis *a, struct jfrec_error *err);

/* Findings ------------------------------------------------------------------------------------- */

enum jfrec_severity {
	JFREC_SEVERITY_IGNORED = 0, /* the caller does not want it */
	JFREC_SEVERITY_NO_DATA = 1, /* it could not be judged */
	JFREC_SEVERITY_OK = 2,
	JFREC_SEVERITY_INFO = 3,
	JFREC_SEVERITY_WARNING = 4,
};

/* "warning", "info", "ok", "no-data", "ignored" */
const char *jfrec_severity_name(enum jfrec_severity s);

/* Why a rule could not judge. */
enum jfrec_no_data {
	JFREC_DATA = 0,	      /* it could */
	JFREC_NOT_IN_JVM = 1, /* this JDK has no such event, or the question is not for this JVM */
	JFREC_SWITCHED_OFF = 2,
	JFREC_NONE_CAME = 3, /* on, but none was recorded; or it is not known whether it was on */
	JFREC_TOO_FEW = 4,
};

/* "not-in-jvm", "off", "none", "too-few"; NULL for JFREC_DATA */
const char *jfrec_no_data_name(enum jfrec_no_data n);

enum jfrec_evidence_kind {
	JFREC_EVIDENCE_QUANTITY = 0, /* .value in .unit */
	JFREC_EVIDENCE_RANGE = 1,    /* .from_ns, .to_ns */
	JFREC_EVIDENCE_THREAD = 2,
	JFREC_EVIDENCE_CLASS = 3,
	JFREC_EVIDENCE_METHOD = 4,
	JFREC_EVIDENCE_STACK = 5, /* .frames; .text is the first that is not of the JDK */
	JFREC_EVIDENCE_FILE = 6,
	JFREC_EVIDENCE_HOST = 7,
	JFREC_EVIDENCE_SETTING = 8,
	JFREC_EVIDENCE_NOTE = 9, /* a sentence */
	JFREC_EVIDENCE_COMMAND = 10, /* arguments of jfrec that show it, without the recording */
};

/* "quantity", "range"... */
const char *jfrec_evidence_kind_name(enum jfrec_evidence_kind k);

struct jfrec_evidence {
	enum jfrec_evidence_kind kind;
	const char *label; /* "longest pause" */
	const char *text;  /* as it is to be shown */
	double value;	   /* NAN: none */
	enum jfrec_unit unit;
	int64_t from_ns, to_ns; /* since 1970; INT64_MIN: none */
	double share;	   /* of all, 0 to 1; NAN: not said */
	const struct jfrec_evidence_frames *frames; /* jfrec_evidence_frame_get() */
	bool is_whole; /* a command of the shell, to be given as it is: it shows the host */
};

struct jfrec_rule_finding {
	const struct jfrec_rule_info *rule;
	enum jfrec_severity severity;
	enum jfrec_severity unignored; /* what it would be, were it not ignored */
	enum jfrec_no_data no_data;
	double score;	     /* 0 to 100, for rules with a curve; NAN */
	double value;	     /* what is compared with the limits; NAN */
	double info, warning; /* the limits */
	const char *summary; /* one sentence with the number, the limit and the time */
	const char *advice;  /* one sentence; NULL: nothing is to be done */
	const char *doubt;   /* why the finding is less sure than it could be; NULL: it is sure */
	const char *settings; /* that would have fed the rule: a name for --settings; or NULL */
	const char *ignored_because; /* or NULL */
	const struct jfrec_evidence_list *evidence; /* jfrec_finding_evidence_get() */
	const char *explained_by; /* id of the finding from which this follows; or NULL */
};

/* How many pieces of evidence a finding has. */
size_t jfrec_finding_evidence_count(const struct jfrec_rule_finding *f);

/* Piece number i of the evidence; NULL beyond the last. */
const struct jfrec_evidence *jfrec_finding_evidence_get(const struct jfrec_rule_finding *f,
							size_t i);

/* How many frames a stack has; 0 for other evidence. */
size_t jfrec_evidence_frame_count(const struct jfrec_evidence *e);

/* Frame number i, the top first; NULL beyond the last. */
const char *jfrec_evidence_frame_get(const struct jfrec_evidence *e, size_t i);

/*
 * The command of evidence of that kind, to be pasted into a shell: with the recording that operand
 * names, or RECORDING where it is NULL. To be freed with jfrec_free(); NULL when memory is gone.
 */
char *jfrec_evidence_command(const struct jfrec_evidence *e, const char *operand);

/* Advice, of a finding or a rule, with the operand in place of RECORDING; the same. */
char *jfrec_advice_text(const char *advice, const char *operand);

/* How the texts of a finding are written. All zero: as they are. */
struct jfrec_finding_texts {
	size_t struct_size;
	const char *operand; /* of commands and advice; NULL: RECORDING */
	/* What a text that may have names of the recording is replaced by, until the next call. */
	const char *(*shown)(void *ctx, const char *text);
	void *ctx;
};

/*
 * Write a finding as one object of JSON, as `jfrec analyze --json` and `jfrec report --json` have
 * it. texts: NULL is all zero. 0, or -1 with *err set: JFREC_EOUTPUT, JFREC_ENOMEM.
 */
int jfrec_finding_write_json(const struct jfrec_rule_finding *f,
			     const struct jfrec_finding_texts *texts, jfrec_write_fn *write,
			     void *ctx, struct jfrec_error *err);

/* A JVM of what was read. */
struct jfrec_analyzed_jvm {
	int64_t start_ns, end_ns; /* of what was recorded, since 1970 */
	int64_t jvm_start_ns;	/* INT64_MIN: not known */
	int64_t pid;		/* -1: not known */
	int jdk;		/* feature release; 0: not known */
	const char *version;	/* "25.0.3+9-LTS"; or NULL */
	const char *vm;		/* "OpenJDK 64-Bit Server VM"; or NULL */
	const char *collector;	/* "G1"; or NULL */
	int64_t heap_max;	/* bytes; -1: not known */
	int hw_threads;		/* processors of the machine; 0: not known */
	double cpus;		/* that the JVM may use; 0: not known */
	uint64_t chunks, events;
	uint64_t lost_bytes;	/* of events that the JVM could not keep */
	const char *verdict;	/* what is to be known first, one sentence */
	/* What an outage would need and nothing here tells, with the command for it; or NULL. */
	const char *untold;
	int64_t recorded_ns; /* of that time, what lies in chunks; where they overlap, once */
};

/* How many JVMs were recorded. After jfrec_analysis_finish(). */
size_t jfrec_analysis_jvm_count(const struct jfrec_analysis *a);

/* JVM number `jvm`, in the order of their recordings' starts; NULL beyond the last. */
const struct jfrec_analyzed_jvm *jfrec_analysis_jvm_get(const struct jfrec_analysis *a, size_t jvm);

/* How many findings there are of a JVM; 0 beyond the last one. */
size_t jfrec_analysis_finding_count(const struct jfrec_analysis *a, size_t jvm);

/*
 * Finding number i of a JVM: warnings, infos, ok, no data, ignored; in each by score, then by id.
 * NULL beyond the last.
 */
const struct jfrec_rule_finding *jfrec_analysis_finding_get(const struct jfrec_analysis *a,
							    size_t jvm, size_t i);

JFREC_END_DECLS

#endif
