/* SPDX-License-Identifier: MIT */
/*
 * asked.c - what children find out about one JVM: its hot methods, and the names of its threads
 */
#include "top/asked.h"

#include "base/report.h"
#include "top/thread_names.h"
#include "top/window.h"

/* More rows than a screen has. */
#define QUERY                                                                                      \
	"SELECT stackTrace.topFrame AS T, COUNT(*) AS N FROM ExecutionSample GROUP BY T "          \
	"ORDER BY N DESC"
#define MOST_METHODS 200

static json_t *methods_of(struct jfrec_answer *t)
{
	json_t *list = json_array();
	int64_t samples = 0;

	for (size_t i = 0; i < jfrec_answer_row_count(t); i++) {
		json_t *name = text_json(jfrec_answer_cell(t, i, 0).text);
		int64_t n = jfrec_answer_cell(t, i, 1).i;

		samples += n;
		if (i < MOST_METHODS)
			json_array_append_new(list, json_pack("[o, I]", name, (json_int_t)n));
		else
			json_decref(name);
	}
	return json_pack("{s:o, s:I}", "methods", list, "samples", (json_int_t)samples);
}

json_t *asked_methods(void *jvm)
{
	struct window w = { 0 };
	json_t *answer = window_open(&w, jvm, HOT_NS);
	struct jfrec_query *q;
	struct jfrec_error err;
	int n;

	if (answer)
		return answer;
	q = jfrec_query_new(w.reader, &err);
	if (q)
		jfrec_query_set_span(q, &w.from_ns, NULL);
	n = q ? jfrec_query_add(q, QUERY, &err) : -1;
	if (n < 0 || jfrec_query_run(q, &err) < 0)
		return window_failure(&err);
	if (!jfrec_query_answer(q, n))
		return json_pack("{s:s}", "error", "its recording has no samples of execution");
	answer = methods_of(jfrec_query_answer(q, n));
	jfrec_query_free(q);
	return answer;
}

json_t *asked_names(void *jvm)
{
	/* Less than the parent waits, so that it hears why. */
	const struct jfrec_session_options options = {
		.struct_size = sizeof(options),
		.whole_timeout_ms = 8000,
	};
	struct thread_names names = { .names = json_object() };
	struct jfrec_session *s;
	struct jfrec_error err;
	char *refusal = NULL;
	int ret = -1;

	s = jfrec_session_open(jvm, &options, &err);
	if (s)
		ret = jfrec_session_jcmd(s, "Thread.print", thread_names_take, &names, &refusal, &err);
	jfrec_session_close(s);
	jfrec_free(refusal);
	if (ret == 0)
		return json_pack("{s:o}", "names", names.names);
	json_decref(names.names);
	return window_failure(&err);
}
