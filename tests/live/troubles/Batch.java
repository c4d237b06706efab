import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;

// A healthy batch job: it writes a file of words, reads it, counts and sorts them, and ends.
// No warning is to come of this.
public class Batch {
	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Integer.parseInt(args[0]) * 1_000_000_000L;
		File file = File.createTempFile("batch", ".txt");
		int rounds = 0;
		file.deleteOnExit();
		while (System.nanoTime() < end) {
			try (BufferedWriter out = Files.newBufferedWriter(file.toPath(), StandardCharsets.UTF_8)) {
				for (int i = 0; i < 40_000; i++)
					out.write("word" + (i * 7919L + rounds) % 5003 + "\n");
			}
			Map<String, Integer> counts = new TreeMap<>();
			try (BufferedReader in = Files.newBufferedReader(file.toPath(), StandardCharsets.UTF_8)) {
				for (String line; (line = in.readLine()) != null;)
					counts.merge(line, 1, Integer::sum);
			}
			if (counts.size() != 5003)
				throw new IllegalStateException("counted " + counts.size());
			rounds++;
			Thread.sleep(250);
		}
		System.out.println(rounds + " rounds");
	}
}
