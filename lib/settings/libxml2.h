/* SPDX-License-Identifier: MIT */
/*
 * libxml2.h - load libxml2 when the first .jfc file is read
 *
 * In Debian it loads the data of ICU, too, which costs more time at the start of a program than
 * all that most of our commands do.  Hence the binary does not depend on it, but loads it by name;
 * this header and its user are all that know it.
 */
#ifndef JFREC_SETTINGS_LIBXML2_H
#define JFREC_SETTINGS_LIBXML2_H

#include <libxml/parser.h>

#include "jfrec.h"

struct libxml2 {
	void (*init)(void);
	xmlParserCtxtPtr (*open)(xmlSAXHandlerPtr sax, void *user, const char *bytes, int len,
				 const char *name);
	int (*use_options)(xmlParserCtxtPtr parser, int options);
	int (*parse)(xmlParserCtxtPtr parser, const char *bytes, int len, int last);
	void (*stop)(xmlParserCtxtPtr parser);
	long (*consumed)(xmlParserCtxtPtr parser);
	const xmlError *(*last_error)(void *parser);
	void (*close)(xmlParserCtxtPtr parser);
	const char *const *version; /* "20914"; or NULL: it does not tell */
};

/* The same table each time.  NULL with *err set (JFREC_EUNSUPPORTED): it cannot be loaded. */
const struct libxml2 *libxml2_load(struct jfrec_error *err);

#endif
