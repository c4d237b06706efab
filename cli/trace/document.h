/* SPDX-License-Identifier: MIT */
/*
 * document.h - the slowest requests as JSON
 */
#ifndef JFREC_CLI_TRACE_DOCUMENT_H
#define JFREC_CLI_TRACE_DOCUMENT_H

#include "base/json.h"
#include "jfrec-tool.h"

/* The members of the document, as settings/schema/trace.json says; NULL when memory is gone. */
json_t *trace_json(const struct jfrec_trace *t);

#endif
