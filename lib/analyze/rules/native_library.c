/* SPDX-License-Identifier: MIT */
/*
 * native_library.c - did a native library fail to load?
 */
#include <ctype.h>

#include "analyze/rules.h"
#include "base/digest.h"

enum { NAME, SUCCESS, STACK };

static const struct reads inputs[] = {
	READS("jdk.NativeLibraryLoad", OCCURS, "name", "success", "stackTrace"),
	{ 0 },
};

struct state {
	struct groups failed, loaded; /* name */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	struct group *g;

	if (event_long(e, SUCCESS) == 1) {
		groups_add(&s->loaded, e, (uint32_t[4]){ event_text(e, NAME) }, 1, NULL);
		return;
	}
	g = groups_add(&s->failed, e, (uint32_t[4]){ event_text(e, NAME) }, 1, NULL);
	if (g && g->count == 1)
		g->most_stack = event_stack(e, STACK);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->failed);
	groups_fini(&s->loaded);
}

/* Of /usr/lib/libnetty_epoll_x86_64.so "netty": letters and digits after "lib". */
static const char *stem(const char *name, size_t *len)
{
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	if (strncmp(name, "lib", 3) == 0)
		name += 3;
	for (*len = 0; isalnum((unsigned char)name[*len]); (*len)++)
		;
	return name;
}

static struct digest stem_digest(const struct judging *j, const struct group *g)
{
	struct digest d = DIGEST_INIT;
	size_t len;
	const char *text = stem(text_at(j, g->key[0]), &len);

	digest_bytes(&d, text, len);
	return d;
}

/* The stems of libraries that were loaded. */
static struct digest_map stems_of(const struct judging *j, const struct groups *loaded)
{
	struct digest_map stems = { 0 };

	for (uint32_t i = 0; i < loaded->count; i++) {
		uint64_t *place = digest_map_put(&stems, stem_digest(j, &loaded->list[i]));

		if (place)
			*place = 1;
	}
	return stems;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct digest_map stems = stems_of(j, &s->loaded);
	const struct group *first = NULL;
	double n = 0;

	groups_sort(&s->failed);
	for (uint32_t i = 0; i < s->failed.count; i++) {
		const struct group *g = &s->failed.list[i];

		/* Some libraries try several names until one loads. */
		if (digest_map_get(&stems, stem_digest(j, g)))
			continue;
		first = first ? first : g;
		n++;
		show_name(j, JFREC_EVIDENCE_FILE, "did not load", text_at(j, g->key[0]), NAN);
		show_stack(j, "asked for at", g->most_stack, NAN);
	}
	digest_map_fini(&stems);
	judge_by(j, n);
	if (!first) {
		summarize(j, "No native library failed to load");
		return;
	}
	summarize(j, "%s native librar%s did not load: %s", count_text(j, n), n == 1 ? "y" : "ies",
		  text_at(j, first->key[0]));
	show_command(j, "print --events jdk.NativeLibraryLoad --where 'success == false'");
}

const struct rule rule_native_library = {
	.info = {
		.id = "native-library",
		.question = "Did a native library fail to load?",
		.matters = "Without its native library a program uses a slower way, or fails "
			   "later, where it is hard to explain.",
		.computes = "Counts jdk.NativeLibraryLoad with success=false, by name, unless a "
			    "library with the same stem loaded.",
		.measures = "native libraries that did not load",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = INFINITY,
		.advice = "Look at the error in the event: mostly the file is for another processor or "
			  "another C library, or a directory is missing in -Djava.library.path",
		.jdk_from = 21,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
