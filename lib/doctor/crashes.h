/* SPDX-License-Identifier: MIT */
/*
 * crashes.h - name what JVMs left that crashed or were killed
 */
#ifndef JFREC_DOCTOR_CRASHES_H
#define JFREC_DOCTOR_CRASHES_H

#include "jfrec-tool.h"

/* In the working directories of all JVMs, our own, and /tmp. */
void crashes_check_host(struct jfrec_diagnosis *d);

/* Of those before it, in the working directory of a JVM. */
void crashes_check_jvm(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm);

#endif
