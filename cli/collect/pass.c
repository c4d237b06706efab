/* SPDX-License-Identifier: MIT */
/*
 * pass.c - report on one pass, and copy chunks into files
 */
#include "collect/pass.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock_now.h"

/* Telling -------------------------------------------------------------------------------------- */

void pass_tell(struct pass *p, const struct collected_news *news)
{
	if (news->what == COLLECTED_FAILED)
		p->failed++;
	if (p->options->fn)
		p->options->fn(p->options->ctx, news);
}

void pass_tell_failure(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
		       const struct jfrec_error *err)
{
	struct collected_news news = {
		.what = COLLECTED_FAILED,
		.path = path,
		.pid = jvm ? jvm->pid : 0,
		.main = jvm ? jvm->main : NULL,
		.code = err->code,
		.text = err->text,
	};

	pass_tell(p, &news);
}

void pass_tell_dropped(void *ctx, const char *name, uint64_t bytes)
{
	struct collected_news news = { .what = COLLECTED_DROPPED, .path = name, .bytes = bytes };

	pass_tell(ctx, &news);
}

static void tell_file(struct pass *p, const struct store_file *f, bool is_leftover)
{
	struct collected_news news = {
		.what = COLLECTED_FILE,
		.path = f->name,
		.pid = f->jvm->pid,
		.main = f->jvm->main,
		.is_leftover = is_leftover,
		.bytes = f->bytes,
		.chunks = p->c->dry ? f->count : f->written,
		.completed = f->completed,
		.unreadable = f->left_out,
		.start_ns = f->start_ns,
		.end_ns = f->end_ns,
	};

	pass_tell(p, &news);
}

void pass_complain(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
		   const char *format, ...)
{
	struct jfrec_error err = { .code = JFREC_EREFUSED, .offset = JFREC_NO_OFFSET };
	va_list args;

	va_start(args, format);
	vsnprintf(err.text, sizeof(err.text), format, args);
	va_end(args);
	pass_tell_failure(p, jvm, path, &err);
}

void pass_cut_turns(struct pass *p, struct turns *t, const char *what)
{
	uint32_t uid;
	size_t count;

	while (turns_cut(t, PASS_USER_NS, &uid, &count))
		pass_complain(p, NULL, NULL,
			      "user %u has used %d s of this pass; %zu of their %s are left for "
			      "the next one",
			      uid, (int)(PASS_USER_NS / NS_PER_SECOND), count, what);
}

/* Taking chunks -------------------------------------------------------------------------------- */

/* Chunks from number `first` on that go into one file. */
static size_t group_of(const struct pass *p, struct jfrec_repository *r, size_t first)
{
	uint64_t limit = p->c->config.limits.file_size,
		 bytes = jfrec_repository_get(r, first)->bytes;
	size_t n = 1, count = jfrec_repository_count(r);

	if (!limit)
		limit = p->c->config.limits.size ? p->c->config.limits.size : UINT64_MAX;
	for (; first + n < count; n++) {
		bytes += jfrec_repository_get(r, first + n)->bytes;
		if (bytes > limit)
			break;
	}
	return n;
}

/* Everything that is left in the repository, into as many files as the limits want. */
void pass_take(struct pass *p, struct jfrec_repository *r, const struct jfrec_jvm *jvm,
	       bool is_leftover)
{
	struct store_file f = { .jvm = jvm, .repository = r };
	int64_t until = monotonic_now_ns() + PASS_REPOSITORY_NS;
	size_t count = jfrec_repository_count(r);

	for (; f.first < count && !pass_is_over(p); f.first += f.count) {
		struct jfrec_error err = { 0 };

		if (monotonic_now_ns() > until) {
			pass_complain(p, jvm, NULL,
				      "only %zu of %zu new chunks were copied in %d s; the rest "
				      "is left for the next pass",
				      f.first, count, (int)(PASS_REPOSITORY_NS / NS_PER_SECOND));
			return;
		}
		f.count = group_of(p, r, f.first);
		f.bytes = 0;
		f.written = f.completed = f.left_out = 0;
		if (store_put(&p->c->store, &f, pass_tell_dropped, p, &err) == 0) {
			if (f.bytes || f.left_out)
				tell_file(p, &f, is_leftover);
			if (store_is_greedy(&p->c->store, &f))
				pass_complain(p, jvm, f.name,
					      "this file alone takes more than half of limits: "
					      "size, which leaves little room for others; raise "
					      "size, or lower file-size");
			continue;
		}
		p->full = store_is_full(&err);
		if (p->full)
			p->why = err;
		else
			pass_tell_failure(p, jvm, NULL, &err);
		return;
	}
}

/* Nothing that is not in it yet, and nothing that there was before. */
bool pass_is_new(struct pass *p, const struct jfrec_repository *r,
		 const struct jfrec_repository_chunk *c)
{
	return !store_knows(&p->c->store, r, c) && !c->is_empty;
}
