/* SPDX-License-Identifier: MIT */
/*
 * several.c - judge several recordings, each by itself, side by side
 *
 * Each is judged by a child, which gives up its rights before it reads. What the children print is
 * put together in the order of the recordings.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analyze/analyze.h"
#include "base/json.h"
#include "base/report.h"
#include "base/stdout.h"
#include "jvm/parallel_ask.h"

/* Recordings that are read at a time, unless more are asked for: each takes memory. */
#define USUAL_AT_ONCE 4

#define NAME_WIDTH 40

struct several {
	const struct analyze_several *what;
	struct analyze_tally *tallies; /* shared with the children */
	json_t *documents;	       /* of --json; or NULL */
	bool has_printed;
	int error; /* of writing */
};

void analyze_count(struct analyze_tally *t, const struct jfrec_analysis *a)
{
	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
		for (int s = 0; s <= JFREC_SEVERITY_WARNING; s++)
			t->findings[s] += count_findings(a, j, (enum jfrec_severity)s);
	}
	t->is_known = true;
}

static int judge_one(void *ctx, size_t i)
{
	struct several *s = ctx;

	/* This is a child, whose parent has taken what others read. */
	envelope_forget();
	return s->what->judge(s->what->ctx, i, &s->tallies[i]);
}

static void take_one(void *ctx, size_t i, int status, const char *out, size_t len)
{
	struct several *s = ctx;
	json_t *document;

	(void)i;
	(void)status;
	if (s->error || !len)
		return;
	if (s->documents) {
		document = json_loadb(out, len, 0, NULL);
		if (document)
			envelope_take(document);
		if (document)
			json_array_append_new(s->documents, document);
		return;
	}
	if (s->has_printed && s->what->is_text)
		s->error = write_stdout(NULL, "\n", 1);
	if (!s->error)
		s->error = write_stdout(NULL, out, len);
	s->has_printed = true;
}

/* Recording by class, so that the worst is found among many. */
static void print_table(const struct several *s)
{
	printf("\n%-*s %8s %8s %8s %8s\n", NAME_WIDTH, "recording", "warnings", "infos", "ok",
	       "no data");
	for (size_t i = 0; i < s->what->count; i++) {
		const struct analyze_tally *t = &s->tallies[i];
		const char *name = s->what->names[i];
		int left = NAME_WIDTH - (int)put_name(stdout, name);

		printf("%*s", left > 0 ? left : 0, "");
		if (t->is_known)
			printf(" %8zu %8zu %8zu %8zu\n", t->findings[JFREC_SEVERITY_WARNING],
			       t->findings[JFREC_SEVERITY_INFO], t->findings[JFREC_SEVERITY_OK],
			       t->findings[JFREC_SEVERITY_NO_DATA]);
		else
			puts(" could not be read");
	}
}

static int finish(struct several *s, int status)
{
	int printed = EXIT_DONE;

	if (s->error)
		return report_write_failure(s->error);
	if (s->documents)
		printed = print_document("analyses", json_pack("{s:O}", "analyses", s->documents));
	else if (s->what->is_text) {
		print_table(s);
		printed = finish_stdout();
	}
	return printed != EXIT_DONE ? printed : status;
}

int analyze_several(const struct analyze_several *what)
{
	size_t size = what->count * sizeof(struct analyze_tally);
	struct several s = { .what = what };
	int status;

	s.tallies = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s.tallies == MAP_FAILED) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	s.documents = what->is_json ? json_array() : NULL;
	status = ask_in_parallel(&(struct parallel_ask){ judge_one, take_one, &s,
							 what->at_once ? what->at_once
								       : USUAL_AT_ONCE },
				 what->count);
	status = finish(&s, status);
	json_decref(s.documents);
	munmap(s.tallies, size);
	return status;
}
