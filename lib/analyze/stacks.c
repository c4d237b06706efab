/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - what rules ask of stack traces: whose method is on top, how deep they are
 */
#include "analyze/chunk_view.h"

static struct stack_entry *entry_of(const struct event *e, uint32_t stack)
{
	return &e->view->names->stacks.list[stack];
}

uint32_t event_method(const struct event *e, uint32_t stack, size_t i)
{
	const struct names *n = e->view->names;
	const struct stack_entry *s = &n->stacks.list[stack];

	return i < s->count ? n->book.frames.list[n->stacks.frames[s->first + i]].name : 0;
}

size_t event_stack_depth(const struct event *e, uint32_t stack)
{
	return entry_of(e, stack)->count;
}

bool event_stack_is_truncated(const struct event *e, uint32_t stack)
{
	return entry_of(e, stack)->is_truncated;
}

uint32_t event_top_method(const struct event *e, uint32_t stack)
{
	return event_method(e, stack, 0);
}

/* Is it in java.lang or java.util, and not in a package below these? */
static bool is_of_core(const char *method)
{
	const char *name;

	if (strncmp(method, "java.lang.", 10) != 0 && strncmp(method, "java.util.", 10) != 0)
		return false;
	/* Class and method are left: "HashMap.put", not "regex.Pattern.match". */
	name = strchr(method + 10, '.');
	return name && !strchr(name + 1, '.');
}

/* Code of the system, in profiles that see it: only Java code is the application's. */
static bool is_native_frame(const struct event *e, uint32_t stack, uint32_t i)
{
	const struct names *n = e->view->names;
	uint32_t frame = n->stacks.frames[n->stacks.list[stack].first + i];
	unsigned kind = n->book.frames.list[frame].kind;

	return e->view->traces.is_async_profiler &&
	       (kind == FRAME_NATIVE || kind == FRAME_CPP || kind == FRAME_KERNEL);
}

/* What is noted of a method. */
enum { OF_JDK = 1, OF_CORE = 2, OF_LIBRARY = 4, KNOWN = 8 };

static uint32_t whose(const char *method)
{
	return KNOWN | (is_jdk_method(method) ? OF_JDK : 0) | (is_of_core(method) ? OF_CORE : 0) |
	       (is_library_method(method) ? OF_LIBRARY : 0);
}

/* Its name is compared once. */
static uint32_t whose_is(const struct event *e, uint32_t method)
{
	uint32_t *note = notes_at(&e->view->names->methods, method);

	if (!note) {
		event_no_memory(e);
		return KNOWN;
	}
	if (!*note)
		*note = whose(event_text_of(e, method));
	return *note;
}

static uint32_t top_that_is_not(const struct event *e, uint32_t stack, uint32_t left_out)
{
	for (uint32_t i = 0; i < entry_of(e, stack)->count; i++) {
		uint32_t method = event_method(e, stack, i);

		if (!is_native_frame(e, stack, i) && !(whose_is(e, method) & left_out))
			return method;
	}
	return 0;
}

bool event_is_of_app(const struct event *e, uint32_t stack)
{
	size_t depth = event_stack_depth(e, stack);

	for (size_t i = 0; i < depth; i++) {
		if (!(whose_is(e, event_method(e, stack, i)) & (OF_JDK | OF_LIBRARY)))
			return true;
	}
	return depth == 0 || event_stack_is_truncated(e, stack);
}

uint32_t event_top_own(const struct event *e, uint32_t stack)
{
	struct stack_entry *s = entry_of(e, stack);
	uint32_t method;

	if (!s->top_own) {
		method = top_that_is_not(e, stack, OF_JDK);
		s->top_own = (method ? method : event_method(e, stack, 0)) + 1;
	}
	return s->top_own - 1;
}

uint32_t event_top_without(const struct event *e, uint32_t stack)
{
	struct stack_entry *s = entry_of(e, stack);

	if (!s->top_without)
		s->top_without = top_that_is_not(e, stack, OF_CORE) + 1;
	return s->top_without - 1;
}

bool event_stack_has(const struct event *e, uint32_t stack, const char *prefix)
{
	for (uint32_t i = 0; i < entry_of(e, stack)->count; i++) {
		if (strncmp(event_text_of(e, event_method(e, stack, i)), prefix, strlen(prefix)) ==
		    0)
			return true;
	}
	return false;
}
