/* SPDX-License-Identifier: MIT */
/*
 * Settings.java - the recording of tests/data/ok that is made with changing settings
 *
 *    java Settings OUTPUT WHAT      (WHAT is not looked at)
 *
 * Sleeps of 1 to 12 ms from two methods, waits, and a periodic event; in the second half
 * a second recording lowers a threshold and a period.  Two chunks.
 */
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;

public final class Settings {
	private static void shortSleep(int ms) throws InterruptedException {
		Thread.sleep(ms);
	}

	private static void longSleep(int ms) throws InterruptedException {
		Thread.sleep(ms);
	}

	private static void sleeps() throws InterruptedException {
		for (int i = 0; i < 60; i++) {
			shortSleep(1 + i % 4);
			if (i % 4 == 0)
				longSleep(6 + i % 7);
		}
	}

	private static Recording recording(long threshold, long period) {
		Recording r = new Recording();
		r.setName("threshold of " + threshold + " ms");
		r.enable("jdk.ActiveSetting");
		r.enable("jdk.ActiveRecording");
		r.enable("jdk.ThreadSleep").withThreshold(Duration.ofMillis(threshold)).withStackTrace();
		r.enable("jdk.JavaMonitorWait").withThreshold(Duration.ofMillis(threshold)).withoutStackTrace();
		r.enable("jdk.ClassLoadingStatistics").withPeriod(Duration.ofMillis(period));
		r.disable("jdk.ThreadPark");
		return r;
	}

	public static void main(String[] arguments) throws Exception {
		Recording first = recording(2, 40), second = recording(0, 20);
		first.start();
		sleeps();
		second.start();
		synchronized (Settings.class) {
			Settings.class.wait(5);
		}
		sleeps();
		first.stop();
		first.dump(Path.of(arguments[0]));
		System.exit(0);
	}
}
