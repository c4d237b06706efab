/* SPDX-License-Identifier: MIT */
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.List;

/*
 * A program with a thread for each line of a file, called by it; the lines are appended to another
 * file as well, if one is named, as a log that is also the JVM's.
 */
public class Snapped {
	public static void main(String[] arguments) throws Exception {
		List<String> lines = Files.readAllLines(Paths.get(arguments[0]));
		byte[] garbage = null;

		for (String line : lines) {
			Thread t = new Thread(Snapped::rest, line);
			t.setDaemon(true);
			t.start();
		}
		if (!arguments[1].equals("-"))
			Files.write(Paths.get(arguments[1]), lines, StandardOpenOption.APPEND);
		System.out.println("ready");
		for (long end = System.nanoTime() + 300_000_000_000L; System.nanoTime() < end; Thread.sleep(5))
			garbage = new byte[100_000];
		System.out.println(garbage.length);
	}

	static void rest()
	{
		try {
			Thread.sleep(600_000);
		} catch (InterruptedException e) {
			// it ends
		}
	}
}
