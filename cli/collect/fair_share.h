/* SPDX-License-Identifier: MIT */
/*
 * fair_share.h - let users take turns, so that none delays all others
 */
#ifndef JFREC_CLI_COLLECT_FAIR_SHARE_H
#define JFREC_CLI_COLLECT_FAIR_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something to be done for a user. */
struct turn {
	const void *what;
	size_t number; /* the caller's */
	size_t owner;  /* of fair_share.owners */
	size_t next;   /* of that owner; TURNS_END */
};

struct fair_share_owner {
	uint32_t uid;
	int64_t spent_ns;
	size_t first, last; /* of what he waits for */
	size_t waiting;
};

/* All zero at first. */
struct fair_share {
	struct turn *items;
	size_t count, room;
	struct fair_share_owner *owners;
	size_t owner_count, owner_room;
	size_t last;	  /* whose turn it was */
	int64_t until_ns; /* what he may have spent before it ends */
};

#define TURNS_END SIZE_MAX

/* A user goes on for so long, as it takes a process to become the next one. */
#define TURNS_SLICE_NS INT64_C(100000000)

/* False: memory is gone. */
bool fair_share_add(struct fair_share *t, uint32_t uid, const void *what, size_t number);

/* The next thing of the user who has had the least time, but for a slice; NULL: nothing is left. */
const struct turn *fair_share_next(struct fair_share *t);

/* The time that it took. */
void fair_share_charge(struct fair_share *t, const struct turn *turn, int64_t ns);

/*
 * A user who has had more time than that and still waits for something; then he no longer does:
 * how much it was is set, and whose.  False: there is none.
 */
bool fair_share_cut(struct fair_share *t, int64_t budget_ns, uint32_t *uid, size_t *count);

void fair_share_fini(struct fair_share *t);

#endif
