/* SPDX-License-Identifier: MIT */
/*
 * dump_file.h - fetch what a JVM dumps
 */
#ifndef JFREC_CLI_JVM_DUMP_FILE_H
#define JFREC_CLI_JVM_DUMP_FILE_H

#include "jvm/for_each_jvm.h"
#include "recording/outfile.h"

/* What became of it. */
struct dump_fetched {
	uint64_t size;	/* in bytes, as the JVM wrote it; 0: it wrote nothing */
	bool no_memory; /* because it has no memory for that */
};

/*
 * Dump with these options of JFR.dump into the open file, and commit it.  Nothing stays
 * behind in the JVM's root.  Returns an exit code, after saying what failed.
 */
int dump_file_fetch(const struct each_jvm *j, const struct jfrec_jfr_option *options, size_t count,
		    struct outfile *o, struct dump_fetched *f);

/*
 * Copy what a JVM has dumped, a recording or its heap, into the open file, and commit it. As above.
 */
int dump_file_copy(const struct each_jvm *j, const struct jfrec_dump *d, struct outfile *o);

/* Say where it is. */
void dump_file_report(const struct each_jvm *j, const struct outfile *o, uint64_t size);

#endif
