/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - parse the list of recordings that JFR.check prints
 *
 *    Recording 1: name=app maxsize=250.0MB (running)
 *
 *    Recording 7: name=my (own) name duration=2h maxsize=1.0GB maxage=90m (delayed)
 *
 * With verbose=true each is followed by the settings of all event types:
 *
 *     CPU Load (jdk.CPULoad)
 *       [period=1000 ms,enabled=true]
 */
#ifndef JFREC_JFR_RECORDINGS_H
#define JFREC_JFR_RECORDINGS_H

#include "jfrec.h"

/*
 * Read what JFR.check said.  A list to be freed with jfrec_jfr_recordings_free(), or NULL
 * with *err set: JFREC_EDIED if the text broke off, JFREC_ENOMEM.
 */
struct jfrec_jfr_recordings *recordings_read(const char *text, size_t len, struct jfrec_error *err);

/* A list of none. NULL with *err set: JFREC_ENOMEM. */
struct jfrec_jfr_recordings *recordings_none(struct jfrec_error *err);

#endif
