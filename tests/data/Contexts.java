/* SPDX-License-Identifier: MIT */
/*
 * Contexts.java - the recordings of tests/data/ok that need JDK 25
 *
 *    java Contexts OUTPUT WHAT
 *
 * WHAT is one of
 *    contexts  events inside events with @Contextual fields; two chunks
 *    trace     traced and timed methods, CPU-time samples
 */
import java.nio.file.Path;
import jdk.jfr.Contextual;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

public final class Contexts {
	@Name("rec.Request")
	@Label("Request")
	@StackTrace(false)
	static class Request extends Event {
		@Contextual @Label("Path") String path;
		@Contextual @DataAmount long bytes;
		int status;
		@Contextual Thread owner;
		@Contextual Class<?> handler;
	}

	@Name("rec.Query")
	@StackTrace(false)
	static class Query extends Event {
		int rows;
		@Contextual String sql;
		@Contextual @Timespan(Timespan.MILLISECONDS) long timeout;
	}

	/* Its name has no package, and it needs neither begin() nor end(). */
	@Name("Marker")
	@StackTrace(false)
	static class Marker extends Event {
		@Contextual double weight;
	}

	@Name("rec.Step")
	@StackTrace(false)
	static class Step extends Event {
		String text;
	}

	private static void step(String text) {
		Step e = new Step();
		e.text = text;
		e.commit();
	}

	private static Query query(String sql, long timeout) {
		Query e = new Query();
		e.begin();
		e.sql = sql;
		e.timeout = timeout;
		return e;
	}

	private static Request request(String path) {
		Request e = new Request();
		e.begin();
		e.path = path;
		e.bytes = path == null ? Long.MIN_VALUE : path.length() * 1000L;
		e.owner = path == null ? null : Thread.currentThread();
		e.handler = path == null ? null : Contexts.class;
		return e;
	}

	private static void handle(String path) {
		step("before " + path);
		Request outer = request(path);
		step("in the request");
		Query inner = query("select \"quoted\"\nfrom caf\u00e9", 1500);
		step("in the query");
		Marker marker = new Marker();
		marker.weight = 0.25;
		marker.commit();
		step("after the marker");
		inner.commit();
		Query next = query(null, Long.MIN_VALUE);
		Step spanning = new Step();
		spanning.begin();
		step("in the next query");
		next.commit();
		spanning.text = "began in the query, ends in the request";
		spanning.commit();
		/* Opened as the first, closed as the first: not nested. */
		Request second = request(path + " again");
		outer.commit();
		step("in the second request");
		second.commit();
		step("after " + path);
	}

	private static void contexts(Recording r) throws InterruptedException {
		r.enable("jdk.ActiveSetting");
		r.start();
		Request whole = request("/whole");
		handle("/first");
		handle(null);
		Thread platform = Thread.ofPlatform().name("platform").start(() -> handle("/platform"));
		Thread virtual = Thread.ofVirtual().name("virtual").start(() -> handle("/virtual"));
		platform.join();
		virtual.join();
		/* A recording that begins ends the chunk; the context goes on. */
		Recording other = new Recording();
		other.start();
		step("second chunk");
		whole.commit();
		step("after all");
	}

	private static int traced(int n, String[] more) {
		step("traced " + n);
		return n > 0 ? traced(n - 1, more) + 1 : 0;
	}

	private static long timed(long n) {
		long sum = 0;
		for (long i = 0; i < n; i++)
			sum += Long.numberOfTrailingZeros(i * sum + 1);
		return sum;
	}

	private static void trace(Recording r) {
		r.enable("jdk.MethodTrace").withoutThreshold().withStackTrace().with("filter", "Contexts::traced");
		r.enable("jdk.MethodTiming").with("filter", "Contexts::timed;Contexts$Step").with("period", "endChunk");
		r.enable("jdk.CPUTimeSample").with("throttle", "20ms");
		r.enable("jdk.CPUTimeSamplesLost");
		r.start();
		traced(2, new String[0]);
		long end = System.nanoTime() + 300_000_000L;
		while (System.nanoTime() < end)
			timed(100_000);
		step("done");
	}

	public static void main(String[] args) throws Exception {
		try (Recording r = new Recording()) {
			r.setDestination(Path.of(args[0]));
			switch (args[1]) {
			case "contexts" -> contexts(r);
			case "trace" -> trace(r);
			default -> throw new IllegalArgumentException(args[1]);
			}
			r.stop();
		}
	}

	private Contexts() {
	}
}
