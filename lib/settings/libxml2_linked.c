/* SPDX-License-Identifier: MIT */
/*
 * libxml2_linked.c - libxml2, in a program that carries it with it
 */
#include "settings/libxml2.h"

const struct libxml2 *libxml2_load(struct jfrec_error *err)
{
	/* The library of these headers. */
	static const char *const version = LIBXML_VERSION_STRING;
	static const struct libxml2 table = {
		.init = xmlInitParser,
		.open = xmlCreatePushParserCtxt,
		.use_options = xmlCtxtUseOptions,
		.parse = xmlParseChunk,
		.stop = xmlStopParser,
		.consumed = xmlByteConsumed,
		/* Before 2.12 what it returns is not const. */
		.last_error = (const xmlError *(*)(void *))xmlCtxtGetLastError,
		.close = xmlFreeParserCtxt,
		.version = &version,
	};

	(void)err;
	/* It sees to it itself that this happens once. */
	table.init();
	return &table;
}
