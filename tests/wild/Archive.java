package acme.archive;

import acme.Run;
import java.io.BufferedWriter;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Files that are copied, a log with a queue, a cache with an end, a small database, messages that come now and then. */
public class Archive {
	static void copies() throws Exception {
		Path from = Files.createTempFile("archive", ".from");
		Path to = Files.createTempFile("archive", ".to");
		from.toFile().deleteOnExit();
		to.toFile().deleteOnExit();
		Files.write(from, new byte[3_000_000]);
		Run.threads("copy-", 1, () -> {
			try (InputStream in = Files.newInputStream(from); OutputStream out = Files.newOutputStream(to)) {
				in.transferTo(out);
			}
			Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
			Run.pause(80);
		});
	}

	static void log() throws Exception {
		Path file = Files.createTempFile("archive", ".log");
		file.toFile().deleteOnExit();
		BlockingQueue<String> lines = new ArrayBlockingQueue<>(10_000);
		BufferedWriter out = Files.newBufferedWriter(file);
		Run.threads("log-writer-", 1, () -> {
			out.write(lines.take());
			if (lines.isEmpty())
				out.flush();
		});
		Run.threads("http-exec-", 4, () -> {
			for (int i = 0; i < 10; i++)
				lines.put("request " + i + " of " + Thread.currentThread().getName() + "\n");
			Run.pause(15);
		});
	}

	/** Fills until its limit, which it reaches soon or late, and then stays there. */
	static void cache(int limit) {
		Map<Integer, byte[]> cache = new LinkedHashMap<>(16, 0.75f, true) {
			@Override
			protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
				return size() > limit;
			}
		};
		int[] next = {0};
		Run.threads("http-exec-", 1, () -> {
			for (int i = 0; i < 10; i++)
				cache.computeIfAbsent(next[0]++ % (limit * 2), key -> new byte[2000]);
			Run.pause(1);
		});
	}

	/** Tables in memory, and connections enough for all. */
	static void database() {
		Map<Integer, String> table = new TreeMap<>();
		for (int i = 0; i < 50_000; i++)
			table.put(i, "row " + i * 31 % 977);
		BlockingQueue<Map<Integer, String>> connections = new ArrayBlockingQueue<>(10);
		for (int i = 0; i < 10; i++)
			connections.add(table);
		java.util.Random random = new java.util.Random(5);
		Run.threads("http-exec-", 4, () -> {
			Map<Integer, String> connection = connections.take();
			try {
				int found = 0;
				for (int i = 0; i < 300; i++)
					found += connection.get(random.nextInt(50_000)).length();
				for (String row : connection.values())
					if (row.endsWith("77"))
						found++;
				Run.sink += found;
			} finally {
				connections.add(connection);
			}
			Run.pause(15);
		});
	}

	/** A consumer of messages: it waits in a read until somebody sends one. */
	static void messages() throws Exception {
		ServerSocket broker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		for (int i = 0; i < 3; i++) {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.getLocalPort());
			Socket other = broker.accept();
			Run.threads("consumer-" + i + "-", 1, () -> Run.sink += socket.getInputStream().read());
			Run.threads("broker-" + i + "-", 1, () -> {
				Run.pause(1500);
				other.getOutputStream().write(7);
			});
		}
	}

	public static void main(String[] args) throws Exception {
		switch (args[0]) {
		case "copies":
			copies();
			break;
		case "log":
			log();
			break;
		case "cache":
			cache(Integer.parseInt(args[1]));
			break;
		case "database":
			database();
			break;
		default:
			messages();
		}
		Run.ready();
	}
}
