/* SPDX-License-Identifier: MIT */
/* Commits numbered events from several threads until it is killed. */
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;

public class Busy {
	@Name("test.Number")
	static class Number extends Event {
		long n;
		String text;
	}

	static final AtomicLong next = new AtomicLong();

	static void work() {
		for (;;) {
			Number e = new Number();
			e.n = next.incrementAndGet();
			e.text = "number " + e.n % 1000 + " of many things";
			e.commit();
			if (e.n % 5 == 0)
				sleep(1);
		}
	}

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) {
		Recording r = new Recording();
		r.enable("test.Number");
		r.start();
		for (int i = 0; i < 3; i++)
			new Thread(Busy::work, "worker-" + i).start();
		for (;;)
			sleep(1000);
	}
}
