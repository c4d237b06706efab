/* SPDX-License-Identifier: MIT */
/*
 * container.h - what the rules for containers share
 */
#ifndef JFREC_ANALYZE_CONTAINER_H
#define JFREC_ANALYZE_CONTAINER_H

#include "analyze/rule.h"

/*
 * Is there no container to judge, or none of these events? Then that is the finding. A JVM that
 * sees neither a container nor a limit records nothing of it, which says nothing.
 */
bool container_is_unseen(struct judging *j, const char *type);

/* The quota in processors; 0: there is none. */
double quota_cpus(const struct judging *j);

#endif
