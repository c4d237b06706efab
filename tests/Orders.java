import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/*
 * A program for the demonstration, with a fault that is common: eight threads answer requests, and all
 * ask one list of prices, whose only method is synchronized and asks a database while it holds the lock.
 * It runs for ten minutes.
 */
public class Orders {
	static class PriceList {
		private final Map<String, Integer> asked = new HashMap<>();

		synchronized int priceOf(String article) throws InterruptedException {
			Thread.sleep(10);       // the database
			return asked.merge(article, 1, Integer::sum) * 100;
		}
	}

	static final PriceList prices = new PriceList();
	static volatile int total;

	static String invoice(String article, int price) {
		StringBuilder lines = new StringBuilder();

		for (int i = 1; i <= 200; i++)
			lines.append(String.format("%4d x %-20s %8d%n", i, article, i * price));
		return lines.toString();
	}

	static void answer(Random random) throws InterruptedException {
		String article = "article " + random.nextInt(1000);

		total += invoice(article, prices.priceOf(article)).length();
	}

	public static void main(String[] arguments) throws InterruptedException {
		for (int i = 1; i <= 8; i++) {
			Thread t = new Thread(() -> {
				Random random = new Random();

				try {
					for (;;)
						answer(random);
				} catch (InterruptedException e) {
					throw new IllegalStateException(e);
				}
			}, "request-" + i);

			t.setDaemon(true);
			t.start();
		}
		System.out.println("ready");
		Thread.sleep(600_000);
	}
}
