/* SPDX-License-Identifier: MIT */
/*
 * ViewSweep.java - commands of the JDK's jfr, one after the other in one JVM
 *
 *    java --add-opens jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED ViewSweep.java
 *
 * A line of standard input is OUTPUT, COMMAND and its arguments, separated by tabs.  For each, a line
 * says how it ended: "0", or the name of an exception.
 */
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

public class ViewSweep {
	private static PrintStream file(String name) throws Exception {
		return new PrintStream(new BufferedOutputStream(new FileOutputStream(name)), false, "UTF-8");
	}

	public static void main(String[] none) throws Exception {
		Class<?> command = Class.forName("jdk.jfr.internal.tool.Command");
		Method find = command.getDeclaredMethod("valueOf", String.class);
		Method execute = command.getDeclaredMethod("execute", Deque.class);
		PrintStream answers = System.out;
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

		find.setAccessible(true);
		execute.setAccessible(true);
		for (String line; (line = in.readLine()) != null;) {
			String[] words = line.split("\t");
			String end = "0";

			try (PrintStream out = file(words[0])) {
				System.setOut(out);
				execute.invoke(find.invoke(null, words[1]),
					new ArrayDeque<>(Arrays.asList(words).subList(2, words.length)));
			} catch (InvocationTargetException e) {
				end = e.getCause().getClass().getSimpleName();
			}
			answers.println(end);
			answers.flush();
		}
	}
}
