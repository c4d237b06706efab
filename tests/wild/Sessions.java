package acme.web;

import acme.Run;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.Deflater;

/** What a server keeps of each request, and never lets go. */
public class Sessions {
	static final Map<String, Session> SESSIONS = new HashMap<>();

	static class Session {
		final String user;
		final byte[] basket;
		final List<String> history = new ArrayList<>();

		Session(String user, int size) {
			this.user = user;
			basket = new byte[size];
			for (int i = 0; i < 8; i++)
				history.add(user + "/page/" + i);
		}
	}

	static void open(int size) {
		synchronized (SESSIONS) {
			Session session = new Session("user-" + SESSIONS.size(), size);
			SESSIONS.put(UUID.randomUUID().toString(), session);
		}
	}

	/** Made for each question anew, as the key has the time in it. */
	static class ResultCache {
		private final Map<String, double[]> results = new ConcurrentHashMap<>();

		double[] resultOf(int question) {
			return results.computeIfAbsent(question + "@" + System.nanoTime(), key -> compute(question));
		}

		private double[] compute(int question) {
			double[] result = new double[120];
			for (int i = 0; i < result.length; i++)
				result[i] = Math.sqrt(question + i);
			return result;
		}
	}

	static class Uploads {
		private final List<ByteBuffer> parts = new ArrayList<>();

		void receive(int bytes) {
			ByteBuffer part = ByteBuffer.allocateDirect(bytes);
			while (part.hasRemaining())
				part.put((byte) 1);
			parts.add(part);
		}
	}

	/** Of each client one is kept; what it holds is not on the heap. */
	static class Compressors {
		private final Map<Integer, Deflater> byClient = new LinkedHashMap<>();

		int compress(int client, byte[] page) {
			Deflater deflater = byClient.computeIfAbsent(client, key -> new Deflater());
			deflater.setInput(page);
			return deflater.deflate(new byte[1000], 0, 1000, Deflater.SYNC_FLUSH);
		}
	}

	/** An executor for each report, which is never shut down. */
	static void report() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(2);
		Run.sink += executor.submit(() -> 3).get();
	}

	public static void main(String[] args) {
		int every = args.length > 1 ? Integer.parseInt(args[1]) : 10;
		ResultCache cache = new ResultCache();
		Uploads uploads = new Uploads();
		Compressors compressors = new Compressors();
		int[] client = {0};
		byte[] page = "<p>some text of a page that is sent to all clients</p>".repeat(40).getBytes();
		Map<String, Run.Step> steps = Map.of(
			"sessions", () -> open(4000),
			"heavy-sessions", () -> open(400_000),
			"cache", () -> {
				for (int i = 0; i < 20; i++)
					Run.sink += (long) cache.resultOf(7)[3];
			},
			"uploads", () -> uploads.receive(400_000),
			"compressors", () -> Run.sink += compressors.compress(client[0]++, page),
			"executors", Sessions::report);
		Run.Step step = steps.get(args[0]);
		Run.threads("http-exec-", 1, () -> {
			step.run();
			Run.sink += new byte[30_000].length;
			Run.pause(every);
		});
		Run.ready();
	}
}
