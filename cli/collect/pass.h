/* SPDX-License-Identifier: MIT */
/*
 * pass.h - report on one pass, and copy chunks into files
 */
#ifndef JFREC_CLI_COLLECT_PASS_H
#define JFREC_CLI_COLLECT_PASS_H

#include <signal.h>

#include "base/clock_now.h"
#include "collect/collect.h"
#include "collect/fair_share.h"
#include "collect/idle_jvms.h"
#include "collect/idle_repositories.h"
#include "collect/recorders.h"
#include "collect/store.h"
#include "collect/told.h"
#include "jfrec-tool.h"

/* No repository, and no user, is looked at for longer than that in one pass. */
#define PASS_REPOSITORY_NS (30 * NS_PER_SECOND)
#define PASS_USER_NS	   (60 * NS_PER_SECOND)

/*
 * For what a user's dead JVMs have left, which does not run away: the JVMs that live are waiting
 * for the next pass.
 */
#define PASS_USER_DEAD_NS (10 * NS_PER_SECOND)

/* Chunks of a repository that are taken in one pass; each has a descriptor. */
#define PASS_CHUNKS 1000

/* A chunk that a JVM was writing in the pass before, kept open. */
struct held_chunk {
	struct jfrec_repository *repository; /* of this chunk alone */
	int pid;
	uint64_t start_ticks;
	uint32_t uid;
	char *main;
};

struct collector {
	struct collect_config config;
	struct store store;
	bool dry, told_bad_lines;
	volatile sig_atomic_t stop;
	struct held_chunk *held;
	size_t held_count, held_room;
	struct recorders recorders;
	struct idle_jvms idle_jvms;
	struct idle_repositories idle_repositories;
	struct told told;
};

struct pass {
	struct collector *c;
	const struct collector_options *options;
	struct jfrec_leftovers *leftovers; /* NULL: none are looked for */
	struct jfrec_jvms **lists; /* of JVMs that are meant: one for each entry */
	size_t failed;
	bool full;
	struct jfrec_error why; /* it is */
};

/* Is there nothing more to be done in it? */
static inline bool pass_is_over(const struct pass *p)
{
	return p->full || p->c->stop;
}

void pass_tell(struct pass *p, const struct collected_news *news);
void pass_tell_failure(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
		       const struct jfrec_error *err);

/* A failure in our own words, of a JVM, a path, or of neither. */
void pass_complain(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same of a user: what differs between two passes is not part of the format. */
void pass_complain_of(struct pass *p, uint32_t uid, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A dead JVM's repository failed: of each user's failures collect reports only the first. */
void pass_tell_left(struct pass *p, uint32_t uid, const char *name, const struct jfrec_error *err);

/* How many of each user there were besides the first. */
void pass_tell_counts(struct pass *p);

/* A store_drop_fn. */
void pass_tell_dropped(void *pass, const char *name, uint64_t bytes);

/* Users who had more than their time no longer wait. */
void pass_cut_turns(struct pass *p, struct fair_share *t, int64_t budget_ns, const char *what);

/* Nothing that is in the store, and nothing that is empty. */
bool pass_is_new(struct pass *p, const struct jfrec_repository *r,
		 const struct jfrec_repository_chunk *c);

/*
 * Everything that is left in the repository, into as many files as the limits want.  Was there
 * time, and room, for all of it?
 */
bool pass_take(struct pass *p, struct jfrec_repository *r, const struct jfrec_jvm *jvm,
	       bool is_leftover);

/* The parts of a pass: JVMs that are there, those that are not, and what these left open. */
void pass_visit_running_jvms(struct pass *p);
void pass_visit_exited_jvms(struct pass *p);
void pass_take_held(struct pass *p);
void held_chunk_fini(struct held_chunk *h);

#endif
