/* SPDX-License-Identifier: MIT */
/*
 * Basic.java - a recording any JDK from 8 to 28 can make
 *
 *    java Basic OUTPUT CONFIGURATION CHUNKS MILLISECONDS
 *
 * CONFIGURATION is the name of a .jfc the JDK knows ("default", "profile"),
 * "all" for every event without threshold, or "own" for the events below only.
 * Each of the CHUNKS is a round of work of MILLISECONDS.
 *
 * Nothing here may need more than JDK 8's language and API: the class files of
 * JDK 8's javac run on all later ones, so recordings differ only by their JVM.
 */
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import jdk.jfr.BooleanFlag;
import jdk.jfr.Category;
import jdk.jfr.Configuration;
import jdk.jfr.ContentType;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Experimental;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Frequency;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Recording;
import jdk.jfr.Relational;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.TransitionFrom;
import jdk.jfr.TransitionTo;
import jdk.jfr.Unsigned;

public final class Basic {
	@MetadataDefinition
	@ContentType
	@Label("Colour")
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.FIELD)
	@interface Colour {
		String space() default "RGB";
		int depth() default 8;
	}

	@MetadataDefinition
	@Relational
	@Name("basic.OrderId")
	@Label("Order")
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.FIELD)
	@interface OrderId {
	}

	@Name("basic.Types")
	@Label("Every Field Type")
	@Description("One field of each type an event class may have")
	@Category({"Basic", "Types", "Plain"})
	static class Types extends Event {
		@Label("Truth") @BooleanFlag boolean truth;
		byte b;
		char c;
		short s;
		int i;
		long l;
		float f;
		double d;
		String text;
		Class<?> type;
		Thread thread;
		transient int unseen;
	}

	@Name("basic.Units")
	@Label("Every Unit")
	@Category({"Basic", "Types"})
	@StackTrace(false)
	@Experimental
	static class Units extends Event {
		@Timespan long nanos;
		@Timespan(Timespan.MICROSECONDS) long micros;
		@Timespan(Timespan.MILLISECONDS) long millis;
		@Timespan(Timespan.SECONDS) long seconds;
		@Timespan(Timespan.TICKS) long ticks;
		@Timestamp long epoch;
		@DataAmount long bytes;
		@DataAmount(DataAmount.BITS) long bits;
		@DataAmount @Frequency long byteRate;
		@DataAmount(DataAmount.BITS) @Frequency long bitRate;
		@Frequency int hertz;
		@Percentage float share;
		@Percentage double exactShare;
		@MemoryAddress long address;
		@Unsigned byte ub;
		@Unsigned short us;
		@Unsigned int ui;
		@Unsigned long ul;
		@Colour(space = "CMYK") int colour;
		@OrderId long order;
	}

	/* No label, no category, no name: all come from the class. */
	static class Unnamed extends Event {
		@TransitionFrom Thread from;
		@TransitionTo Thread to;
	}

	private static final String[] TEXTS = {
		null, "", "short", "quote \" backslash \\ slash / tab \t newline \n end",
		"Latin-1: \u00e9\u00fc\u00ff", "Greek \u03b1\u03b2\u03b3, Chinese \u4e2d\u6587",
		"Cyrillic \u0416 and a longer tail, so that it goes to the string pool",
		"a string of more than sixteen characters",
	};
	private static final long[] SPANS = {
		0, 1, -1, 999, 1000, 1_234_567, 999_500_000L, 59_950_000_000L, 3_600_000_000_000L,
		Long.MAX_VALUE / 1_000_000_000L, Long.MIN_VALUE,
	};

	private static volatile Object sink;
	private static final List<Object> kept = new ArrayList<>();
	private static final Map<String, byte[]> cache = new HashMap<>();

	/** Defines its classes a second time, each loader its own. */
	static final class Loader extends ClassLoader {
		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("Basic$Work"))
				return super.loadClass(name, resolve);
			Class<?> known = findLoadedClass(name);
			if (known != null)
				return known;
			try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] code = new byte[65536];
				int length = 0;
				for (int n; (n = in.read(code, length, code.length - length)) > 0; )
					length += n;
				return defineClass(name, code, 0, length);
			} catch (java.io.IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	/** What one loader's copy of the code does: some objects, some frames. */
	public static final class Work {
		public static int run(int[][] rows, String[] names, Object any) {
			IntSupplier sum = () -> rows.length + names.length;
			return deep(40, sum) + any.hashCode();
		}

		private static int deep(int n, IntSupplier leaf) {
			return n == 0 ? leaf.getAsInt() : 1 + deep(n - 1, leaf);
		}
	}

	private Basic() {
	}

	private static void types(int round) {
		for (int i = 0; i < TEXTS.length; i++) {
			Types e = new Types();
			e.begin();
			e.truth = i % 2 == 1;
			e.b = (byte) (i * 37);
			e.c = (char) ('A' + i * 1000);
			e.s = (short) (i * 5555);
			e.i = i == 3 ? Integer.MIN_VALUE : i == 4 ? Integer.MAX_VALUE : i * round;
			e.l = i == 3 ? Long.MIN_VALUE : i == 4 ? Long.MAX_VALUE : -i;
			e.f = i == 0 ? Float.NaN : i == 1 ? Float.MIN_VALUE : 1.1f * i;
			e.d = i == 0 ? Double.NEGATIVE_INFINITY : i == 1 ? 1e-5 : i == 2 ? 1e7 : 0.1 * i;
			e.text = TEXTS[i];
			e.type = i == 0 ? null : i == 1 ? int[][].class : i == 2 ? String[].class : Work.class;
			e.thread = i == 0 ? null : Thread.currentThread();
			e.commit();
		}
		for (long span : SPANS) {
			Units e = new Units();
			e.nanos = e.micros = e.millis = e.ticks = span;
			/* The JDK cannot print more than 2^63 ns with --exact. */
			e.seconds = span == Long.MIN_VALUE ? span : span % 4_000_000_000L;
			e.epoch = span == Long.MIN_VALUE ? span : 1_700_000_000_000L + span % 1_000_000_007;
			e.bytes = e.bits = e.byteRate = e.bitRate = span;
			e.hertz = (int) span;
			e.share = span / 1e9f;
			e.exactShare = span / 1e12;
			e.address = span;
			e.ub = (byte) span;
			e.us = (short) span;
			e.ui = (int) span;
			e.ul = span;
			e.colour = (int) span;
			e.order = span;
			e.commit();
		}
		Unnamed e = new Unnamed();
		e.from = Thread.currentThread();
		e.commit();
	}

	private static void allocate() {
		for (int i = 0; i < 4000; i++) {
			sink = new byte[i % 700 == 0 ? 1 << 20 : 2048];
			if (i % 100 == 0)
				kept.add(new Object[] { new int[16], "kept " + i });
			cache.put("key " + i % 64, new byte[512]);
		}
	}

	private static void exceptions() {
		for (int i = 0; i < 5; i++) {
			try {
				throw new IllegalStateException("round \u00e9 " + i);
			} catch (IllegalStateException e) {
				sink = e;
			}
		}
	}

	private static void monitors() throws InterruptedException {
		final Object lock = new Object();
		Thread t = new Thread(new ThreadGroup("group"), "waiter \u00fc") {
			@Override
			public void run() {
				synchronized (lock) {
					sink = this;
				}
			}
		};
		synchronized (lock) {
			t.start();
			Thread.sleep(25);
			lock.wait(25);
		}
		t.join();
	}

	private static void files() throws Exception {
		Path path = Paths.get(System.getProperty("java.io.tmpdir"), "basic-" + System.nanoTime());
		try (RandomAccessFile f = new RandomAccessFile(path.toFile(), "rw")) {
			f.write(new byte[65536]);
			f.seek(0);
			f.read(new byte[65536]);
		}
		path.toFile().delete();
	}

	private static void sockets() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		     Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
		     Socket peer = server.accept()) {
			client.getOutputStream().write(new byte[1000]);
			peer.getInputStream().read(new byte[1000]);
		}
	}

	private static void classes() throws Exception {
		Loader loader = new Loader();
		Method run = loader.loadClass("Basic$Work")
			.getMethod("run", int[][].class, String[].class, Object.class);
		sink = run.invoke(null, new int[3][], new String[2], "any");
		kept.add(loader);
	}

	private static void work(int round, long millis) throws Exception {
		long end = System.currentTimeMillis() + millis;
		types(round);
		classes();
		do {
			allocate();
			exceptions();
			monitors();
			files();
			sockets();
			Work.run(new int[3][], new String[2], "any");
		} while (System.currentTimeMillis() < end);
		System.gc();
	}

	private static Recording start(String configuration) throws Exception {
		Recording r;
		if (configuration.equals("all") || configuration.equals("own")) {
			r = new Recording();
			boolean all = configuration.equals("all");
			for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes())
				if (all && !type.getName().equals("jdk.ObjectCount"))
					r.enable(type.getName()).withoutThreshold();
		} else {
			r = new Recording(Configuration.getConfiguration(configuration));
		}
		r.start();
		return r;
	}

	public static void main(String[] args) throws Exception {
		int chunks = Integer.parseInt(args[2]);
		long millis = Long.parseLong(args[3]);
		FlightRecorder.register(Types.class);
		FlightRecorder.register(Units.class);
		FlightRecorder.register(Unnamed.class);
		try (Recording r = start(args[1])) {
			r.setDestination(Paths.get(args[0]));
			work(0, millis);
			for (int i = 1; i < chunks; i++) {
				/* A second recording's start and end each close the chunk. */
				try (Recording other = new Recording()) {
					other.start();
					work(i, millis);
				}
			}
			r.stop();
		}
	}
}
