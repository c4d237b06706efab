/*
 * Full.java - a program whose heap is full from when a file appears, and stays so
 *
 * usage: java -Xmx32m Full FILE
 */
import java.io.File;

public class Full {
	private static Object[] last;

	/* What is left is taken in smaller and smaller pieces. */
	private static void fill() {
		for (int size = 1 << 20; size > 0; size /= 2) {
			try {
				for (;;) {
					Object[] next = new Object[1 + size / 4];

					next[0] = last;
					last = next;
				}
			} catch (OutOfMemoryError e) {
				/* The next size. */
			}
		}
	}

	public static void main(String[] args) throws Exception {
		System.out.println("ready");
		while (!new File(args[0]).exists())
			Thread.sleep(100);
		for (;;) {
			fill();
			Thread.sleep(1);
		}
	}
}
