/* SPDX-License-Identifier: MIT */
/*
 * libxml2_linked.c - libxml2, in a program that carries it with it
 */
#include "settings/libxml2.h"

const struct libxml2 *libxml2_load(struct jfrec_error *err)
{
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
		.version = &xmlParserVersion,
	};

	(void)err;
	/* It sees to it itself that this happens once. */
	table.init();
	return &table;
}
