/* SPDX-License-Identifier: MIT */

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * Eight threads count in events, each for itself, while chunks are rotated.
 *
 * <pre>java Steps EVENTS PAUSE_US ROTATIONS PAUSE_MS</pre>
 *
 * Each thread commits so many events (0: for ever), with a pause in between.  Prints "ready",
 * begins when something records, and prints "begun"; prints "done" at the end, and lives on.
 */
public class Steps {
	@Name("live.Step")
	@StackTrace(false)
	static class Step extends Event {
		int thread;
		long number;
		String text;
	}

	static void count(int thread, long events, long pause) {
		String text = "so many bytes so many bytes so many bytes so many bytes ";

		for (long number = 0; events == 0 || number < events; number++) {
			Step step = new Step();

			step.begin();
			step.thread = thread;
			step.number = number;
			step.text = text + number;
			step.commit();
			if (pause > 0)
				LockSupport.parkNanos(pause * 1000);
		}
	}

	/** A recording that begins, and one that ends, begins a chunk. */
	static void rotate(int rotations, long pause) throws Exception {
		for (int i = 0; i < rotations; i++) {
			try (Recording r = new Recording()) {
				r.start();
				Thread.sleep(pause);
			}
		}
	}

	public static void main(String[] args) throws Exception {
		long events = Long.parseLong(args[0]), pause = Long.parseLong(args[1]);
		CountDownLatch left = new CountDownLatch(8);

		new Step(); // JDK 8 may stand still for ever if it is told to record while it does this
		System.out.println("ready");
		while (!new Step().isEnabled())
			Thread.sleep(10);
		System.out.println("begun");
		for (int i = 0; i < 8; i++) {
			int thread = i;

			new Thread(() -> {
				count(thread, events, pause);
				left.countDown();
			}, "counter-" + i).start();
		}
		rotate(Integer.parseInt(args[2]), Long.parseLong(args[3]));
		left.await();
		System.out.println("done");
		Thread.sleep(Long.MAX_VALUE);
	}
}
