import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

// A server on a production day: clients ask for pages, all is well, but for four troubles, each
// on for a while. java Day SECONDS: the day is cut into twelve hours. It prints when each trouble
// begins and ends, in milliseconds since 1970.
//
//    hour 2   a lock is held long by the thread that prints reports: "lock"
//    hour 4   a peer answers late: "peer"
//    hour 6   a method makes exceptions in place of results: "exceptions"
//    hour 8   an operator calls System.gc(), over and over: "gc"
public class Day {
	static final Object stock = new Object();
	static volatile boolean isOver;
	static volatile int sink;

	static byte[] page(int n) {
		StringBuilder text = new StringBuilder();
		synchronized (stock) {
			text.append("page ").append(n).append('\n');
		}
		for (int i = 0; i < 100; i++)
			text.append("row ").append(i * 31 % 97).append('\n');
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

	static void ask(String url) {
		byte[] buffer = new byte[4096];

		for (int n = 0; !isOver; n++) {
			try {
				HttpURLConnection c = (HttpURLConnection) new URL(url + n % 500).openConnection();
				try (InputStream in = c.getInputStream()) {
					while (in.read(buffer) >= 0)
						;
				}
				Thread.sleep(50);
			} catch (Exception e) {
				if (!isOver)
					e.printStackTrace();
			}
		}
	}

	static void say(String trouble, boolean begins) {
		System.out.println(trouble + (begins ? " begins " : " ends ") + System.currentTimeMillis());
	}

	// Holds the lock for longer than a second, lets go for a tenth.
	static void printReports(long end) throws Exception {
		while (System.nanoTime() < end) {
			synchronized (stock) {
				Thread.sleep(1500);
			}
			Thread.sleep(100);
		}
	}

	// A bank that takes three seconds for an answer.
	static void askBank(long end) throws Exception {
		try (ServerSocket bank = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
			while (System.nanoTime() < end) {
				try (Socket s = new Socket(bank.getInetAddress(), bank.getLocalPort()); Socket peer = bank.accept()) {
					Thread answering = new Thread(() -> {
						try {
							Thread.sleep(3000);
							peer.getOutputStream().write(7);
						} catch (Exception e) {
							e.printStackTrace();
						}
					}, "bank");
					answering.start();
					sink += s.getInputStream().read();
					answering.join();
				}
			}
		}
	}

	static int parse(String text) {
		try {
			return Integer.parseInt(text);
		} catch (NumberFormatException e) {
			return -1;
		}
	}

	static void parseAll(long end) throws Exception {
		while (System.nanoTime() < end) {
			for (int i = 0; i < 400; i++)
				sink += parse("none");
			Thread.sleep(10);
		}
	}

	static void callGc(long end) throws Exception {
		while (System.nanoTime() < end) {
			System.gc();
			Thread.sleep(200);
		}
	}

	interface Trouble {
		void run(long end) throws Exception;
	}

	static void trouble(String name, long start, long hour, int at, Trouble t) throws Exception {
		long begin = start + at * hour;

		while (System.nanoTime() < begin)
			Thread.sleep(20);
		say(name, true);
		t.run(begin + hour);
		say(name, false);
	}

	public static void main(String[] args) throws Exception {
		long start = System.nanoTime(), hour = Integer.parseInt(args[0]) * 1_000_000_000L / 12;
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
		ExecutorService workers = Executors.newFixedThreadPool(4);
		server.setExecutor(workers);
		server.createContext("/", exchange -> {
			byte[] body = page(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)));
			exchange.sendResponseHeaders(200, body.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(body);
			}
		});
		server.start();
		String url = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.getAddress().getPort() + "/";
		for (int i = 0; i < 4; i++)
			new Thread(() -> ask(url), "client-" + i).start();
		trouble("lock", start, hour, 2, Day::printReports);
		trouble("peer", start, hour, 4, Day::askBank);
		trouble("exceptions", start, hour, 6, Day::parseAll);
		trouble("gc", start, hour, 8, Day::callGc);
		while (System.nanoTime() < start + 12 * hour)
			Thread.sleep(20);
		isOver = true;
		Thread.sleep(500);
		server.stop(0);
		workers.shutdown();
	}
}
