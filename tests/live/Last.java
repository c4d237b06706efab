/* SPDX-License-Identifier: MIT */

import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.StackTrace;

/**
 * Counts in events until after its end has begun, then says up to which number all were committed.
 *
 * <pre>java Last SECONDS</pre>
 *
 * Prints "begun" when something records.  The JVM's end stops one recording after the other, and
 * each but the last makes room for another chunk: "stopped NUMBER" tells what had been committed
 * when that was done, so that all of it has to be in one of the chunks.
 */
public class Last {
	@Name("live.Last")
	@StackTrace(false)
	static class Count extends Event {
		long number;
	}

	static final AtomicLong committed = new AtomicLong(-1);

	static synchronized long count() {
		Count event = new Count();

		event.number = committed.get() + 1;
		event.commit();
		return committed.incrementAndGet();
	}

	static void countForEver() {
		for (;;) {
			count();
			Thread.onSpinWait();
			try {
				Thread.sleep(0, 200_000);
			} catch (InterruptedException e) {
				return;
			}
		}
	}

	static class Listener implements FlightRecorderListener {
		boolean isOver;

		/** The first to be stopped; the next one's end is the recorder's. */
		@Override
		public void recordingStateChanged(Recording r) {
			if (r.getState() != RecordingState.STOPPED || isOver)
				return;
			isOver = true;
			System.out.println("stopped " + count());
			System.out.flush();
		}
	}

	public static void main(String[] args) throws Exception {
		Thread counter = new Thread(Last::countForEver, "counter");

		while (!new Count().isEnabled())
			Thread.sleep(10);
		FlightRecorder.addListener(new Listener());
		counter.setDaemon(true);
		counter.start();
		System.out.println("begun");
		Thread.sleep(Long.parseLong(args[0]) * 1000);
		System.exit(0);
	}
}
