/* SPDX-License-Identifier: MIT */
/*
 * http_request.c - parse an HTTP request for the metrics page
 *
 * Of the headers only Host matters; nothing else that they could say changes the answer.
 */
#include "stream/http_request.h"

#include <string.h>
#include <strings.h>

static bool is_text(const char *at, size_t len, const char *text)
{
	return len == strlen(text) && memcmp(at, text, len) == 0;
}

/* "/metrics", or with a query after it; "/" for those who only look. */
static bool is_known(const char *path, size_t len)
{
	const char *query = memchr(path, '?', len);

	len = query ? (size_t)(query - path) : len;
	return is_text(path, len, "/metrics") || is_text(path, len, "/");
}

static int line_status(const char *line, size_t len, bool *is_head)
{
	const char *end = line + len, *path = memchr(line, ' ', len), *version;
	size_t method_len = path ? (size_t)(path - line) : 0;

	version = path ? memchr(path + 1, ' ', (size_t)(end - path - 1)) : NULL;
	if (!version || method_len == 0 || (size_t)(end - version) < sizeof(" HTTP/1.1") - 1 ||
	    memcmp(version, " HTTP/1.", sizeof(" HTTP/1.") - 1) != 0)
		return 400;
	*is_head = is_text(line, method_len, "HEAD");
	if (!*is_head && !is_text(line, method_len, "GET"))
		return 405;
	return is_known(path + 1, (size_t)(version - path - 1)) ? 200 : 404;
}

int http_request_status(const char *bytes, size_t len, bool *is_head)
{
	const char *feed = memchr(bytes, '\n', len);
	size_t line = feed ? (size_t)(feed - bytes) : 0;

	*is_head = false;
	if (!memmem(bytes, len, "\r\n\r\n", 4) && !memmem(bytes, len, "\n\n", 2))
		return len < HTTP_REQUEST_MAX ? 0 : 431;
	if (line && bytes[line - 1] == '\r')
		line--;
	return line_status(bytes, line, is_head);
}

/* "localhost", "127.0.0.1:9464", "[::1]:9464". */
static bool is_this_host(const char *host, size_t len)
{
	static const char numeric[] = "0123456789.", local[] = "localhost";
	const char *colon;

	if (len == 0 || *host == '[')
		return true;
	colon = memchr(host, ':', len);
	len = colon ? (size_t)(colon - host) : len;
	if (len == sizeof(local) - 1 && strncasecmp(host, local, len) == 0)
		return true;
	for (size_t i = 0; i < len; i++) {
		if (!memchr(numeric, host[i], sizeof(numeric) - 1))
			return false;
	}
	return true;
}

bool http_request_names_this_host(const char *bytes, size_t len)
{
	static const char name[] = "host:";
	const char *end = bytes + len, *line = bytes, *feed;

	while ((feed = memchr(line, '\n', (size_t)(end - line)))) {
		const char *value, *stop;

		line = feed + 1;
		if ((size_t)(end - line) < sizeof(name) - 1 ||
		    strncasecmp(line, name, sizeof(name) - 1) != 0)
			continue;
		value = line + sizeof(name) - 1;
		stop = memchr(value, '\n', (size_t)(end - value));
		stop = stop ? stop : end;
		while (value < stop && (*value == ' ' || *value == '\t'))
			value++;
		while (stop > value && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t'))
			stop--;
		if (!is_this_host(value, (size_t)(stop - value)))
			return false;
	}
	return true;
}
