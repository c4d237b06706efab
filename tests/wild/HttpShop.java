package acme.shop;

import acme.Run;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** A shop's server with some clients. "PAUSE": of each client between two questions, in ms. */
public class HttpShop {
	private final Map<Integer, String> pages = new ConcurrentHashMap<>();

	private String page(int number) {
		StringBuilder text = new StringBuilder("<ul>");
		for (int i = 0; i < 200; i++)
			text.append("<li>article ").append(number).append('-').append(i * 31 % 97).append("</li>");
		return text.append("</ul>").toString();
	}

	void handle(HttpExchange exchange) throws IOException {
		int number = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
		byte[] body = (number % 3 == 0 ? page(number) : pages.computeIfAbsent(number % 200, this::page))
			.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	static void ask(String url) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
		try (InputStream in = connection.getInputStream()) {
			Run.sink += in.readAllBytes().length;
		}
	}

	public static void main(String[] args) throws Exception {
		HttpShop shop = new HttpShop();
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
		server.setExecutor(Executors.newFixedThreadPool(8));
		server.createContext("/", shop::handle);
		server.start();
		String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
		int pause = Integer.parseInt(args[0]);
		int[] number = {0};
		Run.threads("client-", 4, () -> {
			ask(url + number[0]++ % 1000);
			Run.pause(pause);
		});
		Run.ready();
	}
}
