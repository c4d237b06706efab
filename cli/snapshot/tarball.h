/* SPDX-License-Identifier: MIT */
/*
 * tarball.h - the files of a directory as one tar archive
 */
#ifndef JFREC_CLI_SNAPSHOT_TARBALL_H
#define JFREC_CLI_SNAPSHOT_TARBALL_H

#include "jfrec.h"

/* Does the name end as that of an archive that can be written: .tar, .tar.gz, .tgz, .tar.zst? */
bool tarball_is_archive(const char *path);

/* Does it end as that of another archive, which cannot be? */
bool tarball_is_unknown(const char *path);

/* An archive that is being written. */
struct tarball {
	struct jfrec_output *output;
	char prefix[100]; /* of all names: "snapshot" of snapshot.tar.zst */
};

/* To be closed by closing .output.  0, or -1 with *err set. */
int tarball_open(struct tarball *p, const char *path, bool force, struct jfrec_error *err);

/* Add a file of the directory; one that is not there is left out.  0, or -1 with *err set. */
int tarball_add(struct tarball *p, int directory, const char *name, struct jfrec_error *err);

/* End it, and give it its name.  0, or -1 with *err set. */
int tarball_commit(struct tarball *p, struct jfrec_error *err);

#endif
