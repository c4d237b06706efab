/* SPDX-License-Identifier: MIT */
/*
 * Frames.java - ways to be on the stack, and on which thread
 */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import jdk.jfr.Event;
import jdk.jfr.Name;

public final class Frames {
	@Name("rec.Frame")
	static class Frame extends Event {
		String way;
	}

	public static void mark(String way) {
		Frame e = new Frame();
		e.way = way;
		e.commit();
	}

	private static int recurse(int n) {
		if (n > 0)
			return 1 + recurse(n - 1);
		mark("recursion");
		return 0;
	}

	private static long arrays(boolean a, byte[] b, char[][] c, String[] d, Map.Entry<String, int[]>[] e, List<? extends Runnable> f,
		long g, double h, float i, short j, Thread.State... k) {
		mark("array parameters");
		return g;
	}

	private static <T extends Comparable<T>> T generic(T[] values, Supplier<? super T> ignored) {
		mark("generic method");
		return values[0];
	}

	private final class Inner {
		private final class Deeper {
			Deeper(Inner outer, int[] numbers) {
				mark("inner constructor");
			}
		}

		Inner() {
			new Deeper(this, new int[1]);
		}
	}

	static final class Initialized {
		static final int VALUE = value();

		private static int value() {
			mark("static initializer");
			return 1;
		}
	}

	record Pair(String key, int value) {
		Pair {
			mark("record constructor");
		}
	}

	interface Shape {
		default void draw() {
			mark("default method");
		}
	}

	private Frames() {
		mark("constructor");
		new Inner();
	}

	public static void reflected(String way, Integer boxed) {
		mark(way);
	}

	/* How many frames lie below run() is the test: 1, 4, 5, 6. */

	private static void chain(int more) {
		if (more > 0)
			chain(more - 1);
		else
			mark("short stack");
	}

	private static void inThread(ThreadGroup group, String name, Runnable r) throws InterruptedException {
		Thread t = new Thread(group, r, name);
		t.start();
		t.join();
	}

	static void threads() throws Exception {
		for (int more : new int[] {0, 1, 2, 3})
			inThread(null, "short " + more, new Runnable() {
				@Override
				public void run() {
					chain(more);
				}
			});
		ThreadGroup outer = new ThreadGroup("outer \"group\" \u00e9");
		inThread(new ThreadGroup(outer, ""), "in a group without name", () -> mark("thread"));
		inThread(outer, "", () -> mark("thread without name"));
		inThread(outer, "thread \"quoted\" \\ \n second line \u4e2d", () -> mark("odd thread"));
		virtual();
	}

	/** Virtual threads, where the JDK has them. */
	private static void virtual() throws Exception {
		Method of;
		try {
			of = Thread.class.getMethod("ofVirtual");
			of.invoke(null);
		} catch (ReflectiveOperationException e) {
			return;
		}
		Class<?> builder = Class.forName("java.lang.Thread$Builder");
		Runnable r = () -> recurse(3);
		Object named = builder.getMethod("name", String.class).invoke(of.invoke(null), "virtual \u00fc");
		((Thread) builder.getMethod("start", Runnable.class).invoke(named, r)).join();
		((Thread) builder.getMethod("start", Runnable.class).invoke(of.invoke(null), r)).join();
	}

	static void all() throws Throwable {
		recurse(2);
		recurse(60);
		recurse(200);
		arrays(true, null, null, null, null, null, 1, 1, 1, (short) 1);
		generic(new String[] {"a"}, () -> "b");
		new Frames();
		new Pair("k", Initialized.VALUE);
		new Shape() { }.draw();
		Runnable lambda = () -> mark("lambda");
		lambda.run();
		Runnable reference = Initialized::value;
		reference.run();
		Supplier<Runnable> nested = () -> () -> mark("lambda in a lambda");
		nested.get().run();
		IntStream.range(0, 2).boxed().forEach(i -> mark("stream"));
		Method m = Frames.class.getMethod("reflected", String.class, Integer.class);
		m.invoke(null, "reflection", 1);
		MethodHandle h = MethodHandles.lookup().findStatic(Frames.class, "reflected", MethodType.methodType(void.class, String.class, Integer.class));
		h.invoke("method handle", 1);
		Runnable proxy = (Runnable) Proxy.newProxyInstance(Frames.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, method, args) -> {
			mark("proxy");
			return null;
		});
		proxy.run();
		threads();
	}
}
