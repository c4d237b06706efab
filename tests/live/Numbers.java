/* SPDX-License-Identifier: MIT */

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Commits an event with the next number every millisecond, until somebody ends it. */
public class Numbers {
	@Name("live.Number")
	@StackTrace(false)
	static class NumberEvent extends Event {
		long number;
		String text; // chunks are to be full after some seconds
	}

	public static void main(String[] args) throws Exception {
		String text = "so many bytes ".repeat(40);

		for (long number = 0; ; number++) {
			NumberEvent event = new NumberEvent();

			event.number = number;
			event.text = text + number; // else it would be written once, as a constant
			event.commit();
			Thread.sleep(1);
		}
	}
}
