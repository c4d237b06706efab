package acme.virtual;

import acme.Run;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Requests in virtual threads (JDK 21 and later). */
public class VirtualShop {
	/** Reads its configuration when it is loaded, while all that use it wait. */
	static class Rates {
		static final long FACTOR = read();

		private static long read() {
			Run.pause(2500);
			return 3;
		}
	}

	static class Loader extends ClassLoader {
		long factor(byte[] code) throws Exception {
			Class<?> rates = defineClass("acme.virtual.VirtualShop$Rates", code, 0, code.length);
			var field = rates.getDeclaredField("FACTOR");
			field.setAccessible(true);
			return field.getLong(null);
		}
	}

	static long compute(int order) {
		long sum = order;
		for (int i = 0; i < 3_000_000; i++)
			sum = sum * 31 + i;
		return sum;
	}

	static void serve(ExecutorService executor, Semaphore limit, Run.Step step) throws Exception {
		limit.acquire();
		executor.submit(() -> {
			try {
				step.run();
			} finally {
				limit.release();
			}
			return null;
		});
	}

	public static void main(String[] args) throws Exception {
		byte[] code;
		try (var in = VirtualShop.class.getResourceAsStream("VirtualShop$Rates.class")) {
			code = in.readAllBytes();
		}
		ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
		Semaphore limit = new Semaphore(args[0].equals("compute") ? 200 : 40);
		Run.Step step = switch (args[0]) {
		case "pinned" -> () -> Run.sink += new Loader().factor(code);
		case "compute" -> () -> Run.sink += compute(3);
		default -> () -> {
			Run.pause(30);
			Run.sink += compute(3) >> 60;
		};
		};
		int pause = args.length > 1 ? Integer.parseInt(args[1]) : 2;
		Run.threads("accept-", 1, () -> {
			serve(executor, limit, step);
			Run.pause(pause);
		});
		Run.ready();
	}
}
