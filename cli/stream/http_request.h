/* SPDX-License-Identifier: MIT */
/*
 * http_request.h - parse an HTTP request for the metrics page
 */
#ifndef JFREC_CLI_STREAM_HTTP_REQUEST_H
#define JFREC_CLI_STREAM_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

/* With all its headers. */
#define HTTP_REQUEST_MAX 8192

/*
 * What to answer to so many bytes: 0 if more must come; 200, with *is_head set; or 400, 404, 405,
 * 431 (RFC 9110).  Never looks beyond them.
 */
int http_request_status(const char *bytes, size_t len, bool *is_head);

/*
 * Does a whole request name this host by "localhost" or a number, or not at all?  A page of the
 * web that had its own name resolved to 127.0.0.1 names that.
 */
bool http_request_names_this_host(const char *bytes, size_t len);

#endif
