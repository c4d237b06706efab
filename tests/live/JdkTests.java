/* SPDX-License-Identifier: MIT */

import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Category;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Recording;

/**
 * What the JDK's tests of jcmd and jfr do inside of the JVM that they look at, on command.
 *
 * <pre>java JdkTests COMMANDS</pre>
 *
 * Commands are lines of that file, which grows.  Each line of an answer begins with the number of
 * the command; the last one is "N done", or "N failed" and why.
 */
public class JdkTests {
	@Name("test.Stopped")
	static class Stopped extends Event {
	}

	@Name("test.Running")
	static class Running extends Event {
	}

	@Name("test.Numbered")
	static class Numbered extends Event {
		int id, number;
	}

	@Name("example.Tiger")
	@Category("Mammal")
	static class Tiger extends Event {
	}

	@Name("example.Zebra")
	@Category("Mammal")
	static class Zebra extends Event {
	}

	@Name("example.Tigerfish")
	@Category("Fish")
	static class Tigerfish extends Event {
	}

	/** What is easily printed wrongly. */
	@Name("test.Extreme")
	static class Extreme extends Event {
		int intValue;
		long longValue;
		double doubleValue, notANumber;
		float floatValue;
		short shortValue;
		byte byteValue;
		char charValue;
		boolean booleanValue;
		String text;
	}

	static final Map<String, Recording> recordings = new HashMap<>();
	static final List<Object> kept = new ArrayList<>();
	static volatile Object made;
	static int number;

	static void answer(Object text) {
		System.out.println(number + " " + text);
	}

	/* Recordings ----------------------------------------------------------------------- */

	/* record NAME [disk=false] [to=FILE] [config=NAME] [enable=EVENT] [set=EVENT#SETTING:VALUE]... */
	static void record(String[] words) throws Exception {
		Map<String, String> settings = new HashMap<>();
		Recording r = new Recording();

		for (int i = 2; i < words.length; i++) {
			String value = words[i].substring(words[i].indexOf('=') + 1);

			if (words[i].startsWith("config="))
				settings.putAll(Configuration.getConfiguration(value).getSettings());
			if (words[i].startsWith("enable="))
				settings.put(value + "#enabled", "true");
			if (words[i].startsWith("set="))
				settings.put(value.substring(0, value.indexOf(':')),
					     value.substring(value.indexOf(':') + 1).replace('_', ' '));
			if (words[i].startsWith("to="))
				r.setDestination(Paths.get(value));
			if (words[i].startsWith("disk="))
				r.setToDisk(Boolean.parseBoolean(value));
		}
		r.setSettings(settings);
		r.setName(words[1]);
		r.start();
		recordings.put(words[1], r);
		answer("id=" + r.getId());
	}

	static Object hidden(Recording r, String getter) {
		try {
			Method m = Recording.class.getDeclaredMethod(getter);

			m.setAccessible(true);
			return m.invoke(r);
		} catch (ReflectiveOperationException | RuntimeException e) {
			return e;
		}
	}

	/* Whoever started it. */
	static void show(String name) {
		for (Recording r : FlightRecorder.getFlightRecorder().getRecordings()) {
			if (r.getName().equals(name))
				answer("state=" + r.getState() + " duration=" + r.getDuration() + " maxage=" + r.getMaxAge() +
				       " maxsize=" + r.getMaxSize() + " flush=" + hidden(r, "getFlushInterval") +
				       " cutoff=" + r.getSettings().get("jdk.OldObjectSample#cutoff"));
		}
	}

	/* So many recordings that have ended, and their sizes; times within three of them. */
	static void series(int count, String directory) throws Exception {
		for (int i = 0; i < count; i++) {
			Recording r = new Recording();
			Path path = Paths.get(directory, "series-" + i + ".jfr");
			Instant middle = null;

			r.start();
			for (int j = 0; j < 100; j++) {
				Numbered event = new Numbered();

				event.id = i;
				event.number = j;
				event.commit();
				if (j == 50)
					middle = Instant.now();
			}
			r.stop();
			Thread.sleep(1);
			r.dump(path);
			recordings.put("series-" + i, r);
			LocalDateTime local = LocalDateTime.ofInstant(middle, ZoneId.systemDefault());
			answer("part " + i + " " + Files.size(path) + " " + middle + " " + local + " " + local.toLocalTime());
		}
	}

	/* A recording of at least 2 * count + 1 chunks. */
	static void chunks(int count, String file) throws Exception {
		Recording r = new Recording(Configuration.getConfiguration("default"));

		r.start();
		for (int i = 0; i < count; i++) {
			Recording other = new Recording();

			other.start();
			other.stop();
			other.close();
		}
		r.stop();
		r.dump(Paths.get(file));
		r.close();
	}

	static void profile(String file) throws Exception {
		try (Recording r = new Recording(Configuration.getConfiguration("profile"))) {
			long begun = System.currentTimeMillis();

			r.start();
			made = new Object[1000000];
			"aaaaab".matches("a*b");
			System.gc();
			while (System.currentTimeMillis() - begun < 200)
				made = new Object[100];
			extremes();
			Thread.sleep(1000);
			r.stop();
			r.dump(Paths.get(file));
		}
		for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes())
			answer("type " + type.getName());
	}

	/* Events --------------------------------------------------------------------------- */

	static void extremes() {
		StringBuilder text = new StringBuilder();
		Extreme low = new Extreme(), high = new Extreme();

		for (char c = ' '; c < 512; c++)
			text.append(c);
		low.intValue = Integer.MIN_VALUE;
		low.longValue = Long.MIN_VALUE;
		low.doubleValue = Double.MIN_VALUE;
		low.notANumber = Double.NaN;
		low.floatValue = Float.MIN_VALUE;
		low.shortValue = Short.MIN_VALUE;
		low.byteValue = Byte.MIN_VALUE;
		low.charValue = ' ';
		low.text = text.append('\u2324').toString();
		low.commit();
		high.intValue = Integer.MAX_VALUE;
		high.longValue = Long.MAX_VALUE;
		high.doubleValue = Double.MAX_VALUE;
		high.notANumber = Double.NEGATIVE_INFINITY;
		high.floatValue = Float.MAX_VALUE;
		high.shortValue = Short.MAX_VALUE;
		high.charValue = '\u20ac';
		high.byteValue = Byte.MAX_VALUE;
		high.booleanValue = true;
		high.commit();
	}

	static Event event(String name) {
		switch (name) {
		case "stopped":
			return new Stopped();
		case "running":
			return new Running();
		case "tiger":
			return new Tiger();
		case "zebra":
			return new Zebra();
		default:
			return new Tigerfish();
		}
	}

	/* emit COUNT EVENT [THREAD] */
	static void emit(String[] words) throws Exception {
		Runnable task = () -> {
			for (int i = Integer.parseInt(words[1]); i > 0; i--)
				event(words[2]).commit();
		};

		if (words.length < 4) {
			task.run();
			return;
		}
		Thread thread = new Thread(task, words[3].replace('_', ' '));
		thread.start();
		thread.join();
	}

	static void waitInThread(long ms) throws Exception {
		Thread thread = new Thread(() -> {
			try {
				synchronized (kept) {
					kept.wait(ms);
				}
			} catch (InterruptedException e) {
				System.out.println(e);
			}
		}, "ThreadWait");

		thread.start();
		thread.join();
	}

	/* Old objects ---------------------------------------------------------------------- */

	/* Of JDKs that have it: samples are written whatever their number is. */
	static void whiteBox(String setter) {
		try {
			Class.forName("jdk.jfr.internal.test.WhiteBox").getMethod(setter, boolean.class).invoke(null, true);
			answer("set");
		} catch (ReflectiveOperationException | RuntimeException e) {
			answer("not set: " + e);
		}
	}

	static void leak(int count, int size) {
		kept.clear();
		System.gc();
		for (int i = 0; i < count; i++)
			kept.add(new Object[size]);
		System.gc();
		System.gc();
	}

	/* ---------------------------------------------------------------------------------- */

	static void run(String[] words) throws Exception {
		switch (words[0]) {
		case "record":
			record(words);
			break;
		case "stop":
			recordings.get(words[1]).stop();
			break;
		case "close":
			recordings.get(words[1]).close();
			break;
		case "dump":
			recordings.get(words[1]).dump(Paths.get(words[2]));
			break;
		case "show":
			show(words[1]);
			break;
		case "many":
			for (int i = Integer.parseInt(words[1]); i > 0; i--)
				kept.add(new Recording());
			break;
		case "series":
			series(Integer.parseInt(words[1]), words[2]);
			break;
		case "chunks":
			chunks(Integer.parseInt(words[1]), words[2]);
			break;
		case "profile":
			profile(words[1]);
			break;
		case "emit":
			emit(words);
			break;
		case "white-box":
			whiteBox(words[1]);
			break;
		case "leak":
			leak(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
			break;
		case "gc":
			System.gc();
			break;
		case "sleep":
			Thread.sleep(Long.parseLong(words[1]));
			break;
		case "wait":
			waitInThread(Long.parseLong(words[1]));
			break;
		case "exit":
			System.exit(0);
			break;
		default:
			throw new Exception("what is " + words[0] + "?");
		}
	}

	public static void main(String[] args) throws Exception {
		try (BufferedReader in = new BufferedReader(new FileReader(args[0]))) {
			System.out.println("ready");
			for (;;) {
				String line = in.readLine();

				if (line == null) {
					synchronized (recordings) {
						recordings.wait(20); // not a sleep: these are counted
					}
					continue;
				}
				number++;
				try {
					run(line.split(" "));
					answer("done");
				} catch (Exception e) {
					answer("failed: " + e);
				}
			}
		}
	}
}
