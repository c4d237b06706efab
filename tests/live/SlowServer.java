/* SPDX-License-Identifier: MIT */
/*
 * SlowServer.java - 1,000 requests of which 100 are slow, for five reasons, 20 each
 *
 * usage: java SlowServer RECORDING
 *
 * Each reason is something that the request does, and times itself, as its event says: it waits for
 * a lock that another thread holds, for a collection, or for a socket; it computes; or it blocks in
 * the initializer of a class, which pins its virtual thread to its carrier.  One request runs at a
 * time, so that none is slow because another one is.
 */
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

public class SlowServer {
	static final int REQUESTS = 1000, SLOW = 100;
	static final long SLOW_MS = 80;
	static final String[] REASONS = { "lock", "gc", "socket", "cpu", "pinned" };

	@Name("shop.Request")
	@Label("Request")
	@StackTrace(false)
	static class Request extends Event {
		String path;
		String reason;
		@Timespan long measured; /* by the request itself, in ns */
	}

	@Name("shop.Step")
	@Label("Step")
	@StackTrace(false)
	static class Step extends Event {
		String name;
	}

	/* The reasons ------------------------------------------------------------------------- */

	static class Inventory {
		synchronized void refresh(CountDownLatch locked) {
			locked.countDown();
			LockSupport.parkNanos(SLOW_MS * 1000000);
		}

		synchronized int count() {
			return 42;
		}
	}

	static final Inventory inventory = new Inventory();

	static long waitForLock() throws InterruptedException {
		CountDownLatch locked = new CountDownLatch(1);
		Thread holder = new Thread(() -> inventory.refresh(locked), "refresher");

		holder.start();
		locked.await();
		long begin = System.nanoTime();
		inventory.count();
		long took = System.nanoTime() - begin;
		holder.join();
		return took;
	}

	/* What a collection has to copy: so many small objects that it takes a while. */
	static class Node {
		Node next;
		long value;
	}

	static Node kept;

	static void keep(int count) {
		for (int i = 0; i < count; i++) {
			Node node = new Node();

			node.next = kept;
			kept = node;
		}
	}

	static long collect() {
		long begin = System.nanoTime();

		System.gc();
		return System.nanoTime() - begin;
	}

	/* Answers each byte after a while. */
	static void answer(ServerSocket server) {
		try (Socket s = server.accept()) {
			for (int b; (b = s.getInputStream().read()) >= 0;) {
				Thread.sleep(SLOW_MS);
				s.getOutputStream().write(b);
			}
		} catch (IOException | InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static long askPeer(Socket peer) throws IOException {
		OutputStream out = peer.getOutputStream();
		InputStream in = peer.getInputStream();

		out.write(1);
		long begin = System.nanoTime();
		in.read();
		return System.nanoTime() - begin;
	}

	static volatile long sum;

	static long cpuTime() {
		return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
	}

	static long computePrices() {
		long begin = cpuTime(), now;

		do {
			long s = 0;

			for (int i = 1; i < 400000; i++)
				s += (s ^ i) * 31 / i;
			sum += s;
			now = cpuTime();
		} while (now - begin < SLOW_MS * 1000000);
		return now - begin;
	}

	public static volatile long pinnedFor;

	/* Its initializer runs once for each class loader. */
	public static class SlowToInitialize {
		static {
			long begin = System.nanoTime();

			LockSupport.parkNanos(SLOW_MS * 1000000);
			pinnedFor = System.nanoTime() - begin;
		}
	}

	static class Loader extends ClassLoader {
		@Override
		protected Class<?> loadClass(String name, boolean resolve)
				throws ClassNotFoundException {
			if (!name.equals("SlowServer$SlowToInitialize"))
				return super.loadClass(name, resolve);
			try (InputStream in = SlowServer.class.getResourceAsStream(name + ".class")) {
				byte[] bytes = in.readAllBytes();

				return defineClass(name, bytes, 0, bytes.length);
			} catch (IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	static long initialize() throws ClassNotFoundException {
		Class.forName("SlowServer$SlowToInitialize", true, new Loader());
		return pinnedFor;
	}

	/* Requests ---------------------------------------------------------------------------- */

	static long handle(String reason, Socket peer) throws Exception {
		Step step = new Step();

		step.name = "handle";
		step.begin();
		try {
			switch (reason) {
			case "lock": return waitForLock();
			case "gc": return collect();
			case "socket": return askPeer(peer);
			case "cpu": return computePrices();
			case "pinned": return initialize();
			default: return 0;
			}
		} finally {
			step.commit();
		}
	}

	static void serve(int number, Socket peer) {
		Request request = new Request();
		boolean isSlow = number % (REQUESTS / SLOW) == 0;

		request.reason = isSlow ? REASONS[number / (REQUESTS / SLOW) % REASONS.length] : "none";
		request.path = "/orders/" + number;
		request.begin();
		try {
			request.measured = handle(request.reason, peer);
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
		request.commit();
	}

	static void serveAll(Socket peer) throws Exception {
		ExecutorService workers = Executors.newFixedThreadPool(4,
				Thread.ofPlatform().name("worker-", 1).factory());

		for (int i = 0; i < REQUESTS; i++) {
			int number = i;

			if (i / (REQUESTS / SLOW) % REASONS.length == 4)
				Thread.ofVirtual().name("request-" + i).start(() -> serve(number, peer)).join();
			else
				workers.submit(() -> serve(number, peer)).get();
		}
		workers.shutdown();
	}

	/* The recording ----------------------------------------------------------------------- */

	static Recording record() {
		Recording r = new Recording();

		for (String name : new String[] { "JVMInformation", "ActiveSetting", "GarbageCollection",
				"GCPhasePause", "ExecuteVMOperation" })
			r.enable("jdk." + name).withoutThreshold();
		for (String name : new String[] { "JavaMonitorEnter", "JavaMonitorWait", "ThreadPark",
				"ThreadSleep", "SocketRead", "SocketWrite", "VirtualThreadPinned" })
			r.enable("jdk." + name).withThreshold(Duration.ofMillis(1)).withStackTrace();
		r.enable("jdk.CPUTimeSample").with("throttle", "10ms").withStackTrace();
		r.start();
		return r;
	}

	public static void main(String[] args) throws Exception {
		ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		Thread answering = new Thread(() -> answer(server), "peer");

		answering.start();
		keep(2000000);
		System.gc();
		cpuTime();
		try (Socket peer = new Socket(server.getInetAddress(), server.getLocalPort());
				Recording r = record()) {
			serveAll(peer);
			r.dump(Path.of(args[0]));
		}
		answering.join();
	}
}
