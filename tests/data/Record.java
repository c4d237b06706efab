/* SPDX-License-Identifier: MIT */
/*
 * Record.java - the recordings of tests/data/ok that a JVM makes
 *
 *    java Record OUTPUT WHAT      (JDK 17 or later; record.sh runs them all)
 *
 * WHAT is one of
 *    fields    every field type, annotation and value (Fields.java)
 *    text      strings that no output format holds unchanged (Fields.java)
 *    frames    stack traces and threads (Frames.java)
 *    objects   old objects with their reference chains
 *    jvm       collections, exceptions, classes, locks, I/O; two chunks
 *
 * Only chosen events are enabled.  Left out are those that carry a path, a
 * host name or a variable of the machine: recordings go into the project.
 */
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import jdk.jfr.Recording;

public final class Record {
	private static volatile Object sink;

	/** Makes its own copy of class Loaded. */
	static final class Loader extends ClassLoader {
		private static final String NAME = "Record$Loaded";
		/* Read early, so that no event tells where the file is. */
		private static final byte[] CODE = code();

		Loader(String name) {
			super(name, Record.class.getClassLoader());
		}

		private static byte[] code() {
			try (InputStream in = Record.class.getResourceAsStream(NAME + ".class")) {
				return in.readAllBytes();
			} catch (IOException e) {
				throw new UncheckedIOException(e);
			}
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.equals(NAME))
				return super.loadClass(name, resolve);
			Class<?> known = findLoadedClass(name);
			return known != null ? known : defineClass(name, CODE, 0, CODE.length);
		}
	}

	public static final class Loaded implements Supplier<Object> {
		@Override
		public Object get() {
			Frames.mark("class of another loader");
			return new Loaded[1];
		}
	}

	private static Class<?> load(String loader) throws Exception {
		return new Loader(loader).loadClass(Loader.NAME);
	}

	private static void enable(Recording r, String... names) {
		for (String name : names)
			r.enable(name).withoutThreshold();
	}

	private static void fields(Recording r) throws Exception {
		enable(r, "jdk.ActiveSetting");
		r.enable("rec.Limited").with("limit", "2");
		r.start();
		Fields.plain(() -> { }, load("named \u00e9"), load(null));
		Fields.times();
		Fields.amounts();
		Fields.spans();
	}

	private static void text(Recording r) {
		r.start();
		Fields.texts();
	}

	private static void frames(Recording r) throws Throwable {
		enable(r, "jdk.ThreadStart", "jdk.ThreadEnd", "jdk.VirtualThreadStart", "jdk.VirtualThreadEnd");
		r.start();
		Frames.all();
		for (String name : new String[] {"named \u00e9", null})
			((Supplier<?>) load(name).getConstructor().newInstance()).get();
	}

	/* ---- old objects ---- */

	private static final class Node {
		Node next;
		byte[] payload = new byte[300_000];
	}

	/** So far from its root that the JVM leaves out part of the way. */
	private static final class Link {
		Link next;
		short[] end;
	}

	private static Node list;
	private static Link chain;
	private static final Map<String, Object> map = new HashMap<>();
	private static final Object[][] table = new Object[3][5];
	private static final ThreadLocal<Object> local = new ThreadLocal<>();

	private static void objects(Recording r) throws Exception {
		r.enable("jdk.OldObjectSample").with("cutoff", "infinity");
		r.start();
		for (int i = 0; i < 8; i++) {
			Node n = new Node();
			n.next = list;
			list = n;
		}
		for (int i = 0; i < 400; i++) {
			Link l = new Link();
			l.next = chain;
			if (i == 0)
				l.end = new short[200_000];
			chain = l;
		}
		for (int i = 0; i < 10; i++) {
			map.put("key " + i, new long[50_000]);
			table[i % 3][i % 5] = new Object[][] { { new String[40_000 + i] } };
		}
		local.set(new int[10][10_000]);
		Thread holder = new Thread(() -> {
			char[] held = new char[200_000];
			LockSupport.park();
			sink = held;
		}, "holder");
		holder.setDaemon(true);
		holder.start();
		map.put("class", load("held").getConstructor().newInstance());
		map.put("thread", holder);
		Thread.sleep(50);
		System.gc();
	}

	/* ---- what the JVM tells of itself ---- */

	private static void collect() {
		List<Object> kept = new ArrayList<>();
		for (int i = 0; i < 3000; i++) {
			sink = new byte[4096];
			if (i % 500 == 0)
				kept.add(new byte[1 << 16]);
		}
		System.gc();
		sink = kept;
	}

	private static void fail() {
		try {
			try {
				throw new IllegalStateException("caf\u00e9 \"quoted\"\nsecond line");
			} catch (IllegalStateException e) {
				throw new IOException(e);
			}
		} catch (IOException e) {
			sink = e;
		}
		try {
			throw new Error();
		} catch (Error e) {
			sink = e;
		}
	}

	private static void block() throws InterruptedException {
		Object lock = new Object();
		Thread t = new Thread(() -> {
			synchronized (lock) {
				sink = lock;
			}
		}, "blocked");
		synchronized (lock) {
			t.start();
			Thread.sleep(5);
			lock.wait(5);
		}
		t.join();
		LockSupport.parkNanos(lock, 2_000_000);
	}

	private static void transfer() throws IOException {
		Path path = Path.of("record.tmp");
		try (RandomAccessFile f = new RandomAccessFile(path.toFile(), "rw")) {
			f.write(new byte[70_000]);
			f.seek(0);
			f.read(new byte[1000]);
			f.getChannel().force(true);
		}
		Files.delete(path);
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
		     Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
		     Socket peer = server.accept()) {
			client.getOutputStream().write(new byte[1500]);
			peer.getInputStream().read(new byte[1000]);
		}
	}

	private static void work() throws Exception {
		collect();
		fail();
		block();
		transfer();
		sink = load("loader");
	}

	private static void jvm(Recording r) throws Exception {
		enable(r, "jdk.GarbageCollection", "jdk.YoungGarbageCollection", "jdk.OldGarbageCollection", "jdk.SystemGC",
			"jdk.GCHeapSummary", "jdk.GCPhasePause", "jdk.GCPhasePauseLevel1", "jdk.GCConfiguration", "jdk.GCHeapConfiguration",
			"jdk.GCReferenceStatistics", "jdk.G1HeapSummary", "jdk.PSHeapSummary", "jdk.G1MMU", "jdk.GCCPUTime", "jdk.ZPageAllocation",
			"jdk.ZYoungGarbageCollection", "jdk.ZOldGarbageCollection", "jdk.MetaspaceSummary", "jdk.TenuringDistribution",
			"jdk.YoungGenerationConfiguration", "jdk.GCTLABConfiguration", "jdk.GCSurvivorConfiguration",
			"jdk.JavaExceptionThrow", "jdk.JavaErrorThrow", "jdk.ExceptionStatistics", "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadPark",
			"jdk.ThreadSleep", "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce", "jdk.SocketRead", "jdk.SocketWrite", "jdk.ClassLoaderStatistics",
			"jdk.JavaThreadStatistics", "jdk.ThreadAllocationStatistics", "jdk.DoubleFlag", "jdk.CompilerConfiguration", "jdk.CodeCacheConfiguration",
			"jdk.CodeCacheStatistics", "jdk.CompilerStatistics", "jdk.ClassLoadingStatistics");
		/* The first use of a socket reads the JDK's configuration. */
		transfer();
		r.start();
		work();
		/* A recording that begins ends the chunk of all. */
		Recording other = new Recording();
		other.start();
		enable(r, "jdk.ClassDefine");
		sink = load("second chunk");
		r.disable("jdk.ClassDefine");
		fail();
		block();
	}

	public static void main(String[] args) throws Throwable {
		sink = load("early");
		try (Recording r = new Recording()) {
			r.setDestination(Path.of(args[0]));
			switch (args[1]) {
			case "fields" -> fields(r);
			case "text" -> text(r);
			case "frames" -> frames(r);
			case "objects" -> objects(r);
			case "jvm" -> jvm(r);
			default -> throw new IllegalArgumentException(args[1]);
			}
			r.stop();
		}
	}

	private Record() {
	}
}
