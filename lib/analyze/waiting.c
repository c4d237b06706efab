/* SPDX-License-Identifier: MIT */
/*
 * waiting.c - what a thread waits for, and for whom, as its stack says
 *
 * Most threads that wait are in order: they are workers without work. These stand in the loop of
 * their pool. Who waits for a thing of a pool, or for the work of others, stands in code that was
 * called to do something. All is read from the names of methods, from the top down to the first
 * that is the application's own.
 */
#include "analyze/waiting.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool begins_with_any(const char *method, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strncmp(method, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

/* Workers that wait for a task, in the loop of their pool. */
static bool is_idle_worker(const char *method)
{
	static const char *const loops[] = {
		"java.util.concurrent.ThreadPoolExecutor.getTask",
		"java.util.concurrent.ForkJoinPool.awaitWork",
		"java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.",
		"java.util.TimerThread.mainLoop",
		"org.apache.tomcat.util.threads.",
		"org.eclipse.jetty.util.BlockingArrayQueue.",
		"org.eclipse.jetty.util.thread.",
		"org.jboss.threads.",
		"org.xnio.",
		"io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
		"io.netty.util.concurrent.GlobalEventExecutor.takeTask",
		"weblogic.work.ExecuteThread.waitForRequest",
		"kotlinx.coroutines.scheduling.CoroutineScheduler",
	};

	return begins_with_any(method, loops, COUNT(loops));
}

/* Waits of which other rules tell, and those that are no one's work. */
static bool is_for_no_work(const char *method)
{
	static const char *const frames[] = {
		"java.util.concurrent.locks.ReentrantLock",
		"java.util.concurrent.locks.ReentrantReadWriteLock",
		"java.util.concurrent.locks.StampedLock",
		"java.util.concurrent.Semaphore",
		/* Joins help to do the work. */
		"java.util.concurrent.ForkJoinTask.",
		"java.util.concurrent.ForkJoinPool.awaitTermination",
		"java.util.concurrent.ForkJoinPool.awaitQuiescence",
		"java.util.concurrent.ThreadPoolExecutor.awaitTermination",
		"java.util.concurrent.ThreadPerTaskExecutor.awaitTermination",
		"java.lang.Thread.join",
		"java.lang.Process",
		"java.lang.ref.",
		"jdk.internal.ref.",
		"jdk.jfr.",
		"sun.nio.ch.",
		"java.awt.",
		"sun.awt.",
		"sun.java2d.",
	};

	return begins_with_any(method, frames, COUNT(frames));
}

/* A method in which others wait. Above it are only methods of the JDK and of its own package. */
static const struct known_wait {
	enum wait_kind kind;
	const char *package, *method, *what; /* what: NULL, the method itself */
} places[] = {
	{ WAIT_POOL, "com.zaxxer.hikari.", "com.zaxxer.hikari.pool.HikariPool.getConnection",
	  "a connection of HikariCP" },
	{ WAIT_POOL, "org.apache.commons.pool2.",
	  "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject",
	  "an object of Commons Pool" },
	{ WAIT_POOL, "org.apache.commons.pool2.",
	  "org.apache.commons.pool2.impl.GenericKeyedObjectPool.borrowObject",
	  "an object of Commons Pool" },
	{ WAIT_POOL, "org.apache.commons.pool.",
	  "org.apache.commons.pool.impl.GenericObjectPool.borrowObject",
	  "an object of Commons Pool" },
	{ WAIT_POOL, "org.apache.tomcat.dbcp.",
	  "org.apache.tomcat.dbcp.pool2.impl.GenericObjectPool.borrowObject",
	  "a connection of Tomcat DBCP" },
	{ WAIT_POOL, "org.apache.tomcat.jdbc.pool.",
	  "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection",
	  "a connection of Tomcat JDBC" },
	{ WAIT_POOL, "com.mchange.", "com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable",
	  "a connection of c3p0" },
	{ WAIT_POOL, "com.alibaba.druid.", "com.alibaba.druid.pool.DruidDataSource.getConnection",
	  "a connection of Druid" },
	{ WAIT_POOL, "io.agroal.", "io.agroal.pool.ConnectionPool.getConnection",
	  "a connection of Agroal" },
	{ WAIT_POOL, "com.jolbox.bonecp.",
	  "com.jolbox.bonecp.DefaultConnectionStrategy.getConnectionInternal",
	  "a connection of BoneCP" },
	{ WAIT_POOL, "oracle.ucp.", "oracle.ucp.common.UniversalConnectionPoolBase.borrowConnection",
	  "a connection of Oracle UCP" },
	{ WAIT_POOL, "org.h2.", "org.h2.jdbcx.JdbcConnectionPool.getConnection",
	  "a connection of H2's pool" },
	{ WAIT_POOL, "com.ibm.ejs.", "com.ibm.ejs.j2c.FreePool.queueRequest",
	  "a connection of WebSphere" },
	{ WAIT_POOL, "weblogic.", "weblogic.common.resourcepool.ResourcePoolImpl.reserveResource",
	  "a connection of WebLogic" },
	{ WAIT_POOL, "com.mongodb.", "com.mongodb.internal.connection.DefaultConnectionPool.get",
	  "a connection of the MongoDB driver" },
	{ WAIT_POOL, "org.apache.http.", "org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking",
	  "a connection of Apache HttpClient" },
	{ WAIT_POOL, "org.apache.http.",
	  "org.apache.http.impl.conn.tsccm.ConnPoolByRoute.getEntryBlocking",
	  "a connection of Apache HttpClient" },
	{ WAIT_POOL, "org.apache.hc.",
	  "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$",
	  "a connection of Apache HttpClient" },
	{ WAIT_POOL, "org.apache.commons.httpclient.",
	  "org.apache.commons.httpclient.MultiThreadedHttpConnectionManager.doGetConnection",
	  "a connection of Apache HttpClient" },
	{ WAIT_POOL, "com.sun.", "com.sun.jndi.ldap.pool.Pool.getPooledConnection",
	  "a connection of the JDK's LDAP pool" },

	{ WAIT_PEER, "jdk.", "jdk.internal.net.http.HttpClientImpl.send",
	  "an answer to java.net.http.HttpClient" },
	{ WAIT_PEER, "io.lettuce.", "io.lettuce.core.", "an answer to Lettuce" },
	{ WAIT_PEER, "io.grpc.", "io.grpc.stub.ClientCalls", "an answer to gRPC" },
	{ WAIT_PEER, "org.apache.kafka.", "org.apache.kafka.clients.producer.",
	  "an answer to the Kafka producer" },
	{ WAIT_PEER, "org.apache.pulsar.", "org.apache.pulsar.client.", "an answer to Pulsar" },

	{ WAIT_FUTURE, "java.", "java.util.concurrent.FutureTask.get", NULL },
	{ WAIT_FUTURE, "java.", "java.util.concurrent.CompletableFuture.get", NULL },
	{ WAIT_FUTURE, "java.", "java.util.concurrent.CompletableFuture.join", NULL },
	{ WAIT_FUTURE, "com.google.common.util.concurrent.",
	  "com.google.common.util.concurrent.AbstractFuture.get", NULL },
	{ WAIT_FUTURE, "io.netty.", "io.netty.util.concurrent.DefaultPromise.await", NULL },
	{ WAIT_FUTURE, "reactor.", "reactor.core.publisher.Blocking", "a result of Reactor" },
	{ WAIT_FUTURE, "io.reactivex.", "io.reactivex.internal.observers.Blocking",
	  "a result of RxJava" },
	{ WAIT_FUTURE, "io.reactivex.", "io.reactivex.rxjava3.internal.observers.Blocking",
	  "a result of RxJava" },
	{ WAIT_FUTURE, "scala.", "scala.concurrent.impl.Promise$DefaultPromise.", "a Future of Scala" },
};

/* Commons Pool holds things of others. */
static const struct {
	const char *method, *what;
} owners[] = {
	{ "org.apache.commons.dbcp", "a connection of Commons DBCP" },
	{ "redis.clients.jedis.", "a connection of Jedis" },
};

/* The code of servers that calls that of the application for a request. */
static bool is_server(const char *method)
{
	static const char *const frames[] = {
		"javax.servlet.http.HttpServlet.service",
		"jakarta.servlet.http.HttpServlet.service",
		"org.apache.catalina.core.",
		"org.eclipse.jetty.server.",
		"io.undertow.server.",
		"sun.net.httpserver.ServerImpl$Exchange",
		"com.sun.net.httpserver.Filter$Chain",
		"org.springframework.web.",
		"org.glassfish.jersey.server.",
		"org.jboss.resteasy.core.",
		"io.grpc.internal.ServerCallImpl",
		"io.vertx.ext.web.",
		"org.apache.thrift.server.",
		"org.apache.dubbo.remoting.",
		"sun.rmi.server.UnicastServerRef.dispatch",
		"weblogic.servlet.",
		"com.ibm.ws.webcontainer.",
	};

	return begins_with_any(method, frames, COUNT(frames));
}

bool is_name_of_request(const char *thread)
{
	static const char *const names[] = {
		"http-",     "https-",	     "ajp-",		   "catalina-exec-",
		"qtp",	     "default task-", "[ACTIVE] ExecuteThread", "WebContainer : ",
		"grpc-default-executor-", "executor-thread-",	   "jetty-",
	};

	return begins_with_any(thread, names, COUNT(names)) ||
	       (strncmp(thread, "XNIO-", 5) == 0 && strstr(thread, " task-"));
}

static bool begins(const char *method, const char *prefix)
{
	return strncmp(method, prefix, strlen(prefix)) == 0;
}

static const struct known_wait *place_of(const char *method)
{
	for (size_t i = 0; i < COUNT(places); i++) {
		if (begins(method, places[i].method))
			return &places[i];
	}
	return NULL;
}

static const char *package_of(const char *method)
{
	for (size_t i = 0; i < COUNT(places); i++) {
		if (begins(method, places[i].package))
			return places[i].package;
	}
	return NULL;
}

/* "FutureTask.get" of "java.util.concurrent.FutureTask.get" */
static const char *short_name(const char *method)
{
	const char *last = strrchr(method, '.');

	while (last && last > method && last[-1] != '.')
		last--;
	return last && last > method ? last : method;
}

/* What was found from the top of a stack down to the first method that is not a library's. */
struct top {
	const struct known_wait *place;
	const char *method; /* of the place, or the last of the JDK */
	enum wait_kind kind; /* WAIT_IDLE, WAIT_OTHER where that is certain; else WAIT_QUEUE */
	size_t end;	     /* the first frame below */
};

static struct top top_of(const struct event *e, uint32_t stack)
{
	size_t depth = event_stack_depth(e, stack);
	struct top top = { .kind = WAIT_QUEUE, .end = depth };
	const char *package = NULL;

	for (size_t i = 0; i < depth; i++) {
		const char *method = event_text_of(e, event_method(e, stack, i));
		const struct known_wait *place = place_of(method);

		if (is_idle_worker(method) || is_for_no_work(method)) {
			top.kind = is_idle_worker(method) ? WAIT_IDLE : WAIT_OTHER;
			return top;
		}
		if (!is_jdk_method(method)) {
			const char *its = package_of(method);

			/* The first library's caller is another, or the application. */
			if (!its || (package && strcmp(its, package) != 0)) {
				top.end = i;
				return top;
			}
			package = its;
		}
		/* Who waits for an answer of a peer may do it by a future. */
		if (place && (!top.place || place->kind == WAIT_PEER)) {
			top.place = place;
			top.method = method;
		} else if (!top.place && is_jdk_method(method)) {
			top.method = method;
		}
	}
	return top;
}

static const char *what_of(const struct event *e, uint32_t stack, const struct top *top)
{
	if (!top->place || !top->place->what)
		return short_name(top->method);
	for (size_t i = 0; i < COUNT(owners); i++) {
		if (strstr(top->place->what, "Commons Pool") &&
		    event_stack_has(e, stack, owners[i].method))
			return owners[i].what;
	}
	return top->place->what;
}

/* The first method from there on that is the application's; 0. */
static uint32_t site_from(const struct event *e, uint32_t stack, size_t i)
{
	for (; i < event_stack_depth(e, stack); i++) {
		uint32_t method = event_method(e, stack, i);
		const char *text = event_text_of(e, method);

		if (!is_jdk_method(text) && !is_library_method(text))
			return method;
	}
	return 0;
}

/* The same, or else the first that is not the JDK's. */
static uint32_t any_site_from(const struct event *e, uint32_t stack, size_t i)
{
	uint32_t site = site_from(e, stack, i);

	for (; !site && i < event_stack_depth(e, stack); i++) {
		if (!is_jdk_method(event_text_of(e, event_method(e, stack, i))))
			site = event_method(e, stack, i);
	}
	return site;
}

static bool has_word(const char *text, size_t len, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (memmem(text, len, words[i], strlen(words[i])))
			return true;
	}
	return false;
}

/*
 * Does a method of the application lend things, as its name says? "app.db.ConnectionPool.take",
 * "app.Sessions.borrow"; those that hand out work wait for it all day.
 */
static bool lends(const char *method)
{
	static const char *const lending[] = { ".borrow", ".acquire", ".checkout", ".checkOut", ".lease",
					       ".getConnection", ".obtainConnection",
					       ".takeConnection", ".reserveConnection" };
	static const char *const working[] = { "Task", "Job", "Work", "Event", "Message", "Queue",
					       "Trigger", "Thread", "Command", "Request" };
	const char *name = short_name(method), *class = name, *dot = strrchr(name, '.');

	if (!dot)
		return false;
	for (const char *c = class; c < dot; c++)
		class = *c == '$' ? c + 1 : class;
	if (has_word(class, strlen(class), working, COUNT(working)) || strcmp(dot, ".run") == 0)
		return false;
	return begins_with_any(dot, lending, COUNT(lending)) ||
	       (dot - class >= 4 && strncmp(dot - 4, "Pool", 4) == 0);
}

struct waiting waiting_of(const struct event *e, uint32_t stack)
{
	struct top top = top_of(e, stack);
	struct waiting w = { .kind = top.place ? top.place->kind : top.kind };
	size_t depth = event_stack_depth(e, stack);

	if (w.kind == WAIT_IDLE || w.kind == WAIT_OTHER)
		return w;
	/* It parks by itself, as loops do. */
	if (!top.method || begins(top.method, "java.util.concurrent.locks.LockSupport.") ||
	    begins(top.method, "java.lang.Thread.")) {
		w.kind = WAIT_OTHER;
		return w;
	}
	for (size_t i = top.end; i < depth && !w.is_request; i++)
		w.is_request = is_server(event_text_of(e, event_method(e, stack, i)));
	w.site = w.kind == WAIT_POOL ? any_site_from(e, stack, top.end)
				     : site_from(e, stack, top.end);
	/* Who waits for a thing that is lent has something to do with it, whoever called. */
	w.is_request |= w.kind == WAIT_QUEUE && w.site && lends(event_text_of(e, w.site));
	if (w.kind == WAIT_QUEUE && w.site && w.site != event_method(e, stack, top.end)) {
		w.kind = WAIT_LIBRARY;
		top.method = event_text_of(e, event_method(e, stack, top.end));
	}
	if (!w.site && w.kind != WAIT_POOL)
		w.kind = WAIT_OTHER;
	else
		w.what = event_put_text(e, what_of(e, stack, &top));
	return w;
}
