/* SPDX-License-Identifier: MIT */
/*
 * frames.c - what the frames of a thread dump say
 */
#include "threads/frames.h"

#include <stdio.h>
#include <string.h>

#include "base/code_owner.h"
#include "threads/dump.h"

/*
 * "app.server//org.shop.Orders.load(": the loader and the module come first.  What follows the slash
 * of a class that the JVM made is its address.
 */
static const char *method_start(const char *frame, const char *open)
{
	const char *slash;

	while ((slash = memchr(frame, '/', (size_t)(open - frame))) != NULL &&
	       strncmp(slash, "/0x", 3) != 0)
		frame = slash + 1;
	return frame;
}

size_t frame_method(char to[static METHOD_MAX], const char *frame)
{
	const char *open = strchr(frame, '('), *from;
	size_t len;

	*to = '\0';
	if (!open)
		return 0;
	from = method_start(frame, open);
	len = (size_t)(open - from);
	len = len < METHOD_MAX ? len : METHOD_MAX - 1;
	memcpy(to, from, len);
	to[len] = '\0';
	return len;
}

size_t frame_place(char to[static METHOD_MAX], const char *frame)
{
	size_t len = frame_method(to, frame);
	const char *open = len ? strchr(frame, '(') : NULL,
		   *close = open ? strchr(open, ')') : NULL;
	const char *colon = close ? memrchr(open, ':', (size_t)(close - open)) : NULL;
	size_t digits = colon ? (size_t)(close - colon) : 0; /* with the colon */

	if (digits < 2 || digits > 11 || len + digits >= METHOD_MAX)
		return len;
	memcpy(to + len, colon, digits);
	to[len + digits] = '\0';
	return len + digits;
}

bool is_app_frame(const char *frame)
{
	char method[METHOD_MAX];

	return frame_method(method, frame) && !is_jdk_method(method) && !is_library_method(method);
}

bool has_frame_of(const char *const *frames, size_t count, const char *const *methods)
{
	char method[METHOD_MAX];

	for (size_t i = 0; i < count; i++) {
		frame_method(method, frames[i]);
		for (const char *const *m = methods; *m; m++) {
			if (strncmp(method, *m, strlen(*m)) == 0)
				return true;
		}
	}
	return false;
}

static void find_site(struct jfrec_dumped_thread *t)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < t->frame_count; i++) {
		/* A line feed, lest the ends of frames move. */
		hash = hash_text(hash_text(hash, t->frames[i]), "\n");
		if (t->site == SIZE_MAX && is_app_frame(t->frames[i])) {
			t->site = i;
			t->call = hash;
		}
	}
	t->stack = hash;
}

void dump_find_sites(struct dump *d)
{
	for (size_t i = 0; i < d->count; i++)
		find_site(&d->threads[i]);
}
