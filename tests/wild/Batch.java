package acme.batch;

import acme.Run;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Useful work, one piece after the other, with a pause between that leaves the processor to others. */
public class Batch {
	private final Random random = new Random(11);
	private final String[] words = IntStream.range(0, 3000).mapToObj(i -> "word" + i * 7919 % 3001).toArray(String[]::new);
	private final byte[] text = String.join(" ", words).repeat(8).getBytes();
	private final int[] picture = new int[640 * 480];

	int sort() {
		int[] numbers = random.ints(100_000).toArray();
		Arrays.sort(numbers);
		return numbers[7];
	}

	int sortInParallel() {
		int[] numbers = random.ints(1_500_000).toArray();
		Arrays.parallelSort(numbers);
		return numbers[7];
	}

	int streams() {
		Map<Integer, Long> byLength = Arrays.stream(words).filter(w -> w.hashCode() % 3 != 0).map(String::toUpperCase)
			.collect(Collectors.groupingBy(String::length, Collectors.counting()));
		return byLength.size();
	}

	/** A reader of something like JSON. */
	int parse() {
		StringBuilder document = new StringBuilder("[");
		for (String word : words)
			document.append("{\"name\": \"").append(word).append("\", \"size\": ").append(word.length()).append("},");
		int depth = 0;
		int names = 0;
		for (int i = 0; i < document.length(); i++) {
			switch (document.charAt(i)) {
			case '{':
				depth++;
				break;
			case '}':
				depth--;
				break;
			case 'n':
				names += depth;
				break;
			default:
				break;
			}
		}
		return names;
	}

	int hash() throws Exception {
		MessageDigest digest = MessageDigest.getInstance("SHA-256");
		for (int i = 0; i < 20; i++)
			digest.update(text);
		return digest.digest()[0];
	}

	int blur() {
		int sum = 0;
		for (int y = 1; y < 479; y++)
			for (int x = 1; x < 639; x++) {
				int at = y * 640 + x;
				picture[at] = (picture[at - 1] + picture[at + 1] + picture[at - 640] + picture[at + 640] + x) >> 2;
				sum += picture[at];
			}
		return sum;
	}

	int compress() throws Exception {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
			out.write(text);
		}
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
			return in.readAllBytes().length;
		}
	}

	public static void main(String[] args) {
		Batch batch = new Batch();
		Map<String, Run.Step> steps = Map.of(
			"sort", () -> Run.sink += batch.sort(),
			"parallel", () -> Run.sink += batch.sortInParallel(),
			"streams", () -> Run.sink += batch.streams(),
			"parse", () -> Run.sink += batch.parse(),
			"hash", () -> Run.sink += batch.hash(),
			"blur", () -> Run.sink += batch.blur(),
			"compress", () -> Run.sink += batch.compress());
		Run.Step step = steps.get(args[0]);
		int pause = Integer.parseInt(args[1]);
		Run.threads("batch-", 1, () -> {
			step.run();
			if (pause > 0)
				Run.pause(pause);
		});
		Run.ready();
	}
}
