/* SPDX-License-Identifier: MIT */
/*
 * Service.java - a server with something to do, and its clients, to measure what recording costs
 *
 *    java Service server                          prints "ready PORT"
 *    java Service client PORT RATE SECONDS FILE   (a JDK, 11 or later)
 *
 * A request sorts and joins texts, keeps one of 20,000 of them, takes a lock that others
 * want, and now and then reads a file, fails, or waits.  Clients ask at a fixed rate, however
 * long answers take; latency is counted from when a request was due.  They print "ready" when
 * they begin.  FILE gets a line for each request: when it was due (ms since 1970), and
 * microseconds until its answer.
 */
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

public final class Service {
	private static final int KEPT = 20000, CLIENTS = 16;

	/* ---- the server ---- */

	private static final String[] kept = new String[KEPT];
	private static final Object lock = new Object();
	private static final AtomicLong served = new AtomicLong();
	private static Path file;

	private static String work(int seed) {
		List<String> words = new ArrayList<>();
		for (int i = 0; i < 400; i++)
			words.add(Integer.toHexString(seed * 31 + i * 7919));
		words.sort(null);
		return String.join(",", words);
	}

	private static void keep(long n, String text) {
		synchronized (lock) {
			kept[(int) (n % KEPT)] = text.substring(0, 200);
		}
	}

	private static void sometimes(long n) throws IOException {
		if (n % 10 == 0)
			Files.readAllBytes(file);
		if (n % 100 == 0)
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(25));
		if (n % 50 == 0)
			throw new IOException("request " + n + " fails, as one of 50 does");
	}

	private static void answer(HttpExchange x) throws IOException {
		long n = served.incrementAndGet();
		String text = work((int) n);
		keep(n, text);
		try {
			sometimes(n);
		} catch (IOException e) {
			text = e.getMessage();
		}
		byte[] body = text.getBytes(StandardCharsets.UTF_8);
		x.sendResponseHeaders(200, body.length);
		try (OutputStream out = x.getResponseBody()) {
			out.write(body);
		}
	}

	private static void serve() throws IOException {
		HttpServer server = HttpServer.create(
			new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		file = Files.createTempFile("service", null);
		Files.write(file, new byte[64 << 10]);
		file.toFile().deleteOnExit();
		server.setExecutor(Executors.newFixedThreadPool(8));
		server.createContext("/", Service::answer);
		server.start();
		System.out.println("ready " + server.getAddress().getPort());
	}

	/* ---- the clients ---- */

	private static final AtomicLong next = new AtomicLong();

	private static void ask(URL url, byte[] buffer) throws IOException {
		HttpURLConnection c = (HttpURLConnection) url.openConnection();
		try (InputStream in = c.getInputStream()) {
			while (in.read(buffer) >= 0)
				continue;
		}
	}

	/** Takes the requests that are due, one after the other, up to the last. */
	private static void client(URL url, long start, double rate, long count, long[] micros) {
		byte[] buffer = new byte[16 << 10];
		for (long i; (i = next.getAndIncrement()) < count;) {
			long due = start + (long) (i * 1e9 / rate), now = System.nanoTime();
			if (due > now)
				LockSupport.parkNanos(due - now);
			while (System.nanoTime() < due)
				Thread.onSpinWait();
			try {
				ask(url, buffer);
				micros[(int) i] = (System.nanoTime() - due) / 1000;
			} catch (IOException e) {
				micros[(int) i] = -1;
			}
		}
	}

	private static void ask(int port, double rate, double seconds, Path to) throws Exception {
		URL url = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, "/");
		long start = System.nanoTime() + 50_000_000, startMillis = System.currentTimeMillis() + 50;
		long[] micros = new long[(int) (rate * seconds)];
		System.out.println("ready");
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++)
			threads.add(new Thread(() -> client(url, start, rate, micros.length, micros)));
		threads.forEach(Thread::start);
		for (Thread t : threads)
			t.join();
		try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(to))) {
			for (int i = 0; i < micros.length; i++)
				out.println(startMillis + (long) (i * 1e3 / rate) + " " + micros[i]);
		}
	}

	public static void main(String[] arguments) throws Exception {
		if (arguments[0].equals("server"))
			serve();
		else
			ask(Integer.parseInt(arguments[1]), Double.parseDouble(arguments[2]),
				Double.parseDouble(arguments[3]), Path.of(arguments[4]));
	}
}
