/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - a fuzz target: what a native program that listens is sent
 *
 * The first byte says what the rest is: R, a request; C, a command; E, an event that a subscription
 * delivers, and over which the program may have written; B, a buffer of events, likewise; else a
 * .jfc file.
 */
#include <stdlib.h>
#include <string.h>

#include "recorder/control/check.h"
#include "recorder/control/request.h"
#include "recorder/control/received.h"
#include "recorder/stack/stacks.h"
#include "recorder/types/profile.h"
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

#define ALL(F)                                                                                       \
	F(LONG, a, "A", PLAIN) F(INT, b, "B", PLAIN) F(SHORT, c, "C", PLAIN) F(BYTE, d, "D", PLAIN) \
	F(BOOL, e, "E", PLAIN) F(FLOAT, f, "F", PLAIN) F(DOUBLE, g, "G", PLAIN)                     \
	F(STRING, h, "H", PLAIN) F(INTERNED, i, "I", PLAIN) F(STRING, j, "J", PLAIN)
JFREC_SPAN_EVENT(all, "fuzz.All", "All", "Fuzz", ALL)
JFREC_STACK_EVENT(traced, "fuzz.Traced", "Traced", "Fuzz", ALL)

/* The one that there is, with the key 3. */
static void make_stack(void)
{
	static bool is_made;

	if (is_made)
		return;
	is_made = true;
	stacks_lock();
	stacks_add(&(struct frames){ .pc = { (uint64_t)(uintptr_t)make_stack, 1 }, .count = 2 });
	stacks_unlock();
}

static void event(uint8_t *bytes, size_t len)
{
	static struct jfrec_received e;
	const struct jfrec_stack_frame *frame;
	const struct jfrec_event_field *f;
	uint64_t end;
	uint32_t type;
	size_t size;

	if (!e.interned) {
		e.interned = calloc(MOST_FIELDS, sizeof(*e.interned));
		make_stack();
	}
	types_lock();
	size = received_look(bytes, len, &type, &end);
	types_unlock();
	if (!e.interned || !size || !received_take(&e, bytes, size))
		return;
	for (size_t i = 0; (f = jfrec_received_field(&e, i)); i++) {
		const char *text = jfrec_received_text(&e, f->name);

		sum += (text ? strlen(text) : 0) + (size_t)jfrec_received_long(&e, f->name) +
		       (jfrec_received_double(&e, f->name) > 0);
	}
	for (size_t i = 0; (frame = jfrec_received_frame(&e, i)); i++)
		sum += strlen(frame->function) + strlen(frame->module);
}

/* What is taken as events is taken as the same ones by who follows them, and nothing behind it is. */
static void buffer(const uint8_t *bytes, size_t len)
{
	uint64_t count = 0, more = 0, end;
	uint32_t good, type;
	size_t at = 0, size;

	make_stack();
	stacks_lock();
	good = check_events(bytes, 0, (uint32_t)len, bytes, &count);
	if (good > len || check_events(bytes, good, (uint32_t)len, bytes, &more) != good || more)
		abort();
	stacks_unlock();
	types_lock();
	for (; at < good && (size = received_look(bytes + at, good - at, &type, &end)); at += size)
		sum += type;
	types_unlock();
	if (at > good)
		abort();
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
	else if (bytes[0] == 'E')
		event((uint8_t *)text, len - 1);
	else if (bytes[0] == 'B')
		buffer((uint8_t *)text, len - 1);
	else
		profile(text, strlen(text));
	free(text);
	return 0;
}
