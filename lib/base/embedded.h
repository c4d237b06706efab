/* SPDX-License-Identifier: MIT */
/*
 * embedded.h - data files that the build puts into the library
 *
 * They lie among its constants and cost nothing until they are read.
 */
#ifndef JFREC_BASE_EMBEDDED_H
#define JFREC_BASE_EMBEDDED_H

struct embedded_file {
	const char *name; /* "gc" of gc.yaml; NULL: there are no more */
	const char *text;
};

/* The text of a file, or NULL. */
const char *embedded_text(const struct embedded_file *table, const char *name);

#endif
