/* SPDX-License-Identifier: MIT */
/*
 * socket_wait.c - which peer is slow?
 *
 * A thread that waits for the next request of a connection reads for as long as one that waits for
 * an answer. What is left out as the former: reads in known servers' and consumers' code, and reads
 * of little at a time by a thread other than main whose peer has a port as clients get them. A write
 * just before proves nothing: a server has just answered, too.
 */
#include "analyze/rules.h"

#define CLIENT_PORT 32768
#define SMALL_READ  8192

static const char *const jmc[] = { "SocketRead", "SocketWrite", NULL };

enum { READ, WRITE };
enum { HOST, ADDRESS, PORT, BYTES, STACK, THREAD, TIMEOUT };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.SocketRead", OCCURS, "host", "address", "port", "bytesRead", "stackTrace",
		     "eventThread", "timeout"),
	READS_EITHER(1, "jdk.SocketWrite", OCCURS, "host", "address", "port", "bytesWritten",
		     "stackTrace", "eventThread"),
	{ 0 },
};

/* A wait, with what is to be shown of it. */
struct wait {
	int64_t start_ns, end_ns;
	uint32_t host, port, stack, thread;
};

struct state {
	struct groups peers;   /* host, port, kind: waits that count */
	struct groups threads; /* that waited */
	uint64_t idle, timeouts;
};

static bool is_server(const struct event *e, uint32_t stack)
{
	static const char *const frames[] = {
		"sun.rmi.transport.tcp.TCPTransport",
		"javax.management.remote.rmi.RMIConnector$RMINotifClient.fetchNotifs",
		"sun.net.httpserver.",
		"org.apache.coyote.",
		"org.apache.tomcat.",
		"org.eclipse.jetty.",
		"io.undertow.",
		"org.apache.activemq.transport.",
		"com.rabbitmq.client.impl.AMQConnection",
		"weblogic.socket.",
		"org.glassfish.grizzly.",
		"com.ibm.ws.",
		"org.postgresql.core.v3.QueryExecutorImpl.processNotifies",
	};

	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		if (event_stack_has(e, stack, frames[i]))
			return true;
	}
	return false;
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

	if (g && is_most) {
		g->most_stack = u->stack;
		g->most_thread = u->thread;
	}
	groups_add(&s->threads, e, (uint32_t[4]){ u->thread }, ns, NULL);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	int64_t port = event_long(e, PORT), bytes = event_long(e, BYTES), timeout;
	struct wait u = { e->start_ns, e->end_ns, peer_of(e), (uint32_t)port,
			    event_stack(e, STACK), event_thread(e, THREAD) };

	if (e->input == WRITE) {
		count(s, e, WRITE, &u);
		return;
	}
	timeout = event_long(e, TIMEOUT);
	if (timeout > 0 && event_duration(e) >= timeout)
		s->timeouts++;
	if (is_server(e, u.stack) ||
	    (port >= CLIENT_PORT && bytes <= SMALL_READ &&
		 strcmp(event_text_of(e, event_text(e, THREAD)), "main") != 0))
		s->idle++;
	else
		count(s, e, READ, &u);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->peers);
	groups_fini(&s->threads);
}

static const struct group *longest_peer(const struct groups *g)
{
	const struct group *best = NULL;

	for (uint32_t i = 0; i < g->count; i++) {
		if (!best || g->list[i].most > best->most)
			best = &g->list[i];
	}
	return best;
}

static void show_peers(struct judging *j, const struct state *s)
{
	for (uint32_t i = 0; i < s->peers.count && i < 3; i++) {
		const struct group *g = &s->peers.list[i];

		show_name(j, JFREC_EVIDENCE_HOST,
			  textf(j, "%s %s times, %s in all, at most %s",
				g->key[2] == READ ? "read" : "written", count_text(j, (double)g->count),
				span_text(j, g->sum), span_text(j, g->most)),
			  textf(j, "%s:%u", text_at(j, g->key[0]), g->key[1]), NAN);
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct group *g = longest_peer(&s->peers);

	/* A wait that was recorded is one, however long others had to be. */
	if (!g && (hidden_by_threshold(j, "jdk.SocketRead", j->info) ||
		   hidden_by_threshold(j, "jdk.SocketWrite", j->info)))
		return;
	judge_by(j, g ? g->most : 0);
	if (!g) {
		summarize(j, s->idle ? "Sockets were only waited at for the next request"
				     : "No wait at a socket was as long as the threshold of the "
				       "recording");
		return;
	}
	summarize(j, "%s %s:%u took %s at %s %s", g->key[2] == READ ? "An answer of" : "Writing to",
		  text_at(j, g->key[0]), g->key[1], span_text(j, g->most),
		  time_text(j, g->most_from_ns), limit_text(j));
	show_range(j, "when", g->most_from_ns, g->most_to_ns);
	show_stack(j, "where", g->most_stack, NAN);
	show_thread(j, "thread", g->most_thread, NAN);
	groups_sort(&s->peers);
	show_peers(j, s);
	if (s->timeouts)
		show_quantity(j, "reads that timed out", (double)s->timeouts, JFREC_MEASURE_NUMBER);
	if (s->idle)
		show_quantity(j, "reads left out as waits for a request", (double)s->idle,
			      JFREC_MEASURE_NUMBER);
	show_command(j, "flame --profile io");
}

const struct rule rule_socket_wait = {
	.info = {
		.id = "socket-wait",
		.jmc = jmc,
		.question = "Which peer is slow?",
		.matters = "A thread that waits for a slow peer cannot serve anyone else. A "
			   "few of them can use up a pool.",
		.computes = "The longest wait at a socket, for reading or writing. Reads by which a "
			    "server waits for the next request are left out: those in the code of "
			    "known servers, and small reads by worker threads whose peer has a "
			    "port as clients get them.",
		.measures = "longest wait",
		.unit = JFREC_MEASURE_NS,
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
