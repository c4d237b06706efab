/* SPDX-License-Identifier: MIT */
/*
 * config.h - parse the configuration of `jfrec collect`: jfrec-collect(5)
 */
#ifndef JFREC_CLI_COLLECT_CONFIG_H
#define JFREC_CLI_COLLECT_CONFIG_H

#include "base/owned.h"
#include "jfrec-tool.h"

/* JVMs that are meant; of several that fit one, the first counts. */
struct collect_jvms {
	struct jfrec_jvm_query query;
	const char *settings;		/* of the recording to be kept going: a name; NULL: none */
	struct jfrec_jfr_settings file; /* or the text of a file, or of a built-in profile */
	bool is_model;	   /* which must be made into what a JVM of its version reads */
	const char *max_size, *max_age; /* of it, as the JVM takes them; max_age may be NULL */
};

/* 0: no limit. */
struct collect_limits {
	uint64_t file_size; /* a file is full */
	uint64_t size;	    /* of all files together */
	uint64_t files;
	int64_t age_ns;
	uint64_t free; /* to be left on the disk */
};

/* A report on each new file. */
struct collect_report {
	const char *format; /* NULL: none is written */
	const char *events, *where; /* only if there is such an event; where may be NULL; or NULL */
	enum jfrec_severity finding; /* only with a finding of at least this; 0: any */
	int timeout_ms;
};

/* The tables of each new file, added to a directory of Parquet. */
struct collect_export {
	const char *directory; /* NULL: none are written */
	const char *events;    /* globs; NULL: all */
	const char *partition, *name_pattern; /* as struct jfrec_parquet_options has them */
	struct jfrec_label *labels;
	size_t label_count;
	bool stack_frames; /* the same */
	int timeout_ms;
};

struct collect_config {
	/* Have everything below. */
	struct jfrec_yaml *document;
	struct owned *owned;
	const char *directory;
	const char *name; /* of the files, with %p and others */
	enum jfrec_compression compress;
	struct collect_limits limits;
	const char **run; /* a command for each new file, which is its last argument; NULL: none */
	int run_timeout_ms;
	struct collect_report report;
	struct collect_export export;
	bool leftovers; /* of JVMs that were killed, too */
	/* Where these may be; ends in NULL.  NULL: /tmp, and beside those of the living. */
	const char **repositories;
	struct collect_jvms *jvms;
	size_t jvm_count;
};

/*
 * Read it from memory; settings files are looked for from `directory` on.  0, to be ended with
 * collect_config_fini(), or -1 with *err set and nothing to end: JFREC_EINVAL, the text begins with
 * line and column; JFREC_ENOMEM.
 */
int collect_config_parse(struct collect_config *c, const void *bytes, size_t len,
			 const char *directory, struct jfrec_error *err);

/* The same of a file. JFREC_EIO: it cannot be read. */
int collect_config_read(struct collect_config *c, const char *path, struct jfrec_error *err);

void collect_config_fini(struct collect_config *c);

#endif
