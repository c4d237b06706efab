/* SPDX-License-Identifier: MIT */
/*
 * Load.java - recordings to measure with
 *
 *    java -XX:FlightRecorderOptions=repository=DIRECTORY Load.java
 *            LOAD EVENTS OUTPUT MEGABYTES DIRECTORY      (a JDK, 11 or later)
 *
 * LOAD is
 *    compile   compiles generated sources in memory and loads the classes:
 *              few events of each type, long strings, many constants
 *    server    an HTTP server with a pool of threads and its clients, on the
 *              loopback: many short events, the same constants again and again
 *    paced     the same with a pause of 30 ms behind each request: about as many
 *              a second on all machines that are fast enough
 *
 * EVENTS is "all", every event type without threshold, the name of a
 * configuration of the JDK ("default", "profile"), or "none": no recording, until it
 * is killed.
 *
 * Ends when the chunks in DIRECTORY, which must be empty at first, have the
 * size, or after a quarter of an hour.  The JVM writes them about once a second, so
 * small recordings come out larger.  How long a chunk gets is the JVM's
 * business: -XX:FlightRecorderOptions=maxchunksize=SIZE.
 */
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import jdk.jfr.Configuration;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

public final class Load {
	private static final long LIMIT = TimeUnit.MINUTES.toMillis(15);
	private static volatile boolean done;

	/* ---- the compiler ---- */

	private static final class Source extends SimpleJavaFileObject {
		private final String text;

		Source(String name, String text) {
			super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreErrors) {
			return text;
		}
	}

	private static final class Code extends SimpleJavaFileObject {
		final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		Code(String name) {
			super(URI.create("bytes:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
		}

		@Override
		public OutputStream openOutputStream() {
			return bytes;
		}
	}

	/** Keeps what the compiler writes, and gives it to whoever loads a class. */
	private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
		final Map<String, Code> classes = new HashMap<>();

		Memory(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location where, String name,
				JavaFileObject.Kind kind, FileObject sibling) {
			return classes.computeIfAbsent(name, Code::new);
		}

		ClassLoader loader() {
			return new ClassLoader("compiled", null) {
				@Override
				protected Class<?> findClass(String name) throws ClassNotFoundException {
					Code code = classes.get(name);
					if (code == null)
						throw new ClassNotFoundException(name);
					byte[] b = code.bytes.toByteArray();
					return defineClass(name, b, 0, b.length);
				}
			};
		}
	}

	/** A class of its own names, with generics, lambdas, switches and inner classes to compile. */
	private static Source source(int number) {
		String name = "Generated" + number;
		StringBuilder s = new StringBuilder("import java.util.*; import java.util.function.*;\n");
		s.append("public class " + name + " {\n");
		for (int i = 0; i < 12; i++) {
			String m = "step" + number + "x" + i;
			s.append("  static <T extends Comparable<T>> List<T> " + m + "(Collection<T> in, int n) {\n"
				+ "    Map<Integer, List<T>> map = new TreeMap<>();\n"
				+ "    for (T t : in) map.computeIfAbsent(t.hashCode() % " + (i + 3)
				+ ", k -> new ArrayList<>()).add(t);\n"
				+ "    List<T> out = new ArrayList<>();\n"
				+ "    map.values().forEach(l -> { l.sort(Comparator.naturalOrder()); out.addAll(l); });\n"
				+ "    switch (n % 3) { case 0: Collections.reverse(out); break;\n"
				+ "      case 1: out.removeIf(Objects::isNull); break; default: Collections.swap(out, 0, 1); }\n"
				+ "    return out;\n  }\n");
			s.append("  static class Inner" + i + " implements Supplier<String> {\n"
				+ "    private final String text = \"" + m + "\";\n"
				+ "    public String get() { return text + " + i + " + String.join(\",\", "
				+ m + "(Arrays.asList(text, \"a\", \"b\"), " + i + ")); }\n  }\n");
		}
		s.append("  public static void main(String[] a) {\n");
		for (int i = 0; i < 12; i++)
			s.append("    a[0] = new Inner" + i + "().get();\n");
		return new Source(name, s.append("  }\n}\n").toString());
	}

	private static void compile() throws Exception {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		for (int n = 0; !done; n += 4) {
			List<Source> sources = new ArrayList<>();
			for (int i = 0; i < 4; i++)
				sources.add(source(n + i));
			try (Memory files = new Memory(compiler.getStandardFileManager(null, null, null))) {
				if (!compiler.getTask(null, files, null, List.of("-proc:none"), null, sources).call())
					throw new IllegalStateException("the generated sources do not compile");
				ClassLoader loader = files.loader();
				for (int i = 0; i < 4; i++)
					loader.loadClass("Generated" + (n + i)).getMethod("main", String[].class)
						.invoke(null, (Object) new String[1]);
			}
		}
	}

	/* ---- the server ---- */

	@Name("bench.Request")
	@Label("Request")
	static final class Request extends Event {
		String path;
		int status;
		@DataAmount long sent;
	}

	@Name("bench.Step")
	@Label("Step")
	@StackTrace(false)
	static final class Step extends Event {
		String what;
		int number;
	}

	private static final Map<String, byte[]> cache = new ConcurrentHashMap<>();
	private static final ReentrantLock lock = new ReentrantLock();
	private static final Object monitor = new Object();
	private static int served;

	private static byte[] page(String path) throws IOException {
		StringBuilder s = new StringBuilder();
		for (int i = 0; i < 6; i++) {
			Step step = new Step();
			step.begin();
			for (int k = 0; k < 40; k++)
				s.append(path).append(k * i).append(',');
			step.what = i % 3 == 0 ? "part of " + path : "part";
			step.number = i;
			step.commit();
		}
		if (path.hashCode() % 7 == 0)
			throw new IOException("no such page: " + path);
		return s.toString().getBytes(StandardCharsets.UTF_8);
	}

	private static void answer(HttpExchange x) throws IOException {
		Request event = new Request();
		event.begin();
		event.path = x.getRequestURI().getPath();
		event.status = 200;
		byte[] body;
		try {
			body = page(event.path);
		} catch (IOException e) {
			event.status = 404;
			body = e.getMessage().getBytes(StandardCharsets.UTF_8);
		}
		cache.put("page " + Math.floorMod(event.path.hashCode(), 500), body);
		lock.lock();
		try {
			synchronized (monitor) {
				served++;
			}
		} finally {
			lock.unlock();
		}
		x.sendResponseHeaders(event.status, body.length);
		try (OutputStream out = x.getResponseBody()) {
			out.write(body);
		}
		event.sent = body.length;
		event.commit();
	}

	private static void ask(HttpClient client, URI base, int number, boolean paced) {
		for (int i = 0; !done; i++) {
			HttpRequest request = HttpRequest.newBuilder(
					base.resolve("/item/" + number + "/" + i % 5000)).build();
			try {
				client.send(request, HttpResponse.BodyHandlers.ofByteArray());
				if (paced)
					Thread.sleep(30);
			} catch (IOException | InterruptedException e) {
				return;
			}
		}
	}

	private static void serve(boolean paced) throws Exception {
		InetAddress here = InetAddress.getLoopbackAddress();
		HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
		ExecutorService pool = Executors.newFixedThreadPool(8);
		server.setExecutor(pool);
		server.createContext("/", Load::answer);
		server.start();
		URI base = new URI("http", null, here.getHostAddress(), server.getAddress().getPort(), "/", null, null);
		HttpClient client = HttpClient.newBuilder().executor(Executors.newFixedThreadPool(4)).build();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			int number = i;
			threads.add(new Thread(() -> ask(client, base, number, paced), "client " + i));
		}
		threads.forEach(Thread::start);
		for (Thread t : threads)
			t.join();
		server.stop(0);
		pool.shutdown();
	}

	/* ---- the recording ---- */

	private static Recording recording(String events) throws Exception {
		if (!events.equals("all"))
			return new Recording(Configuration.getConfiguration(events));
		Recording r = new Recording();
		for (EventType t : FlightRecorder.getFlightRecorder().getEventTypes())
			r.enable(t.getName()).withoutThreshold();
		for (String name : new String[] {"jdk.ExecutionSample", "jdk.NativeMethodSample"})
			r.enable(name).withPeriod(Duration.ofMillis(10));
		for (String name : new String[] {"jdk.CPULoad", "jdk.ThreadCPULoad", "jdk.ThreadAllocationStatistics"})
			r.enable(name).withPeriod(Duration.ofSeconds(1));
		return r;
	}

	private static long size(Path directory) throws IOException {
		try (Stream<Path> all = Files.walk(directory)) {
			return all.mapToLong(p -> p.toFile().isFile() ? p.toFile().length() : 0).sum();
		}
	}

	private static void watch(Path directory, long size) {
		long end = System.currentTimeMillis() + LIMIT;
		try {
			while (size(directory) < size && System.currentTimeMillis() < end)
				Thread.sleep(100);
		} catch (IOException | InterruptedException e) {
			e.printStackTrace();
		}
	}

	private static void work(String load) throws Exception {
		if (load.equals("compile"))
			compile();
		else
			serve(load.equals("paced"));
	}

	public static void main(String[] arguments) throws Exception {
		String load = arguments[0];
		if (arguments[1].equals("none")) {
			System.out.println("ready");
			work(load);
			return;
		}
		Path output = Path.of(arguments[2]);
		long size = Long.parseLong(arguments[3]) * 1_000_000;
		Recording r = recording(arguments[1]);
		FlightRecorder.register(Request.class);
		FlightRecorder.register(Step.class);
		r.start();
		Thread watch = new Thread(() -> {
			watch(Path.of(arguments[4]), size);
			done = true;
		}, "watch");
		watch.start();
		work(load);
		watch.join();
		r.stop();
		r.dump(output);
		r.close();
		System.exit(0);
	}
}
