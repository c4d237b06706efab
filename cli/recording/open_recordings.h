/* SPDX-License-Identifier: MIT */
/*
 * open_recordings.h - open recordings, and report what is damaged in them
 */
#ifndef JFREC_CLI_RECORDING_OPEN_RECORDINGS_H
#define JFREC_CLI_RECORDING_OPEN_RECORDINGS_H

#include "base/command.h"
#include "base/confine.h"

/* A group for the table of a command: --types-from, for what is opened from then on. */
extern const struct opt types_rows[];

/* A group for the table of a command that opens recordings confined: -v. */
extern const struct opt confine_rows[];

/*
 * Open recordings, to be read as one in the order given; their problems go to
 * stderr. NULL after a failure, which was reported.
 */
struct jfrec_reader *open_recordings(char *const *paths, int count);

/*
 * The same of one file that this process has written, and may remove at once: it can be read again
 * all the same, as times of rates are, and the zone.
 */
struct jfrec_reader *open_own_file(char *path);

/*
 * The same, and this process does nothing else from then on than reading these, and writing what
 * confine_writes() names.
 */
struct jfrec_reader *open_confined(enum confinement how, char *const *paths, int count);

/* Only that, for who opens them later: these can be read from then on, and with --types-from. */
void confine_to(enum confinement how, char *const *paths, int count);

/* Of what is damaged, as jfrec_open_options.rescue, confined to writing. */
struct jfrec_reader *rescue_recordings(char *const *paths, int count);

/*
 * Have it said on stderr that chunks overlap, unless the JDK's tool is asked for, which does not.
 */
void tell_overlaps(struct jfrec_reader *r);
void say_as_the_jdk(void);

/* Have printing end with the first damage. */
void stop_at_damage(struct jfrec_reader *r);

#endif
