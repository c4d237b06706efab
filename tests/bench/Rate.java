/* SPDX-License-Identifier: MIT */

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * 10,000 events in a second, of which ten are of a type that somebody may follow; each of these
 * holds when it was committed, in ns since 1970.
 *
 * <pre>java Rate SECONDS</pre>
 */
public class Rate {
	@Name("bench.Noise")
	static class Noise extends Event {
		int thread;
		long number;
	}

	@Name("bench.Mark")
	@StackTrace(false)
	static class Mark extends Event {
		int thread;
		long number;
		String text;
	}

	static void hum(int thread, long end) {
		for (long number = 0; System.nanoTime() < end; number++) {
			Noise noise = new Noise();

			noise.thread = thread;
			noise.number = number;
			noise.commit();
			/* What was slept too long is made up for. */
			if (number % 13 == 12)
				LockSupport.parkNanos(9_900_000);
		}
	}

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;

		for (int i = 0; i < 8; i++) {
			int thread = i;

			new Thread(() -> hum(thread, end)).start();
		}
		while (System.nanoTime() < end) {
			Mark mark = new Mark();
			Instant now;

			Thread.sleep(100);
			now = Instant.now();
			mark.number = now.getEpochSecond() * 1_000_000_000L + now.getNano();
			mark.commit();
		}
	}
}
