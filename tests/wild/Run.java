package acme;

import java.util.concurrent.TimeUnit;

/** What all programs here share: threads that run until the program is killed, and time that passes. */
public final class Run {
	public interface Step {
		void run() throws Exception;
	}

	private Run() {
	}

	/** Threads that repeat a step; what a step throws is what a request that failed would be. */
	public static void threads(String name, int count, Step step) {
		for (int i = 1; i <= count; i++)
			new Thread(() -> repeat(step), name + i).start();
	}

	private static void repeat(Step step) {
		for (;;) {
			try {
				step.run();
			} catch (InterruptedException e) {
				return;
			} catch (Exception e) {
				failed++;
			}
		}
	}

	public static volatile long failed;
	public static volatile long sink;

	public static void pause(long ms) {
		try {
			TimeUnit.MILLISECONDS.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** The program is up; it ends by itself if nobody ends it. */
	public static void ready() {
		System.out.println("ready");
		Thread end = new Thread(() -> {
			pause(300_000);
			Runtime.getRuntime().halt(3);
		}, "end-of-test");
		end.setDaemon(true);
		end.start();
	}
}
