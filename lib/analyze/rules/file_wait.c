/* SPDX-License-Identifier: MIT */
/*
 * file_wait.c - is storage slow, or asked too often?
 */
#include "analyze/crowd.h"
#include "analyze/native_threads.h"
#include "analyze/rules.h"

#define FORCE_INFO_NS 50e6

/* A thread that forces files for this much of its time is reported. */
#define HALF 0.5

static const char *const jmc[] = { "FileRead", "FileWrite", "FileForce", NULL };

enum { READ, WRITE, FORCE, NATIVE };
enum { PATH, STACK, THREAD, BYTES };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.FileRead", OCCURS, "path", "stackTrace", "eventThread", "bytesRead"),
	READS_EITHER(1, "jdk.FileWrite", OCCURS, "path", "stackTrace", "eventThread", "bytesWritten"),
	READS_EITHER(1, "jdk.FileForce", OCCURS, "path", "stackTrace", "eventThread"),
	NATIVE_THREADS_INPUT,
	{ 0 },
};

struct state {
	struct groups files; /* path, kind */
	struct spans waits; /* for any file: storage is what they share */
	struct native_threads native; /* in forcing files to the disk */
	uint64_t left_out;
};

/*
 * Only these wait for the disk in any case, and FileDescriptor.sync() leaves no event at all. A
 * RandomAccessFile may be opened so that it forces each write ("rwd", "rws").
 */
static const char *const forcing[] = {
	"sun.nio.ch.FileDispatcherImpl.force0",
	"sun.nio.ch.UnixFileDispatcherImpl.force0",
	"java.io.FileDescriptor.sync",
	"java.nio.MappedMemoryUtils.force0",
	"java.io.RandomAccessFile.write",
};

/* Who reads these waits for someone, not for storage. */
static bool is_storage(const char *path)
{
	static const char *const others[] = { "/proc/", "/dev/", "/sys/", "pipe:", "socket:" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strncmp(path, others[i], strlen(others[i])) == 0)
			return false;
	}
	return *path != '\0';
}

static void take_wait(struct state *s, const struct event *e)
{
	uint32_t path = event_text(e, PATH);
	struct group *g;
	bool is_most;

	if (!is_storage(event_text_of(e, path))) {
		s->left_out++;
		return;
	}
	g = groups_add(&s->files, e, (uint32_t[4]){ path, e->input }, (double)event_duration(e),
		       &is_most);
	if (g && is_most) {
		g->most_stack = event_stack(e, STACK);
		g->most_thread = event_thread(e, THREAD);
	}
	spans_add(&s->waits, e,
		  (struct span_of){ .start_ns = e->start_ns,
				    .end_ns = e->end_ns,
				    .thread = event_thread(e, THREAD) });
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input != NATIVE)
		take_wait(s, e);
	else if (native_threads_take(&s->native, e, forcing, sizeof(forcing) / sizeof(*forcing)))
		native_threads_add(&s->native, e, 0);
}

static void fini(void *state)
{
	struct state *s = state;

	native_threads_fini(&s->native);
	groups_fini(&s->files);
	spans_fini(&s->waits);
}

static const struct group *longest(const struct groups *g, bool forced)
{
	const struct group *best = NULL;

	for (uint32_t i = 0; i < g->count; i++) {
		if ((g->list[i].key[1] == FORCE) == forced &&
		    (!best || g->list[i].most > best->most))
			best = &g->list[i];
	}
	return best;
}

/*
 * Threads that wait for storage most of their time, however short each wait is. True: it was
 * reported.
 */
static bool tell_crowd(struct judging *j, const struct state *s)
{
	const struct group *g = &s->files.list[0]; /* for which threads waited longest in all */
	struct crowd_room room;
	struct crowd c;
	enum jfrec_severity severity;

	if (!s->files.count || !crowd_room_init(j, &room, &s->waits))
		return false;
	c = crowd_worst(j, &room, 0);
	severity = crowd_severity(&c);
	if (severity <= j->finding->severity)
		return false;
	judge_at_least(j, severity);
	summarize(
		j,
		"%u threads waited for storage, %s of their time from %s on, longest in all for %s, "
		"at most %s each time",
		c.threads, percent_text(j, c.share), time_text(j, c.from_ns), text_at(j, g->key[0]),
		span_text(j, g->most));
	show_range(j, "worst", c.from_ns, c.to_ns);
	show_quantity(j, "threads that waited at once, on average", c.at_once, JFREC_UNIT_NONE);
	return true;
}

static void show_commands(struct judging *j)
{
	show_command_if(j, "jdk.FileRead", "view file-reads-by-path");
	show_command_if(j, "jdk.FileWrite", "view file-writes-by-path");
	show_command_if(j, "jdk.FileForce", "print --events jdk.FileForce");
}

/* A thread that forces again and again, too short each time for an event. True: it was reported. */
static bool tell_standing(struct judging *j, struct state *s)
{
	struct native_thread stand = native_threads_most(j, &s->native, HALF, NULL, NULL);

	if (!stand.thread || is_found(j))
		return false;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	j->finding->score = native_threads_score(&stand);
	summarize(j, "%s spent %s of its time %s%s", thread_of(j, stand.thread).name,
		  percent_text(j, stand.share),
		  stack_has(j, stand.stack, "java.io.RandomAccessFile.write")
			  ? "writing to a RandomAccessFile"
			  : "forcing what was written to the disk",
		  stand.threads > 1 ? textf(j, ", as did %u more", stand.threads - 1) : "");
	advise(j, "Force once for several lines or transactions (group commit), or leave it to the "
		  "system where the last seconds may be lost; a RandomAccessFile in mode rwd or rws "
		  "forces each write");
	show_stack(j, "where", stand.stack, NAN);
	show_thread(j, "thread", stand.thread, stand.share);
	show_command(j, "flame --type jdk.NativeMethodSample");
	return true;
}

static void judge(void *state, struct judging *j)
{
	static const char *const words[] = { "reading", "writing", "forcing to the disk" };
	static const char *const heads[] = { "Reading", "Writing", "Forcing to the disk" };
	struct state *s = state;
	const struct group *plain = longest(&s->files, false), *forced = longest(&s->files, true),
			   *g;
	struct group most;
	bool is_forced;

	judge_by(j, plain ? plain->most : 0);
	is_forced = forced && forced->most >= FORCE_INFO_NS && !is_found(j);
	if (is_forced)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	g = is_forced || !plain ? forced : plain;
	if (tell_standing(j, s))
		return;
	if (!g && (hidden_by_threshold(j, "jdk.FileRead", j->info) ||
		   hidden_by_threshold(j, "jdk.FileWrite", j->info) ||
		   hidden_by_threshold(j, "jdk.FileForce", FORCE_INFO_NS)))
		return;
	if (!g) {
		summarize(j, "No wait for a file was as long as the threshold of the recording");
		return;
	}
	if (is_forced)
		summarize(j, "%s %s took %s at %s (limit %s)", heads[FORCE], text_at(j, g->key[0]),
			  span_text(j, g->most), time_text(j, g->most_from_ns),
			  span_text(j, FORCE_INFO_NS));
	else
		summarize(j, "%s %s took %s at %s %s", heads[g->key[1]], text_at(j, g->key[0]),
			  span_text(j, g->most), time_text(j, g->most_from_ns), limit_text(j));
	most = *g;
	groups_sort(&s->files);
	if (!tell_crowd(j, s))
		show_range(j, "when", most.most_from_ns, most.most_to_ns);
	show_stack(j, "where", most.most_stack, NAN);
	show_thread(j, "thread", most.most_thread, NAN);
	for (uint32_t i = 0; i < s->files.count && i < 3; i++)
		show_name(j, JFREC_EVIDENCE_FILE,
			  textf(j, "%s, %s times, %s in all", words[s->files.list[i].key[1]],
				count_text(j, (double)s->files.list[i].count),
				span_text(j, s->files.list[i].sum)),
			  text_at(j, s->files.list[i].key[0]), NAN);
	show_commands(j);
}

const struct rule rule_file_wait = {
	.info = {
		.id = "file-wait",
		.jmc = jmc,
		.question = "Is storage slow?",
		.matters = "A thread that waits for the disk does nothing else. Disks of "
			   "virtual machines and network shares may stop for seconds.",
		.computes = "The longest time that one read or write of a file took; pipes, devices "
			    "and the like are left out. Forcing a file to the disk is info from "
			    "50 ms on. Also info: two threads at once that wait for storage for 90 % "
			    "of their time in the worst 10 s, five times each or more; three are a "
			    "warning, and five for 70 %; and a thread that half of its time or more "
			    "forces files to the disk or writes to a RandomAccessFile, by samples "
			    "(jdk.NativeMethodSample).",
		.measures = "longest read or write",
		.unit = JFREC_UNIT_NS,
		.info = 2e9,
		.warning = 4e9,
		.advice = "Look at the disk or the network share; write in larger pieces, and force "
			  "less often",
		.beware = "A read of a named pipe waits for the program that writes to it; the name does "
			  "not tell it from a file.",
		.differs = "JDK Mission Control counts pipes and terminals, too.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
