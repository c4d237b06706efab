/* SPDX-License-Identifier: MIT */
/*
 * classify.c - what a thread was doing, by the frames of its stack
 *
 * The categories are those of async-profiler's jfrconv: what the JVM does for itself is known by
 * the functions that its threads run in, and how Java code ran by the frame on top.
 */
#include "stacks/classify.h"

#include <string.h>

enum category {
	IN_GC,
	IN_JIT,
	IN_VM,
	IN_STUB,
	IN_NATIVE,
	IN_INTERPRETER,
	IN_C1,
	IN_C2,
	IN_ADAPTER,
	IN_CLASS_INIT,
	IN_CLASS_LOAD,
	IN_CLASS_RESOLVE,
	IN_CLASS_VERIFY,
	IN_LAMBDA_INIT,
	UNCLEAR,
};

static const struct {
	const char *name;
	enum frame_kind kind; /* a suffix of collapsed lines comes of it */
} categories[] = {
	[IN_GC] = { "[gc]", FRAME_CPP },
	[IN_JIT] = { "[jit]", FRAME_CPP },
	[IN_VM] = { "[vm]", FRAME_CPP },
	[IN_STUB] = { "[vtable_stubs]", FRAME_NATIVE },
	[IN_NATIVE] = { "[native]", FRAME_NATIVE },
	[IN_INTERPRETER] = { "[Interpreter]", FRAME_NATIVE },
	[IN_C1] = { "[c1_comp]", FRAME_C1 },
	[IN_C2] = { "[c2_comp]", FRAME_INLINED },
	[IN_ADAPTER] = { "[c2i_adapter]", FRAME_INLINED },
	[IN_CLASS_INIT] = { "[class_init]", FRAME_CPP },
	[IN_CLASS_LOAD] = { "[class_load]", FRAME_CPP },
	[IN_CLASS_RESOLVE] = { "[class_resolve]", FRAME_CPP },
	[IN_CLASS_VERIFY] = { "[class_verify]", FRAME_CPP },
	[IN_LAMBDA_INIT] = { "[lambda_init]", FRAME_CPP },
};

enum part { WHOLE, START, END, ANYWHERE };

struct rule {
	enum part part;
	const char *text;
	enum category category;
};

/* Where threads of the JVM begin. IN_VM: unless a frame above it says more. */
static const struct rule threads[] = {
	{ WHOLE, "CompileBroker::compiler_thread_loop", IN_JIT },
	{ WHOLE, "GCTaskThread::run", IN_GC },
	{ WHOLE, "WorkerThread::run", IN_GC },
	{ WHOLE, "java_start", IN_VM },
	{ WHOLE, "thread_native_entry", IN_VM },
};

/* Any frame from the top on. */
static const struct rule methods[] = {
	{ WHOLE, "Verifier::verify", IN_CLASS_VERIFY },
	{ START, "InstanceKlass::initialize", IN_CLASS_INIT },
	{ START, "LinkResolver::", IN_CLASS_RESOLVE },
	{ START, "InterpreterRuntime::resolve", IN_CLASS_RESOLVE },
	{ START, "SystemDictionary::resolve", IN_CLASS_RESOLVE },
	{ END, "ClassLoader.loadClass", IN_CLASS_LOAD },
	{ END, "LambdaMetafactory.metafactory", IN_LAMBDA_INIT },
	{ END, "LambdaMetafactory.altMetafactory", IN_LAMBDA_INIT },
	{ END, "table stub", IN_STUB },
	{ WHOLE, "Interpreter", IN_INTERPRETER },
	{ START, "I2C/C2I", IN_ADAPTER },
};

/* Native code on top. UNCLEAR: the frame below it says more. */
static const struct rule natives[] = {
	{ START, "JVM_", IN_VM },
	{ START, "Unsafe_", IN_VM },
	{ START, "MHN_", IN_VM },
	{ START, "jni_", IN_VM },
	{ WHOLE, "call_stub", IN_VM },
	{ WHOLE, "deoptimization", IN_VM },
	{ WHOLE, "unknown_Java", IN_VM },
	{ WHOLE, "not_walkable_Java", IN_VM },
	{ WHOLE, "InlineCacheBuffer", IN_VM },
	{ END, "_arraycopy", UNCLEAR },
	{ ANYWHERE, "pthread_cond", UNCLEAR },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool fits(const struct rule *r, const char *name)
{
	size_t len = strlen(name), n = strlen(r->text);

	switch (r->part) {
	case START:
		return strncmp(name, r->text, n) == 0;
	case END:
		return len >= n && strcmp(name + len - n, r->text) == 0;
	case ANYWHERE:
		return strstr(name, r->text) != NULL;
	default:
		return strcmp(name, r->text) == 0;
	}
}

static const struct rule *rule_of(const struct rule *rules, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (fits(&rules[i], name))
			return &rules[i];
	}
	return NULL;
}

static const struct frame *frame_at(const struct traces *t, const struct trace *trace, uint32_t i)
{
	return &t->book->frames.list[trace->frames[i]];
}

static const char *name_at(const struct traces *t, const struct trace *trace, uint32_t i)
{
	return t->book->names.list[frame_at(t, trace, i)->name].text;
}

/* From the root: is it one of the JVM's own threads? */
static enum category by_thread(const struct traces *t, const struct trace *trace)
{
	enum category found = UNCLEAR;

	for (uint32_t i = trace->count; i-- > 0;) {
		enum frame_kind kind = frame_at(t, trace, i)->kind;
		const struct rule *r = NULL;

		if (kind == FRAME_CPP)
			r = rule_of(threads, COUNT(threads), name_at(t, trace, i));
		else if (kind != FRAME_NATIVE)
			break;
		if (r && r->category != IN_VM)
			return r->category;
		if (r)
			found = IN_VM;
	}
	return found;
}

static enum category by_method(const struct traces *t, const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->count; i++) {
		const struct rule *r = rule_of(methods, COUNT(methods), name_at(t, trace, i));

		/* An adapter to what is interpreted belongs to the interpreter. */
		if (r && r->category == IN_ADAPTER && i + 1 < trace->count &&
		    frame_at(t, trace, i + 1)->kind == FRAME_INTERPRETED)
			return IN_INTERPRETER;
		if (r)
			return r->category;
	}
	return UNCLEAR;
}

/* From the top: the first frame of Java code, unless native code was called from it. */
static enum category by_kind(const struct traces *t, const struct trace *trace)
{
	bool is_java = true;

	for (uint32_t i = 0; i < trace->count; i++) {
		const struct rule *r;

		switch (frame_at(t, trace, i)->kind) {
		case FRAME_INTERPRETED:
			return is_java ? IN_INTERPRETER : IN_NATIVE;
		case FRAME_JIT:
			return is_java ? IN_C2 : IN_NATIVE;
		case FRAME_C1:
			return is_java ? IN_C1 : IN_NATIVE;
		case FRAME_INLINED:
			is_java = true;
			break;
		case FRAME_NATIVE:
			r = rule_of(natives, COUNT(natives), name_at(t, trace, i));
			if (r && r->category == IN_VM)
				return IN_VM;
			is_java = is_java && r;
			break;
		case FRAME_CPP:
			if (strncmp(name_at(t, trace, i), "Runtime1::", 10) == 0)
				return IN_C1;
			break;
		default:
			break;
		}
	}
	return IN_NATIVE;
}

uint32_t classify(struct traces *t, const struct trace *trace)
{
	enum category found = by_thread(t, trace);

	if (found == UNCLEAR)
		found = by_method(t, trace);
	if (found == UNCLEAR)
		found = by_kind(t, trace);
	return traces_text_frame(t, categories[found].name, categories[found].kind);
}
