/* SPDX-License-Identifier: MIT */

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A server under load, its clients, and how it feels for them.
 *
 * Fills the repository first; says "ready"; then takes lines from its input: "begin NAME", and "end",
 * which prints NAME, requests per second and the 50th and 99th percentile in us.
 */
public class Requests {
	@Name("bench.Filler")
	@StackTrace(false)
	static class Filler extends Event {
		long number;
		String text; // different each time, else it would be written once
	}

	static final int CLIENTS = 4;
	static final byte[] REQUEST = ("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
		.getBytes(StandardCharsets.US_ASCII);

	/** Latencies of one client, between begin and end. */
	static class Client extends Thread {
		final int port;
		final long[] ns = new long[1 << 20];
		volatile boolean measures;
		int count;

		Client(int port) {
			this.port = port;
			setDaemon(true);
		}

		private void request(InputStream in, OutputStream out, byte[] buffer) throws Exception {
			long start = System.nanoTime();

			out.write(REQUEST);
			while (new String(buffer, 0, in.read(buffer), StandardCharsets.US_ASCII).indexOf("end!") < 0)
				;
			if (measures && count < ns.length)
				ns[count++] = System.nanoTime() - start;
		}

		@Override
		public void run() {
			byte[] buffer = new byte[64 << 10];

			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				socket.setTcpNoDelay(true);
				for (;;) {
					request(socket.getInputStream(), socket.getOutputStream(), buffer);
					Thread.sleep(1); // as many as fit would measure how busy the machine is
				}
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}
	}

	static byte[] answer() {
		StringBuilder text = new StringBuilder();

		for (int i = 0; i < 200; i++)
			text.append(i * 31 % 17).append(',');
		return text.append("end!").toString().getBytes(StandardCharsets.US_ASCII);
	}

	static int serve() throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

		server.createContext("/", exchange -> {
			byte[] body = answer();

			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.setExecutor(Executors.newFixedThreadPool(CLIENTS));
		server.start();
		return server.getAddress().getPort();
	}

	static void fill(long bytes) {
		String text = "so many bytes ".repeat(40);

		for (long number = 0; number * 580 < bytes; number++) {
			Filler event = new Filler();

			event.number = number;
			event.text = text + number;
			event.commit();
		}
	}

	static void print(String name, List<Client> clients, double seconds) {
		long[] all = clients.stream().flatMapToLong(c -> Arrays.stream(c.ns, 0, c.count)).sorted().toArray();

		System.out.printf("%s %.0f %d %d%n", name, all.length / seconds, all[all.length / 2] / 1000,
			all[(int) (all.length * 0.99)] / 1000);
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		List<Client> clients = new ArrayList<>();
		int port = serve();
		String name = "", line;
		long start = 0;

		fill(Long.parseLong(args[0]) << 20);
		for (int i = 0; i < CLIENTS; i++) {
			clients.add(new Client(port));
			clients.get(i).start();
		}
		Thread.sleep(10000);
		System.out.println("ready");
		while ((line = in.readLine()) != null) {
			if (line.startsWith("begin ")) {
				name = line.substring(6);
				start = System.nanoTime();
				clients.forEach(c -> { c.count = 0; c.measures = true; });
			} else {
				clients.forEach(c -> c.measures = false);
				Thread.sleep(20);
				print(name, clients, (System.nanoTime() - start) / 1e9);
			}
		}
	}
}
