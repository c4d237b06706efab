/* SPDX-License-Identifier: MIT */
/*
 * evidence.c - the pieces that show why a rule says what it says
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/engine.h"
#include "analyze/host.h"
#include "base/human.h"
#include "format/equivalents.h"

/* Of a stack so many frames are shown, and of a finding so many pieces kept. */
#define SHOWN_FRAMES 5
#define MAX_EVIDENCE 64

struct jfrec_evidence_list {
	size_t count;
	struct jfrec_evidence items[MAX_EVIDENCE];
};

struct jfrec_evidence_frames {
	size_t count;
	const char *texts[];
};

const char *jfrec_evidence_kind_name(enum jfrec_evidence_kind k)
{
	static const char *const names[] = {
		[JFREC_EVIDENCE_QUANTITY] = "quantity", [JFREC_EVIDENCE_RANGE] = "range",
		[JFREC_EVIDENCE_THREAD] = "thread",	[JFREC_EVIDENCE_CLASS] = "class",
		[JFREC_EVIDENCE_METHOD] = "method",	[JFREC_EVIDENCE_STACK] = "stack",
		[JFREC_EVIDENCE_FILE] = "file",		[JFREC_EVIDENCE_HOST] = "host",
		[JFREC_EVIDENCE_SETTING] = "setting",	[JFREC_EVIDENCE_NOTE] = "note",
		[JFREC_EVIDENCE_COMMAND] = "command",
	};

	return names[k];
}

/* Names ---------------------------------------------------------------------------------------- */

const char *text_at(const struct judging *j, uint32_t text)
{
	return j->analysis->names.book.names.list[text].text;
}

size_t text_count(const struct judging *j)
{
	return j->analysis->names.book.names.count;
}

struct thread_name thread_of(const struct judging *j, uint32_t thread)
{
	const struct thread_list *t = &j->analysis->names.threads;
	struct thread_name n = {
		.name = text_at(j, t->list[thread].name),
		.java_id = t->list[thread].java_id,
		.os_id = t->list[thread].os_id,
		.is_virtual = t->list[thread].is_virtual,
	};

	if (!*n.name && thread)
		n.name = textf((struct judging *)j, "#%" PRId64, n.java_id);
	return n;
}

static const struct frame *frame_of(const struct judging *j, uint32_t stack, size_t i)
{
	const struct names *n = &j->analysis->names;

	if (i >= n->stacks.list[stack].count)
		return NULL;
	return &n->book.frames.list[n->stacks.frames[n->stacks.list[stack].first + i]];
}

size_t stack_depth(const struct judging *j, uint32_t stack)
{
	return j->analysis->names.stacks.list[stack].count;
}

bool stack_is_truncated(const struct judging *j, uint32_t stack)
{
	return j->analysis->names.stacks.list[stack].is_truncated;
}

uint32_t stack_method_text(const struct judging *j, uint32_t stack, size_t i)
{
	const struct frame *f = frame_of(j, stack, i);

	return f ? f->name : 0;
}

const char *stack_method(const struct judging *j, uint32_t stack, size_t i)
{
	return text_at(j, stack_method_text(j, stack, i));
}

unsigned stack_line(const struct judging *j, uint32_t stack, size_t i)
{
	const struct frame *f = frame_of(j, stack, i);

	return f ? f->line : 0;
}

size_t stack_first_own(const struct judging *j, uint32_t stack)
{
	size_t depth = stack_depth(j, stack);

	for (size_t i = 0; i < depth; i++) {
		if (!is_jdk_method(stack_method(j, stack, i)))
			return i;
	}
	return depth ? 0 : SIZE_MAX;
}

enum { NOT_ASKED, OF_OTHERS, OF_APP };

/* Methods come again in many stacks: each is looked at once for a JVM. */
static bool is_of_app(const struct judging *j, uint32_t text)
{
	struct jvm *jvm = j->jvm;
	const char *method;
	bool is;

	if (!jvm->whose) {
		jvm->whose_count = text_count(j);
		jvm->whose = arena_zalloc(&jvm->arena, jvm->whose_count + 1, 1);
	}
	if (jvm->whose && text < jvm->whose_count && jvm->whose[text] != NOT_ASKED)
		return jvm->whose[text] == OF_APP;
	method = text_at(j, text);
	is = !is_jdk_method(method) && !is_library_method(method);
	if (jvm->whose && text < jvm->whose_count)
		jvm->whose[text] = is ? OF_APP : OF_OTHERS;
	return is;
}

size_t stack_first_app(const struct judging *j, uint32_t stack, size_t i)
{
	for (size_t depth = stack_depth(j, stack); i < depth; i++) {
		if (is_of_app(j, stack_method_text(j, stack, i)))
			return i;
	}
	return SIZE_MAX;
}

bool stack_has(const struct judging *j, uint32_t stack, const char *prefix)
{
	for (size_t i = 0; i < stack_depth(j, stack); i++) {
		if (strncmp(stack_method(j, stack, i), prefix, strlen(prefix)) == 0)
			return true;
	}
	return false;
}

/* Pieces --------------------------------------------------------------------------------------- */

/* JDK 9 and 10 call the JDK's events com.oracle.jdk.X. */
static const char *with_old_names(struct judging *j, const char *command)
{
	static const char old[] = JDK9_BEFORE;
	char *to = judging_memory(j, strlen(command) * 4 + 1);
	size_t n = 0;

	if (!to)
		return "";
	for (const char *at = command; *at; at++) {
		if (at > command && strchr(" ,", at[-1]) && strncmp(at, "jdk.", 4) == 0) {
			memcpy(to + n, old, sizeof(old) - 1);
			n += sizeof(old) - 1;
		}
		to[n++] = *at;
	}
	return to;
}

/*
 * Texts of the recording may have secrets in them; names of methods and classes are the program's.
 */
static const char *without_secrets(struct judging *j, enum jfrec_evidence_kind kind,
				   const char *text)
{
	const char *shown;

	if (!text || kind == JFREC_EVIDENCE_CLASS || kind == JFREC_EVIDENCE_METHOD ||
	    kind == JFREC_EVIDENCE_STACK || kind == JFREC_EVIDENCE_QUANTITY ||
	    kind == JFREC_EVIDENCE_RANGE)
		return text;
	shown = secrets_redact(&j->analysis->secrets, &(struct text_spot){ 0 }, text);
	return shown == text ? text : textf(j, "%s", shown);
}

static void add(struct judging *j, struct jfrec_evidence e)
{
	struct jfrec_rule_finding *f = j->finding;
	struct jfrec_evidence_list *list = (struct jfrec_evidence_list *)f->evidence;

	if (!list)
		list = arena_zalloc(&j->jvm->arena, 1, sizeof(*list));
	if (!list) {
		j->analysis->names.no_memory = true;
		return;
	}
	if (e.kind == JFREC_EVIDENCE_COMMAND && (j->facts->jdk == 9 || j->facts->jdk == 10))
		e.text = with_old_names(j, e.text);
	e.text = without_secrets(j, e.kind, e.text);
	if (list->count < MAX_EVIDENCE)
		list->items[list->count++] = e;
	f->evidence = list;
}

size_t jfrec_finding_evidence_count(const struct jfrec_rule_finding *f)
{
	return f->evidence ? f->evidence->count : 0;
}

const struct jfrec_evidence *jfrec_finding_evidence_get(const struct jfrec_rule_finding *f,
							size_t i)
{
	return i < jfrec_finding_evidence_count(f) ? &f->evidence->items[i] : NULL;
}

size_t jfrec_evidence_frame_count(const struct jfrec_evidence *e)
{
	return e->frames ? e->frames->count : 0;
}

const char *jfrec_evidence_frame_get(const struct jfrec_evidence *e, size_t i)
{
	return i < jfrec_evidence_frame_count(e) ? e->frames->texts[i] : NULL;
}

static struct jfrec_evidence piece(enum jfrec_evidence_kind kind, const char *label)
{
	return (struct jfrec_evidence){ .kind = kind,
					.label = label,
					.value = NAN,
					.from_ns = INT64_MIN,
					.to_ns = INT64_MIN,
					.share = NAN };
}

void show_quantity(struct judging *j, const char *label, double value, enum jfrec_unit unit)
{
	struct jfrec_evidence e = piece(JFREC_EVIDENCE_QUANTITY, label);

	if (isnan(value))
		return;
	e.value = value;
	e.unit = unit;
	e.text = unit_text(j, value, unit);
	add(j, e);
}

void show_range(struct judging *j, const char *label, int64_t from_ns, int64_t to_ns)
{
	struct jfrec_evidence e = piece(JFREC_EVIDENCE_RANGE, label);

	e.from_ns = from_ns;
	e.to_ns = to_ns;
	e.text = to_ns - from_ns < 1000000000
			 ? textf(j, "%s", time_text(j, from_ns))
			 : textf(j, "%s\u2013%s", time_text(j, from_ns), time_text(j, to_ns));
	add(j, e);
}

void show_name(struct judging *j, enum jfrec_evidence_kind kind, const char *label,
	       const char *name, double share)
{
	struct jfrec_evidence e = piece(kind, label);

	if (!name || !*name)
		return;
	e.text = name;
	e.share = share;
	add(j, e);
}

void show_thread(struct judging *j, const char *label, uint32_t thread, double share)
{
	if (thread)
		show_name(j, JFREC_EVIDENCE_THREAD, label, thread_of(j, thread).name, share);
}

static const char *frame_text(struct judging *j, uint32_t stack, size_t i)
{
	unsigned line = stack_line(j, stack, i);

	return line ? textf(j, "%s:%u", stack_method(j, stack, i), line) : stack_method(j, stack, i);
}

void show_stack(struct judging *j, const char *label, uint32_t stack, double share)
{
	size_t depth = stack_depth(j, stack), n = depth < SHOWN_FRAMES ? depth : SHOWN_FRAMES;
	struct jfrec_evidence e = piece(JFREC_EVIDENCE_STACK, label);
	struct jfrec_evidence_frames *frames;

	if (!n)
		return;
	frames = arena_zalloc(&j->jvm->arena, 1, sizeof(*frames) + n * sizeof(*frames->texts));
	if (!frames) {
		j->analysis->names.no_memory = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		frames->texts[i] = frame_text(j, stack, i);
	frames->count = n;
	e.frames = frames;
	e.share = share;
	/* Where the application can do something about it. */
	e.text = frame_text(j, stack, stack_first_own(j, stack));
	add(j, e);
}

#define SHOW_FORMATTED(kind, format)                                              \
	do {                                                                      \
		struct jfrec_evidence e = piece(kind, NULL);                      \
		char *text = NULL;                                                \
		int len;                                                          \
		va_list args;                                                     \
                                                                                  \
		va_start(args, format);                                           \
		len = vasprintf(&text, format, args);                             \
		va_end(args);                                                     \
		if (len < 0) {                                                    \
			j->analysis->names.no_memory = true;                      \
			return;                                                   \
		}                                                                 \
		e.text = textf(j, "%s", text);                                    \
		free(text);                                                       \
		add(j, e);                                                        \
	} while (0)

void show_note(struct judging *j, const char *format, ...)
{
	SHOW_FORMATTED(JFREC_EVIDENCE_NOTE, format);
}

void show_command(struct judging *j, const char *format, ...)
{
	SHOW_FORMATTED(JFREC_EVIDENCE_COMMAND, format);
}

void show_shell(struct judging *j, const char *format, ...)
{
	struct jfrec_evidence e = piece(JFREC_EVIDENCE_COMMAND, NULL);
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		j->analysis->names.no_memory = true;
		return;
	}
	e.text = textf(j, "%s", text);
	e.is_whole = true;
	free(text);
	add(j, e);
}

void show_command_if(struct judging *j, const char *type, const char *command)
{
	if (type_count(j, type))
		show_command(j, "%s", command);
}

/* A time as --from and --to take it, in the zone of the other times: "2026-11-26T00:47:58.450Z". */
static const char *argument_time(struct judging *j, int64_t ms)
{
	int64_t s = ms / 1000;
	int32_t offset = j->analysis->zone ? j->analysis->zone(j->analysis->zone_ctx, s) : 0;
	char text[HUMAN_MAX];
	int64_t ns;

	/* A zone has whole minutes in this form. */
	if (offset % 60 || __builtin_mul_overflow(ms, 1000000, &ns))
		return textf(j, "%" PRId64 ".%03d", s, (int)(ms % 1000));
	return textf(j, "%s", human_iso_ms(text, ns, offset));
}

/* For a shell, with each single quote outside of the others. */
static const char *quoted(struct judging *j, const char *text)
{
	char *to = judging_memory(j, strlen(text) * 4 + 3);
	size_t n = 0;

	if (!to)
		return "";
	to[n++] = '\'';
	for (; *text; text++) {
		if (*text == '\'') {
			memcpy(to + n, "'\\''", 4);
			n += 4;
		} else {
			to[n++] = *text;
		}
	}
	to[n] = '\'';
	return to;
}

void show_events(struct judging *j, const char *type, int64_t from_ns, int64_t to_ns,
		 const char *where)
{
	const char *span = "", *expression = "";

	/* Whole milliseconds, which have the whole event between them. */
	if (from_ns > 0 && to_ns >= from_ns && from_ns != INT64_MAX)
		span = textf(j, " --from %s --to %s", argument_time(j, from_ns / 1000000),
			     argument_time(j, to_ns / 1000000 + 1));
	if (where)
		expression = textf(j, " --where %s", quoted(j, where));
	show_command(j, "print --events %s%s%s", type, span, expression);
}
