/* SPDX-License-Identifier: MIT */
/*
 * socket_wait.c - which peer is slow?
 *
 * A thread that waits for the next request of a connection reads for as long as one that waits for
 * an answer. What is left out as the former: reads in known servers' and consumers' code, and reads
 * of little at a time by a thread other than main whose peer has a port as clients get them. A
 * write just before proves nothing: a server has just answered, too. But where two threads read
 * from the same port of the same host at once, there are two connections to it, so it is not a
 * client; and what known clients read are answers.
 *
 * Slow is a peer that takes long once, and one for which threads wait most of their time, however
 * short each wait is.
 */
#include <stdlib.h>

#include "analyze/crowd.h"
#include "analyze/native_threads.h"
#include "analyze/notes.h"
#include "analyze/rules.h"

#define CLIENT_PORT 32768
#define SMALL_READ  8192

/* Peers that are looked at closely, by the time waited for each. */
#define MAX_PEERS 32

/* Less than this is not an overlap: clocks of processors differ. */
#define OVERLAP_NS 1000000

static const char *const jmc[] = { "SocketRead", "SocketWrite", NULL };

/* A thread that waits this much of its time for short answers is reported. */
#define MOSTLY 0.7

enum { READ, WRITE, NATIVE };
enum { HOST, ADDRESS, PORT, BYTES, STACK, THREAD, TIMEOUT };
enum { SAMPLE_STACK };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.SocketRead", OCCURS, "host", "address", "port", "bytesRead", "stackTrace",
		     "eventThread", "timeout"),
	READS_EITHER(1, "jdk.SocketWrite", OCCURS, "host", "address", "port", "bytesWritten",
		     "stackTrace", "eventThread"),
	NATIVE_THREADS_INPUT,
	{ 0 },
};

/* A wait, with what is to be shown of it. */
struct wait {
	int64_t start_ns, end_ns;
	uint32_t host, port, stack, thread;
};

/* Reads: what they wait for, by their stack; NOT_ASKED: it was not looked at. */
enum { NOT_ASKED, UNKNOWN, IN_LOOP, A_REQUEST, AN_ANSWER };

/* Who stands in a read: known clients; else it is the number of the application's method. */
#define OF_CLIENT 0
#define OF_HTTP	  UINT32_MAX

/* Reads from peers with the port of a client, which may be waits for a request or for an answer. */
enum { UNCLEAR = WRITE + 1, MESSAGE };

/* In these, threads that read from a socket wait until there is something. */
static const char *const reading[] = {
	"sun.nio.ch.Net.poll",
	"sun.nio.ch.SocketDispatcher.read",
	"java.net.SocketInputStream.socketRead0",
};

struct state {
	struct groups peers;   /* host, port, kind */
	struct groups threads; /* that waited */
	struct notes stacks;   /* what they wait for */
	struct spans waits;    /* what: place of the peer */
	struct native_threads native; /* in reads: of whom */
	uint64_t idle, timeouts;
	double idle_ns;
	bool serves; /* there is a server in the JVM */
};

static bool has_any(const struct event *e, uint32_t stack, const char *const *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (event_stack_has(e, stack, frames[i]))
			return true;
	}
	return false;
}

/* Does a server read by itself? In what it calls for a request, the application may read, too. */
static bool is_server(const struct event *e, uint32_t stack)
{
	static const char *const frames[] = {
		"sun.rmi.transport.tcp.TCPTransport", "sun.net.httpserver.",
		"org.apache.coyote.",		      "org.apache.tomcat.util.net.",
		"org.eclipse.jetty.",		      "io.undertow.",
		"org.xnio.",			      "weblogic.socket.",
		"org.glassfish.grizzly.",	      "com.ibm.ws.",
	};

	for (size_t i = 0; i < event_stack_depth(e, stack); i++) {
		const char *method = event_text_of(e, event_method(e, stack, i));

		for (size_t k = 0; k < sizeof(frames) / sizeof(*frames); k++) {
			if (strncmp(method, frames[k], strlen(frames[k])) == 0)
				return true;
		}
		if (!is_jdk_method(method))
			return false;
	}
	return false;
}

/* Those who wait until a message comes. */
static bool is_listener(const struct event *e, uint32_t stack)
{
	static const char *const frames[] = {
		"javax.management.remote.rmi.RMIConnector$RMINotifClient.fetchNotifs",
		"com.sun.jndi.ldap.Connection.run",
		"org.apache.activemq.transport.",
		"com.rabbitmq.client.impl.AMQConnection",
		"org.postgresql.core.v3.QueryExecutorImpl.processNotifies",
		"okhttp3.internal.http2.",
		"okhttp3.internal.ws.",
		"com.mongodb.internal.connection.DefaultServerMonitor",
		"com.jcraft.jsch.Session.run",
		"com.github.shyiko.mysql.binlog.",
		"redis.clients.jedis.JedisPubSub",
		"redis.clients.jedis.Jedis.bl",
		"redis.clients.jedis.Jedis.br",
		"redis.clients.jedis.Jedis.xread",
	};

	return has_any(e, stack, frames, sizeof(frames) / sizeof(*frames));
}

/* Clients that have asked, and wait for the answer. */
static bool is_client(const struct event *e, uint32_t stack)
{
	static const char *const frames[] = {
		"sun.net.www.http.HttpClient.parseHTTP",
		"org.apache.http.protocol.HttpRequestExecutor.",
		"org.apache.hc.core5.http.impl.io.HttpRequestExecutor.",
		"okhttp3.internal.http1.",
		"org.postgresql.core.v3.QueryExecutorImpl.processResults",
		"com.mysql.cj.protocol.",
		"com.mysql.jdbc.MysqlIO.",
		"org.mariadb.jdbc.",
		"oracle.jdbc.driver.",
		"com.microsoft.sqlserver.jdbc.",
		"net.sourceforge.jtds.jdbc.",
		"com.ibm.db2.jcc.",
		"org.h2.engine.SessionRemote.",
		"org.hsqldb.ClientConnection",
		"redis.clients.jedis.",
		"com.mongodb.internal.connection.InternalStreamConnection.",
		"com.sun.mail.",
	};

	return has_any(e, stack, frames, sizeof(frames) / sizeof(*frames));
}

/*
 * What a thread runs reads itself, as loops do that wait for messages: no one has called it to ask.
 */
static bool is_loop(const struct event *e, uint32_t stack)
{
	const char *method = event_text_of(e, event_top_own(e, stack)),
		   *name = strrchr(method, '.');

	return name && (strncmp(name, ".lambda$", 8) == 0 || strcmp(name, ".run") == 0 ||
			strcmp(name, ".call") == 0);
}

static uint32_t what_waits_for(struct state *s, const struct event *e, uint32_t stack)
{
	uint32_t *note = notes_at(&s->stacks, stack);

	if (!note) {
		event_no_memory(e);
		return UNKNOWN;
	}
	if (*note == NOT_ASKED)
		*note = is_server(e, stack) || is_listener(e, stack) ? A_REQUEST
			: is_client(e, stack)			     ? AN_ANSWER
			: is_loop(e, stack)			     ? IN_LOOP
								     : UNKNOWN;
	return *note;
}

/* The host, or the address where there is none. */
static uint32_t peer_of(const struct event *e)
{
	uint32_t host = event_text(e, HOST);

	return *event_text_of(e, host) ? host : event_text(e, ADDRESS);
}

static void count(struct state *s, const struct event *e, uint32_t kind, const struct wait *u)
{
	double ns = (double)(u->end_ns - u->start_ns);
	bool is_most;
	struct group *g = groups_add(&s->peers, e, (uint32_t[4]){ u->host, u->port, kind }, ns,
				     &is_most);

	if (!g)
		return;
	if (is_most) {
		g->most_stack = u->stack;
		g->most_thread = u->thread;
	}
	spans_add(&s->waits, e,
		  (struct span_of){ .start_ns = u->start_ns,
				    .end_ns = u->end_ns,
				    .what = (uint32_t)(g - s->peers.list),
				    .thread = u->thread });
	groups_add(&s->threads, e, (uint32_t[4]){ u->thread }, ns, NULL);
}

static void leave_out(struct state *s, double ns, uint64_t reads)
{
	s->idle += reads;
	s->idle_ns += ns;
}

/* Of a read, what it waits for decides whether it is a wait for a peer at all. */
static uint32_t kind_of_read(const struct event *e, uint32_t what, const struct wait *u)
{
	if (what != AN_ANSWER && (int32_t)u->port >= CLIENT_PORT &&
	    event_long(e, BYTES) <= SMALL_READ &&
	    strcmp(event_text_of(e, event_text(e, THREAD)), "main") != 0)
		return what == IN_LOOP ? MESSAGE : UNCLEAR;
	return READ;
}

static void take_wait(struct state *s, const struct event *e)
{
	struct wait u = { .start_ns = e->start_ns, .end_ns = e->end_ns };
	uint32_t what = UNKNOWN;
	int64_t timeout;

	u.stack = event_stack(e, STACK);
	if (e->input == READ) {
		what = what_waits_for(s, e, u.stack);
		timeout = event_long(e, TIMEOUT);
		s->timeouts += timeout > 0 && event_duration(e) >= timeout;
		if (what == A_REQUEST) {
			leave_out(s, (double)event_duration(e), 1);
			return;
		}
	}
	u.host = peer_of(e);
	u.port = (uint32_t)event_long(e, PORT);
	u.thread = event_thread(e, THREAD);
	count(s, e, e->input == WRITE ? WRITE : kind_of_read(e, what, &u), &u);
}

static bool is_http(const struct event *e, uint32_t stack)
{
	static const char *const frames[] = { "sun.net.www.", "org.apache.http.", "org.apache.hc.", "okhttp3." };

	return has_any(e, stack, frames, sizeof(frames) / sizeof(*frames));
}

/* Many short waits leave no event: samples of native methods see the threads stand there. */
static void take_sample(struct state *s, const struct event *e)
{
	uint32_t stack =
		native_threads_take(&s->native, e, reading, sizeof(reading) / sizeof(*reading));
	uint32_t any = event_stack(e, SAMPLE_STACK),
		 what = any ? what_waits_for(s, e, any) : (uint32_t)UNKNOWN;

	s->serves |= what == A_REQUEST;
	if (!stack)
		return;
	if (what == UNKNOWN || what == AN_ANSWER)
		native_threads_add(&s->native, e,
				   is_http(e, stack)	   ? OF_HTTP
				   : what == AN_ANSWER ? OF_CLIENT
						 : event_top_own(e, stack));
}

static void take(void *state, const struct event *e)
{
	if (e->input == NATIVE)
		take_sample(state, e);
	else
		take_wait(state, e);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->peers);
	groups_fini(&s->threads);
	notes_fini(&s->stacks);
	spans_fini(&s->waits);
	native_threads_fini(&s->native);
}

/* Peers ---------------------------------------------------------------------------------------- */

/* The wait that ended last so far. */
struct latest {
	int64_t end_ns;
	uint32_t thread;
};

/* Bring the waits for peers that may be clients to the front, by time; returns how many. */
static size_t sort_unclear(struct state *s)
{
	struct spans front = { .list = s->waits.list };

	for (size_t i = 0; i < s->waits.count; i++) {
		struct span_of *o = &s->waits.list[i], *to = &s->waits.list[front.count], keep = *o;

		if (s->peers.list[o->what].key[2] != UNCLEAR)
			continue;
		*o = *to;
		*to = keep;
		front.count++;
	}
	spans_sort(&front);
	return front.count;
}

/* Peers from which two threads read at once have answered; the others may be clients. */
static void find_answers(struct judging *j, struct state *s)
{
	struct latest *latest = judging_memory(j, (s->peers.count + 1) * sizeof(*latest));
	size_t unclear = sort_unclear(s);

	for (size_t i = 0; latest && i < unclear; i++) {
		const struct span_of *o = &s->waits.list[i];
		struct latest *before = &latest[o->what];
		struct group *g = &s->peers.list[o->what];

		if (g->key[2] == UNCLEAR && before->end_ns - OVERLAP_NS > o->start_ns &&
		    before->thread != o->thread)
			g->key[2] = READ;
		if (o->end_ns > before->end_ns)
			*before = (struct latest){ o->end_ns, o->thread };
	}
	for (uint32_t i = 0; latest && i < s->peers.count; i++) {
		const struct group *g = &s->peers.list[i];

		if (g->key[2] >= UNCLEAR)
			leave_out(s, g->sum, g->count);
	}
}

/* Threads that wait for one peer together. */
struct queue {
	const struct group *peer;
	uint32_t place;
	struct crowd crowd;
	enum jfrec_severity severity;
};

static int compare_sums(const void *a, const void *b)
{
	const struct queue *x = a, *y = b;

	if (x->peer->sum != y->peer->sum)
		return x->peer->sum > y->peer->sum ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/*
 * The peer for which threads waited most together, where that is much; its peer is NULL if none is.
 */
static struct queue worst_queue(struct judging *j, const struct state *s)
{
	struct queue *list = judging_memory(j, (s->peers.count + 1) * sizeof(*list)), worst = { 0 };
	struct crowd_room room;
	size_t count = 0;

	if (!list || !crowd_room_init(j, &room, &s->waits))
		return worst;
	for (uint32_t i = 0; i < s->peers.count; i++) {
		if (s->peers.list[i].key[2] == READ)
			list[count++] = (struct queue){ .peer = &s->peers.list[i], .place = i };
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_sums);
	for (size_t i = 0; i < count && i < MAX_PEERS; i++) {
		list[i].crowd = crowd_worst(j, &room, list[i].place);
		list[i].severity = crowd_severity(&list[i].crowd);
		if (list[i].severity >= JFREC_SEVERITY_INFO &&
		    (!worst.peer || list[i].severity > worst.severity))
			worst = list[i];
	}
	return worst;
}

/*
 * The longest wait for a peer, without what collections took of it: all threads stood still then.
 */
static double wait_for(const struct judging *j, const struct group *g)
{
	return g->most - (double)spans_union(&j->facts->pauses, g->most_from_ns, g->most_to_ns);
}

static const struct group *longest_peer(const struct judging *j, const struct groups *g)
{
	const struct group *best = NULL;
	double longest = 0, ns;

	for (uint32_t i = 0; i < g->count; i++) {
		if (g->list[i].key[2] >= UNCLEAR || (best && g->list[i].most <= longest))
			continue;
		ns = wait_for(j, &g->list[i]);
		if (best && ns <= longest)
			continue;
		best = &g->list[i];
		longest = ns;
	}
	return best;
}

static void show_peers(struct judging *j, const struct state *s)
{
	for (uint32_t i = 0, shown = 0; i < s->peers.count && shown < 3; i++) {
		const struct group *g = &s->peers.list[i];

		if (g->key[2] >= UNCLEAR)
			continue;
		shown++;
		show_name(j, JFREC_EVIDENCE_HOST,
			  textf(j, "%s %s times, %s in all, at most %s",
				g->key[2] == READ ? "read" : "written", count_text(j, (double)g->count),
				span_text(j, g->sum), span_text(j, g->most)),
			  textf(j, "%s:%u", text_at(j, g->key[0]), g->key[1]), NAN);
	}
}

/* "; 434 reads, 2 min 2 s in all, are left out: ..."; "" */
static const char *left_out(struct judging *j, const struct state *s)
{
	if (!s->idle)
		return "";
	return textf(j, "; %s read%s of %s in all %s taken for waits of a server for its next request "
			"or message",
		     count_text(j, (double)s->idle), plural((double)s->idle),
		     span_text(j, s->idle_ns), s->idle == 1 ? "is" : "are");
}

static void tell_longest(struct judging *j, const struct state *s, const struct group *g)
{
	summarize(j, "%s %s:%u took %s at %s %s%s", g->key[2] == READ ? "An answer of" : "Writing to",
		  text_at(j, g->key[0]), g->key[1], span_text(j, g->most),
		  time_text(j, g->most_from_ns), limit_text(j), left_out(j, s));
	show_range(j, "when", g->most_from_ns, g->most_to_ns);
	show_stack(j, "where", g->most_stack, NAN);
	show_thread(j, "thread", g->most_thread, NAN);
}

static void tell_queue(struct judging *j, const struct queue *q)
{
	const struct group *g = q->peer;

	judge_at_least(j, q->severity);
	summarize(
		j,
		"%u threads waited for answers of %s:%u, %s of their time from %s on, at most for "
		"%s each time",
		q->crowd.threads, text_at(j, g->key[0]), g->key[1], percent_text(j, q->crowd.share),
		time_text(j, q->crowd.from_ns), span_text(j, g->most));
	show_range(j, "worst", q->crowd.from_ns, q->crowd.to_ns);
	show_stack(j, "where", g->most_stack, NAN);
	show_quantity(j, "threads that waited at once, on average", q->crowd.at_once,
		      JFREC_UNIT_NONE);
}

/* Does the application ask by this method? So it does where a peer was seen to answer there. */
struct asking {
	const struct judging *j;
	const struct state *s;
};

static bool is_asking(const void *ctx, uint32_t method)
{
	const struct asking *a = ctx;

	/* Where there is a server, too, it may be its own clients that load it, as tests do. */
	if (method == OF_CLIENT || method == OF_HTTP)
		return method == OF_CLIENT || !a->s->serves;
	for (uint32_t i = 0; i < a->s->peers.count; i++) {
		const struct group *g = &a->s->peers.list[i];
		size_t own = g->key[2] == READ ? stack_first_own(a->j, g->most_stack) : SIZE_MAX;

		if (own != SIZE_MAX && stack_method_text(a->j, g->most_stack, own) == method)
			return true;
	}
	return false;
}

/* Threads that ask for little, repeatedly. True: it was reported. */
static bool tell_many(struct judging *j, struct state *s)
{
	struct asking asking = { j, s };
	struct native_thread stand = native_threads_most(j, &s->native, MOSTLY, is_asking, &asking);

	if (!stand.thread || is_found(j))
		return false;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	j->finding->score = native_threads_score(&stand);
	summarize(j, "%s spent %s of its time waiting for answers of a peer, each too short to "
		     "be recorded, or not ended yet%s",
		  thread_of(j, stand.thread).name, percent_text(j, stand.share),
		  stand.threads > 1 ? textf(j, "; so did %u more", stand.threads - 1) : "");
	advise(j, "Ask once for all that is needed, in a join or a batch, not for each piece by itself; "
		  "a peer that never answers needs a timeout");
	show_stack(j, "where", stand.stack, NAN);
	show_thread(j, "thread", stand.thread, stand.share);
	return true;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct group *g;
	struct queue queue;

	find_answers(j, s);
	g = longest_peer(j, &s->peers);
	judge_by(j, g ? wait_for(j, g) : 0);
	queue = worst_queue(j, s);
	if (!is_found(j) && !queue.peer && tell_many(j, s)) {
		groups_sort(&s->peers);
		show_peers(j, s);
		show_command(j, "flame --type jdk.NativeMethodSample");
		return;
	}
	/* A wait that was recorded is one, however long others had to be. */
	if (!g && (hidden_by_threshold(j, "jdk.SocketRead", j->info) ||
		   hidden_by_threshold(j, "jdk.SocketWrite", j->info)))
		return;
	if (!g) {
		if (s->idle)
			summarize(j, "Sockets were only waited at for the next request%s",
				  left_out(j, s));
		else
			summarize(j, "No wait at a socket was as long as the threshold of the "
				     "recording");
		return;
	}
	if (queue.peer && queue.severity > j->finding->severity)
		tell_queue(j, &queue);
	else
		tell_longest(j, s, g);
	groups_sort(&s->peers);
	show_peers(j, s);
	if (s->timeouts)
		show_quantity(j, "reads that timed out", (double)s->timeouts, JFREC_UNIT_NONE);
	if (s->idle) {
		show_quantity(j, "reads left out as waits for a request", (double)s->idle,
			      JFREC_UNIT_NONE);
		show_quantity(j, "time of these", s->idle_ns, JFREC_UNIT_NS);
	}
	show_command(j, "flame --profile io");
}

const struct rule rule_socket_wait = {
	.info = {
		.id = "socket-wait",
		.jmc = jmc,
		.question = "Which peer is slow?",
		.matters = "A thread that waits for a slow peer cannot serve anyone else. A "
			   "few of them can use up a pool.",
		.computes = "The longest wait at a socket, for reading or writing. Also info: two "
			    "threads at once that wait for answers of one peer for 90 % of their "
			    "time in the worst 10 s, by five reads each or more; three are a "
			    "warning, and five for 70 %. What collections took of a wait does not "
			    "count. Reads by which a server waits for the next "
			    "request are left out: those in the code of known servers, and small "
			    "reads by worker threads whose peer has a port as clients get them, "
			    "unless a known client reads, or two threads from that port at once "
			    "in methods that were called for it. And info: a thread that for "
			    "70 % of its time waits in such a method for answers that are too short for "
			    "an event each, by samples (jdk.NativeMethodSample).",
		.measures = "longest wait",
		.unit = JFREC_UNIT_NS,
		.info = 275e6,
		.warning = 2e9,
		.advice = "Look at the peer and the network; set a timeout, so that one slow peer does "
			  "not hold a thread",
		.beware = "Selectors of java.nio wait without an event. From JDK 25 on, at most a "
			  "hundred events a second are recorded.",
		.differs = "JDK Mission Control takes a server that waits for a request for a slow "
			   "peer.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
