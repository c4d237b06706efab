/* SPDX-License-Identifier: MIT */
/* The program of the README's flame graph: a shop with orders, prices, pages and a nightly report. */
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;
import java.util.zip.*;

public class Shop {
	record Item(String name, int cents, int count) {}
	record Order(long number, String customer, List<Item> items) {}

	static final class Orders {
		private final TreeMap<Long, Order> orders = new TreeMap<>();

		Orders() {
			Random random = new Random(1);

			for (long i = 0; i < 5000; i++)
				orders.put(i, new Order(i, "customer-" + random.nextInt(900), items(random)));
		}

		private static List<Item> items(Random random) {
			return IntStream.range(0, 1 + random.nextInt(8))
				.mapToObj(i -> new Item("item " + random.nextInt(400), 100 + random.nextInt(9000), 1 + i)).toList();
		}

		List<Order> latest(int first, int count) {
			return orders.tailMap((long) first, true).values().stream().limit(count).toList();
		}

		List<Order> find(Pattern customer) {
			return orders.values().stream().filter(o -> customer.matcher(o.customer()).find()).toList();
		}
	}

	static final class Prices {
		long total(Order order) {
			return order.items().stream().mapToLong(i -> discount(i) * i.count()).sum();
		}

		private long discount(Item item) {
			long price = item.cents();

			for (int i = 0; i < 60; i++)
				price = (price * 31 + item.name().charAt(i % item.name().length())) % 100000;
			return price;
		}
	}

	static final class Pages {
		private final Prices prices = new Prices();

		String render(List<Order> orders) {
			StringBuilder page = new StringBuilder();

			orders.stream().sorted(Comparator.comparingLong(prices::total)).forEach(o -> row(page, o));
			return page.toString();
		}

		private void row(StringBuilder page, Order o) {
			page.append(String.format("<tr><td>%d</td><td>%s</td><td>%.2f</td></tr>%n", o.number(),
				escape(o.customer()), prices.total(o) / 100.0));
		}

		private String escape(String text) {
			return text.replace("&", "&amp;").replace("<", "&lt;");
		}
	}

	static final class Responses {
		byte[] compress(String page) {
			Deflater deflater = new Deflater();
			byte[] out = new byte[page.length() + 100];

			deflater.setInput(page.getBytes(StandardCharsets.UTF_8));
			deflater.finish();
			int length = deflater.deflate(out);
			deflater.end();
			return Arrays.copyOf(out, length);
		}

		String etag(byte[] body) throws Exception {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
		}
	}

	static final class Report {
		Map<String, Long> build(Orders orders, Prices prices) {
			return orders.find(Pattern.compile("customer-.*[0-9]$")).stream()
				.collect(Collectors.groupingBy(Order::customer, TreeMap::new, Collectors.summingLong(prices::total)));
		}
	}

	private final Orders orders = new Orders();
	private final Pages pages = new Pages();
	private final Responses responses = new Responses();
	private volatile int sent;

	private void answer(List<Order> found) throws Exception {
		byte[] body = responses.compress(pages.render(found));

		sent += responses.etag(body).length();
	}

	void search(String query) throws Exception {
		answer(orders.find(Pattern.compile(query)));
	}

	void list(int first) throws Exception {
		answer(orders.latest(first, 40));
	}

	void serve(Random random, long begin, long end) throws Exception {
		while (System.nanoTime() < end) {
			long second = (System.nanoTime() - begin) / 1_000_000_000;

			if (random.nextInt(12) == 0)
				search("er-" + random.nextInt(90) + "$");
			else
				list(random.nextInt(4900));
			Thread.sleep(second % 20 < 12 ? 1 : 6);
		}
	}

	void report(long begin, long end) throws Exception {
		while (System.nanoTime() < end) {
			long second = (System.nanoTime() - begin) / 1_000_000_000;

			if (second % 30 >= 18 && second % 30 < 24)
				sent += new Report().build(orders, new Prices()).size();
			else
				Thread.sleep(50);
		}
	}

	public static void main(String[] args) throws Exception {
		long begin = System.nanoTime(), end = begin + Long.parseLong(args[0]) * 1_000_000_000;
		Shop shop = new Shop();
		List<Thread> threads = new ArrayList<>();

		for (int i = 0; i < 3; i++) {
			Random random = new Random(i);
			threads.add(new Thread(() -> { try { shop.serve(random, begin, end); } catch (Exception e) { throw new RuntimeException(e); } }, "http-" + i));
		}
		threads.add(new Thread(() -> { try { shop.report(begin, end); } catch (Exception e) { throw new RuntimeException(e); } }, "report"));
		for (Thread t : threads)
			t.start();
		for (Thread t : threads)
			t.join();
	}
}
