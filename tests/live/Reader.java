/* SPDX-License-Identifier: MIT */

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/**
 * What the JDK's own stream delivers of a repository, as lines of JSON like those of
 * `jfrec stream --ndjson --utc --fields startTime,eventThread.javaName,thread,number,text`.
 *
 * <pre>java Reader REPOSITORY LAST [TYPE]</pre>
 *
 * From its beginning on; ends when each of eight threads has come to the number LAST.
 */
public class Reader {
	static int done;

	static final DateTimeFormatter NINE_DIGITS =
		DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'").withZone(ZoneOffset.UTC);

	static String time(Instant t) {
		return "\"" + NINE_DIGITS.format(t) + "\"";
	}

	static String line(RecordedEvent e) {
		RecordedThread thread = e.getThread();

		return "{\"source\":\"S\",\"type\":\"" + e.getEventType().getName() + "\",\"startTime\":" + time(e.getStartTime())
			+ ",\"eventThread.javaName\":" + (thread == null ? "null" : "\"" + thread.getJavaName() + "\"")
			+ ",\"thread\":" + e.getInt("thread") + ",\"number\":" + e.getLong("number")
			+ ",\"text\":\"" + e.getString("text") + "\"}";
	}

	public static void main(String[] args) throws Exception {
		long last = Long.parseLong(args[1]);
		PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);

		try (EventStream s = EventStream.openRepository(Path.of(args[0]))) {
			s.setStartTime(Instant.EPOCH);
			s.onEvent(args.length > 2 ? args[2] : "live.Step", e -> {
				out.println(line(e));
				if (e.getLong("number") == last && ++done == 8)
					new Thread(s::close).start();
			});
			s.onFlush(out::flush);
			s.start();
		}
		out.flush();
	}
}
