/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - a fuzz target: what a native program that listens is sent
 *
 * The first byte says what the rest is: R, a request; C, a command; else a .jfc file.
 */
#include <stdlib.h>
#include <string.h>

#include "native/profile.h"
#include "native/request.h"
#include "target.h"

static size_t sum; /* everything that was found is read */

static void request(char *text, size_t len)
{
	struct request r;

	if (request_parse(&r, text, len) != REQUEST_WHOLE)
		return;
	sum += strlen(r.operation);
	for (size_t i = 0; i < REQUEST_ARGS; i++)
		sum += strlen(r.args[i]);
}

static void command(char *text)
{
	struct command c;

	if (command_parse(&c, text))
		return;
	sum += strlen(c.name);
	for (size_t i = 0; i < c.count; i++)
		sum += strlen(c.args[i].key) + (c.args[i].value ? strlen(c.args[i].value) : 0);
}

static void profile(char *text, size_t len)
{
	struct effect e = { .threshold_ns = 1 };
	struct settings s = { 0 };

	profile_parse(&s, text, len);
	settings_apply(&s, "shop.Order", &e);
	sum += s.count + e.is_enabled;
	settings_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *text = len ? malloc(len) : NULL;

	if (!text)
		return 0;
	/* A request has no NUL behind it, texts have one. */
	memcpy(text, bytes + 1, len - 1);
	text[len - 1] = '\0';
	if (bytes[0] == 'R')
		request(text, len - 1);
	else if (bytes[0] == 'C')
		command(text);
	else
		profile(text, strlen(text));
	free(text);
	return 0;
}
