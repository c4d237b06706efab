/* SPDX-License-Identifier: MIT */
/*
 * embedded.h - the files of settings/ in the library
 *
 * They lie among its constants and cost nothing until somebody looks at them.
 */
#ifndef JFREC_DICTIONARY_EMBEDDED_H
#define JFREC_DICTIONARY_EMBEDDED_H

struct embedded_file {
	const char *name; /* "gc" of gc.yaml; NULL: there are no more */
	const char *text;
};

extern const struct embedded_file embedded_dictionary[], embedded_profiles[], embedded_views[];

/* The text of a file, or NULL. */
const char *embedded_text(const struct embedded_file *table, const char *name);

#endif
