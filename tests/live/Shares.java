/* SPDX-License-Identifier: MIT */
/*
 * One thread that uses the CPU all the time, in five methods: 40, 30, 15, 10 and 5 % of it. Another
 * waits, so that a profile of all threads would say something else. With an argument the first
 * method is called so often that it takes 80 %. JDK 8 takes no samples of loops that count an int,
 * since these have no place where it could stop the thread.
 */
public class Shares {
	static final int UNIT = 2000;
	static volatile long sum = 1;

	static long forty(long x) {
		for (long i = 0; i < 40 * UNIT; i++) {
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
		}
		return x;
	}

	static long thirty(long x) {
		for (long i = 0; i < 30 * UNIT; i++) {
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
		}
		return x;
	}

	static long fifteen(long x) {
		for (long i = 0; i < 15 * UNIT; i++) {
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
		}
		return x;
	}

	static long ten(long x) {
		for (long i = 0; i < 10 * UNIT; i++) {
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
		}
		return x;
	}

	static long five(long x) {
		for (long i = 0; i < 5 * UNIT; i++) {
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
		}
		return x;
	}

	public static void main(String[] arguments) throws Exception {
		Thread waiting = new Thread(() -> {
			while (true) {
				try {
					Thread.sleep(10);
				} catch (InterruptedException e) {
					return;
				}
			}
		}, "waiting");

		waiting.setDaemon(true);
		waiting.start();
		/* So that all are compiled before anyone looks. */
		for (long begin = System.nanoTime(); System.nanoTime() - begin < 1_500_000_000L;)
			sum += five(ten(fifteen(thirty(forty(sum | 1)))));
		System.out.println("ready");
		while (true) {
			sum += five(ten(fifteen(thirty(forty(sum | 1)))));
			for (int i = 0; arguments.length > 0 && i < 5; i++)
				sum += forty(sum | 1);
		}
	}
}
