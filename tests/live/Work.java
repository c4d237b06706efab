/* SPDX-License-Identifier: MIT */
/*
 * Does everything that a recording could be asked about, over and over, until it has been
 * told by a file named "end" to end itself. Also an agent, for -javaagent.
 */
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;

public class Work {
	static final int LONG_MS = 120;

	static Instrumentation instrumentation;
	static final Object lock = new Object();
	static final List<Object> kept = new ArrayList<>();
	static volatile Object made;
	static volatile long sum;

	interface Task {
		void run() throws Exception;
	}

	public static void premain(String arguments, Instrumentation i) {
		instrumentation = i;
	}

	static void again(String name, Task task) {
		Thread t = new Thread(() -> {
			for (;;) {
				try {
					task.run();
					Thread.sleep(100);
				} catch (Throwable e) {
					System.out.println(name + ": " + e);
					return;
				}
			}
		}, name);
		t.setDaemon(true);
		t.start();
	}

	/* A loop of a known number of turns, which some JVMs stop only at its end. */
	static void compute() {
		long x = 0;
		for (int i = 0; i < 20_000_000; i++)
			x += i ^ (x << 1);
		sum += x;
	}

	static void allocate() {
		for (int i = 0; i < 500; i++) {
			made = new byte[20_000];
			if (i % 100 == 0 && kept.size() < 2000)
				kept.add(made);
		}
	}

	static void hold() throws Exception {
		synchronized (lock) {
			Thread.sleep(LONG_MS);
		}
	}

	static void throwThem() {
		try {
			throw new IllegalStateException("an exception");
		} catch (IllegalStateException e) {
			made = e;
		}
		try {
			throw new AssertionError("an error");
		} catch (AssertionError e) {
			made = e;
		}
	}

	/* A pipe with a slow end makes a slow read, or a slow write once it is full. */
	static void readSlowly(InputStream in) throws Exception {
		byte[] bytes = new byte[1 << 16];
		for (;;) {
			Thread.sleep(LONG_MS);
			if (in.read(bytes) < 0)
				return;
		}
	}

	static void writeSlowly(OutputStream out) throws Exception {
		Thread.sleep(LONG_MS);
		out.write(1);
		out.flush();
	}

	static void files() throws Exception {
		for (String name : new String[] { "in", "out" }) {
			if (new ProcessBuilder("mkfifo", name).start().waitFor() != 0)
				throw new IllegalStateException("no mkfifo");
		}
		again("slow writer", () -> {
			try (FileOutputStream out = new FileOutputStream("in")) {
				for (;;)
					writeSlowly(out);
			}
		});
		again("file reader", () -> {
			try (FileInputStream in = new FileInputStream("in")) {
				while (in.read() >= 0)
					;
			}
		});
		again("slow reader", () -> {
			try (FileInputStream in = new FileInputStream("out")) {
				readSlowly(in);
			}
		});
		again("file writer", () -> {
			try (FileOutputStream out = new FileOutputStream("out")) {
				for (;;)
					out.write(new byte[1 << 16]);
			}
		});
	}

	static void sockets() throws Exception {
		ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
		Socket a = new Socket(server.getInetAddress(), server.getLocalPort()), b = server.accept();

		again("slow socket writer", () -> writeSlowly(a.getOutputStream()));
		again("socket reader", () -> b.getInputStream().read());
		again("slow socket reader", () -> readSlowly(a.getInputStream()));
		again("socket writer", () -> b.getOutputStream().write(new byte[1 << 22]));
	}

	/* Its own copy for each time, since a class is initialized only once. */
	static class Slow {
		static {
			LockSupport.parkNanos(LONG_MS * 1_000_000L);
		}
	}

	static class Loader extends ClassLoader {
		Loader() {
			super(null);
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			try (InputStream in = Work.class.getResourceAsStream("/" + name + ".class")) {
				byte[] bytes = new byte[1 << 16];
				int n = in.read(bytes);
				return defineClass(name, bytes, 0, n);
			} catch (Exception e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	/* Native code below it pins a virtual thread to its carrier: here, the JVM's own. */
	static void pin() {
		try {
			Class.forName("Work$Slow", true, new Loader());
		} catch (ClassNotFoundException e) {
			throw new IllegalStateException(e);
		}
	}

	static void startVirtual() throws Exception {
		Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) Work::pin);
		Thread.sleep(500);
	}

	static void dumpHeap() throws Exception {
		File file = new File("heap.hprof");

		ManagementFactory.getPlatformMBeanServer().invoke(
			new ObjectName("com.sun.management:type=HotSpotDiagnostic"), "dumpHeap",
			new Object[] { file.getAbsolutePath(), true },
			new String[] { "java.lang.String", "boolean" });
		file.delete();
		Thread.sleep(5000);
	}

	static void transform() throws Exception {
		instrumentation.retransformClasses(Slow.class);
		Thread.sleep(1000);
	}

	static boolean hasVirtualThreads() {
		String version = System.getProperty("java.specification.version");
		return !version.startsWith("1.") && Integer.parseInt(version) >= 21;
	}

	public static void main(String[] arguments) throws Exception {
		again("compute", Work::compute);
		again("allocate", Work::allocate);
		again("hold", Work::hold);
		again("want", Work::hold);
		again("park", () -> LockSupport.parkNanos(LONG_MS * 1_000_000L));
		again("throw", Work::throwThem);
		again("collect", () -> {
			System.gc();
			Thread.sleep(500);
		});
		again("start processes", () -> new ProcessBuilder("true").start().waitFor());
		again("dump heap", Work::dumpHeap);
		again("transform", Work::transform);
		if (hasVirtualThreads())
			again("pin", Work::startVirtual);
		files();
		sockets();
		System.out.println("ready");
		while (!new File("end").exists())
			Thread.sleep(100);
		System.exit(3);
	}
}
