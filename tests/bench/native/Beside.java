// SPDX-License-Identifier: MIT
//
// Beside.java - what an event of a JVM costs, without a stack and with one of ten frames
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

public class Beside {
	private static final int COUNT = 1_000_000;

	@Name("bench.Instant")
	@StackTrace(false)
	static class Instant extends Event {
		long number;
		int other;
	}

	@Name("bench.Traced")
	static class Traced extends Event {
		long number;
		int other;
	}

	static void emit(long i) {
		Instant e = new Instant();
		e.number = i;
		e.other = (int) i;
		e.commit();
	}

	static void down(long i, int depth) {
		if (depth > 0) {
			down(i, depth - 1);
			return;
		}
		Traced e = new Traced();
		e.number = i;
		e.other = (int) i;
		e.commit();
	}

	public static void main(String[] args) {
		ThreadMXBean clock = ManagementFactory.getThreadMXBean();
		long instant = Long.MAX_VALUE, traced = Long.MAX_VALUE;

		try (Recording recording = new Recording()) {
			recording.start();
			for (int round = 0; round < 10; round++) {
				long begin = clock.getCurrentThreadCpuTime();

				for (long i = 0; i < COUNT; i++)
					emit(i);
				instant = Math.min(instant, clock.getCurrentThreadCpuTime() - begin);
				begin = clock.getCurrentThreadCpuTime();
				for (long i = 0; i < COUNT; i++)
					down(i, 8);
				traced = Math.min(traced, clock.getCurrentThreadCpuTime() - begin);
			}
		}
		System.out.printf("%.1f %.1f%n", (double) instant / COUNT, (double) traced / COUNT);
	}
}
