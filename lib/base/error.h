/* SPDX-License-Identifier: MIT */
/*
 * error.h - fill in struct jfrec_error where the failure occurs
 */
#ifndef JFREC_BASE_ERROR_H
#define JFREC_BASE_ERROR_H

#include "jfrec.h"

/* jfrec_fail() and its like are in jfrec/base.h. */

/* For a write function of the caller that returned `sys`. */
int jfrec_fail_output(struct jfrec_error *err, int sys);

/* Only the text of errno value `sys` (JFREC_EIO); -1. */
int jfrec_fail_errno(struct jfrec_error *err, int sys);

#endif
