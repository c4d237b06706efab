import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

// A healthy server under an even load: four clients ask for pages, which are made in some
// milliseconds, with a cache that is bounded. No warning is to come of this.
public class BusyServer {
	static final ConcurrentHashMap<Integer, byte[]> cache = new ConcurrentHashMap<>();

	static byte[] page(int n) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 400; i++)
			text.append("row ").append(n).append(' ').append(i * 31 % 97).append('\n');
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

	static void ask(String url, long end) {
		try {
			for (int n = 0; System.nanoTime() < end; n++) {
				HttpURLConnection c = (HttpURLConnection) new URL(url + n % 500).openConnection();
				byte[] buffer = new byte[4096];
				try (InputStream in = c.getInputStream()) {
					while (in.read(buffer) >= 0)
						;
				}
				Thread.sleep(15);
			}
		} catch (Exception e) {
			e.printStackTrace();
		}
	}

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Integer.parseInt(args[0]) * 1_000_000_000L;
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
		ExecutorService workers = Executors.newFixedThreadPool(4);
		server.setExecutor(workers);
		server.createContext("/", exchange -> {
			String path = exchange.getRequestURI().getPath();
			int n = Integer.parseInt(path.substring(1));
			byte[] body = cache.computeIfAbsent(n % 200, BusyServer::page);
			exchange.sendResponseHeaders(200, body.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(body);
			}
		});
		server.start();
		String url = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.getAddress().getPort() + "/";
		Thread[] clients = new Thread[4];
		for (int i = 0; i < clients.length; i++) {
			clients[i] = new Thread(() -> ask(url, end), "client-" + i);
			clients[i].start();
		}
		for (Thread t : clients)
			t.join();
		server.stop(0);
		workers.shutdown();
	}
}
