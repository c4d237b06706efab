/* SPDX-License-Identifier: MIT */
/*
 * engine.h - an analysis: what is asked, the JVMs that were met, what they said
 */
#ifndef JFREC_ANALYZE_ENGINE_H
#define JFREC_ANALYZE_ENGINE_H

#include "analyze/chunk_view.h"
#include "analyze/tape.h"
#include "format/event_time.h"
#include "read/chunk_riders.h"

struct user_rule;

/* A rule, as the caller wants it. */
struct rule_choice {
	const struct rule *rule;
	const struct user_rule *user_rule; /* the same, if it is not built in; or NULL */
	struct where *where;	    /* of that; or NULL */
	double info, warning;
	bool is_wanted, is_ignored;
	const char *ignored_because;
};

/* Those who gather facts read events as rules do. */
struct fact_reader {
	const struct reads *inputs;
	void (*take)(void *facts, const struct event *e); /* into struct facts */
	bool is_always; /* it describes the JVM: no filter holds it back */
};
extern const struct fact_reader fact_readers[];

/* Others may read events in the same walk, into a state of their own for each JVM. */
struct watch {
	const struct fact_reader *readers; /* the last has no inputs */
	size_t state_size;		   /* all zero at first */
	void (*fini)(void *state);
};

struct jvm {
	struct jfrec_analysis *analysis;
	bool is_known; /* by jdk.JVMInformation */
	int64_t pid, start_ms;
	struct clock clock;
	struct facts facts;
	struct type_fact *types;
	size_t type_count, type_room;
	struct idmap type_by_name; /* text to place */
	void **states; /* by rule; behind these what state_of_facts() and state_of_watch() say */
	struct jfrec_rule_finding *findings;
	size_t finding_count;
	struct jfrec_analyzed_jvm shown;
	uint8_t *whose; /* by text, of a method: is it the application's? NULL: not asked yet */
	size_t whose_count;
	void *watched; /* the state of the analysis's watch; or NULL */
	struct arena arena; /* of its states and findings */
};

struct jfrec_analysis {
	struct bounds bounds;
	jfrec_zone_fn *zone;
	void *zone_ctx;
	struct rule_choice *choices; /* by rule */
	size_t rule_count;
	struct names names;
	struct secrets secrets; /* what no text may show */
	struct jvm **jvms;
	size_t jvm_count, jvm_room;
	bool is_finished, is_live; /* the second: its JVM still runs */
	const struct jfrec_host_facts *host; /* what it showed of that JVM; or NULL */
	struct chunk_source *source; /* that it rides on */
	struct tape_stock tapes;     /* for chunks whose turn has not come */
	/* The chunk that is about to be read, and whose it is; NULL: none was asked for. */
	const struct chunk *asked_chunk;
	struct jvm *asked_jvm;
	const struct watch *watch; /* to be set before anything is read; NULL: none */
	struct arena arena; /* of the reasons */
	/* What readers said of damage. */
	uint64_t damage;
	bool has_only;
	/* For sentences on missing events; made when it is needed. */
	struct jfrec_dictionary *dictionary;
	struct jfrec_settings *profiles[16];
};

/* Who reads events: the rules by their number, then those who gather facts, then the watch. */
static inline size_t state_of_facts(const struct jfrec_analysis *a)
{
	return a->rule_count;
}

static inline size_t state_of_watch(const struct jfrec_analysis *a)
{
	return a->rule_count + 1;
}

static inline size_t analysis_state_count(const struct jfrec_analysis *a)
{
	return a->rule_count + 2;
}

/* The fact of an event type; made if it is new. NULL: no memory. */
struct type_fact *jvm_type(struct jvm *jvm, uint32_t name);

/* facts.c: note a setting of a type. */
void type_note_setting(struct jvm *jvm, const struct event *e, uint32_t type, uint32_t name,
		       uint32_t value);

/* chunk_reading.c: have it read a source in one pass with others. */
void analysis_ride(struct jfrec_analysis *a, struct chunk_source *source,
		   struct chunk_rider *rider);

/* Whose chunk it is, asked before the analysis reads it; NULL when memory is gone. */
struct jvm *analysis_jvm_of(struct jfrec_analysis *a, struct chunk *c);

/* Sort what was gathered, and work out what follows from it. */
void facts_finish(struct jvm *jvm);
void facts_init(struct facts *f);
void facts_fini(struct facts *f);

/* rule_finding.c: a rule of a JVM, into *f. */
void judge_rule(struct jfrec_analysis *a, struct jvm *jvm, size_t rule,
		struct jfrec_rule_finding *f);

/* missing.c: are the events there that the rule needs? Else that is the finding. */
bool inputs_are_there(struct judging *j);

/* The same as a sentence, of an event type in one JVM; NULL: there are such events. */
const char *why_no_event(struct jfrec_analysis *a, struct jvm *jvm, const char *event);

/* A name for --settings that has the event on; NULL: none. */
const char *profile_with(struct jfrec_analysis *a, const char *event);

void missing_fini(struct jfrec_analysis *a);

#endif
